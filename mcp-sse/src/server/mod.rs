//! The side that answers.

mod accept;
mod body;
mod get;
mod guard;
mod head;
mod options;
mod post;
mod refusal;
mod serve;
mod service;
mod sessions;
mod sse;
mod stream;

pub use body::Body;
pub use head::{HttpContext, RequestHead};
pub use serve::{ServeError, serve};
pub use service::{HttpService, service};
