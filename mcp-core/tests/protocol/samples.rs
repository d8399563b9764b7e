//! One of everything, with every member that a revision has.

use std::collections::BTreeMap;

use mcp_core::protocol::ProtocolVersion as V;
use mcp_core::protocol::*;
use mcp_core::{ErrorCode, ErrorObject, RequestId};
use serde::Serialize;
use serde_json::{Value, json};

/// Samples of one revision, each under the name its schema has for it.
pub(crate) struct Samples {
    version: V,
    pub(crate) list: Vec<(&'static str, Value)>,
}

impl Samples {
    pub(crate) fn of(version: V) -> Self {
        let mut samples = Self {
            version,
            list: Vec::new(),
        };
        samples.add_basics();
        samples.add_lifecycle();
        samples.add_content();
        samples.add_tools();
        samples.add_resources();
        samples.add_prompts_and_completion();
        samples.add_notifications();
        samples.add_sampling();
        samples.add_roots();
        if version.has_elicitation() {
            samples.add_elicitation();
            samples.add_form_fields();
        }
        if version.has_elicitation_modes() {
            samples.add_choices();
        }
        if version.has_core_tasks() {
            samples.add_tasks();
        }
        if version.is_modern() {
            samples.add_modern();
        } else {
            samples.add_legacy();
        }
        samples
    }

    fn add(&mut self, name: &'static str, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap();
        self.list.push((name, serde_json::from_str(&text).unwrap()));
    }

    fn add_request<R: Request>(&mut self, name: &'static str, params: &R::Params) {
        let mut request = json!({"method": R::METHOD, "params": params});
        // The schemas have the envelope in each request only since then.
        if self.version >= V::V2025_11_25 {
            request["jsonrpc"] = "2.0".into();
            request["id"] = 1.into();
        }
        self.add(name, &request);
    }

    fn add_notification<N: Notification>(&mut self, name: &'static str, params: &N::Params) {
        let mut notification = json!({"method": N::METHOD, "params": params});
        if self.version >= V::V2025_11_25 {
            notification["jsonrpc"] = "2.0".into();
        }
        self.add(name, &notification);
    }

    /// `_meta` of the params of a request, where the schema has it.
    fn request_meta(&self) -> Meta {
        if self.version.is_modern() {
            Meta::new()
                .with_protocol_version(self.version)
                .with_client_capabilities(&self.client_capabilities())
                .with_client_info(&self.implementation())
                .with_log_level(&LoggingLevel::Debug)
                .with_progress_token("p")
        } else if self.version >= V::V2025_11_25 {
            Meta::new().with_progress_token(0_i64)
        } else {
            Meta::new()
        }
    }

    fn notification_meta(&self) -> Meta {
        if self.version >= V::V2025_11_25 {
            Meta::new().with_subscription_id(&RequestId::from("s"))
        } else {
            Meta::new()
        }
    }

    fn result_meta(&self) -> Meta {
        Meta::new().with_server_info(&self.implementation())
    }

    /// `_meta` of data objects.
    fn meta(&self) -> Meta {
        if self.version.has_meta_on_objects() {
            Meta::new().with("com.example/a", json!([null]))
        } else {
            Meta::new()
        }
    }

    fn result_type(&self) -> Option<ResultType> {
        self.version
            .has_result_type()
            .then_some(ResultType::Complete)
    }

    fn caching(&self) -> (Option<u64>, Option<CacheScope>) {
        if self.version.has_caching() {
            (Some(0), Some(CacheScope::Private))
        } else {
            (None, None)
        }
    }

    fn title(&self) -> Option<String> {
        self.version.has_title().then(|| "T".to_owned())
    }

    fn icons(&self) -> Option<Vec<Icon>> {
        let icon = Icon::new("https://example.com/i.png")
            .with_mime_type("image/png")
            .with_sizes(["any".to_owned()])
            .with_theme(Theme::Dark);
        self.version.has_icons().then(|| vec![icon])
    }

    fn implementation(&self) -> Implementation {
        let mut implementation = Implementation::new("n", "1");
        implementation.title = self.title();
        implementation.icons = self.icons();
        if self.version.has_icons() {
            implementation = implementation
                .with_description("d")
                .with_website_url("https://example.com/");
        }
        implementation
    }

    fn annotations(&self) -> Annotations {
        let annotations = Annotations::new()
            .with_audience([Role::User, Role::Assistant])
            .with_priority(1);
        if self.version.has_last_modified() {
            annotations.with_last_modified("2025-01-12T15:00:58Z")
        } else {
            annotations
        }
    }

