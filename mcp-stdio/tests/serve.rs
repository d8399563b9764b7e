//! Sessions over streams inside a runtime of the application.

use std::future::{Future, pending};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_core::{BuiltServer, Closed, Server, tool};
use mcp_stdio::{ServeOptions, serve_io, serve_stream};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::time::timeout;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const NEVER: &str =
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"never","arguments":{}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#;

/// Long enough for any machine; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

/// Does not return.
#[tool]
async fn never() -> String {
    pending().await
}

fn server() -> BuiltServer {
    let server = Server::new("test", "1.0.0").tool::<never>();
    server.build().expect("the server is sound")
}

/// Sends lines and waits for the answer to the last of them.
async fn exchange(client: &mut BufReader<DuplexStream>, lines: &[&str]) -> String {
    for line in lines {
        let sent = client.write_all(format!("{line}\n").as_bytes()).await;
        sent.expect("the server reads");
    }
    let mut answer = String::new();
    let read = timeout(PATIENCE, client.read_line(&mut answer)).await;
    read.expect("an answer comes").expect("the server writes");
    answer
}

#[tokio::test]
async fn the_end_of_a_stream_ends_its_session() {
    let (client, stream) = duplex(4096);
    drop(client);
    let closed = timeout(PATIENCE, serve_stream(&server(), stream)).await;
    assert_eq!(closed.unwrap().unwrap(), Closed::EndOfInput);
}

#[tokio::test]
async fn a_shutdown_ends_the_session_of_a_silent_client() {
    let (client, stream) = duplex(4096);
    let options = ServeOptions::new().with_shutdown(async {});
    let closed = timeout(PATIENCE, options.serve_stream(&server(), stream)).await;
    assert_eq!(closed.unwrap().unwrap(), Closed::Shutdown);
    drop(client);
}

#[tokio::test]
async fn dropping_the_future_ends_the_session_and_its_calls() {
    let (client, stream) = duplex(4096);
    let mut client = BufReader::new(client);
    let server = server();
    {
        let mut session = std::pin::pin!(serve_stream(&server, stream));
        let talk = async {
            exchange(&mut client, &[INITIALIZE]).await;
            exchange(&mut client, &[INITIALIZED, NEVER, PING]).await
        };
        let answer = tokio::select! {
            _ = &mut session => unreachable!("the client is there"),
            answer = talk => answer,
        };
        assert!(answer.contains(r#""id":3"#));
    }
    let mut rest = String::new();
    let end = timeout(PATIENCE, client.read_to_string(&mut rest)).await;
    end.expect("the stream is closed").unwrap();
    assert_eq!(rest, "");
}

#[tokio::test]
async fn a_session_runs_over_two_streams() {
    let (mut input, reader) = duplex(4096);
    let (writer, output) = duplex(4096);
    input
        .write_all(format!("{PING}\n").as_bytes())
        .await
        .unwrap();
    drop(input);
    let closed = timeout(PATIENCE, serve_io(&server(), reader, writer)).await;
    assert_eq!(closed.unwrap().unwrap(), Closed::EndOfInput);
    let mut answers = String::new();
    BufReader::new(output)
        .read_to_string(&mut answers)
        .await
        .unwrap();
    assert_eq!(answers, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
}

#[tokio::test]
async fn the_options_hold_for_two_streams_as_well() {
    let (mut input, reader) = duplex(4096);
    let (writer, mut output) = duplex(4096);
    let lines = format!(" {PING}\n{PING}\n");
    input.write_all(lines.as_bytes()).await.unwrap();
    drop(input);
    let options = ServeOptions::new().with_line_limit(PING.len());
    let closed = timeout(PATIENCE, options.serve_io(&server(), reader, writer)).await;
    assert_eq!(closed.unwrap().unwrap(), Closed::EndOfInput);
    let mut answers = String::new();
    output.read_to_string(&mut answers).await.unwrap();
    let (refused, answer) = answers.split_once('\n').unwrap();
    assert!(refused.contains("-32600"), "{refused}");
    assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
}

#[test]
#[should_panic(expected = "no reactor running")]
fn serving_outside_of_a_runtime_panics() {
    let server = server();
    let mut session = pin!(serve_io(&server, tokio::io::empty(), tokio::io::sink()));
    let _: Poll<_> = session
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
}

#[tokio::test]
#[should_panic(expected = "Cannot start a runtime from within a runtime")]
async fn running_inside_of_a_runtime_panics() {
    drop(mcp_stdio::run(Server::new("test", "1.0.0")));
}

#[tokio::test]
async fn a_line_over_the_limit_of_the_options_is_skipped() {
    let (client, stream) = duplex(4096);
    let mut client = BufReader::new(client);
    let server = server();
    let options = ServeOptions::new().with_line_limit(PING.len());
    let blank = " ".repeat(PING.len());
    let talk = async move {
        let overlong = format!(r#"{blank}{{"jsonrpc":"2.0","method":"x"}}"#);
        exchange(&mut client, &[&overlong, PING]).await
    };
    let (closed, answer) = tokio::join!(options.serve_stream(&server, stream), talk);
    assert_eq!(closed.unwrap(), Closed::EndOfInput);
    assert!(answer.contains(r#""id":3"#), "{answer}");
}

/// What a `main` that returns the error prints has to say what to do.
#[test]
fn the_debug_form_of_an_error_tells_its_causes() {
    let twice = Server::new("s", "1").tool::<never>().tool::<never>();
    let error = mcp_stdio::Error::from(twice.build().unwrap_err());
    assert_eq!(
        format!("{error:?}"),
        "the server cannot be built: there are two tools of the name `never`"
    );
}
