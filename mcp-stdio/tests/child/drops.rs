//! Children that are dropped, wherever that happens: they end, with their groups, and no zombie stays.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_stdio::ChildTransport;
use rustix::process::Pid;
use tokio::runtime::{Builder, Runtime};

use crate::fixture::{own, pid, start, wait_until_gone};

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime")
}

/// A child that ends on nothing but SIGKILL, as does its own child.
async fn stubborn() -> (ChildTransport, [Pid; 2]) {
    let mut child = start("trap '' TERM; sleep 600 & echo $!; wait; sleep 600");
    let grandchild = pid(&mut child).await;
    let pids = [own(&child), grandchild];
    (child, pids)
}

fn assert_gone(pids: [Pid; 2]) {
    pids.into_iter().for_each(wait_until_gone);
}

#[tokio::test]
async fn in_a_runtime() {
    let (child, pids) = stubborn().await;
    drop(child);
    assert_gone(pids);
}

/// HST-03.
#[test]
fn after_the_end_of_the_runtime() {
    let runtime = runtime();
    let (child, pids) = runtime.block_on(stubborn());
    drop(runtime);
    drop(child);
    assert_gone(pids);
}

/// HST-03.
#[test]
fn by_the_end_of_the_runtime() {
    let runtime = runtime();
    let (child, pids) = runtime.block_on(stubborn());
    runtime.spawn(async move {
        let _child = child;
        std::future::pending::<()>().await;
    });
    runtime.shutdown_background();
    assert_gone(pids);
}

/// HST-03.
#[test]
fn by_a_panic() {
    let runtime = runtime();
    let (child, pids) = runtime.block_on(stubborn());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _child = child;
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    assert_gone(pids);
}

/// HST-03.
#[tokio::test]
async fn while_it_closes() {
    use mcp_core::transport::Transport;

    let (mut child, pids) = stubborn().await;
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(child.poll_close(&mut cx).is_pending());
    drop(child);
    assert_gone(pids);
}

/// HST-04: it has ended, and nobody has asked.
#[test]
fn after_it_has_ended_unnoticed() {
    let runtime = runtime();
    let child = runtime.block_on(async { start("exit 0") });
    let pid = own(&child);
    drop(runtime);
    drop(child);
    wait_until_gone(pid);
}