    fn client_capabilities(&self) -> ClientCapabilities {
        let v = self.version;
        let mut roots = RootsCapability::new();
        if !v.is_modern() {
            roots = roots.with_list_changed(true);
        }
        let mut sampling = SamplingCapability::new();
        let mut elicitation = ElicitationCapability::new();
        if v.has_sampling_tools() {
            sampling = sampling.with_context().with_tools();
            elicitation = elicitation.with_form().with_url();
        }
        let mut client = ClientCapabilities::new()
            .with_roots(roots)
            .with_sampling(sampling)
            .with_experimental("com.example/a", json!({}));
        if v.has_elicitation() {
            client = client.with_elicitation(elicitation);
        }
        if v.has_core_tasks() {
            let requests = TaskRequests::sampling_and_elicitation();
            client = client.with_tasks(
                TasksCapability::new()
                    .with_list()
                    .with_cancel()
                    .with_requests(requests),
            );
        }
        if v.has_extensions() {
            client = client.with_extension("com.example/b", json!({"c": 1}));
        }
        client
    }

    fn server_capabilities(&self) -> ServerCapabilities {
        let v = self.version;
        let mut server = ServerCapabilities::new()
            .with_logging(Declared::new())
            .with_prompts(PromptsCapability::new().with_list_changed(true))
            .with_resources(
                ResourcesCapability::new()
                    .with_list_changed(true)
                    .with_subscribe(true),
            )
            .with_tools(ToolsCapability::new().with_list_changed(false))
            .with_experimental("com.example/a", json!({}));
        if v.has_completions_capability() {
            server = server.with_completions(Declared::new());
        }
        if v.has_core_tasks() {
            let requests = TaskRequests::tools_call();
            server = server.with_tasks(
                TasksCapability::new()
                    .with_list()
                    .with_cancel()
                    .with_requests(requests),
            );
        }
        if v.has_extensions() {
            server = server.with_extension("com.example/b", json!({}));
        }
        server
    }

    fn add_basics(&mut self) {
        self.add("RequestId", &RequestId::from("a"));
        self.add("RequestId", &RequestId::from(u64::MAX));
        self.add("ProgressToken", &ProgressToken::from(0_i64));
        self.add("Cursor", &Cursor::from(""));
        self.add("Role", &Role::Assistant);
        for level in [
            "debug",
            "info",
            "notice",
            "warning",
            "error",
            "critical",
            "alert",
            "emergency",
        ] {
            let level = LoggingLevel::from(level);
            assert!(level.severity().is_some());
            self.add("LoggingLevel", &level);
        }
        let mut empty = EmptyResult::new().with_meta(self.result_meta());
        empty.result_type = self.result_type();
        self.add("EmptyResult", &empty);
    }

    fn add_lifecycle(&mut self) {
        self.add("Implementation", &self.implementation());
        self.add("ClientCapabilities", &self.client_capabilities());
        self.add("ClientCapabilities", &ClientCapabilities::new());
        self.add("ServerCapabilities", &self.server_capabilities());
        self.add("ServerCapabilities", &ServerCapabilities::new());
        if let Some(icons) = self.icons() {
            self.add("Icon", &icons[0]);
        }
    }

    fn add_content(&mut self) {
        let (annotations, meta) = (self.annotations(), self.meta());
        if self.version.has_audio() {
            self.add("Annotations", &annotations);
        }
        for (name, block) in self.blocks() {
            self.add(name, &block);
            if self.version.has_resource_link() {
                self.add("ContentBlock", &block);
            }
        }
        self.add(
            "TextResourceContents",
            &TextResourceContents::new("a:b", "t")
                .with_mime_type("text/plain")
                .with_meta(meta.clone()),
        );
        self.add(
            "BlobResourceContents",
            &BlobResourceContents::new("a:b", "AA==")
                .with_mime_type("application/octet-stream")
                .with_meta(meta),
        );
    }

