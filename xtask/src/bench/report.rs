//! The rows, as a table and as JSON.

use std::{collections::BTreeMap, fmt, fs, path::Path};

use serde::Serialize;

use crate::bench::{
    Outcome,
    conditions::Conditions,
    metric::{Budget, Figures, Metric, Number},
    scenarios::Derived,
    servers::Column,
};

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) conditions: Conditions,
    rows: Vec<Row>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    unit: &'static str,
    ours: Option<f64>,
    floor: Option<f64>,
    rmcp: Option<f64>,
    rmcp_as_shown: Option<f64>,
    ours_to_floor: Option<f64>,
    ours_to_rmcp: Option<f64>,
    budget: String,
    met: Option<bool>,
    /// Whether the figure repeats well enough to be held against a baseline.
    #[serde(skip)]
    steady: bool,
}

impl Row {
    fn new(
        name: String,
        unit: &'static str,
        budget: Budget,
        figures: &BTreeMap<Column, f64>,
    ) -> Self {
        let figure = |column| figures.get(&column).copied();
        let (ours, floor, rmcp) = (
            figure(Column::Ours),
            figure(Column::Floor),
            figure(Column::Rmcp),
        );
        let ratio = |to: Option<f64>| Some(ours? / to.filter(|to| *to != 0.0)?);
        Self {
            name,
            unit,
            ours,
            floor,
            rmcp,
            rmcp_as_shown: figure(Column::RmcpAsShown),
            ours_to_floor: ratio(floor),
            ours_to_rmcp: ratio(rmcp),
            budget: budget.to_string(),
            met: budget.met(Figures { ours, floor, rmcp }),
            steady: false,
        }
    }

    fn figure(&self, column: Column) -> Option<f64> {
        match column {
            Column::Ours => self.ours,
            Column::Floor => self.floor,
            Column::Rmcp => self.rmcp,
            Column::RmcpAsShown => self.rmcp_as_shown,
        }
    }

    fn cells(&self) -> [String; 10] {
        let number = |value: Option<f64>| {
            value.map_or_else(|| "-".into(), |value| Number(value).to_string())
        };
        let met = match self.met {
            Some(true) => "met",
            Some(false) => "MISSED",
            None if self.budget.is_empty() => "",
            None => "-",
        };
        [
            self.name.clone(),
            self.unit.into(),
            number(self.ours),
            number(self.floor),
            number(self.rmcp),
            number(self.rmcp_as_shown),
            number(self.ours_to_floor),
            number(self.ours_to_rmcp),
            self.budget.clone(),
            met.into(),
        ]
    }
}

const HEADER: [&str; 10] = [
    "row",
    "unit",
    "ours",
    "floor",
    "rmcp",
    "rmcp as shown",
    "ours/floor",
    "ours/rmcp",
    "budget",
    "",
];

impl Report {
    pub(crate) fn new(conditions: Conditions) -> Self {
        Self {
            conditions,
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds what a metric gave; of two servers of one column the better figure stands.
    pub(crate) fn add(
        &mut self,
        name: String,
        metric: Metric,
        budget: Budget,
        figures: impl Iterator<Item = (Column, f64)>,
    ) {
        let mut best = BTreeMap::new();
        for (column, figure) in figures {
            best.entry(column)
                .and_modify(|best| *best = metric.better(*best, figure))
                .or_insert(figure);
        }
        let mut row = Row::new(name, metric.unit(), budget, &best);
        row.steady = matches!(
            metric,
            Metric::Instructions | Metric::InstructionsPerEvent | Metric::Allocations
        );
        self.rows.push(row);
    }

    /// Adds a row that is measured otherwise.
    pub(crate) fn add_figures(
        &mut self,
        name: &str,
        unit: &'static str,
        budget: Budget,
        figures: &BTreeMap<Column, f64>,
    ) {
        self.rows.push(Row::new(name.into(), unit, budget, figures));
    }

    /// Adds the rows that are computed from others, where those are there.
    pub(crate) fn derive(&mut self, all: &[Derived]) {
        for derived in all {
            let find = |name: &str| self.rows.iter().find(|row| row.name == name);
            let (Some(row), Some(minus)) = (find(derived.row), find(derived.minus)) else {
                continue;
            };
            let columns = [
                Column::Ours,
                Column::Floor,
                Column::Rmcp,
                Column::RmcpAsShown,
            ];
            let figures = columns.into_iter().filter_map(|column| {
                let difference = row.figure(column)? - minus.figure(column)?;
                Some((column, difference / derived.divisor))
            });
            let figures = figures.collect();
            self.add_figures(derived.name, derived.unit, derived.budget, &figures);
        }
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Drops the rows that were measured on the way and not asked for.
    pub(crate) fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        self.rows.retain(|row| wanted(&row.name));
    }

    /// The steady figures of a column.
    pub(crate) fn column(&self, column: Column) -> BTreeMap<String, f64> {
        let rows = self.rows.iter().filter(|row| row.steady);
        rows.filter_map(|row| Some((row.name.clone(), row.figure(column)?)))
            .collect()
    }

    pub(crate) fn write(&self, file: &Path) -> Outcome<()> {
        Ok(fs::write(file, serde_json::to_string_pretty(self)? + "\n")?)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADER.map(String::from)];
        lines.extend(self.rows.iter().map(Row::cells));
        let width = |column: usize| {
            lines
                .iter()
                .map(|cells| cells[column].len())
                .max()
                .unwrap_or(0)
        };
        let widths: [usize; 10] = std::array::from_fn(width);
        for cells in &lines {
            let mut text = String::new();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                // Names, budgets and verdicts to the left, figures to the right.
                let aligned = match column {
                    0 | 1 | 8 | 9 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                };
                text.push_str(&aligned);
                text.push_str("  ");
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        let judged = self.rows.iter().filter_map(|row| row.met);
        let (met, missed): (Vec<bool>, Vec<bool>) = judged.partition(|met| *met);
        write!(f, "{} budgets met, {} missed", met.len(), missed.len())
    }
}
