use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::FutureExt;

use super::error::ClientError;
use super::shared::{Failure, Shared};
use crate::protocol::ProgressParams;
use crate::session::client::{Answer, Outline};

/// Reports that are told before others on the same thread get their turn: more may come as fast as they are told.
const TOLD: usize = 256;

/// Who is told of progress.
pub(super) type OnProgress<'c> = Option<Box<dyn FnMut(ProgressParams) + Send + 'c>>;

/// A request under way. Dropping it cancels the request.
pub(super) struct Sent {
    shared: Arc<Shared>,
    id: u64,
    is_answered: bool,
}

impl Sent {
    /// Sends the request, or puts it in line.
    pub(super) fn new(shared: &Arc<Shared>, outline: &Outline<'_>) -> Result<Self, Failure> {
        Self::waited_for(shared, outline, None)
    }

    /// The same for somebody who waits for it already, and need not be polled before it is answered.
    pub(super) fn waited_for(
        shared: &Arc<Shared>,
        outline: &Outline<'_>,
        waker: Option<&Waker>,
    ) -> Result<Self, Failure> {
        let id = shared.send(outline, waker).map_err(Failure::Unsent)?;
        Ok(Self {
            shared: Arc::clone(shared),
            id,
            is_answered: false,
        })
    }

    /// As polling it, and tells of the progress that came before the answer.
    pub(super) fn poll_with(
        &mut self,
        cx: &mut Context<'_>,
        on_progress: &mut OnProgress<'_>,
    ) -> Poll<Result<Bytes, Failure>> {
        for _ in 0..TOLD {
            let Some(tell) = on_progress else { break };
            let mut state = self.shared.lock();
            let Some(progress) = state.session.take_progress(self.id) else {
                // Under the same lock: between the two more could come, and the answer after it.
                let answer = state.session.poll_answer(self.id, cx.waker());
                drop(state);
                return answer.map(|answer| self.outcome(answer));
            };
            drop(state);
            tell(progress);
        }
        if on_progress.is_some() {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.poll_unpin(cx)
    }

    fn outcome(&mut self, answer: Answer) -> Result<Bytes, Failure> {
        self.is_answered = true;
        match answer {
            Answer::Result(result) => Ok(result),
            Answer::Error(error) => Err(Failure::Error(error)),
            Answer::Malformed(why) => Err(Failure::Malformed(why)),
            Answer::Overlong(limit) => Err(Failure::Overlong(limit)),
            Answer::Timeout { after, sent } => Err(Failure::Timeout { after, sent }),
            Answer::Failed { error, sent } => Err(Failure::Failed { error, sent }),
            Answer::Gone { sent } => Err(Failure::Gone { sent }),
        }
    }

    pub(super) fn cancel(mut self, reason: &str) {
        self.shared.abandon(self.id, reason);
        self.is_answered = true;
    }
}

impl Future for Sent {
    type Output = Result<Bytes, Failure>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = std::task::ready!(self.shared.poll_answer(cx, self.id));
        Poll::Ready(self.outcome(answer))
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if !self.is_answered {
            self.shared.abandon(self.id, "the caller no longer waits");
        }
    }
}

/// Sends a request and waits for its result.
pub(super) async fn request(
    shared: &Arc<Shared>,
    method: &'static str,
    outline: &Outline<'_>,
) -> Result<Bytes, ClientError> {
    let sent = Sent::new(shared, outline);
    let answered = match sent {
        Ok(sent) => sent.await,
        Err(failure) => Err(failure),
    };
    answered.map_err(|failure| shared.failure(method, failure))
}
