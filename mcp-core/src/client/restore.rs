//! What is done when a session was lost and another opened in its place, up to 2025-11-25.

use std::task::Waker;

use super::shared::{Shared, State};
use crate::jsonrpc::write_json;
use crate::protocol::{
    Request, ServerCapabilities, SetLevel, SetLevelParams, Subscribe, SubscribeParams,
};
use crate::session::client::{Change, ClientSession, Outline, event_of};

/// Tells the server again what it has forgotten, and everybody here that changes were missed.
pub(super) fn after_reopening(shared: &Shared, state: &mut State, wakers: &mut Vec<Waker>) {
    let offered = shared.server.get().map(|server| &server.capabilities);
    if let Some(level) = state.session.log_level()
        && offered.is_some_and(|offered| offered.logging.is_some())
    {
        tell::<SetLevel>(shared, &mut state.session, &SetLevelParams::new(level));
    }
    for uri in state.watched.keys() {
        let params = SubscribeParams::new(uri.clone());
        tell::<Subscribe>(shared, &mut state.session, &params);
    }
    state.session.miss_everything();
    for change in offered.into_iter().flat_map(changing) {
        state.cache.on_change(&change);
        state.events.push(event_of(change), 0, wakers);
    }
}

/// Sends a request whose answer nobody waits for.
fn tell<R: Request>(shared: &Shared, session: &mut ClientSession, params: &R::Params) {
    let mut text = Vec::new();
    write_json(&mut text, params);
    let outline = Outline::new(R::METHOD, &text, Some(shared.options.patience));
    // When there is no room for it, there is none for whoever needs it either.
    if let Ok(id) = session.request(&outline, None) {
        session.detach(id);
    }
}

/// The lists that the server tells the changes of.
fn changing(offered: &ServerCapabilities) -> impl Iterator<Item = Change> + use<> {
    let tools = offered.tools.as_ref().and_then(|tools| tools.list_changed);
    let prompts = (offered.prompts.as_ref()).and_then(|prompts| prompts.list_changed);
    let resources = (offered.resources.as_ref()).and_then(|resources| resources.list_changed);
    [
        (tools, Change::Tools),
        (prompts, Change::Prompts),
        (resources, Change::Resources),
    ]
    .into_iter()
    .filter_map(|(tells, change)| (tells == Some(true)).then_some(change))
}
