//! What a newcomer sees first.

use std::process::Command;

/// What the quickstart prints.
const EXPECTED: &str = include_str!("output.txt");

#[test]
fn the_quickstart_shows_the_tools_a_good_call_and_what_the_model_is_told_of_a_bad_one() {
    let output = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), EXPECTED);
}

#[test]
fn the_readme_shows_what_the_quickstart_prints() {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("```text\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    assert_eq!(shown, EXPECTED);
}