    /// A block of each kind.
    fn blocks(&self) -> Vec<(&'static str, ContentBlock)> {
        let (annotations, meta) = (self.annotations(), self.meta());
        let contents = ResourceContents::text("a:b", "t");
        let mut blocks = vec![
            (
                "TextContent",
                ContentBlock::Text(TextContent::new("t").with_meta(meta.clone())),
            ),
            (
                "ImageContent",
                ContentBlock::Image(ImageContent::new("AA==", "image/png").with_meta(meta.clone())),
            ),
            (
                "EmbeddedResource",
                ContentBlock::Resource(EmbeddedResource::new(contents).with_meta(meta.clone())),
            ),
            (
                "EmbeddedResource",
                ContentBlock::resource_blob("a:b", "image/png", [0]),
            ),
        ];
        if self.version.has_audio() {
            let audio = AudioContent::new("AA==", "audio/wav").with_meta(meta);
            blocks.push(("AudioContent", ContentBlock::Audio(audio)));
        }
        if self.version.has_resource_link() {
            blocks.push(("ResourceLink", ContentBlock::ResourceLink(self.resource())));
        }
        blocks
            .into_iter()
            .map(|(name, block)| (name, block.with_annotations(annotations.clone())))
            .collect()
    }

    fn tool(&self) -> Tool {
        let v = self.version;
        let schema = |members: Value| {
            let mut schema = members;
            if v.has_icons() {
                schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
            }
            RawJson::from(schema)
        };
        let object = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
        let mut tool = Tool::new("t", schema(object.clone()))
            .with_description("d")
            .with_meta(self.meta());
        tool.title = self.title();
        tool.icons = self.icons();
        if v.has_structured_content() {
            tool = tool.with_output_schema(schema(object));
        }
        if v.has_tool_annotations() {
            tool = tool.with_annotations(Self::tool_annotations());
        }
        if v.has_core_tasks() {
            tool =
                tool.with_execution(ToolExecution::new().with_task_support(TaskSupport::Optional));
        }
        tool
    }

    fn tool_annotations() -> ToolAnnotations {
        ToolAnnotations::new()
            .with_title("T")
            .with_read_only_hint(true)
            .with_destructive_hint(false)
            .with_idempotent_hint(true)
            .with_open_world_hint(false)
    }

    fn add_tools(&mut self) {
        let v = self.version;
        self.add("Tool", &self.tool());
        if v.has_tool_annotations() {
            self.add("ToolAnnotations", &Self::tool_annotations());
        }
        self.add_request::<ListTools>("ListToolsRequest", &self.paginated());
        let mut list = ListToolsResult::new([self.tool()])
            .with_next_cursor("n")
            .with_meta(self.result_meta());
        list.result_type = self.result_type();
        (list.ttl_ms, list.cache_scope) = self.caching();
        self.add("ListToolsResult", &list);

        let mut call = CallToolParams::new("t")
            .with_arguments(json!({"a": null}))
            .with_meta(self.request_meta());
        if v.has_core_tasks() {
            call = call.with_task(TaskMetadata::new().with_ttl(1));
        }
        if v.has_input_rounds() {
            call = call
                .with_request_state("")
                .with_input_responses(Self::input_responses());
        }
        self.add_request::<CallTool>("CallToolRequest", &call);
        let blocks: Vec<ContentBlock> = self.blocks().into_iter().map(|(_, block)| block).collect();
        let mut result = CallToolResult::error(blocks).with_meta(self.result_meta());
        result.result_type = self.result_type();
        if v.has_structured_content() {
            result = result.with_structured_content(json!({"a": 1}));
        }
        self.add("CallToolResult", &result);
        if !v.wraps_structured_values() {
            self.add(
                "CallToolResult",
                &result.with_structured_content(RawJson::null()),
            );
        }
    }

    fn input_responses() -> InputResponses {
        let roots = ListRootsResult::new([Root::new("file:///a")]);
        let message = CreateMessageResult::new(Role::Assistant, [SamplingContent::text("t")], "m");
        let elicited = ElicitResult::new(ElicitAction::Accept).with_content(json!({"a": ["b"]}));
        InputResponses::from([
            ("r".to_owned(), RawJson::from_value(&roots).unwrap()),
            ("m".to_owned(), RawJson::from_value(&message).unwrap()),
            ("e".to_owned(), RawJson::from_value(&elicited).unwrap()),
        ])
    }

    fn paginated(&self) -> PaginatedParams {
        PaginatedParams::new()
            .with_cursor("")
            .with_meta(self.request_meta())
    }

    fn resource(&self) -> Resource {
        let mut resource = Resource::new("a:b", "n")
            .with_description("d")
            .with_mime_type("text/plain")
            .with_annotations(self.annotations())
            .with_size(u64::from(u32::MAX) + 1)
            .with_meta(self.meta());
        resource.title = self.title();
        resource.icons = self.icons();
        resource
    }

