//! What can be measured, and what is asked of it.

use std::{collections::BTreeMap, fmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Metric {
    CallsPerSecond,
    CpuPerCall,
    CpuPerEvent,
    P50,
    P99,
    EventsLost,
    FirstAnswer,
    Idle,
    Instructions,
    InstructionsPerEvent,
    Allocations,
    Copies,
    SystemCalls,
}

/// What one run of one server gave.
pub(crate) type Sample = BTreeMap<Metric, f64>;

impl Metric {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::CallsPerSecond => "calls a second",
            Self::CpuPerCall => "server CPU",
            Self::CpuPerEvent => "server CPU a notification",
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::EventsLost => "notifications lost",
            Self::FirstAnswer => "to the first answer",
            Self::Idle => "memory idle",
            Self::Instructions => "Ir",
            Self::InstructionsPerEvent => "Ir a notification",
            Self::Allocations => "heap allocations",
            Self::Copies => "memcpy calls",
            Self::SystemCalls => "system calls",
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::CallsPerSecond => "1/s",
            Self::CpuPerCall | Self::CpuPerEvent | Self::P50 | Self::P99 => "us",
            Self::FirstAnswer => "ms",
            Self::Idle => "MB",
            Self::EventsLost => "",
            Self::Instructions | Self::InstructionsPerEvent => "Ir",
            Self::Allocations | Self::Copies | Self::SystemCalls => "a call",
        }
    }

    /// The better of two figures.
    pub(crate) fn better(self, one: f64, other: f64) -> f64 {
        if self == Self::CallsPerSecond {
            one.max(other)
        } else {
            one.min(other)
        }
    }

    /// One figure for several runs: the median, but for losses, where the worst run counts.
    pub(crate) fn summary(self, samples: &[Sample]) -> Option<f64> {
        let mut values: Vec<f64> = samples
            .iter()
            .filter_map(|sample| sample.get(&self).copied())
            .collect();
        values.sort_by(f64::total_cmp);
        if self == Self::EventsLost {
            return values.last().copied();
        }
        let middle = values.len() / 2;
        match values.len() {
            0 => None,
            count if count % 2 == 1 => values.get(middle).copied(),
            _ => Some((values[middle - 1] + values[middle]) / 2.0),
        }
    }
}

/// What our figure should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    /// There is none; the row informs.
    None,
    AtMost(f64),
    AtMostOfFloor(f64),
    AtLeastOfFloor(f64),
    AtMostOfRmcp(f64),
}

/// The three figures a budget is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) ours: Option<f64>,
    pub(crate) floor: Option<f64>,
    pub(crate) rmcp: Option<f64>,
}

impl Budget {
    /// `None` when there is no budget or a figure is missing.
    pub(crate) fn met(self, figures: Figures) -> Option<bool> {
        let ours = figures.ours?;
        Some(match self {
            Self::None => return None,
            Self::AtMost(most) => ours <= most,
            Self::AtMostOfFloor(share) => ours <= share * figures.floor?,
            Self::AtLeastOfFloor(share) => ours >= share * figures.floor?,
            Self::AtMostOfRmcp(share) => ours <= share * figures.rmcp?,
        })
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::AtMost(most) => write!(f, "<= {}", Number(*most)),
            Self::AtMostOfFloor(share) => write!(f, "<= {share} floor"),
            Self::AtLeastOfFloor(share) => write!(f, ">= {share} floor"),
            Self::AtMostOfRmcp(share) => write!(f, "<= {share} rmcp"),
        }
    }
}

/// A figure with three digits that count, and thousands set apart.
pub(crate) struct Number(pub(crate) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size < 1000.0 {
            let decimals = match size {
                100.0.. => 0,
                10.0.. => 1,
                _ => 2,
            };
            let text = format!("{:.decimals$}", self.0);
            let text = if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.')
            } else {
                &text
            };
            let text = if text == "-0" { "0" } else { text };
            return f.write_str(text);
        }
        let digits = format!("{size:.0}");
        let mut text = String::from(if self.0 < 0.0 { "-" } else { "" });
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(' ');
            }
            text.push(digit);
        }
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(metric: Metric, values: &[f64]) -> Vec<Sample> {
        values
            .iter()
            .map(|value| Sample::from([(metric, *value)]))
            .collect()
    }

    #[test]
    fn several_runs_give_their_median_and_the_worst_loss() {
        assert_eq!(
            Metric::P50.summary(&samples(Metric::P50, &[9.0, 1.0, 3.0])),
            Some(3.0)
        );
        assert_eq!(
            Metric::P50.summary(&samples(Metric::P50, &[1.0, 3.0])),
            Some(2.0)
        );
        assert_eq!(
            Metric::EventsLost.summary(&samples(Metric::EventsLost, &[0.0, 4.0, 0.0])),
            Some(4.0)
        );
        assert_eq!(Metric::P99.summary(&samples(Metric::P50, &[1.0])), None);
    }

    #[test]
    fn a_budget_is_judged_by_what_it_names() {
        let figures = Figures {
            ours: Some(6.0),
            floor: Some(10.0),
            rmcp: Some(12.0),
        };
        assert_eq!(Budget::AtMost(6.0).met(figures), Some(true));
        assert_eq!(Budget::AtLeastOfFloor(0.7).met(figures), Some(false));
        assert_eq!(Budget::AtMostOfFloor(0.5).met(figures), Some(false));
        assert_eq!(Budget::AtMostOfRmcp(0.5).met(figures), Some(true));
        assert_eq!(
            Budget::AtMostOfRmcp(0.5).met(Figures {
                rmcp: None,
                ..figures
            }),
            None
        );
        assert_eq!(Budget::None.met(figures), None);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [-0.001, 0.051, 5.0, 43.21, 123.4, 5290.2, 7_670_000.0]
            .map(|number| Number(number).to_string());
        assert_eq!(
            texts,
            ["0", "0.05", "5", "43.2", "123", "5 290", "7 670 000"]
        );
    }
}
