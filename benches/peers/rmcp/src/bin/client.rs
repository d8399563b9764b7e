//! rmcp's client, calling a server that is a child: `depth` tasks, each with a clone of the peer. `MCP_RT=ct` takes the
//! current-thread runtime. The options are those of the load generator.

use std::{
    cell::Cell,
    error::Error,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rmcp::{
    RoleClient, ServiceExt, model::CallToolRequestParams, service::Peer,
    transport::TokioChildProcess,
};
use tokio::runtime::Builder;

struct Load {
    text: String,
    depth: usize,
    calls: Option<usize>,
    measured: Duration,
    warm_up: Duration,
    command: Vec<String>,
}

fn load() -> Result<Load, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut load = Load {
        text: String::new(),
        depth: 1,
        calls: None,
        measured: Duration::ZERO,
        warm_up: Duration::ZERO,
        command: Vec::new(),
    };
    let size = Cell::new(20);
    while let Some(option) = args.next() {
        match option.as_str() {
            "--" => break,
            "--modern" => return Err("the client speaks what the library chooses".into()),
            _ => {
                let value = args.next().ok_or("an option lacks its value")?;
                match option.as_str() {
                    "--size" => size.set(value.parse()?),
                    "--depth" => load.depth = value.parse()?,
                    "--calls" => load.calls = Some(value.parse()?),
                    "--millis" => load.measured = Duration::from_millis(value.parse()?),
                    "--warm-up" => load.warm_up = Duration::from_millis(value.parse()?),
                    _ => {}
                }
            }
        }
    }
    load.text = "abcdefghijklmnopqrst"
        .chars()
        .cycle()
        .take(size.get())
        .collect();
    load.command = args.collect();
    Ok(load)
}

#[derive(Default)]
struct Meter {
    started: AtomicUsize,
    counted: AtomicUsize,
    begun: Mutex<Option<(Instant, Duration)>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let load = load()?;
    let one = std::env::var("MCP_RT").as_deref() == Ok("ct");
    let mut builder = if one {
        Builder::new_current_thread()
    } else {
        Builder::new_multi_thread()
    };
    builder.enable_all().build()?.block_on(run(load))
}

async fn run(load: Load) -> Result<(), Box<dyn Error>> {
    let (program, arguments) = load.command.split_first().ok_or("no command")?;
    let mut command = tokio::process::Command::new(program);
    command.args(arguments);
    let service = ().serve(TokioChildProcess::new(command)?).await?;
    let meter = Arc::new(Meter::default());
    let load = Arc::new(load);
    let start = Instant::now();
    let tasks: Vec<_> = (0..load.depth)
        .map(|_| {
            tokio::spawn(calls(
                service.peer().clone(),
                Arc::clone(&load),
                Arc::clone(&meter),
                start,
            ))
        })
        .collect();
    for task in tasks {
        task.await?;
    }
    let (begin, cpu) = meter
        .begun
        .lock()
        .unwrap()
        .unwrap_or((start, Duration::ZERO));
    let seconds = begin.elapsed().as_secs_f64();
    let cpu = (own_cpu() - cpu).as_secs_f64() * 1e6;
    let calls = meter.counted.load(Ordering::Relaxed);
    service.cancel().await?;
    println!(
        "{}",
        serde_json::json!({
            "calls": calls,
            "calls_per_second": calls as f64 / seconds,
            "cpu_us_per_call": cpu / calls.max(1) as f64,
        })
    );
    Ok(())
}

async fn calls(peer: Peer<RoleClient>, load: Arc<Load>, meter: Arc<Meter>, start: Instant) {
    loop {
        let started = meter.started.fetch_add(1, Ordering::Relaxed);
        let goes_on = match load.calls {
            Some(calls) => started < calls,
            None => start.elapsed() < load.measured + load.warm_up,
        };
        if !goes_on {
            return;
        }
        let mut arguments = serde_json::Map::new();
        arguments.insert("text".into(), load.text.as_str().into());
        let call = CallToolRequestParams::new("echo").with_arguments(arguments);
        let result = peer.call_tool(call).await.expect("an answer");
        let text = result.content.first().and_then(|block| block.as_text());
        assert_eq!(text.map(|text| text.text.len()), Some(load.text.len()));
        if load.calls.is_some() || start.elapsed() >= load.warm_up {
            if meter.counted.fetch_add(1, Ordering::Relaxed) == 0 {
                *meter.begun.lock().unwrap() = Some((Instant::now(), own_cpu()));
            }
        }
    }
}

fn own_cpu() -> Duration {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let nanos = threads.map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        text.split_whitespace()
            .next()
            .and_then(|nanos| nanos.parse::<u64>().ok())
            .unwrap_or(0)
    });
    Duration::from_nanos(nanos.sum())
}
