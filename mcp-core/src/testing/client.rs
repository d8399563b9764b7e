use std::collections::HashMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::outcome::ToolOutcome;
use super::pair::Pair;
use super::reading::{Answering, TestQuestion};
use super::runtime::TestRuntime;
use crate::client::IntoToolCall;
use crate::jsonrpc::{ErrorObject, RequestId};
use crate::protocol::{
    CallTool, Cancelled, Initialize, InitializeResult, Initialized, Listen, LoggingLevel,
    LoggingMessage, LoggingMessageParams, Meta, Notification, Progress, ProgressParams,
    ProtocolVersion, Request, SetLevel, SubscriptionFilter,
};
use crate::server::{BuiltServer, Closed, Server, SessionError};

/// A client in the test's own thread, over the bytes that a real one would exchange with the server.
///
/// It speaks 2026-07-28 unless [`initialize`](Self::initialize) opens a session of an older revision. Every call asks
/// for progress, and in 2026-07-28 for log messages of all levels.
///
#[cfg_attr(feature = "macros", doc = "```")]
#[cfg_attr(not(feature = "macros"), doc = "```text")]
/// use mcp_core::testing::TestClient;
/// use mcp_core::{Server, tool};
/// use serde_json::json;
///
/// /// Adds two integers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let mut client = TestClient::new(Server::new("calculator", "1").tool::<add>());
/// assert_eq!(client.call_tool("add", json!({"a": 1, "b": 2})).text(), "3");
/// assert_eq!(client.call(add::with(2, 3)).decode::<i64>(), 5);
/// assert_eq!(client.list_tools()[0].description.as_deref(), Some("Adds two integers."));
/// ```
#[derive(Debug)]
pub struct TestClient {
    pair: Pair,
    version: ProtocolVersion,
    log_level: LoggingLevel,
    next_id: i64,
    answers: HashMap<RequestId, Result<Value, ErrorObject>>,
    messages: Vec<Value>,
    pub(super) capabilities: Value,
    pub(super) answering: Option<Answering>,
    /// Requests that may come to be asked about: how they were sent, and the id that the test knows them by.
    sent: HashMap<RequestId, Sent>,
}

/// A request as it was sent.
#[derive(Debug)]
struct Sent {
    known_as: RequestId,
    method: String,
    params: Map<String, Value>,
}

/// A request that was sent, to be asked about later.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PendingCall(RequestId);

impl PendingCall {
    /// The id of the request.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        &self.0
    }
}

impl TestClient {
    /// Connects to a server.
    ///
    /// # Panics
    ///
    /// When the server can't be built.
    #[must_use]
    #[track_caller]
    pub fn new(server: Server) -> Self {
        Self::from(Pair::new(server))
    }

    /// Connects to a server that is ready, as one of several clients perhaps.
    #[must_use]
    pub fn connect(server: &BuiltServer) -> Self {
        Self::from(Pair::connect(server))
    }

    /// Opens a session of a legacy revision: `initialize` and `notifications/initialized`. What comes after is in the
    /// revision that the server answered with.
    ///
    /// # Panics
    ///
    /// When the server refuses.
    #[track_caller]
    pub fn initialize(&mut self, version: ProtocolVersion) -> InitializeResult {
        // Whatever the client spoke before, this request has no `_meta`.
        self.version = ProtocolVersion::LATEST_LEGACY;
        let params = json!({
            "protocolVersion": version,
            "capabilities": self.capabilities,
            "clientInfo": client_info(),
        });
        let result = match self.request(Initialize::METHOD, params) {
            Ok(result) => result,
            Err(error) => panic!("`initialize` was refused: {}", error.message),
        };
        let result: InitializeResult = match serde_json::from_value(result) {
            Ok(result) => result,
            Err(fault) => panic!("the result is none of `initialize`: {fault}"),
        };
        let Some(version) = ProtocolVersion::parse(&result.protocol_version) else {
            panic!("the server answered with an unknown revision");
        };
        self.version = version;
        self.notify(Initialized::METHOD, json!({}));
        result
    }

