//! benches/baseline.json: the counts of our server as they were committed. Counts, not times, so that the gate says the
//! same on a busy machine.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};

use crate::bench::{Outcome, conditions::Conditions, options::Options, say};

/// How much worse a count may be than its baseline.
const TOLERANCE: f64 = 1.05;

const FILE: &str = "benches/baseline.json";

#[derive(Serialize, Deserialize)]
struct Baseline {
    rustc: String,
    valgrind: String,
    rows: BTreeMap<String, f64>,
}

pub(crate) fn write(
    root: &Path,
    rows: &BTreeMap<String, f64>,
    conditions: &Conditions,
) -> Outcome<()> {
    let baseline = Baseline {
        rustc: conditions.rustc.clone(),
        valgrind: conditions
            .valgrind
            .clone()
            .ok_or("a baseline needs valgrind")?,
        rows: rows.clone(),
    };
    fs::write(
        root.join(FILE),
        serde_json::to_string_pretty(&baseline)? + "\n",
    )?;
    say(&format!("{} rows written to {FILE}", rows.len()));
    Ok(())
}

/// Fails when a row is worse than the baseline allows, or one of the baseline's was not measured.
pub(crate) fn check(
    root: &Path,
    rows: &BTreeMap<String, f64>,
    conditions: &Conditions,
    options: &Options,
) -> Outcome<()> {
    let text = fs::read_to_string(root.join(FILE)).map_err(|error| {
        format!("{FILE}: {error}; `cargo xtask bench --write-baseline` makes one")
    })?;
    let baseline: Baseline = serde_json::from_str(&text)?;
    if baseline.rustc != conditions.rustc
        || Some(&baseline.valgrind) != conditions.valgrind.as_ref()
    {
        say(&format!(
            "the baseline was counted by {} and {}",
            baseline.rustc, baseline.valgrind
        ));
    }
    let wanted = baseline
        .rows
        .into_iter()
        .filter(|(name, _)| options.wants(name))
        .collect();
    let complaints = compare(&wanted, rows);
    if complaints.is_empty() {
        say(&format!(
            "{} rows within 5 % of their baseline",
            wanted.len()
        ));
        return Ok(());
    }
    Err(complaints.join("\n").into())
}

fn compare(baseline: &BTreeMap<String, f64>, rows: &BTreeMap<String, f64>) -> Vec<String> {
    let judge = |(name, before): (&String, &f64)| match rows.get(name) {
        None => Some(format!("{name}: not measured")),
        Some(now) if *now > before * TOLERANCE => {
            let worse = (now / before - 1.0) * 100.0;
            Some(format!(
                "{name}: {now} is {worse:.1} % over the baseline of {before}"
            ))
        }
        Some(_) => None,
    };
    baseline.iter().filter_map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[(&str, f64)]) -> BTreeMap<String, f64> {
        rows.iter()
            .map(|(name, count)| ((*name).into(), *count))
            .collect()
    }

    #[test]
    fn five_per_cent_are_let_through_and_more_is_named() {
        let baseline = rows(&[
            ("same", 100.0),
            ("slower", 100.0),
            ("much slower", 100.0),
            ("gone", 1.0),
        ]);
        let now = rows(&[
            ("same", 99.0),
            ("slower", 105.0),
            ("much slower", 106.0),
            ("additional", 7.0),
        ]);
        let complaints = compare(&baseline, &now);
        assert_eq!(complaints.len(), 2);
        assert_eq!(complaints[0], "gone: not measured");
        assert!(complaints[1].starts_with("much slower: 106 is 6.0 %"));
    }
}
