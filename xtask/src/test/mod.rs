//! `cargo xtask test`: the one command that says whether a change is good.

mod steps;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::{self, Stop, say};
use crate::finish;
use crate::workspace::Workspace;
use steps::{STEPS, Step};

/// Runs the named steps, or all in order; a failed step does not keep the next from running.
pub(crate) fn run(args: impl Iterator<Item = String>) -> ExitCode {
    let names: Vec<_> = args.collect();
    if names.iter().any(|name| name == "--list") {
        for step in STEPS {
            say(&format!("{:<10} {}", step.name, step.what));
        }
        return ExitCode::SUCCESS;
    }
    let chosen = match choose(&names) {
        Ok(chosen) => chosen,
        Err(unknown) => {
            let hint = "`cargo xtask test --list` names them";
            return finish(Err(format!("no step is called `{unknown}`; {hint}")));
        }
    };
    match Workspace::load() {
        Ok(workspace) => {
            let ends: Vec<_> = chosen
                .iter()
                .map(|step| (step.name, walk(step, &workspace)))
                .collect();
            report(&ends)
        }
        Err(stop) => finish(Err(stop)),
    }
}

/// How a step ended, and after how long.
#[derive(Debug)]
struct End {
    result: Result<(), Stop>,
    took: Duration,
}

impl End {
    /// The word for it, and whether the whole run fails for it.
    fn verdict(&self, on_ci: bool) -> Verdict {
        match &self.result {
            Ok(()) => Verdict::Passed,
            Err(Stop::Skipped(_)) if !on_ci => Verdict::Skipped,
            Err(_) => Verdict::Failed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Skipped,
    Failed,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed => "FAILED",
        }
    }
}

fn choose(names: &[String]) -> Result<Vec<&'static Step>, &String> {
    if names.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    names
        .iter()
        .map(|name| STEPS.iter().find(|step| step.name == name).ok_or(name))
        .collect()
}

fn walk(step: &Step, workspace: &Workspace) -> End {
    say(&format!("\n==> {}: {}", step.name, step.what));
    let start = Instant::now();
    let end = End {
        result: (step.run)(workspace),
        took: start.elapsed(),
    };
    say(&format!("<== {}", line(step.name, &end)));
    end
}

fn line(name: &str, end: &End) -> String {
    let word = end.verdict(command::on_ci()).word();
    let seconds = end.took.as_secs_f64();
    match &end.result {
        Ok(()) => format!("{name} {word}, {seconds:.1} s"),
        Err(stop) => format!("{name} {word}, {seconds:.1} s: {stop}"),
    }
}

/// The last line is the plain one that programs look for.
fn report(ends: &[(&str, End)]) -> ExitCode {
    say("");
    for (name, end) in ends {
        say(&line(name, end));
    }
    let on_ci = command::on_ci();
    for line in told(ends, on_ci) {
        say(&line);
    }
    let count = |wanted| {
        ends.iter()
            .filter(|(_, end)| end.verdict(on_ci) == wanted)
            .count()
    };
    let failed = count(Verdict::Failed);
    let skipped = match count(Verdict::Skipped) {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    say(&format!(
        "\n{} passed, {failed} failed{skipped}",
        count(Verdict::Passed)
    ));
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What went wrong in the steps that failed, once more: what they said of it may be thousands of lines above.
fn told(ends: &[(&str, End)], on_ci: bool) -> Vec<String> {
    let failed = ends
        .iter()
        .filter(|(_, end)| end.verdict(on_ci) == Verdict::Failed);
    let mut lines = Vec::new();
    for (name, end) in failed {
        let told = end.result.as_ref().err().map_or(&[][..], Stop::told);
        if !told.is_empty() {
            lines.push(format!("\n{name} failed:"));
            lines.extend(told.iter().map(|line| format!("    {line}")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(result: Result<(), Stop>) -> End {
        End {
            result,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn a_skipped_step_fails_the_run_on_ci_only() {
        let end = ended(Err(Stop::Skipped("no npm".to_owned())));
        assert_eq!(end.verdict(false), Verdict::Skipped);
        assert_eq!(end.verdict(true), Verdict::Failed);
    }

    #[test]
    fn a_failed_step_fails_the_run_everywhere() {
        let end = ended(Err(Stop::Unexpected("six".to_owned())));
        assert_eq!(end.verdict(false), Verdict::Failed);
        assert_eq!(end.verdict(true), Verdict::Failed);
    }

    #[test]
    fn what_failed_is_repeated_by_step() {
        let stopped = |told: &[&str]| {
            ended(Err(Stop::Ended {
                program: "cargo".to_owned(),
                status: "exit status: 1".to_owned(),
                told: told.iter().map(|line| (*line).to_owned()).collect(),
            }))
        };
        let ends = [
            ("fmt", ended(Ok(()))),
            ("unit", stopped(&["FAIL a", "FAIL b"])),
            ("fuzz", stopped(&[])),
        ];
        let expected = ["\nunit failed:", "    FAIL a", "    FAIL b"];
        assert_eq!(told(&ends, false), expected);
    }

    #[test]
    fn an_unknown_step_is_named() {
        let names = ["fmt".to_owned(), "flap".to_owned()];
        assert_eq!(choose(&names).err(), Some(&names[1]));
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
