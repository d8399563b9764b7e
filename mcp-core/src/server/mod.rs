//! Servers and their tools.

mod asking;
mod asks;
mod build_error;
mod builder;
mod callee;
mod changes;
mod complete;
mod completing;
mod connection;
mod contents;
mod context;
mod definition;
mod enter;
mod failure;
mod invocation;
mod layer;
mod lend;
mod live;
mod messages;
mod object;
mod outbox;
mod principal;
mod prompt;
mod question;
mod registry;
mod reply;
mod resource;
mod rounds;
mod router;
mod run;
mod seal;
mod serve;
mod shelf;
mod show;
mod shown;
mod slot;
mod table;
mod tool;
mod turnstile;
mod unsealed;
mod upkeep;
mod visit;
mod wakers;

pub use asking::Caller;
pub use build_error::BuildError;
pub use builder::Server;
pub use completing::{Completer, Completing, IntoCompletion};
pub use contents::{IntoContents, IntoError, ReadAt};
pub use context::{Context, Quantity};
pub use invocation::{Handler, Invocation, Step};
pub use layer::{Layer, LayerCall, LayerReply, Next};
pub use lend::Lend;
pub use live::Live;
pub use messages::IntoMessages;
pub use principal::Principal;
pub use prompt::{Prompt, PromptDefinition, PromptSet};
pub use question::{Question, Refused};
pub use reply::{IntoReply, IntoToolError, Json, Reply};
pub use resource::{Resource, ResourceDefinition, ResourceSet};
pub use run::Run;
pub use serve::{BuiltServer, Closed, SessionError};
pub use shown::Shown;
pub use tool::{Flow, Tool, ToolDefinition, ToolSet};
pub use visit::Visit;

pub(crate) use asks::{Answered, Ask, AskKey, Unanswered};
pub(crate) use callee::Callee;
pub(crate) use changes::{ChangedLists, News, Update};
pub(crate) use connection::Connection;
pub(crate) use context::{AboutClient, ClientFacts};
pub(crate) use enter::spawned;
pub(crate) use outbox::{DroppedLogs, LogEntry, Progress, Report};
#[cfg(feature = "fs")]
pub(crate) use registry::{Amendment, Registry};
pub(crate) use reply::Outcome;
pub(crate) use rounds::{Given, InputRequired};
pub(crate) use router::{Router, Running, Started};
#[cfg(feature = "fs")]
pub(crate) use slot::slot;
pub(crate) use table::{List, Tables};
#[cfg(feature = "fs")]
pub(crate) use turnstile::Turnstile;
#[cfg(feature = "fs")]
pub(crate) use upkeep::Upkeep;
