//! What handlers of prompts return, made into what a prompt says.

use std::borrow::Cow;

use super::contents::IntoError;
use super::reply::{Outcome, Reply};
use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage};

impl Reply {
    /// What a prompt says.
    #[must_use]
    pub fn from_messages(messages: Vec<PromptMessage>) -> Self {
        GetPromptResult::new(messages).into_messages()
    }
}

/// What a prompt may return.
///
/// A text or a piece of content is one message of the person; [`GetPromptResult`] says everything itself. An `Err` is an
/// error: an [`ErrorObject`](crate::ErrorObject) goes as it is, and the words of any other error as an internal error.
#[diagnostic::on_unimplemented(
    message = "a prompt can't return `{Self}`",
    label = "not what a prompt says",
    note = "return text, `PromptMessage`, a `Vec` of messages or `GetPromptResult`, or a `Result` of these"
)]
pub trait IntoMessages {
    /// Makes the reply.
    fn into_messages(self) -> Reply;
}

impl IntoMessages for Reply {
    fn into_messages(self) -> Reply {
        self
    }
}

impl IntoMessages for GetPromptResult {
    fn into_messages(self) -> Reply {
        Reply(Outcome::Prompt(Box::new(self)))
    }
}

impl IntoMessages for Vec<PromptMessage> {
    fn into_messages(self) -> Reply {
        Reply::from_messages(self)
    }
}

impl<const N: usize> IntoMessages for [PromptMessage; N] {
    fn into_messages(self) -> Reply {
        Reply::from_messages(self.into())
    }
}

impl IntoMessages for PromptMessage {
    fn into_messages(self) -> Reply {
        Reply::from_messages(vec![self])
    }
}

impl IntoMessages for ContentBlock {
    fn into_messages(self) -> Reply {
        PromptMessage::user(self).into_messages()
    }
}

macro_rules! text_messages {
    ($($kind:ty),+) => {$(
        impl IntoMessages for $kind {
            fn into_messages(self) -> Reply {
                PromptMessage::user(ContentBlock::text(self)).into_messages()
            }
        }
    )+};
}

text_messages!(String, &str, Cow<'_, str>);

impl<T: IntoMessages, E: IntoError> IntoMessages for Result<T, E> {
    fn into_messages(self) -> Reply {
        match self {
            Ok(messages) => messages.into_messages(),
            Err(error) => Reply::protocol_error(error.into_error()),
        }
    }
}
