//! The floor of an asynchronous server: the same engine on a worker of tokio, with pipes that do not block.
//! `MCP_RT=ct` picks the current-thread runtime.

use std::io;

use mcp_benches::{Engine, Lines};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe,
    runtime::Builder,
};

fn main() -> io::Result<()> {
    let mut builder = if std::env::var("MCP_RT").as_deref() == Ok("ct") {
        Builder::new_current_thread()
    } else {
        Builder::new_multi_thread()
    };
    let runtime = builder.enable_all().build()?;
    // On a worker and not inside `block_on`, where every wake-up would cross threads.
    runtime.block_on(async { tokio::spawn(serve()).await.map_err(io::Error::other)? })
}

async fn serve() -> io::Result<()> {
    let engine = Engine::from_env();
    let mut input = pipe::OpenOptions::new().open_receiver("/proc/self/fd/0")?;
    let mut output = pipe::OpenOptions::new().open_sender("/proc/self/fd/1")?;
    let mut lines = Lines::default();
    let mut out = Vec::with_capacity(1 << 16);
    loop {
        let count = input.read(lines.room()).await?;
        if count == 0 {
            return Ok(());
        }
        lines.filled(count);
        while let Some(line) = lines.next_line() {
            // Sleeping calls are measured against the other floor, which has timers.
            let _ = engine.answer(line, &mut out);
        }
        output.write_all(&out).await?;
        out.clear();
    }
}