    /// The revision that the client speaks.
    #[must_use]
    pub const fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// Asks for log messages of this level and above: in a session by `logging/setLevel`, in 2026-07-28 with each
    /// request from now on.
    ///
    /// # Panics
    ///
    /// When the server refuses.
    #[track_caller]
    pub fn set_log_level(&mut self, level: LoggingLevel) {
        if !self.version.is_modern()
            && let Err(error) = self.request(SetLevel::METHOD, json!({ "level": level }))
        {
            panic!("`logging/setLevel` was refused: {}", error.message);
        }
        self.log_level = level;
    }

    /// Calls a tool by name.
    ///
    /// # Panics
    ///
    /// When the call is not answered by itself; see [`start_call`](Self::start_call).
    #[track_caller]
    pub fn call_tool(&mut self, name: &str, arguments: impl Serialize) -> ToolOutcome {
        let call = self.start_call(name, arguments);
        self.poll(&call).unwrap_or_else(|| unanswered())
    }

    /// Calls a tool with arguments that the compiler checks: `client.call(add::with(2, 3))`, or
    /// `client.call(FindFiles { .. })` of a struct that derives `Tool` and [`Serialize`].
    ///
    /// # Panics
    ///
    /// As [`call_tool`](Self::call_tool).
    #[track_caller]
    pub fn call(&mut self, call: impl IntoToolCall) -> ToolOutcome {
        let call = call.into_tool_call();
        self.call_tool(call.name(), call.arguments())
    }

    /// Calls a tool that may wait for something: another call, a gate, the clock.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use std::time::Duration;
    /// use mcp_core::testing::{TestClient, TestRuntime};
    /// use mcp_core::{Server, tool};
    /// use serde_json::json;
    ///
    /// /// Takes a minute.
    /// #[tool]
    /// async fn brew(runtime: &TestRuntime) -> &'static str {
    ///     runtime.sleep(Duration::from_secs(60)).await;
    ///     "tea"
    /// }
    ///
    /// let runtime = TestRuntime::new();
    /// let server = Server::new("kitchen", "1").lend(runtime.clone()).tool::<brew>();
    /// let mut client = TestClient::new(server).with_runtime(&runtime);
    /// let call = client.start_call("brew", json!({}));
    /// assert_eq!(client.poll(&call), None);
    /// client.advance(Duration::from_secs(60));
    /// assert_eq!(client.poll(&call).unwrap().text(), "tea");
    /// ```
    #[track_caller]
    pub fn start_call(&mut self, name: &str, arguments: impl Serialize) -> PendingCall {
        let arguments = to_value(&arguments);
        let token = self.next_id;
        let params = json!({
            "name": name,
            "arguments": arguments,
            "_meta": { Meta::PROGRESS_TOKEN: token },
        });
        self.start(CallTool::METHOD, params)
    }

    /// Lets the server run and takes the outcome of a call, once, if it is there.
    #[track_caller]
    pub fn poll(&mut self, call: &PendingCall) -> Option<ToolOutcome> {
        self.poll_request(call).map(ToolOutcome::new)
    }

    /// Cancels a call: says that its answer is no longer wanted.
    pub fn cancel(&mut self, call: &PendingCall) {
        self.notify(Cancelled::METHOD, json!({ "requestId": call.id() }));
    }

    /// Asks to be told when the list of tools changes (2026-07-28). Before, clients are told unasked.
    pub fn listen(&mut self) -> PendingCall {
        let filter = SubscriptionFilter::new().with_tools_list_changed(true);
        self.start(Listen::METHOD, json!({ "notifications": filter }))
    }

    /// Makes any request. In 2026-07-28, `_meta` of `params` gets what every request must have there, unless it is
    /// there already.
    ///
    /// # Errors
    ///
    /// The error that the server answered with.
    ///
    /// # Panics
    ///
    /// When the request is not answered by itself; see [`start`](Self::start).
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, ErrorObject> {
        let request = self.start(method, params);
        self.poll_request(&request).unwrap_or_else(|| unanswered())
    }

