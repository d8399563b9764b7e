//! Servers and their tools.

mod build_error;
mod builder;
mod context;
mod invocation;
mod layer;
mod lend;
mod live;
mod outbox;
mod registry;
mod reply;
mod router;
mod run;
mod serve;
mod show;
mod slot;
mod table;
mod tool;
mod turnstile;
mod wakers;

pub use build_error::BuildError;
pub use builder::Server;
pub use context::{Context, Quantity};
pub use invocation::{Handler, Invocation, Step};
pub use layer::{Layer, LayerCall, LayerReply, Next};
pub use lend::Lend;
pub use live::Live;
pub use reply::{IntoReply, IntoToolError, Json, Reply};
pub use run::Run;
pub use serve::{BuiltServer, Closed, SessionError};
pub use tool::{Flow, Tool, ToolCall, ToolDefinition, ToolSet};

pub(crate) use context::ClientFacts;
pub(crate) use outbox::{DroppedLogs, LogEntry, Outbox, Progress, Report};
pub(crate) use reply::Outcome;
pub(crate) use router::{Router, Running, Started, spawned};
pub(crate) use table::{Table, ToolEntry};
