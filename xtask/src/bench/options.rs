//! The command line of `cargo xtask bench`.

use crate::bench::Outcome;

pub(crate) const USAGE: &str = "\
usage: cargo xtask bench [options]

  --ir              count instructions and allocations too (valgrind; some minutes)
  --build           measure clean release builds of the seven-line server too (minutes)
  --quick           fewer and shorter runs
  --only PATTERN    only rows whose name holds PATTERN (may be given several times)
  --gate            count instructions of our server only; fail when one is more than 5 % over benches/baseline.json
  --write-baseline  count instructions of our server only; write benches/baseline.json";

/// What the figures are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A table of all servers.
    Compare,
    /// Our counts against the committed ones.
    Gate,
    /// Our counts, to be committed.
    WriteBaseline,
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) purpose: Purpose,
    pub(crate) instructions: bool,
    pub(crate) clean_builds: bool,
    pub(crate) quick: bool,
    only: Vec<String>,
}

impl Options {
    /// `None` when only help is wanted.
    pub(crate) fn from_args(mut args: impl Iterator<Item = String>) -> Outcome<Option<Self>> {
        let mut options = Self {
            purpose: Purpose::Compare,
            instructions: false,
            clean_builds: false,
            quick: false,
            only: Vec::new(),
        };
        while let Some(option) = args.next() {
            match option.as_str() {
                "--ir" => options.instructions = true,
                "--build" => options.clean_builds = true,
                "--quick" => options.quick = true,
                "--only" => options
                    .only
                    .push(args.next().ok_or("--only needs a pattern")?),
                "--gate" => options.purpose = Purpose::Gate,
                "--write-baseline" => options.purpose = Purpose::WriteBaseline,
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("there is no option {option}\n{USAGE}").into()),
            }
        }
        if options.purpose == Purpose::WriteBaseline && !options.only.is_empty() {
            return Err("a baseline is written whole: leave --only out".into());
        }
        Ok(Some(options))
    }

    /// Whether a row of this name is asked for.
    pub(crate) fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| row.contains(pattern))
    }

    /// Repetitions of a timed scenario.
    pub(crate) fn repetitions(&self) -> usize {
        if self.quick { 2 } else { 5 }
    }

    /// Repetitions of a cold start, which is short and scatters.
    pub(crate) fn starts(&self) -> usize {
        if self.quick { 5 } else { 20 }
    }

    /// How long one timed run sends.
    pub(crate) fn millis(&self) -> u32 {
        if self.quick { 150 } else { 400 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Outcome<Option<Options>> {
        Options::from_args(text.split_whitespace().map(String::from))
    }

    #[test]
    fn patterns_choose_rows_by_a_part_of_their_name() {
        let options = parse("--only depth --only list").unwrap().unwrap();
        assert!(options.wants("echo 20 B, depth 64: p50"));
        assert!(options.wants("tools/list of 1000: Ir"));
        assert!(!options.wants("cold start"));
    }

    #[test]
    fn an_unknown_option_is_named() {
        assert!(parse("--fast").unwrap_err().to_string().contains("--fast"));
    }

    #[test]
    fn a_part_of_a_baseline_is_not_written() {
        assert!(parse("--write-baseline --only echo").is_err());
    }
}
