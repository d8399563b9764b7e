//! The side that answers.

mod accept;
mod answers;
mod body;
mod get;
mod guard;
mod head;
mod options;
mod post;
mod receive;
mod refusal;
mod serve;
mod service;
mod sessions;
mod sse;
mod stream;
mod within;

pub use body::Body;
pub use head::{HttpContext, RequestHead};
pub use serve::{ServeError, serve};
pub use service::{HttpService, service};