    fn add_resources(&mut self) {
        let mut template = ResourceTemplate::new("a:{b}", "n")
            .with_description("d")
            .with_mime_type("text/plain")
            .with_annotations(self.annotations())
            .with_meta(self.meta());
        template.title = self.title();
        template.icons = self.icons();
        self.add("Resource", &self.resource());
        self.add("ResourceTemplate", &template);

        self.add_request::<ListResources>("ListResourcesRequest", &self.paginated());
        let mut list = ListResourcesResult::new([self.resource()])
            .with_next_cursor("")
            .with_meta(self.result_meta());
        list.result_type = self.result_type();
        (list.ttl_ms, list.cache_scope) = self.caching();
        self.add("ListResourcesResult", &list);

        self.add_request::<ListResourceTemplates>(
            "ListResourceTemplatesRequest",
            &self.paginated(),
        );
        let mut list = ListResourceTemplatesResult::new([template])
            .with_next_cursor("")
            .with_meta(self.result_meta());
        list.result_type = self.result_type();
        (list.ttl_ms, list.cache_scope) = self.caching();
        self.add("ListResourceTemplatesResult", &list);

        let mut read = ReadResourceParams::new("a:b").with_meta(self.request_meta());
        if self.version.has_input_rounds() {
            read = read
                .with_request_state("s")
                .with_input_responses(InputResponses::new());
        }
        self.add_request::<ReadResource>("ReadResourceRequest", &read);
        let contents = [
            ResourceContents::text("a:b", "t"),
            ResourceContents::blob("a:c", [1, 2]),
        ];
        let mut result = ReadResourceResult::new(contents).with_meta(self.result_meta());
        result.result_type = self.result_type();
        (result.ttl_ms, result.cache_scope) = self.caching();
        self.add("ReadResourceResult", &result);
    }

    fn add_prompts_and_completion(&mut self) {
        let v = self.version;
        let mut argument = PromptArgument::new("a")
            .with_description("d")
            .with_required(true);
        argument.title = self.title();
        let mut prompt = Prompt::new("p")
            .with_description("d")
            .with_arguments([argument.clone()])
            .with_meta(self.meta());
        prompt.title = self.title();
        prompt.icons = self.icons();
        self.add("PromptArgument", &argument);
        self.add("Prompt", &prompt);
        self.add_request::<ListPrompts>("ListPromptsRequest", &self.paginated());
        let mut list = ListPromptsResult::new([prompt])
            .with_next_cursor("")
            .with_meta(self.result_meta());
        list.result_type = self.result_type();
        (list.ttl_ms, list.cache_scope) = self.caching();
        self.add("ListPromptsResult", &list);

        let arguments = BTreeMap::from([("a".to_owned(), "v".to_owned())]);
        let mut get = GetPromptParams::new("p")
            .with_arguments(arguments.clone())
            .with_meta(self.request_meta());
        if v.has_input_rounds() {
            get = get
                .with_request_state("s")
                .with_input_responses(Self::input_responses());
        }
        self.add_request::<GetPrompt>("GetPromptRequest", &get);
        let messages: Vec<PromptMessage> = self
            .blocks()
            .into_iter()
            .map(|(_, block)| PromptMessage::user(block))
            .collect();
        self.add("PromptMessage", &messages[0]);
        let mut result = GetPromptResult::new(messages)
            .with_description("d")
            .with_meta(self.result_meta());
        result.result_type = self.result_type();
        self.add("GetPromptResult", &result);
        self.add_completion(arguments);
    }

    fn add_completion(&mut self, known: BTreeMap<String, String>) {
        let mut prompt = PromptReference::new("p");
        prompt.title = self.title();
        let prompt = CompletionReference::Prompt(prompt);
        let resource = CompletionReference::Resource(ResourceReference::new("a:{b}"));
        self.add("PromptReference", &prompt);
        let name = if self.version.has_title() {
            "ResourceTemplateReference"
        } else {
            "ResourceReference"
        };
        self.add(name, &resource);
        for reference in [prompt, resource] {
            let mut params = CompleteParams::new(reference, CompletionArgument::new("a", "v"))
                .with_meta(self.request_meta());
            if self.version.has_completion_context() {
                params =
                    params.with_context(CompletionContext::new().with_arguments(known.clone()));
            }
            self.add_request::<Complete>("CompleteRequest", &params);
        }
        let completion = Completion::new(["v".to_owned()])
            .with_total(1)
            .with_has_more(false);
        let mut result = CompleteResult::new(completion).with_meta(self.result_meta());
        result.result_type = self.result_type();
        self.add("CompleteResult", &result);
    }

