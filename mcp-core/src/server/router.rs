//! Finds the handler of a call and starts it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;

use serde_json::{Map, Value};

use super::callee::Callee;
use super::changes::News;
use super::complete::{Completion, completed, unless_panicked};
use super::completing::Completing;
use super::connection::Connection;
use super::context::{CallState, Context, Kind, Status};
use super::enter::{Contained, enter, not_found, panicked, unless_layer_panicked};
use super::invocation::{Invocation, Reading, Step};
use super::layer::{LayerCall, Next};
use super::outbox::Outbox;
use super::principal::Principal;
use super::registry::Registry;
use super::reply::{Outcome, Reply};
use super::rounds::{Frame, Given, InputSettings, Inputs, Subject};
use super::shown::{Filter, Shown};
use super::table::{Entry, Found, List, Tables};
use super::turnstile::Turnstile;
use super::upkeep::Upkeep;
use crate::exchange::Sender;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{CallTool, GetPrompt, ProtocolVersion, RawJson, ReadResource, Request};
use crate::runtime::{BoxFuture, Runtime};
use crate::session::{Call, CallRequest, Name, ServerFacts};
use crate::uri_template::chars::normalise;

/// Where calls go.
#[derive(Debug)]
pub(crate) struct Router {
    pub(super) registry: Arc<Registry>,
    pub(super) facts: Arc<ServerFacts>,
    pub(super) tool_deadline: Option<Duration>,
    pub(super) spawn_handlers: bool,
    pub(super) blocking: Arc<Turnstile>,
    pub(super) inputs: Arc<InputSettings>,
    pub(super) shows: Option<Arc<Filter>>,
    pub(super) upkeep: Vec<Arc<dyn Upkeep>>,
}

/// Blocking calls of one server at once: as many as a runtime is likely to have threads.
pub(super) const MAX_BLOCKING: usize = 64;

/// A call that was started.
pub(crate) enum Started {
    /// Its reply is here.
    Done(Reply),
    /// It goes on.
    Running(Running),
}

/// A call that goes on.
pub(crate) struct Running {
    pub(crate) future: BoxFuture<'static, Reply>,
    pub(crate) context: Context,
    pub(crate) callee: Arc<Callee>,
    pub(crate) deadline: Option<Duration>,
}

impl Running {
    /// Whether a cancelled call runs on.
    pub(crate) fn finishes(&self) -> bool {
        self.callee.finishes
    }
}

/// What is called, with what.
struct Target {
    callee: Arc<Callee>,
    arguments: Bytes,
    /// For the rounds of the modern era.
    subject: Option<Subject>,
    /// `None` for tools and prompts.
    resource: Option<Arc<Reading>>,
}

impl Router {
    /// Starts a call; it may be done at once. Also says what was called.
    pub(crate) fn start(
        &self,
        tables: &Tables,
        call: Call,
        connection: &Arc<Connection>,
    ) -> (Started, Option<Arc<Callee>>) {
        let principal = connection.principal.as_ref();
        let target = match &call.request {
            CallRequest::List { list, cursor } => {
                let page = self.page(tables, *list, call.version, cursor.as_deref(), principal);
                let reply =
                    page.map_or_else(Reply::protocol_error, |page| Reply(Outcome::Members(page)));
                return (Started::Done(reply), None);
            }
            CallRequest::CallTool { name, arguments } => {
                let tool = (tables.tools.find(name.bytes()))
                    .filter(|tool| self.shows(Shown::Tool(&tool.callee().name), principal));
                tool.map(|tool| named(tool.callee(), CallTool::METHOD, &call, name, arguments))
                    .ok_or_else(|| unknown("tool", name.as_str()))
            }
            CallRequest::GetPrompt { name, arguments } => {
                let prompt = (tables.prompts.find(name.bytes()))
                    .filter(|prompt| self.shows(Shown::Prompt(&prompt.callee().name), principal));
                prompt
                    .map(|prompt| named(prompt.callee(), GetPrompt::METHOD, &call, name, arguments))
                    .ok_or_else(|| unknown("prompt", name.as_str()))
            }
            CallRequest::ReadResource { uri } => self.resource(tables, &call, uri, principal),
            CallRequest::Complete(asked) => {
                return match self.completion(tables, asked, principal) {
                    Ok(completion) => self.complete(completion, call, connection),
                    Err(reply) => (Started::Done(reply), None),
                };
            }
        };
        match target {
            Ok(target) => {
                let callee = Arc::clone(&target.callee);
                (self.call(target, call, connection), Some(callee))
            }
            Err(error) => (Started::Done(Reply::protocol_error(error)), None),
        }
    }

    pub(super) fn shows(&self, what: Shown<'_>, principal: Option<&Principal>) -> bool {
        (self.shows.as_ref()).is_none_or(|filter| filter.shows(what, principal))
    }

