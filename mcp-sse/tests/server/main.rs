//! What the server's half does, request by request.

mod closing;
mod envelope;
mod guards;
mod heads;
mod limits;
mod modern;
mod sessions;
mod streams;
mod tools;
mod web;
