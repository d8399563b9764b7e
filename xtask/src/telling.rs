//! The lines of a long output that say what went wrong, so that they can be repeated at the end.

/// As many as one reads.
const MAX_LINES: usize = 40;

/// What was heard so far, each once.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    lines: Vec<String>,
    more: usize,
}

impl Telling {
    pub(crate) fn hear(&mut self, line: &str) {
        let line = plain(line);
        if !is_telling(&line) {
            return;
        }
        let line = line.trim().to_owned();
        if self.lines.contains(&line) {
            return;
        }
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn into_lines(mut self) -> Vec<String> {
        if self.more > 0 {
            self.lines.push(format!("and {} more", self.more));
        }
        self.lines
    }
}

/// A test that failed, what a compiler refuses, or code that is not formatted.
fn is_telling(line: &str) -> bool {
    let nextest = || {
        let mut words = line.split_whitespace();
        let status = words.next().unwrap_or_default();
        let is_bad = ["FAIL", "TIMEOUT", "ABORT"].contains(&status)
            || status.starts_with("SIG")
            || (status == "TRY" && words.nth(1).is_some_and(|word| word != "PASS"));
        is_bad && line.starts_with(' ') && line.contains(" [")
    };
    // Indented, it is what a test printed, of which nextest tells.
    let libtest = line.starts_with("test ") && line.trim_end().ends_with("FAILED");
    let compiler = line.starts_with("error") && !line.starts_with("error: test run failed");
    libtest || compiler || line.starts_with("Diff in ") || nextest()
}

/// Without colours.
fn plain(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('m').map_or(part, |(_, text)| text);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(output: &str) -> Vec<String> {
        let mut telling = Telling::default();
        output.lines().for_each(|line| telling.hear(line));
        telling.into_lines()
    }

    #[test]
    fn failed_tests_are_told_once_whoever_runs_them() {
        let output = "\
        PASS [   0.200s] (1/5) mcp-core::conversations visits::a
        FAIL [   0.432s] (3/5) mcp-core::conversations visits::b
  stdout ───
    test visits::b ... FAILED
     SIGABRT [   0.002s] (4/5) xtask::bin/xtask c
     TIMEOUT [  60.002s] (5/5) xtask::bin/xtask d
  TRY 2 FAIL [   0.002s] (5/5) xtask::bin/xtask e
     Summary [   2.651s] 5 tests run: 1 passed, 4 failed
        FAIL [   0.432s] (3/5) mcp-core::conversations visits::b
error: test run failed
test src/lib.rs - add (line 3) ... FAILED
test src/lib.rs - add (line 9) ... ok";
        assert_eq!(
            told(output),
            [
                "FAIL [   0.432s] (3/5) mcp-core::conversations visits::b",
                "SIGABRT [   0.002s] (4/5) xtask::bin/xtask c",
                "TIMEOUT [  60.002s] (5/5) xtask::bin/xtask d",
                "TRY 2 FAIL [   0.002s] (5/5) xtask::bin/xtask e",
                "test src/lib.rs - add (line 3) ... FAILED",
            ]
        );
    }

    #[test]
    fn what_a_compiler_refuses_is_told_without_its_colours() {
        let output = "\x1b[1m\x1b[91merror[E0277]\x1b[0m: no\nwarning: unused\nDiff in a.rs:1:";
        assert_eq!(told(output), ["error[E0277]: no", "Diff in a.rs:1:"]);
    }

    #[test]
    fn what_is_told_is_bounded() {
        let output: String = (0..100).map(|n| format!("error: {n}\n")).collect();
        let told = told(&output);
        assert_eq!(told.len(), MAX_LINES + 1);
        assert_eq!(told.last().map(String::as_str), Some("and 60 more"));
    }
}
