//! The floor of stdio: one thread, a blocking read, everything that was in the buffer answered by one write.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, Read, Write},
    os::fd::AsFd,
    time::Instant,
};

use mcp_benches::{Engine, Lines};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

fn main() -> io::Result<()> {
    let engine = Engine::from_env();
    // Plain files: the handles of the standard library put a buffer and a lock in between.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut lines = Lines::default();
    let mut out = Vec::with_capacity(1 << 16);
    let mut waiting: BinaryHeap<Reverse<(Instant, Vec<u8>)>> = BinaryHeap::new();
    let mut open = true;
    while open || !waiting.is_empty() {
        if wait_for_input(&input, open, &waiting)? {
            let count = input.read(lines.room())?;
            open = count > 0;
            lines.filled(count);
        }
        while let Some(line) = lines.next_line() {
            if let Some(delayed) = engine.answer(line, &mut out) {
                waiting.push(Reverse((Instant::now() + delayed.wait, delayed.answer)));
            }
        }
        take_due(&mut waiting, &mut out);
        if !out.is_empty() {
            output.write_all(&out)?;
            out.clear();
        }
    }
    Ok(())
}

/// Whether a read is next; returns without one when an answer falls due first. With nothing waiting the read may block.
fn wait_for_input(
    input: &File,
    open: bool,
    waiting: &BinaryHeap<Reverse<(Instant, Vec<u8>)>>,
) -> io::Result<bool> {
    let Some(Reverse((due, _))) = waiting.peek() else {
        return Ok(open);
    };
    let left = due.saturating_duration_since(Instant::now());
    if !open {
        std::thread::sleep(left);
        return Ok(false);
    }
    let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
    let ready = poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&timeout))?;
    Ok(ready > 0)
}

fn take_due(waiting: &mut BinaryHeap<Reverse<(Instant, Vec<u8>)>>, out: &mut Vec<u8>) {
    if waiting.is_empty() {
        return;
    }
    let now = Instant::now();
    while let Some(Reverse((due, _))) = waiting.peek() {
        if *due > now {
            break;
        }
        if let Some(Reverse((_, answer))) = waiting.pop() {
            out.extend_from_slice(&answer);
        }
    }
}
