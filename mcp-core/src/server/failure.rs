use super::context::{Context, Kind};
use super::reply::Reply;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, MissingCapabilityData, ProtocolVersion};

/// Why a call that has asked can't go on.
#[derive(Debug)]
pub(super) enum Failure {
    /// The client has not declared what the question needs.
    Undeclared(Box<ClientCapabilities>),
    /// The answer does not fit the question.
    Malformed(String),
    /// The client answered with an error, or not at all.
    Unanswered(String),
    /// The question itself is wrong, or can't be asked in this revision.
    Unaskable(ErrorObject),
    /// The state does not fit.
    StateTooLong,
}

impl Failure {
    pub(super) fn reply(self, context: &Context) -> Reply {
        let is_modern = context.version().has_input_rounds();
        let (code, text) = match self {
            Self::Undeclared(required) => {
                let name = name(&required, context.version());
                let why =
                    format!("this needs the capability `{name}`, which the client does not have");
                if is_modern {
                    let mut error = ErrorObject::from(MissingCapabilityData::new(*required));
                    // Clients show people the message alone.
                    error.message = why.into();
                    return Reply::protocol_error(error);
                }
                (ErrorCode::INVALID_REQUEST, why)
            }
            Self::Malformed(why) => (ErrorCode::INVALID_PARAMS, why),
            Self::Unanswered(why) => (ErrorCode::INTERNAL_ERROR, why),
            Self::Unaskable(error) => return told(error, context),
            Self::StateTooLong => (
                ErrorCode::INTERNAL_ERROR,
                "the answers so far are more than a state may hold".to_owned(),
            ),
        };
        told(ErrorObject::new(code, text), context)
    }
}

/// What a question needs, as one looks for it among the capabilities of a client.
fn name(required: &ClientCapabilities, version: ProtocolVersion) -> &'static str {
    match (&required.elicitation, &required.sampling) {
        (Some(elicitation), _) if elicitation.url.is_some() => "elicitation.url",
        (Some(_), _) if version.has_elicitation_modes() => "elicitation.form",
        (Some(_), _) => "elicitation",
        (None, Some(sampling)) if sampling.tools.is_some() => "sampling.tools",
        (None, Some(_)) => "sampling",
        (None, None) => "roots",
    }
}

/// Where the client was asked by a request, what went wrong is no fault of its call, so the model is told.
fn told(error: ErrorObject, context: &Context) -> Reply {
    if !context.version().has_input_rounds() && context.state().kind == Kind::Tool {
        return Reply::tool_error(error.message);
    }
    Reply::protocol_error(error)
}