    /// Sends any request, which may take its time.
    ///
    /// # Panics
    ///
    /// When `params` are no object.
    #[track_caller]
    pub fn start(&mut self, method: &str, params: Value) -> PendingCall {
        let Value::Object(mut params) = params else {
            panic!("params are an object");
        };
        if self.version.is_modern() {
            self.add_meta(&mut params);
        }
        let id = RequestId::from(self.next_id);
        self.send_request(id.clone(), method.to_owned(), params);
        PendingCall(id)
    }

    fn send_request(&mut self, known_as: RequestId, method: String, params: Map<String, Value>) {
        let id = self.next_id;
        self.next_id += 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        if self.answering.is_some() {
            let sent = Sent {
                known_as,
                method,
                params,
            };
            self.sent.insert(id.into(), sent);
        }
        self.send_line(&request.to_string());
    }

    /// Lets the server run and takes the answer to a request, once, if it is there.
    #[track_caller]
    pub fn poll_request(&mut self, request: &PendingCall) -> Option<Result<Value, ErrorObject>> {
        self.run();
        self.answers.remove(request.id())
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send_line(&message.to_string());
    }

    /// Sends a line as it stands, which need be no message at all, and lets the server run.
    pub fn send_line(&mut self, line: &str) {
        self.pair.send(line);
        self.run();
    }

