//! Many children, one after the other: nothing of them stays.
#![cfg(target_os = "linux")]

use std::fs;
use std::future::poll_fn;

use mcp_core::transport::Transport;
use mcp_stdio::{Command, Stderr};

use crate::fixture::{in_time, wait_until};

fn count(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let lists = tasks.map(|task| {
        let path = task.unwrap().path().join("children");
        fs::read_to_string(path).unwrap_or_default()
    });
    lists.map(|list| list.split_whitespace().count()).sum()
}

fn resident_kb() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

async fn cycle(command: &Command, closes: bool) {
    let mut child = command.spawn().unwrap();
    if closes {
        in_time(poll_fn(|cx| child.poll_close(cx))).await.unwrap();
    }
}

/// HST-04. Every other one is dropped rather than closed.
#[tokio::test]
async fn a_thousand_children_leave_nothing_behind() {
    let command = Command::new("cat").stderr(Stderr::Tail);
    for round in 0..50 {
        cycle(&command, round % 2 == 0).await;
    }
    wait_until(|| children() == 0);
    let (descriptors, threads) = (count("/proc/self/fd"), count("/proc/self/task"));
    let resident = resident_kb();
    for _ in 0..95 {
        let ten = (0..10).map(|n| cycle(&command, n % 2 == 0));
        futures_util::future::join_all(ten).await;
    }
    wait_until(|| children() == 0 && count("/proc/self/task") <= threads);
    // The tasks that read standard error end with the turn of the runtime in which they are told.
    let closed = async {
        while count("/proc/self/fd") > descriptors {
            tokio::task::yield_now().await;
        }
    };
    in_time(closed).await;
    let grown = resident_kb().saturating_sub(resident);
    assert!(grown < 4_096, "{grown} kB more than after the first fifty");
}

/// A connection that is gone leaves nothing of itself in memory.
#[tokio::test]
async fn many_connections_take_no_more_room_than_a_few() {
    let script = r#"
        read -r probe
        echo '{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}'
        exec cat >/dev/null
    "#;
    let command = Command::new("sh").args(["-c", script]).stderr(Stderr::Null);
    let connect = async || {
        let client = in_time(command.connect()).await.unwrap();
        let events = client.events();
        in_time(client.close()).await;
        drop(events);
    };
    for _ in 0..50 {
        connect().await;
    }
    let resident = resident_kb();
    for _ in 0..400 {
        connect().await;
    }
    let grown = resident_kb().saturating_sub(resident);
    assert!(grown < 1_024, "{grown} kB more than after the first fifty");
}

/// HST-04: servers that end by themselves, of a client that connects anew each time.
#[tokio::test]
async fn a_hundred_reconnects_after_an_end_leave_nothing_behind() {
    let command = crate::fixture::server("read -r call; echo full >&2; exit 3");
    let round = async || {
        let client = in_time(command.connect()).await.unwrap();
        let failed = in_time(client.call_tool("t", ())).await.unwrap_err();
        assert!(failed.is_disconnected(), "{failed}");
        in_time(client.closed()).await;
        assert_eq!(children(), 0, "its end was not waited for");
    };
    for _ in 0..10 {
        round().await;
    }
    let (descriptors, threads) = (count("/proc/self/fd"), count("/proc/self/task"));
    let resident = resident_kb();
    for _ in 0..100 {
        round().await;
    }
    wait_until(|| count("/proc/self/task") <= threads);
    let closed = async {
        while count("/proc/self/fd") > descriptors {
            tokio::task::yield_now().await;
        }
    };
    in_time(closed).await;
    let grown = resident_kb().saturating_sub(resident);
    assert!(grown < 1_024, "{grown} kB more than after the first ten");
}
