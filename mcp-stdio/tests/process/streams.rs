//! What a server does with its standard streams, whatever they are.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use crate::fixture::{INITIALIZE, INITIALIZED, Process, call, command, ping};

type Test = (&'static str, fn());

pub(crate) const TESTS: &[Test] = &[
    (
        "a_stray_print_lands_on_standard_error",
        a_stray_print_lands_on_standard_error,
    ),
    ("a_child_inherits_no_input", a_child_inherits_no_input),
    ("files_are_read_and_written", files_are_read_and_written),
    (
        "two_sockets_are_read_and_written",
        two_sockets_are_read_and_written,
    ),
    (
        "one_socket_is_read_and_written",
        one_socket_is_read_and_written,
    ),
    (
        "the_client_s_ends_stay_blocking",
        the_client_s_ends_stay_blocking,
    ),
    (
        "odd_lines_do_not_end_the_session",
        odd_lines_do_not_end_the_session,
    ),
    (
        "answers_are_lines_that_end_in_one_line_feed",
        answers_are_lines_that_end_in_one_line_feed,
    ),
    ("big_answers_arrive_whole", big_answers_arrive_whole),
];

fn a_stray_print_lands_on_standard_error() {
    let mut process = Process::start("run");
    process.send(&call(2, "stray", "{}"));
    assert!(process.receive().contains("printed"));
    drop(process.input.take());
    let ended = process.end();
    assert_eq!(ended.output, "");
    assert!(ended.errors.contains("a stray print\n"));
    assert_eq!(ended.code, Some(0));
}

fn a_child_inherits_no_input() {
    let mut process = Process::start("run");
    let lines = [call(2, "child_input", "{}"), ping(3)].join("\n");
    process.send(&lines);
    let answers = [process.receive(), process.receive()].concat();
    assert!(
        answers.contains("<>"),
        "the child read something: {answers}"
    );
    assert!(answers.contains(r#""id":3"#), "the next request was eaten");
}

fn temporary(name: &str) -> File {
    let path = std::env::temp_dir().join(format!("mcp-stdio-{}-{name}", std::process::id()));
    let options = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path);
    std::fs::remove_file(&path).expect("the file is there");
    options.expect("a temporary file can be made")
}

fn files_are_read_and_written() {
    let mut input = temporary("input");
    let mut output = temporary("output");
    let wait = call(2, "wait", r#"{"milliseconds":100}"#);
    let lines = [INITIALIZE, INITIALIZED, &wait, &ping(3)].join("\r\n");
    input
        .write_all(lines.as_bytes())
        .expect("the file is written");
    input.rewind().expect("the file is rewound");
    let mut command = command("run");
    command.stdin(Stdio::from(input)).stdout(Stdio::from(
        output.try_clone().expect("a second descriptor"),
    ));
    Process::spawn(command).end().assert_clean();
    output.rewind().expect("the file is rewound");
    let mut answers = String::new();
    output
        .read_to_string(&mut answers)
        .expect("the file is read");
    assert_eq!(answers.lines().count(), 3, "{answers}");
    assert!(answers.contains("waited"));
}

fn two_sockets_are_read_and_written() {
    let (stdin, mut input) = UnixStream::pair().expect("a pair of sockets");
    let (stdout, output) = UnixStream::pair().expect("a pair of sockets");
    let mut command = command("run");
    command
        .stdin(Stdio::from(OwnedFd::from(stdin)))
        .stdout(Stdio::from(OwnedFd::from(stdout)));
    let process = Process::spawn(command);
    writeln!(input, "{INITIALIZE}\n{INITIALIZED}\n{}", ping(2)).expect("the server reads");
    drop(input);
    let answers: Vec<_> = BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .collect();
    assert_eq!(answers.len(), 2);
    process.end().assert_clean();
}

fn one_socket_is_read_and_written() {
    let (theirs, mut ours) = UnixStream::pair().expect("a pair of sockets");
    let again = theirs.try_clone().expect("a second descriptor");
    let mut command = command("run");
    command
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(again)));
    let process = Process::spawn(command);
    let wait = call(2, "wait", r#"{"milliseconds":100}"#);
    writeln!(ours, "{INITIALIZE}\n{INITIALIZED}\n{wait}").expect("the server reads");
    // The client has said all it will, and still listens.
    ours.shutdown(Shutdown::Write)
        .expect("half of it is closed");
    let answers: Vec<_> = BufReader::new(ours).lines().map_while(Result::ok).collect();
    assert_eq!(answers.len(), 2);
    process.end().assert_clean();
}

fn the_client_s_ends_stay_blocking() {
    let mut process = Process::start("run");
    // More than a pipe holds, so writing has to wait for the server now and then.
    let padding = " ".repeat(1 << 20);
    process.send(&format!("{padding}{}", ping(2)));
    assert!(process.receive().contains(r#""id":2"#));
}

/// FRM-04, FRM-06, FRM-12.
fn odd_lines_do_not_end_the_session() {
    let mut command = command("run");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::spawn(command);
    let input = process.input.as_mut().expect("the input is open");
    input
        .write_all(b"\xEF\xBB\xBFnot json\n\n\r\n  \n\xFF\xFE\n\0\nContent-Length: 2\r\n\r\n")
        .expect("the server reads");
    process.send(INITIALIZE);
    process.send(&format!("{}\r", ping(2)));
    assert!(process.receive().contains(r#""id":1,"#));
    assert!(process.receive().contains(r#""id":2,"#));
}

fn answers_are_lines_that_end_in_one_line_feed() {
    let mut process = Process::start("run");
    for id in 2..5 {
        process.send(&format!("{}\r", ping(id)));
        let answer = process.receive();
        assert!(answer.ends_with("}\n"), "{answer:?}");
    }
}

fn big_answers_arrive_whole() {
    let mut process = Process::start("run");
    let requests: String = (2..22)
        .map(|id| call(id, "big", r#"{"bytes":1048576}"#) + "\n")
        .collect();
    process.send(requests.trim_end());
    let text = "x".repeat(1 << 20);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 2..22 {
        let answer = process.receive();
        assert!(answer.contains(&text));
        assert!(answer.starts_with('{') && answer.ends_with("}\n"));
        seen.insert((2..22).find(|id| answer.contains(&format!(r#""id":{id},"#))));
    }
    assert_eq!(seen.len(), 20);
}