    fn add_notifications(&mut self) {
        let nothing = NotificationParams::new()
            .with_meta(Meta::new().with_subscription_id(&RequestId::from("s")));
        self.add_notification::<ToolListChanged>("ToolListChangedNotification", &nothing);
        self.add_notification::<PromptListChanged>("PromptListChangedNotification", &nothing);
        self.add_notification::<ResourceListChanged>("ResourceListChangedNotification", &nothing);
        let updated = ResourceUpdatedParams::new("a:b").with_meta(self.notification_meta());
        self.add_notification::<ResourceUpdated>("ResourceUpdatedNotification", &updated);
        let cancelled = CancelledParams::new()
            .with_request_id(7_i64)
            .with_reason("r")
            .with_meta(self.notification_meta());
        self.add_notification::<Cancelled>("CancelledNotification", &cancelled);
        let mut progress = ProgressParams::new("p", 50)
            .with_total(100.5)
            .with_meta(self.notification_meta());
        if self.version.has_progress_message() {
            progress = progress.with_message("m");
        }
        self.add_notification::<Progress>("ProgressNotification", &progress);
        let log = LoggingMessageParams::new(LoggingLevel::Error, RawJson::null())
            .with_logger("l")
            .with_meta(self.notification_meta());
        self.add_notification::<LoggingMessage>("LoggingMessageNotification", &log);
    }

    fn sampling_blocks(&self) -> Vec<(&'static str, SamplingContent)> {
        let mut blocks = vec![
            ("TextContent", SamplingContent::Text(TextContent::new("t"))),
            (
                "ImageContent",
                SamplingContent::Image(ImageContent::new("AA==", "image/png")),
            ),
        ];
        if self.version.has_audio() {
            let audio = AudioContent::new("AA==", "audio/wav");
            blocks.push(("AudioContent", SamplingContent::Audio(audio)));
        }
        if self.version.has_sampling_tools() {
            let tool_use = ToolUseContent::new("u", "t", json!({"a": 1})).with_meta(self.meta());
            let result = ToolResultContent::new("u", [ContentBlock::text("t")])
                .with_is_error(false)
                .with_structured_content(json!({}))
                .with_meta(self.meta());
            blocks.push(("ToolUseContent", tool_use.into()));
            blocks.push(("ToolResultContent", result.into()));
        }
        blocks
    }

    fn add_sampling(&mut self) {
        let tools = self.version.has_sampling_tools();
        let mut messages = Vec::new();
        for (name, block) in self.sampling_blocks() {
            self.add(name, &block);
            if tools {
                self.add("SamplingMessageContentBlock", &block);
            }
            messages.push(SamplingMessage::user(block));
        }
        if tools {
            let several: Vec<_> = self
                .sampling_blocks()
                .into_iter()
                .map(|(_, block)| block)
                .collect();
            messages.push(SamplingMessage::new(Role::Assistant, several).with_meta(self.meta()));
        }
        for message in &messages {
            self.add("SamplingMessage", message);
        }
        let hint = ModelHint::new().with_name("m");
        let preferences = ModelPreferences::new()
            .with_hints([hint.clone()])
            .with_cost_priority(0)
            .with_speed_priority(0.5)
            .with_intelligence_priority(1);
        self.add("ModelHint", &hint);
        self.add("ModelPreferences", &preferences);
        let mut params = CreateMessageParams::new(messages, 100)
            .with_model_preferences(preferences)
            .with_system_prompt("s")
            .with_include_context(IncludeContext::ThisServer)
            .with_temperature(0.5)
            .with_stop_sequences(["x".to_owned()])
            .with_metadata(json!({}));
        if tools {
            let choice = ToolChoice::new().with_mode(ToolChoiceMode::Required);
            self.add("ToolChoice", &choice);
            params = params.with_tools([self.tool()]).with_tool_choice(choice);
        }
        if self.version.has_core_tasks() {
            params = params
                .with_task(TaskMetadata::new())
                .with_meta(self.request_meta());
        }
        self.add_input_request::<CreateMessage>("CreateMessageRequest", &params);
        let result = CreateMessageResult::new(Role::Assistant, [SamplingContent::text("t")], "m")
            .with_stop_reason(StopReason::EndTurn)
            .with_meta(Meta::new().with("com.example/a", json!(1)));
        self.add("CreateMessageResult", &result);
    }

    /// What is a request of the server in the legacy era, and part of a result in the modern.
    fn add_input_request<R: Request>(&mut self, name: &'static str, params: &R::Params) {
        if self.version.has_input_rounds() {
            self.add(name, &json!({"method": R::METHOD, "params": params}));
        } else {
            self.add_request::<R>(name, params);
        }
    }

