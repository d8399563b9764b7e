//! Which scenarios there are, and which of them are known to fail.

use std::fmt;

use crate::command::Stop;

/// The side of ours that a scenario tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Server,
    Client,
}

impl Side {
    /// Those that have a program yet.
    pub(super) const ALL: [Self; 1] = [Self::Server];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Client => "client",
        }
    }

    pub(super) const fn flag(self) -> &'static str {
        match self {
            Self::Server => "--server",
            Self::Client => "--client",
        }
    }
}

/// A scenario in one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) side: Side,
    pub(super) name: String,
    pub(super) version: String,
}

impl Run {
    /// Where its results go.
    pub(super) fn folder(&self) -> String {
        format!(
            "{}/{}/{}",
            self.side.word(),
            self.version,
            self.name.replace('/', "-")
        )
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.side.word(), self.version, self.name)
    }
}

/// Reads what `list` prints: `  - name [version,version]`. Those of extensions name no version.
pub(super) fn read(side: Side, listed: &str) -> Result<Vec<Run>, Stop> {
    let mut runs = Vec::new();
    for line in listed.lines() {
        let Some((name, tags)) = line
            .trim()
            .strip_prefix("- ")
            .and_then(|line| line.split_once(" ["))
        else {
            continue;
        };
        let tags = tags.trim_end_matches(']').split(',').map(str::trim);
        for version in tags.filter(|tag| tag.starts_with("20")) {
            runs.push(Run {
                side,
                name: name.trim().to_owned(),
                version: version.to_owned(),
            });
        }
    }
    if runs.is_empty() {
        return Err(Stop::Unexpected(format!(
            "the suite lists no scenario of a {}",
            side.word()
        )));
    }
    Ok(runs)
}

/// The scenarios under `server:` and `client:` in the list of those that may fail.
pub(super) fn known(baseline: &str) -> Vec<(Side, String)> {
    let mut side = None;
    let mut known = Vec::new();
    for line in baseline.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.starts_with("server:") {
            side = Some(Side::Server);
        } else if line.starts_with("client:") {
            side = Some(Side::Client);
        } else if let (Some(side), Some(name)) = (side, line.strip_prefix("- ")) {
            known.push((side, name.trim().to_owned()));
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_read_with_their_revisions() {
        let listed =
            "Server scenarios:\n  - ping [2025-06-18,2025-11-25]\n  - tasks-get [extension]\n";
        let names: Vec<_> = read(Side::Server, listed)
            .unwrap()
            .iter()
            .map(Run::to_string)
            .collect();
        assert_eq!(names, ["server 2025-06-18 ping", "server 2025-11-25 ping"]);
        assert!(read(Side::Server, "nothing").is_err());
    }

    #[test]
    fn what_may_fail_is_read_by_side() {
        let baseline = "# why\nserver: []\nclient:\n  - auth/basic # later\n";
        assert_eq!(known(baseline), [(Side::Client, "auth/basic".to_owned())]);
    }
}
