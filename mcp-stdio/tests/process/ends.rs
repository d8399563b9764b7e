//! How a server ends.

use std::process::Stdio;

use rustix::process::Signal;

use crate::fixture::{INITIALIZE, INITIALIZED, Process, call, command};

pub(crate) type Test = (&'static str, fn());

pub(crate) const TESTS: &[Test] = &[
    (
        "the_end_of_input_ends_the_process",
        the_end_of_input_ends_the_process,
    ),
    (
        "an_empty_input_ends_the_process",
        an_empty_input_ends_the_process,
    ),
    (
        "tasks_and_threads_left_behind_do_not_hold_the_process",
        tasks_and_threads_left_behind_do_not_hold_the_process,
    ),
    (
        "calls_read_before_the_end_of_input_are_answered",
        calls_read_before_the_end_of_input_are_answered,
    ),
    (
        "the_end_of_input_is_seen_though_all_calls_hang",
        the_end_of_input_is_seen_though_all_calls_hang,
    ),
    ("a_signal_ends_an_idle_server", a_signal_ends_an_idle_server),
    (
        "a_signal_lets_the_calls_under_way_finish",
        a_signal_lets_the_calls_under_way_finish,
    ),
    ("a_second_signal_ends_at_once", a_second_signal_ends_at_once),
    (
        "the_application_ends_a_server_whose_input_is_open_and_silent",
        the_application_ends_a_server_whose_input_is_open_and_silent,
    ),
    (
        "a_client_that_stops_reading_cancels_its_calls",
        a_client_that_stops_reading_cancels_its_calls,
    ),
    (
        "a_client_that_stops_reading_a_socket_cancels_its_calls",
        a_client_that_stops_reading_a_socket_cancels_its_calls,
    ),
];

fn the_end_of_input_ends_the_process() {
    for kind in ["run", "serve"] {
        let mut process = Process::start(kind);
        drop(process.input.take());
        let ended = process.end();
        ended.assert_clean();
        assert_eq!(ended.output, "");
    }
}

fn an_empty_input_ends_the_process() {
    for kind in ["run", "serve"] {
        let mut command = command(kind);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        Process::spawn(command).end().assert_clean();
    }
}

fn tasks_and_threads_left_behind_do_not_hold_the_process() {
    let mut process = Process::start("run");
    process.send(&call(2, "litter", "{}"));
    assert!(process.receive().contains("left"));
    drop(process.input.take());
    process.end().assert_clean();
}

fn calls_read_before_the_end_of_input_are_answered() {
    let mut command = command("run");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::spawn(command);
    let wait = call(2, "wait", r#"{"milliseconds":300}"#);
    let last = call(3, "wait", r#"{"milliseconds":0}"#);
    let lines = [INITIALIZE, INITIALIZED, &wait].join("\n");
    process.send(&lines);
    // The last line needs no newline.
    std::io::Write::write_all(&mut process.input.take().expect("open"), last.as_bytes())
        .expect("the server reads");
    let ended = process.end();
    ended.assert_clean();
    for id in 1..=3 {
        assert!(
            ended.output.contains(&format!(r#""id":{id},"#)),
            "no answer to {id}"
        );
    }
}

fn the_end_of_input_is_seen_though_all_calls_hang() {
    let mut process = Process::start("run");
    let day = r#"{"milliseconds":86400000}"#;
    // More than run at once.
    let calls: Vec<_> = (2..1100).map(|id| call(id, "wait", day)).collect();
    process.send(&calls.join("\n"));
    drop(process.input.take());
    let ended = process.end();
    assert_eq!((ended.errors.as_str(), ended.code), ("", Some(0)));
    assert_eq!(ended.output, "");
}

fn a_signal_ends_an_idle_server() {
    for signal in [Signal::TERM, Signal::INT] {
        let process = Process::start("run");
        process.signal(signal);
        process.end().assert_clean();
    }
}

fn a_signal_lets_the_calls_under_way_finish() {
    let mut process = Process::start("run");
    process.send(&call(2, "wait", r#"{"milliseconds":300}"#));
    process.settle();
    process.signal(Signal::TERM);
    let ended = process.end();
    ended.assert_clean();
    assert!(ended.output.contains("waited"));
}

fn a_second_signal_ends_at_once() {
    let mut process = Process::start("run");
    process.send(&call(2, "wait", r#"{"milliseconds":60000}"#));
    process.settle();
    process.signal(Signal::TERM);
    process.signal(Signal::INT);
    let ended = process.end();
    assert_eq!(ended.code, Some(3));
    assert_eq!(ended.output, "");
}

fn the_application_ends_a_server_whose_input_is_open_and_silent() {
    for kind in ["serve", "serve-dropped"] {
        let mut process = Process::start(kind);
        process.send(&call(2, "quit", "{}"));
        let ended = process.end();
        ended.assert_clean();
        // A future that was dropped owes no answer.
        assert!(kind == "serve-dropped" || ended.output.contains("bye"));
    }
}

fn a_client_that_stops_reading_cancels_its_calls() {
    let mut process = Process::start("run");
    process.send(&call(2, "wait", r#"{"milliseconds":60000}"#));
    process.settle();
    drop(process.output.take());
    process.end().assert_clean();
}

fn a_client_that_stops_reading_a_socket_cancels_its_calls() {
    let (theirs, output) = std::os::unix::net::UnixStream::pair().expect("a pair of sockets");
    let mut command = command("run");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::from(std::os::fd::OwnedFd::from(theirs)));
    let mut process = Process::spawn(command);
    process.send(INITIALIZE);
    process.send(INITIALIZED);
    process.send(&call(2, "wait", r#"{"milliseconds":60000}"#));
    let mut line = String::new();
    let mut output = std::io::BufReader::new(output);
    std::io::BufRead::read_line(&mut output, &mut line).expect("the server writes");
    drop(output);
    process.end().assert_clean();
}