    fn add_roots(&mut self) {
        let root = Root::new("file:///a").with_name("n").with_meta(self.meta());
        self.add("Root", &root);
        let mut result = ListRootsResult::new([root]);
        if !self.version.is_modern() {
            result = result.with_meta(self.result_meta());
        }
        self.add("ListRootsResult", &result);
        let params = RequestParams::new().with_meta(Meta::new().with_progress_token("p"));
        self.add_input_request::<ListRoots>("ListRootsRequest", &params);
    }

    fn add_elicitation(&mut self) {
        let v = self.version;
        let mut schema = FormSchema::default()
            .with_field("a", PrimitiveSchema::string())
            .with_field("b", PrimitiveSchema::choice(["x", "y"]))
            .with_required(["a".to_owned()]);
        if v.has_elicitation_modes() {
            schema = schema.with_schema("https://json-schema.org/draft/2020-12/schema");
        }
        let mut form = ElicitFormParams::new("m", RawJson::from_value(&schema).unwrap());
        if v.has_elicitation_modes() {
            form = form.with_mode(FormMode::Form);
            let mut url = ElicitUrlParams::new(UrlMode::Url, "m", "https://example.com/");
            if v.has_elicitation_ids() {
                let task = TaskMetadata::new().with_ttl(1);
                form = form.with_task(task.clone()).with_meta(self.request_meta());
                url = url
                    .with_elicitation_id("e")
                    .with_task(task)
                    .with_meta(self.request_meta());
            }
            self.add("ElicitRequestFormParams", &form);
            self.add("ElicitRequestURLParams", &url);
            self.add_input_request::<Elicit>("ElicitRequest", &ElicitParams::Url(url));
        }
        self.add_input_request::<Elicit>("ElicitRequest", &ElicitParams::Form(form));
        let mut result = ElicitResult::new(ElicitAction::Accept)
            .with_content(json!({"a": "t", "b": 1.0, "c": true}));
        if !v.is_modern() {
            result = result.with_meta(self.meta());
        }
        self.add("ElicitResult", &result);
        self.add("ElicitResult", &ElicitResult::new(ElicitAction::Decline));
        self.add("ElicitResult", &ElicitResult::new(ElicitAction::Cancel));
    }

    fn add_form_fields(&mut self) {
        let mut string = PrimitiveSchema::string()
            .with_title("T")
            .with_description("d")
            .with_min_length(0)
            .with_max_length(9)
            .with_format(StringFormat::DateTime);
        let mut number = PrimitiveSchema::number()
            .with_title("T")
            .with_description("d")
            .with_minimum(-1)
            .with_maximum(i64::MAX);
        let boolean = PrimitiveSchema::boolean()
            .with_title("T")
            .with_description("d")
            .with_default(true);
        let mut named = PrimitiveSchema::choice(["x"])
            .with_title("T")
            .with_description("d")
            .with_names(["X".to_owned()]);
        let mut name = "EnumSchema";
        if self.version.has_elicitation_modes() {
            string = string.with_default("2025-01-12T15:00:58Z");
            number = number.with_default(3);
            named = named.with_default("x");
            name = "LegacyTitledEnumSchema";
        }
        self.add_field("StringSchema", string);
        self.add_field("NumberSchema", number);
        self.add_field("NumberSchema", PrimitiveSchema::integer());
        self.add_field("BooleanSchema", boolean);
        self.add_field(name, named);
    }

    fn add_field(&mut self, name: &'static str, field: impl Into<PrimitiveSchema>) {
        let field = field.into();
        self.add(name, &field);
        self.add("PrimitiveSchemaDefinition", &field);
    }

    fn add_choices(&mut self) {
        let options = [TitledOption::new("x", "X"), TitledOption::new("y", "Y")];
        let chosen = ["x".to_owned()];
        let choice = PrimitiveSchema::choice(["x", "y"])
            .with_title("T")
            .with_description("d")
            .with_default("x");
        let titled = PrimitiveSchema::titled_choice(options.clone())
            .with_title("T")
            .with_description("d")
            .with_default("x");
        let several = PrimitiveSchema::choices(["x", "y"])
            .with_title("T")
            .with_description("d")
            .with_min_items(0)
            .with_max_items(2)
            .with_default(chosen.clone());
        let titled_several = PrimitiveSchema::titled_choices(options)
            .with_title("T")
            .with_description("d")
            .with_min_items(0)
            .with_max_items(2)
            .with_default(chosen);
        self.add("EnumSchema", &choice);
        self.add("SingleSelectEnumSchema", &choice);
        self.add("SingleSelectEnumSchema", &titled);
        self.add("MultiSelectEnumSchema", &several);
        self.add("MultiSelectEnumSchema", &titled_several);
        self.add_field("UntitledSingleSelectEnumSchema", choice);
        self.add_field("TitledSingleSelectEnumSchema", titled);
        self.add_field("UntitledMultiSelectEnumSchema", several);
        self.add_field("TitledMultiSelectEnumSchema", titled_several);
    }

