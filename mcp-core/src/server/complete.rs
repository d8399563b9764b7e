//! Finds what completes an argument.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::callee::Callee;
use super::completing::Completer;
use super::principal::Principal;
use super::reply::{Outcome, Reply};
use super::router::{Router, unknown};
use super::shown::Shown;
use super::table::{Entry, Tables};
use crate::jsonrpc::{ErrorCode, ErrorObject, write_json};
use crate::protocol::{CompleteParams, Completion as Values, CompletionReference};

/// What is asked for, and who knows.
pub(super) struct Completion<'t> {
    pub(super) callee: Arc<Callee>,
    pub(super) completer: &'t dyn Completer,
    pub(super) typed: String,
    pub(super) others: BTreeMap<String, String>,
}

impl Router {
    /// `Err` also holds the answer for an argument that nobody completes: no values.
    pub(super) fn completion<'t>(
        &self,
        tables: &'t Tables,
        asked: &CompleteParams,
        principal: Option<&Principal>,
    ) -> Result<Completion<'t>, Reply> {
        let refused = |error| Err(Reply::protocol_error(error));
        let argument = asked.argument.name.as_str();
        let (callee, completers, is_known) = match &asked.reference {
            CompletionReference::Prompt(prompt) => {
                let found = (tables.prompts.find(prompt.name.as_bytes()))
                    .filter(|_| self.shows(Shown::Prompt(&prompt.name), principal));
                let Some(found) = found else {
                    return refused(unknown("prompt", &prompt.name));
                };
                let is_known = found.arguments.iter().any(|known| known.name == argument);
                (found.callee(), &found.completers, is_known)
            }
            CompletionReference::Resource(resource) => {
                let templates = &tables.resources.templates;
                let found = (templates.find(resource.uri.as_bytes()))
                    .filter(|_| self.shows(Shown::ResourceTemplate(&resource.uri), principal));
                let Some(found) = found else {
                    // A resource that has a URI of its own has nothing to complete.
                    let fixed = (tables.resources.fixed.find(resource.uri.as_bytes()))
                        .filter(|_| self.shows(Shown::Resource(&resource.uri), principal));
                    return match fixed {
                        Some(_) => Err(reply(Values::new(Vec::new()))),
                        None => refused(unknown("resource template", &resource.uri)),
                    };
                };
                let mut variables = found.template().into_iter().flat_map(|it| it.variables());
                let is_known = variables.any(|known| known == argument);
                (found.callee(), &found.completers, is_known)
            }
            CompletionReference::Other(_) => {
                return refused(ErrorObject::new(
                    ErrorCode::INVALID_PARAMS,
                    "`ref` must be of type ref/prompt or ref/resource",
                ));
            }
        };
        if !is_known {
            return refused(unknown("argument", argument));
        }
        let Some(completer) = completers.get(argument) else {
            return Err(reply(Values::new(Vec::new())));
        };
        let others = asked
            .context
            .as_ref()
            .and_then(|context| context.arguments.clone());
        Ok(Completion {
            callee: Arc::clone(callee),
            completer,
            typed: asked.argument.value.clone(),
            others: others.unwrap_or_default(),
        })
    }
}

pub(super) fn completed(values: Result<Values, ErrorObject>) -> Reply {
    values.map_or_else(Reply::protocol_error, reply)
}

/// A panic is an error here: there is no model to tell.
pub(super) fn unless_panicked(reply: Reply) -> Reply {
    match reply.0 {
        Outcome::Panicked => Reply::protocol_error(ErrorObject::new(
            ErrorCode::INTERNAL_ERROR,
            "the completion failed",
        )),
        outcome => Reply(outcome),
    }
}

fn reply(values: Values) -> Reply {
    let mut out = br#""completion":"#.to_vec();
    write_json(&mut out, &values);
    Reply(Outcome::Members(out.into()))
}
