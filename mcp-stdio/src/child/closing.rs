//! The stages in which a child is made to end, and their times.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// How long an end is waited for to show whole: the exit after the output ended, and the last words in both pipes after
/// the exit, for something that was left behind may hold those open.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// How far closing has come.
pub(super) struct Closing {
    pub(super) stage: Stage,
    /// Whether the child was there still when it was killed.
    pub(super) killed: bool,
    timeout: Duration,
    timer: Option<Timer>,
}

struct Timer {
    begun: Instant,
    sleep: Pin<Box<Sleep>>,
}

/// What a child was told to make it end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its input has ended.
    Input,
    Term,
    Kill,
    /// There is nothing stronger.
    Stuck,
}

impl Closing {
    /// Closing that has not begun. It begins when it is first polled.
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            stage: Stage::Input,
            killed: false,
            timeout,
            timer: None,
        }
    }

    /// The child has ended: what holds its pipes gets a moment in each stage.
    pub(super) fn hasten(&mut self) {
        let soon = Instant::now() + PATIENCE;
        let sleep = &mut self.timer().sleep;
        if sleep.deadline() > soon {
            sleep.as_mut().reset(soon);
        }
    }

    /// Ready when the time of a stage is over, and the next has begun.
    pub(super) fn poll_stage(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.timer().sleep.as_mut().poll(cx));
        self.stage = match self.stage {
            Stage::Input => Stage::Term,
            Stage::Term => Stage::Kill,
            Stage::Kill | Stage::Stuck => Stage::Stuck,
        };
        let until = self.until();
        let timer = self.timer();
        let deadline = timer.begun + until;
        timer.sleep.as_mut().reset(deadline);
        Poll::Ready(())
    }

    /// When the stage is over, from the beginning.
    fn until(&self) -> Duration {
        match self.stage {
            Stage::Input => self.timeout / 2,
            Stage::Term => self.timeout / 8 * 7,
            Stage::Kill | Stage::Stuck => self.timeout,
        }
    }

    fn timer(&mut self) -> &mut Timer {
        let until = self.until();
        self.timer.get_or_insert_with(|| {
            let begun = Instant::now();
            let sleep = Box::pin(sleep_until(begun + until));
            Timer { begun, sleep }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(8);

    async fn next(closing: &mut Closing) -> Stage {
        poll_fn(|cx| closing.poll_stage(cx)).await;
        closing.stage
    }

    #[tokio::test(start_paused = true)]
    async fn all_stages_share_one_timeout() {
        let mut closing = Closing::new(TIMEOUT);
        let begun = Instant::now();
        for (stage, after) in [(Stage::Term, 4), (Stage::Kill, 7), (Stage::Stuck, 8)] {
            assert_eq!(next(&mut closing).await, stage);
            assert_eq!(begun.elapsed().as_secs(), after);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_an_ended_child_left_behind_gets_a_moment_in_each_stage() {
        let mut closing = Closing::new(TIMEOUT);
        let begun = Instant::now();
        closing.hasten();
        // Being looked at again does not prolong it.
        tokio::time::advance(PATIENCE / 2).await;
        closing.hasten();
        assert_eq!(next(&mut closing).await, Stage::Term);
        assert_eq!(begun.elapsed().as_millis(), 500);
        closing.hasten();
        assert_eq!(next(&mut closing).await, Stage::Kill);
        assert_eq!(begun.elapsed().as_millis(), 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn no_timeout_kills_at_once() {
        let mut closing = Closing::new(Duration::ZERO);
        let begun = Instant::now();
        assert_eq!(next(&mut closing).await, Stage::Term);
        assert_eq!(next(&mut closing).await, Stage::Kill);
        assert!(begun.elapsed().as_millis() < 10);
    }
}
