/// Of a line that is no message, this many characters are shown.
const SHOWN: usize = 200;

/// What the peer has written that is not of the protocol.
#[derive(Debug, Default)]
pub(super) struct Noise {
    first: Option<String>,
    total: u64,
}

impl Noise {
    /// Counts something that was skipped, and says how much that was so far.
    pub(super) const fn count(&mut self) -> u64 {
        self.total = self.total.saturating_add(1);
        self.total
    }

    /// Keeps the beginning of the first line: it is often what a program says when it does not start as it should.
    pub(super) fn keep(&mut self, line: &[u8]) {
        if self.first.is_none() {
            let head = line.get(..SHOWN * 4).unwrap_or(line);
            let text = String::from_utf8_lossy(head);
            let shown = text.trim().chars().take(SHOWN);
            self.first = Some(
                shown
                    .map(|c| if c.is_control() { ' ' } else { c })
                    .collect(),
            );
        }
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.first.as_deref().filter(|line| !line.is_empty())
    }
}