    /// Takes out of the news what this connection is not shown.
    pub(crate) fn hide(&self, news: &mut News, connection: &Connection) {
        if self.shows.is_none() || news.updates.is_empty() {
            return;
        }
        let principal = connection.principal.as_ref();
        let tables = self.registry().tables();
        (news.updates).retain(|update| match tables.resources.find(&update.uri) {
            Some(found) => self.shows_found(&found, principal),
            None => self.shows(Shown::Resource(&update.uri), principal),
        });
    }

    /// Never as somebody has spelled it: another spelling must not be another resource.
    fn shows_found(&self, found: &Found, principal: Option<&Principal>) -> bool {
        let name = &*found.resource.callee().name;
        match &found.member {
            None => self.shows(Shown::Resource(name), principal),
            Some(member) => {
                self.shows(Shown::Resource(&member.uri), principal)
                    && self.shows(Shown::ResourceTemplate(name), principal)
            }
        }
    }

    fn page(
        &self,
        tables: &Tables,
        list: List,
        version: ProtocolVersion,
        cursor: Option<&str>,
        principal: Option<&Principal>,
    ) -> Result<Bytes, ErrorObject> {
        let shows = |name: &str| {
            let what = match list {
                List::Tools => Shown::Tool(name),
                List::Prompts => Shown::Prompt(name),
                List::Resources => Shown::Resource(name),
                List::Templates => Shown::ResourceTemplate(name),
            };
            self.shows(what, principal)
        };
        let shows = self
            .shows
            .is_some()
            .then_some(&shows as &dyn Fn(&str) -> bool);
        let caching = self.facts.caching();
        match list {
            List::Tools => tables.tools.page(version, cursor, caching, shows),
            List::Prompts => tables.prompts.page(version, cursor, caching, shows),
            List::Resources => (tables.resources.fixed).page(version, cursor, caching, shows),
            List::Templates => (tables.resources.templates).page(version, cursor, caching, shows),
        }
    }

    fn resource(
        &self,
        tables: &Tables,
        call: &Call,
        uri: &Name,
        principal: Option<&Principal>,
    ) -> Result<Target, ErrorObject> {
        if normalise(uri.as_str()).is_none() {
            return Err(ErrorObject::new(
                ErrorCode::INVALID_PARAMS,
                "`uri` is no URI",
            ));
        }
        let found = (tables.resources.find(uri.as_str()))
            .filter(|found| self.shows_found(found, principal))
            .ok_or_else(|| not_found(uri.as_str(), call.version))?;
        let mut known = None;
        let arguments = found.member.map_or(Bytes::from_static(b"{}"), |member| {
            known = Some(member.uri);
            let values: Map<String, Value> = (member.captures.iter())
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect();
            Value::Object(values).to_string().into()
        });
        let subject = call.version.has_input_rounds().then(|| Subject {
            method: ReadResource::METHOD,
            target: uri.bytes().clone(),
            arguments: Bytes::new(),
        });
        Ok(Target {
            callee: Arc::clone(found.resource.callee()),
            arguments,
            subject,
            resource: Some(Arc::new(Reading {
                uri: uri.bytes().clone(),
                member: known,
                mime_type: found.resource.mime_type().map(Into::into),
            })),
        })
    }

    fn context(
        call: Call,
        kind: Kind,
        subject: Option<Subject>,
        connection: &Arc<Connection>,
    ) -> (Context, Option<Box<Given>>) {
        let context = Context::new(CallState {
            key: call.key,
            id: call.id,
            version: call.version,
            wants_progress: call.wants_progress,
            log_gate: call.log_gate,
            client: call.client,
            meta: call.meta,
            connection: Arc::clone(connection),
            kind,
            inputs: Inputs::new(subject),
            status: Status::default(),
        });
        (context, call.given)
    }

    fn call(&self, mut target: Target, call: Call, connection: &Arc<Connection>) -> Started {
        let subject = target.subject.take();
        let (context, given) = Self::context(call, target.callee.kind, subject, connection);
        if let Some(given) = given
            && let Err(error) = context.state().inputs.resume(&context, &given)
        {
            return Started::Done(Reply::protocol_error(error));
        }
        let runtime = &connection.runtime;
        let callee = Arc::clone(&target.callee);
        let step = if callee.layers.is_empty() {
            let arguments = std::mem::take(&mut target.arguments);
            let invocation = target.invocation(arguments, context.clone());
            enter(&callee, invocation, runtime, &self.blocking)
        } else {
            self.through_layers(target, context.clone(), runtime)
        };
        self.started(step, callee, context)
    }

    fn started(&self, step: Step, callee: Arc<Callee>, context: Context) -> Started {
        match step {
            Step::Done(reply) => {
                context.state().status.end();
                Started::Done(reply)
            }
            Step::Later(future) => Started::Running(Running {
                future,
                context,
                deadline: callee.deadline.or(self.tool_deadline),
                callee,
            }),
            // `enter` has made futures of these.
            Step::Blocking(_) => Started::Done(Reply(Outcome::Panicked)),
        }
    }

