//! What a test client asks of prompts, resources and completion, and how it answers what it is asked.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::client::TestClient;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{
    Complete, Completion, CompletionReference, GetPrompt, GetPromptResult, ListPrompts,
    ListResourceTemplates, ListResources, ListTools, Prompt, PromptReference, ReadResource,
    Request, Resource, ResourceContents, ResourceReference, ResourceTemplate, Subscribe,
    Tool as ShownTool,
};

/// Pages of a list that are asked for at most.
const MAX_PAGES: usize = 10_000;

/// What the server asks of its client.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TestQuestion {
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// The params of the question.
    pub params: Value,
}

impl TestQuestion {
    /// The words that a person is shown, when a person is asked.
    #[must_use]
    pub fn message(&self) -> &str {
        self.params["message"].as_str().unwrap_or_default()
    }
}

type Answer = dyn FnMut(&TestQuestion) -> Result<Value, ErrorObject>;

/// What answers questions.
pub(super) struct Answering(pub(super) Box<Answer>);

impl fmt::Debug for Answering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answering")
    }
}

impl TestClient {
    /// Answers what the server asks: in 2026-07-28 by calling again with the answers, before by responses. The client says
    /// that it can be asked everything. To be said before anything is sent. Which question it is, is in its `method`.
    ///
    #[cfg_attr(feature = "macros", doc = "```")]
    #[cfg_attr(not(feature = "macros"), doc = "```text")]
    /// use mcp_core::protocol::ProtocolVersion;
    /// use mcp_core::testing::TestClient;
    /// use mcp_core::{Context, Refused, Server, data, tool};
    /// use serde_json::json;
    ///
    /// #[data]
    /// struct Person {
    ///     name: String,
    /// }
    ///
    /// /// Greets whoever is there.
    /// #[tool]
    /// async fn greet(cx: &Context) -> Result<String, Refused> {
    ///     let person: Person = cx.elicit("person", "What is your name?").await?;
    ///     Ok(format!("Hello, {}!", person.name))
    /// }
    ///
    /// let connect = || {
    ///     TestClient::new(Server::new("hall", "1").tool::<greet>()).answering(|question| {
    ///         assert_eq!(question.message(), "What is your name?");
    ///         Ok(json!({"action": "accept", "content": {"name": "Ann"}}))
    ///     })
    /// };
    /// // By rounds, as in 2026-07-28, and by requests, as before.
    /// assert_eq!(connect().call_tool("greet", json!({})).text(), "Hello, Ann!");
    /// let mut client = connect();
    /// client.initialize(ProtocolVersion::V2025_11_25);
    /// assert_eq!(client.call_tool("greet", json!({})).text(), "Hello, Ann!");
    /// ```
    #[must_use]
    pub fn answering(
        mut self,
        answer: impl FnMut(&TestQuestion) -> Result<Value, ErrorObject> + 'static,
    ) -> Self {
        self.answering = Some(Answering(Box::new(answer)));
        self.with_capabilities(json!({
            "elicitation": {"form": {}, "url": {}},
            "sampling": {"tools": {}},
            "roots": {},
        }))
    }

    /// What the client says that it can do; nothing by default. To be said before anything is sent.
    #[must_use]
    pub fn with_capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// All tools, whatever number of pages they come on.
    ///
    /// # Panics
    ///
    /// When the server refuses to list them, or never comes to an end. So do the other lists.
    #[track_caller]
    pub fn list_tools(&mut self) -> Vec<ShownTool> {
        self.list(ListTools::METHOD, "tools")
    }

    /// All prompts.
    #[track_caller]
    pub fn list_prompts(&mut self) -> Vec<Prompt> {
        self.list(ListPrompts::METHOD, "prompts")
    }

    /// All resources that have a URI of their own.
    #[track_caller]
    pub fn list_resources(&mut self) -> Vec<Resource> {
        self.list(ListResources::METHOD, "resources")
    }

    /// All families of resources.
    #[track_caller]
    pub fn list_resource_templates(&mut self) -> Vec<ResourceTemplate> {
        self.list(ListResourceTemplates::METHOD, "resourceTemplates")
    }

