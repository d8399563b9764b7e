//! The floor of a client: one thread, blocking reads, serde both ways, everything that may be sent in one write.

use std::{
    error::Error,
    io::{Read, Write},
    process::{Command, Stdio},
};

use mcp_benches::{ClientLoad, Lines, Meter};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Call<'a> {
    jsonrpc: &'a str,
    id: u64,
    method: &'a str,
    params: Params<'a>,
}

#[derive(Serialize)]
struct Params<'a> {
    name: &'a str,
    arguments: Echo<'a>,
}

#[derive(Serialize)]
struct Echo<'a> {
    text: &'a str,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "id")]
    _id: u64,
    result: Content,
}

#[derive(Deserialize)]
struct Content {
    content: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    text: String,
}

const OPEN: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

fn main() -> Result<(), Box<dyn Error>> {
    let load = ClientLoad::from_args()?;
    let (program, arguments) = load.command.split_first().ok_or("no command")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("the child has no pipes".into());
    };
    input.write_all(OPEN.as_bytes())?;
    let mut lines = Lines::default();
    let mut out = Vec::new();
    let mut meter = Meter::new(&load);
    let (mut id, mut open, mut is_opened) = (0, 0, false);
    loop {
        let count = output.read(lines.room())?;
        if count == 0 {
            return Err("the server has left".into());
        }
        lines.filled(count);
        while let Some(line) = lines.next_line() {
            if !std::mem::replace(&mut is_opened, true) {
                continue;
            }
            let answer: Answer = serde_json::from_slice(line)?;
            assert_eq!(answer.result.content[0].text.len(), load.text.len());
            meter.count();
            open -= 1;
        }
        while is_opened && open < load.depth && meter.start() {
            id += 1;
            open += 1;
            let arguments = Echo { text: &load.text };
            let call = Call {
                jsonrpc: "2.0",
                id,
                method: "tools/call",
                params: Params {
                    name: "echo",
                    arguments,
                },
            };
            serde_json::to_writer(&mut out, &call)?;
            out.push(b'\n');
        }
        if is_opened && open == 0 {
            break;
        }
        input.write_all(&out)?;
        out.clear();
    }
    drop(input);
    child.wait()?;
    meter.report()?;
    Ok(())
}
