//! Counts instructions and calls of functions with valgrind's callgrind. Counts hardly scatter, so one pair of runs is
//! enough and builds can be compared by them, on a busy machine too.

use std::{collections::HashMap, ffi::OsStr, fs, path::Path};

use crate::bench::{
    Outcome,
    build::Build,
    load::{self, Amount},
    metric::{Metric, Sample},
    scenarios::{Scenario, Twice},
    servers::Server,
};

/// What one call costs: the difference between two runs, so that starting and leaving cancel out.
pub(crate) fn measure(
    build: &Build,
    scenario: &Scenario,
    server: &Server,
    twice: Twice,
    scratch: &Path,
) -> Outcome<Sample> {
    let few = profile(build, scenario, server, twice.few, scratch)?;
    let many = profile(build, scenario, server, twice.many, scratch)?;
    let calls = (twice.many - twice.few) as f64;
    let a_call = |few: u64, many: u64| (many as f64 - few as f64) / calls;
    let instructions = a_call(few.instructions, many.instructions).round();
    let mut sample = Sample::from([
        (Metric::Instructions, instructions),
        (
            Metric::InstructionsPerEvent,
            instructions / scenario.load.size as f64,
        ),
        (
            Metric::Allocations,
            a_call(few.allocations, many.allocations),
        ),
    ]);
    // Without the symbols of the C library its copying functions have no names.
    if many.copies > few.copies {
        sample.insert(Metric::Copies, a_call(few.copies, many.copies));
    }
    Ok(sample)
}

fn profile(
    build: &Build,
    scenario: &Scenario,
    server: &Server,
    calls: usize,
    scratch: &Path,
) -> Outcome<Profile> {
    let file = scratch.join("callgrind.out");
    let out = format!("--callgrind-out-file={}", file.display());
    let wrapper = ["valgrind", "--tool=callgrind", "--fair-sched=yes", &out].map(OsStr::new);
    load::run(build, scenario, server, Amount::Calls(calls), &wrapper)?;
    Profile::parse(&fs::read_to_string(file)?).ok_or_else(|| "callgrind wrote no sum".into())
}

/// What is read out of a profile.
#[derive(Debug, Default, PartialEq, Eq)]
struct Profile {
    instructions: u64,
    allocations: u64,
    copies: u64,
}

impl Profile {
    /// Reads the format as callgrind writes it: a function's name stands where its number comes first, and a line of
    /// `calls=` follows the function called.
    fn parse(text: &str) -> Option<Self> {
        let mut names: HashMap<&str, Kind> = HashMap::new();
        let mut called = Kind::Other;
        let mut profile = Self::default();
        let mut sum = None;
        for line in text.lines() {
            if let Some(function) = line.strip_prefix("fn=") {
                note(&mut names, function);
            } else if let Some(function) = line.strip_prefix("cfn=") {
                called = note(&mut names, function);
            } else if let Some(calls) = line.strip_prefix("calls=") {
                let count: u64 = calls.split(' ').next()?.parse().ok()?;
                match called {
                    Kind::Allocation => profile.allocations += count,
                    Kind::Copy => profile.copies += count,
                    Kind::Other => {}
                }
            } else if let Some(count) = line
                .strip_prefix("summary: ")
                .or_else(|| line.strip_prefix("totals: "))
            {
                sum = count.trim().parse().ok();
            }
        }
        profile.instructions = sum?;
        Some(profile)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Allocation,
    Copy,
    Other,
}

/// What kind of function `(12) name` or `(12)` is.
fn note<'a>(names: &mut HashMap<&'a str, Kind>, function: &'a str) -> Kind {
    let (number, name) = function.split_once(' ').unwrap_or((function, ""));
    if name.is_empty() {
        return names.get(number).copied().unwrap_or(Kind::Other);
    }
    // A function in a cycle of calls is written as name'2.
    let name = name.split('\'').next().unwrap_or(name);
    let kind = match name {
        "malloc" | "calloc" | "realloc" | "posix_memalign" | "aligned_alloc" | "memalign" => {
            Kind::Allocation
        }
        "memcpy" | "memmove" => Kind::Copy,
        _ if name.starts_with("__memcpy_") || name.starts_with("__memmove_") => Kind::Copy,
        _ => Kind::Other,
    };
    names.insert(number, kind);
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_allocating_and_copying_functions_are_summed() {
        let text = "\
# callgrind format
summary: 1234
fn=(1) serve
0 6
cfn=(2) malloc
calls=3 10
0 90
cfn=(3) __memcpy_avx_unaligned_erms
calls=7 20
0 70
cfn=(2)
calls=2 10
0 60
fn=(2)
0 5
cfn=(4) malloc_consolidate
calls=9 0
0 1
cfn=(5) realloc'2
calls=1 0
0 1
totals: 1234
";
        let expected = Profile {
            instructions: 1234,
            allocations: 6,
            copies: 7,
        };
        assert_eq!(Profile::parse(text), Some(expected));
    }

    #[test]
    fn a_profile_without_a_sum_is_none() {
        assert_eq!(Profile::parse("fn=(1) serve\n0 6\n"), None);
    }
}