    #[track_caller]
    fn list<T: DeserializeOwned>(&mut self, method: &str, member: &str) -> Vec<T> {
        let mut all = Vec::new();
        let mut params = json!({});
        for _ in 0..MAX_PAGES {
            let mut page = match self.request(method, params) {
                Ok(page) => page,
                Err(error) => panic!("`{method}` was refused: {}", error.message),
            };
            all.extend(decoded::<Vec<T>>(method, page[member].take()));
            match page["nextCursor"].take() {
                Value::Null => return all,
                cursor => params = json!({ "cursor": cursor }),
            }
        }
        panic!("the list of `{method}` does not end");
    }

    /// Reads a resource.
    ///
    /// # Errors
    ///
    /// The error that the server answered with.
    ///
    /// # Panics
    ///
    /// When the request is not answered by itself; see [`start`](Self::start).
    #[track_caller]
    pub fn read_resource(&mut self, uri: &str) -> Result<Vec<ResourceContents>, ErrorObject> {
        let mut result = self.request(ReadResource::METHOD, json!({ "uri": uri }))?;
        Ok(decoded(ReadResource::METHOD, result["contents"].take()))
    }

    /// Asks for a prompt with these arguments, an object of strings.
    ///
    /// # Errors
    ///
    /// The error that the server answered with.
    ///
    /// # Panics
    ///
    /// As [`read_resource`](Self::read_resource).
    #[track_caller]
    pub fn get_prompt(
        &mut self,
        name: &str,
        arguments: impl Serialize,
    ) -> Result<GetPromptResult, ErrorObject> {
        let params = json!({"name": name, "arguments": json!(arguments)});
        let result = self.request(GetPrompt::METHOD, params)?;
        Ok(decoded(GetPrompt::METHOD, result))
    }

    /// Completes an argument of a prompt.
    ///
    /// # Errors
    ///
    /// The error that the server answered with.
    ///
    /// # Panics
    ///
    /// As [`read_resource`](Self::read_resource).
    #[track_caller]
    pub fn complete_prompt(
        &mut self,
        prompt: &str,
        argument: &str,
        typed: &str,
    ) -> Result<Completion, ErrorObject> {
        let prompt = PromptReference::new(prompt);
        self.complete(&CompletionReference::Prompt(prompt), argument, typed)
    }

    /// Completes a variable of a resource template.
    ///
    /// # Errors
    ///
    /// The error that the server answered with.
    ///
    /// # Panics
    ///
    /// As [`read_resource`](Self::read_resource).
    #[track_caller]
    pub fn complete_resource(
        &mut self,
        template: &str,
        variable: &str,
        typed: &str,
    ) -> Result<Completion, ErrorObject> {
        let template = ResourceReference::new(template);
        self.complete(&CompletionReference::Resource(template), variable, typed)
    }

    #[track_caller]
    fn complete(
        &mut self,
        reference: &CompletionReference,
        argument: &str,
        typed: &str,
    ) -> Result<Completion, ErrorObject> {
        let argument = json!({"name": argument, "value": typed});
        let params = json!({"ref": reference, "argument": argument});
        let mut result = self.request(Complete::METHOD, params)?;
        Ok(decoded(Complete::METHOD, result["completion"].take()))
    }

    /// Asks to be told when a resource changes: by `resources/subscribe`, in 2026-07-28 by `subscriptions/listen`.
    ///
    /// # Panics
    ///
    /// When the server refuses.
    #[track_caller]
    pub fn watch(&mut self, uri: &str) {
        if self.version().is_modern() {
            let filter = json!({"notifications": {"resourceSubscriptions": [uri]}});
            self.start("subscriptions/listen", filter);
        } else if let Err(error) = self.request(Subscribe::METHOD, json!({ "uri": uri })) {
            panic!("the resource can't be watched: {}", error.message);
        }
    }
}

#[track_caller]
fn decoded<T: DeserializeOwned>(method: &str, value: Value) -> T {
    match serde_json::from_value(value) {
        Ok(value) => value,
        Err(fault) => panic!("the result is none of `{method}`: {fault}"),
    }
}