    /// Every line that the server has sent, to the byte.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        self.pair.lines()
    }

    /// The progress that was reported and not yet taken, in the order in which it came.
    #[must_use]
    pub fn progress(&self) -> Vec<ProgressParams> {
        self.messages_of(Progress::METHOD)
    }

    /// The log messages that came and were not yet taken.
    #[must_use]
    pub fn logs(&self) -> Vec<LoggingMessageParams> {
        self.messages_of(LoggingMessage::METHOD)
    }

    /// Takes everything that came but was no answer to a request: notifications, and errors without an id.
    pub fn take_messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }

    /// Moves the clock on.
    pub fn advance(&mut self, by: Duration) {
        self.pair.advance(by);
        self.collect();
    }

    /// Ends the input, and moves the clock on for as long as calls under way are given, which are answered meanwhile.
    /// Says how the session ended.
    ///
    /// # Errors
    ///
    /// When the session failed.
    ///
    /// # Panics
    ///
    /// When the session does not end.
    #[track_caller]
    pub fn finish(mut self) -> Result<Closed, SessionError> {
        self.pair.end_input().run();
        self.closed()
    }

    /// As [`finish`](Self::finish), when it is the application that wants its server to stop.
    ///
    /// # Errors
    ///
    /// When the session failed.
    ///
    /// # Panics
    ///
    /// When the session does not end.
    #[track_caller]
    pub fn shut_down(mut self) -> Result<Closed, SessionError> {
        self.pair.shut_down().run();
        self.closed()
    }

    /// Runs on this runtime. To be said before anything is sent.
    #[must_use]
    pub fn with_runtime(mut self, runtime: &TestRuntime) -> Self {
        self.pair = self.pair.with_runtime(runtime);
        self
    }

    /// The connection below: what it takes to stop reading, to hang up, to send half a line.
    pub const fn pair(&mut self) -> &mut Pair {
        &mut self.pair
    }

    #[track_caller]
    fn closed(self) -> Result<Closed, SessionError> {
        let mut pair = self.pair;
        while pair.closed().is_none() {
            let Some(next) = pair.runtime().next_timer() else {
                panic!("the session does not end, and there is no time at which it would");
            };
            pair.advance(next);
        }
        pair.into_closed().unwrap_or(Ok(Closed::EndOfInput))
    }

    #[track_caller]
    fn run(&mut self) {
        self.pair.run();
        self.collect();
    }

    /// Sorts what came into answers and the rest.
    #[track_caller]
    fn collect(&mut self) {
        for line in self.pair.take_sent() {
            match serde_json::from_str(&line) {
                Ok(Value::Array(batch)) => batch.into_iter().for_each(|one| self.sort(one)),
                Ok(message) => self.sort(message),
                Err(fault) => panic!("the server sent what is not JSON: {fault}"),
            }
        }
    }

    fn sort(&mut self, mut message: Value) {
        let id = (message.get("id")).and_then(|id| serde_json::from_value(id.clone()).ok());
        let result = message.get_mut("result").map(Value::take);
        let error = (message.get("error"))
            .and_then(|error| serde_json::from_value::<ErrorObject>(error.clone()).ok());
        let sent = id.as_ref().and_then(|id| self.sent.remove(id));
        let known_as = (sent.as_ref().map(|sent| sent.known_as.clone())).or_else(|| id.clone());
        match (id, result, error) {
            (Some(id), Some(result), None) => {
                if let Some(sent) = sent.filter(|_| result["resultType"] == "input_required") {
                    return self.go_on(sent, result);
                }
                self.answers.insert(known_as.unwrap_or(id), Ok(result));
            }
            (Some(id), None, Some(error)) => {
                self.answers.insert(known_as.unwrap_or(id), Err(error));
            }
            (Some(id), None, None) if self.answering.is_some() => self.respond(&id, &message),
            _ => self.messages.push(message),
        }
    }

    /// Calls again with the answers to what was asked.
    fn go_on(&mut self, sent: Sent, mut result: Value) {
        let mut responses = Map::new();
        let questions = result["inputRequests"].as_object_mut();
        for (key, question) in questions.into_iter().flatten() {
            match self.answer(question) {
                Some(Ok(answer)) => {
                    responses.insert(key.clone(), answer);
                }
                // There is no way to answer with an error in rounds: the call is given up.
                Some(Err(error)) => {
                    self.answers.insert(sent.known_as, Err(error));
                    return;
                }
                None => {}
            }
        }
        let mut params = sent.params;
        params.insert("inputResponses".to_owned(), Value::Object(responses));
        params.insert("requestState".to_owned(), result["requestState"].take());
        self.send_request(sent.known_as, sent.method, params);
    }

    fn respond(&mut self, id: &RequestId, request: &Value) {
        let response = match self.answer(request) {
            Some(Ok(result)) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Some(Err(error)) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            None => return,
        };
        self.send_line(&response.to_string());
    }

    fn answer(&mut self, request: &Value) -> Option<Result<Value, ErrorObject>> {
        let question = TestQuestion {
            method: request["method"].as_str().unwrap_or_default().to_owned(),
            params: request["params"].clone(),
        };
        let answering = self.answering.as_mut()?;
        Some((answering.0)(&question))
    }

    fn add_meta(&self, params: &mut Map<String, Value>) {
        let meta = params
            .entry("_meta")
            .or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(meta) = meta else { return };
        let members = [
            (Meta::PROTOCOL_VERSION, json!(self.version)),
            (Meta::CLIENT_CAPABILITIES, self.capabilities.clone()),
            (Meta::CLIENT_INFO, client_info()),
            (Meta::LOG_LEVEL, json!(self.log_level)),
        ];
        for (name, value) in members {
            meta.entry(name).or_insert(value);
        }
    }

    fn messages_of<T: serde::de::DeserializeOwned>(&self, method: &str) -> Vec<T> {
        let messages = self.messages.iter();
        messages
            .filter(|message| message["method"] == method)
            .filter_map(|message| serde_json::from_value(message["params"].clone()).ok())
            .collect()
    }
}

impl From<Pair> for TestClient {
    /// A client on a connection that was prepared, with a small capacity say.
    fn from(pair: Pair) -> Self {
        Self {
            pair,
            version: ProtocolVersion::LATEST,
            log_level: LoggingLevel::Debug,
            next_id: 1,
            answers: HashMap::new(),
            messages: Vec::new(),
            capabilities: json!({}),
            answering: None,
            sent: HashMap::new(),
        }
    }
}

fn client_info() -> Value {
    json!({"name": "test", "version": "1"})
}

#[track_caller]
fn to_value<T: Serialize>(value: &T) -> Value {
    match serde_json::to_value(value) {
        Ok(value) => value,
        Err(fault) => panic!("the arguments are not JSON: {fault}"),
    }
}

#[track_caller]
fn unanswered<T>() -> T {
    panic!("there is no answer yet: start the request, do what it waits for, then poll it")
}
