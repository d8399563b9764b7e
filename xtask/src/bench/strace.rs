//! Counts system calls with strace.

use std::{ffi::OsStr, fs, path::Path};

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
    let few = count(build, scenario, server, twice.few, scratch)?;
    let many = count(build, scenario, server, twice.many, scratch)?;
    let calls = (twice.many - twice.few) as f64;
    Ok(Sample::from([(
        Metric::SystemCalls,
        (many as f64 - few as f64) / calls,
    )]))
}

fn count(
    build: &Build,
    scenario: &Scenario,
    server: &Server,
    calls: usize,
    scratch: &Path,
) -> Outcome<u64> {
    let file = scratch.join("strace.out");
    let wrapper = [
        OsStr::new("strace"),
        "-f".as_ref(),
        "-c".as_ref(),
        "-o".as_ref(),
        file.as_ref(),
    ];
    load::run(build, scenario, server, Amount::Calls(calls), &wrapper)?;
    Ok(sum(&fs::read_to_string(file)?))
}

/// The fourth column of strace's table, summed.
fn sum(table: &str) -> u64 {
    let rows = table.lines().filter(|line| !line.ends_with(" total"));
    rows.filter_map(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_summed_with_and_without_a_column_of_errors() {
        let table = "\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 60.00    0.000300           1       300           read
 40.00    0.000200           2       100        12 futex
------ ----------- ----------- --------- --------- ----------------
100.00    0.000500           1       400        12 total
";
        assert_eq!(sum(table), 400);
    }
}