    fn add_tasks(&mut self) {
        let task = Task::new(
            "t",
            TaskStatus::Working,
            "2025-01-12T15:00:58Z",
            "2025-01-12T15:00:58Z",
            None,
        )
        .with_poll_interval(1)
        .with_status_message("s");
        let related = Meta::new().with_related_task(&RelatedTask::new("t"));
        self.add("Task", &task);
        self.add("TaskMetadata", &TaskMetadata::new().with_ttl(1));
        self.add("RelatedTaskMetadata", &RelatedTask::new("t"));
        self.add(
            "ToolExecution",
            &ToolExecution::new().with_task_support(TaskSupport::Required),
        );
        for status in [
            "working",
            "input_required",
            "completed",
            "failed",
            "cancelled",
        ] {
            self.add("TaskStatus", &TaskStatus::from(status));
        }
        let params = TaskParams::new("t");
        self.add_request::<GetTask>("GetTaskRequest", &params);
        self.add_request::<CancelTask>("CancelTaskRequest", &params);
        self.add_request::<GetTaskPayload>("GetTaskPayloadRequest", &params);
        self.add_request::<ListTasks>("ListTasksRequest", &self.paginated());
        let with_meta = task.clone().with_meta(related.clone());
        self.add("GetTaskResult", &with_meta);
        self.add("CancelTaskResult", &with_meta);
        let payload = CallToolResult::new([]).with_meta(related.clone());
        self.add("GetTaskPayloadResult", &payload);
        self.add(
            "CreateTaskResult",
            &CreateTaskResult::new(task.clone()).with_meta(related.clone()),
        );
        let list = ListTasksResult::new([task])
            .with_next_cursor("")
            .with_meta(related);
        self.add("ListTasksResult", &list);
        self.add_notification::<TaskStatusChanged>("TaskStatusNotification", &with_meta);

        let done = ElicitationCompleteParams::new("e");
        self.add_notification::<ElicitationComplete>("ElicitationCompleteNotification", &done);
        let url = ElicitUrlParams::new(UrlMode::Url, "m", "https://example.com/")
            .with_elicitation_id("e");
        self.add_error(
            "URLElicitationRequiredError",
            UrlElicitationRequiredData::new([url]).into(),
        );
    }

    fn add_error(&mut self, name: &'static str, error: ErrorObject) {
        self.add(name, &json!({"jsonrpc": "2.0", "id": 1, "error": error}));
    }

    fn add_legacy(&mut self) {
        let version = self.version;
        let initialize =
            InitializeParams::new(version, self.client_capabilities(), self.implementation())
                .with_meta(self.request_meta());
        self.add_request::<Initialize>("InitializeRequest", &initialize);
        let result =
            InitializeResult::new(version, self.server_capabilities(), self.implementation())
                .with_instructions("i")
                .with_meta(self.result_meta());
        self.add("InitializeResult", &result);
        let nothing = NotificationParams::new().with_meta(self.result_meta());
        self.add_notification::<Initialized>("InitializedNotification", &nothing);
        self.add_notification::<RootsListChanged>("RootsListChangedNotification", &nothing);
        let ping = RequestParams::new().with_meta(Meta::new().with_progress_token(1_i64));
        self.add_request::<Ping>("PingRequest", &ping);
        let level = SetLevelParams::new(LoggingLevel::Info).with_meta(self.request_meta());
        self.add_request::<SetLevel>("SetLevelRequest", &level);
        let subscribe = SubscribeParams::new("a:b").with_meta(self.request_meta());
        self.add_request::<Subscribe>("SubscribeRequest", &subscribe);
        self.add_request::<Unsubscribe>("UnsubscribeRequest", &subscribe);
        if version.has_core_tasks() {
            self.add_shared_params();
        }
    }

    /// Params that the schemas name since 2025-11-25.
    fn add_shared_params(&mut self) {
        self.add(
            "RequestParams",
            &RequestParams::new().with_meta(self.request_meta()),
        );
        self.add("PaginatedRequestParams", &self.paginated());
        let nothing = NotificationParams::new().with_meta(self.notification_meta());
        self.add("NotificationParams", &nothing);
    }

