use std::io::{self, IsTerminal, Write};

use mcp_core::protocol::ProgressParams;

use crate::show::clean;

const WIDTH: usize = 30;

/// A bar on the terminal, for calls that say how far they are.
pub(crate) struct Bar {
    is_terminal: bool,
    is_shown: bool,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            is_shown: false,
        }
    }

    pub(crate) fn show(&mut self, progress: &ProgressParams) {
        if !self.is_terminal {
            return;
        }
        self.is_shown = true;
        // A terminal that is gone needs no bar.
        let _: io::Result<()> = write!(io::stderr(), "\r\u{1b}[K{}", line(progress));
    }

    pub(crate) fn end(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _: io::Result<()> = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}

fn line(progress: &ProgressParams) -> String {
    let message = progress.message.as_deref().unwrap_or_default();
    let message = clean(message).replace('\n', " ");
    let Some(total) = progress.total.filter(|total| *total > 0.0) else {
        return format!("{} {message}", progress.progress);
    };
    let part = (progress.progress / total).clamp(0.0, 1.0);
    let done = (part * WIDTH as f64) as usize;
    format!(
        "[{}{}] {:3.0} % {message}",
        "#".repeat(done),
        ".".repeat(WIDTH - done),
        part * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_how_far_it_is() {
        let half = ProgressParams::new(1_i64, 0.5)
            .with_total(1.0)
            .with_message("so\u{1b} far");
        let bar = format!(
            "[{}{}]  50 % so\u{fffd} far",
            "#".repeat(15),
            ".".repeat(15)
        );
        assert_eq!(line(&half), bar);
        assert_eq!(line(&ProgressParams::new(1_i64, 7.0)), "7 ");
    }
}