    fn complete(
        &self,
        completion: Completion<'_>,
        call: Call,
        connection: &Arc<Connection>,
    ) -> (Started, Option<Arc<Callee>>) {
        let Completion {
            callee,
            completer,
            typed,
            others,
        } = completion;
        let (context, _) = Self::context(call, callee.kind, None, connection);
        let completing = Completing {
            typed,
            others,
            context: context.clone(),
            lent: Arc::clone(&callee.lent),
            #[cfg(feature = "fs")]
            shows: self.shows.clone(),
        };
        let values = catch_unwind(AssertUnwindSafe(|| completer.complete(completing)));
        let step = match values {
            Ok(values) => {
                let values = Box::pin(async move { completed(values.await) });
                let values = Contained::new(&callee, &context, values, Frame::Outermost);
                Step::Later(Box::pin(async move { unless_panicked(values.await) }))
            }
            Err(_) => Step::Done(unless_panicked(panicked(&callee))),
        };
        let started = self.started(step, Arc::clone(&callee), context);
        (started, Some(callee))
    }

    fn through_layers(&self, target: Target, context: Context, runtime: &Arc<dyn Runtime>) -> Step {
        let callee = Arc::clone(&target.callee);
        // Of a resource, not as the client has spelled it: a layer that guards one must not be got around.
        let member = (target.resource.as_ref()).and_then(|resource| resource.member.as_deref());
        let name = member.unwrap_or(&callee.name).to_owned();
        let call = LayerCall {
            name,
            // Part of a frame that was scanned, or written by us, so it is JSON.
            arguments: std::str::from_utf8(&target.arguments)
                .ok()
                .and_then(|arguments| arguments.parse().ok())
                .unwrap_or_else(RawJson::empty_object),
            context: context.clone(),
        };
        let (runtime, blocking) = (Arc::clone(runtime), Arc::clone(&self.blocking));
        let own = context.clone();
        let layered = Box::pin(async move {
            let handler = |arguments| {
                let invocation = target.invocation(arguments, own.clone());
                enter(&target.callee, invocation, &runtime, &blocking)
            };
            let layers = Next::new(&target.callee.layers, &handler);
            layers.run(call).await.into()
        });
        let layered = Contained::new(&callee, &context, layered, Frame::Outermost);
        Step::Later(Box::pin(async move {
            let reply = context.state().inputs.finish(&context, layered.await);
            unless_layer_panicked(&callee, reply)
        }))
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// What the calls of a new connection share.
    pub(crate) fn connect(
        &self,
        runtime: Arc<dyn Runtime>,
        principal: Option<Principal>,
    ) -> Arc<Connection> {
        Arc::new(Connection {
            outbox: Outbox::default(),
            runtime,
            principal,
            inputs: Arc::clone(&self.inputs),
            parts: None,
            whole: None,
        })
    }

    /// What the calls of one request share.
    pub(crate) fn connect_part(
        &self,
        runtime: Arc<dyn Runtime>,
        sender: Sender,
        whole: Option<Arc<Connection>>,
    ) -> Arc<Connection> {
        Arc::new(Connection {
            outbox: Outbox::default(),
            runtime,
            principal: sender.principal,
            inputs: Arc::clone(&self.inputs),
            parts: sender.parts,
            whole,
        })
    }

    /// What goes on beside a connection.
    pub(crate) fn upkeep(&self) -> &[Arc<dyn Upkeep>] {
        &self.upkeep
    }

    pub(crate) const fn spawns_handlers(&self) -> bool {
        self.spawn_handlers
    }
}

impl Target {
    fn invocation(&self, arguments: Bytes, context: Context) -> Invocation {
        Invocation {
            arguments,
            schema: Arc::clone(&self.callee.input),
            lent: Arc::clone(&self.callee.lent),
            context,
            resource: self.resource.clone(),
            mended: OnceLock::new(),
        }
    }
}

fn named(
    callee: &Arc<Callee>,
    method: &'static str,
    call: &Call,
    name: &Name,
    arguments: &Option<Bytes>,
) -> Target {
    let arguments = arguments.clone().unwrap_or(Bytes::from_static(b"{}"));
    let subject = call.version.has_input_rounds().then(|| Subject {
        method,
        target: name.bytes().clone(),
        arguments: arguments.clone(),
    });
    Target {
        callee: Arc::clone(callee),
        arguments,
        subject,
        resource: None,
    }
}

pub(super) fn unknown(kind: &str, name: &str) -> ErrorObject {
    // The client knows what it asked for; a long name is cut so that it can't be used to fill logs.
    let shown: String = name.chars().take(64).collect();
    ErrorObject::new(
        ErrorCode::INVALID_PARAMS,
        format!("there is no {kind} `{shown}`"),
    )
}