    fn add_modern(&mut self) {
        self.add_shared_params();
        self.add("ResultType", &ResultType::InputRequired);
        self.add("RequestMetaObject", &self.request_meta());
        self.add("ResultMetaObject", &self.result_meta());
        self.add("NotificationMetaObject", &self.notification_meta());
        let params = RequestParams::new().with_meta(self.request_meta());
        self.add_request::<Discover>("DiscoverRequest", &params);
        let result = DiscoverResult::new([self.version.into()], self.server_capabilities())
            .with_result_type(ResultType::Complete)
            .with_instructions("i")
            .with_ttl_ms(1)
            .with_cache_scope(CacheScope::Public)
            .with_meta(self.result_meta());
        self.add("DiscoverResult", &result);
        self.add_subscriptions();
        self.add_input_rounds();

        let version = UnsupportedVersionData::new(["a".to_owned()], "b");
        self.add_error("UnsupportedProtocolVersionError", version.into());
        let missing = MissingCapabilityData::new(self.client_capabilities());
        self.add_error("MissingRequiredClientCapabilityError", missing.into());
        let mismatch = ErrorObject::new(ErrorCode::HEADER_MISMATCH, "headers differ");
        self.add_error("HeaderMismatchError", mismatch);
        for (name, code) in [
            ("ParseError", ErrorCode::PARSE_ERROR),
            ("InvalidRequestError", ErrorCode::INVALID_REQUEST),
            ("MethodNotFoundError", ErrorCode::METHOD_NOT_FOUND),
            ("InvalidParamsError", ErrorCode::INVALID_PARAMS),
            ("InternalError", ErrorCode::INTERNAL_ERROR),
        ] {
            self.add(name, &ErrorObject::new(code, "m").with_data(json!(1)));
        }
    }

    fn add_subscriptions(&mut self) {
        let filter = SubscriptionFilter::new()
            .with_tools_list_changed(true)
            .with_prompts_list_changed(true)
            .with_resources_list_changed(false)
            .with_resource_subscriptions(["a:b".to_owned()]);
        self.add("SubscriptionFilter", &filter);
        let listen = ListenParams::new(filter.clone()).with_meta(self.request_meta());
        self.add_request::<Listen>("SubscriptionsListenRequest", &listen);
        let acknowledged =
            ListenAcknowledgedParams::new(filter).with_meta(self.notification_meta());
        self.add_notification::<ListenAcknowledged>(
            "SubscriptionsAcknowledgedNotification",
            &acknowledged,
        );
        let meta = self
            .result_meta()
            .with_subscription_id(&RequestId::from(1_i64));
        self.add("SubscriptionsListenResultMetaObject", &meta);
        let end = ListenResult::new()
            .with_result_type(ResultType::Complete)
            .with_meta(meta);
        self.add("SubscriptionsListenResult", &end);
    }

    fn add_input_rounds(&mut self) {
        let schema = FormSchema::default().with_field("a", PrimitiveSchema::boolean());
        let form = ElicitFormParams::new("m", RawJson::from_value(&schema).unwrap());
        let url = ElicitUrlParams::new(UrlMode::Url, "m", "https://example.com/");
        let message = CreateMessageParams::new([SamplingMessage::user("t")], 1);
        let requests = [
            InputRequest::from(ElicitParams::Form(form)),
            InputRequest::from(ElicitParams::Url(url)),
            InputRequest::from(message),
            InputRequest::ListRoots(RequestParams::new()),
            InputRequest::ListRoots(RequestParams::new().with_meta(self.meta())),
        ];
        for request in &requests {
            self.add("InputRequest", request);
        }
        let requests: InputRequests = requests
            .into_iter()
            .enumerate()
            .map(|(n, request)| (format!("k{n}"), request))
            .collect();
        self.add("InputRequests", &requests);
        for response in Self::input_responses().values() {
            self.add("InputResponse", response);
        }
        self.add("InputResponses", &Self::input_responses());
        let required = InputRequiredResult::requests(requests)
            .with_request_state("")
            .with_meta(self.result_meta());
        self.add("InputRequiredResult", &required);
        for name in [
            "CallToolResultResponse",
            "GetPromptResultResponse",
            "ReadResourceResultResponse",
        ] {
            self.add(
                name,
                &json!({"jsonrpc": "2.0", "id": 1, "result": required}),
            );
        }
    }
}
