//! The vocabulary of the protocol: every message of every revision as plain data, one file a page of the
//! specification.
//!
//! There is one set of types, the union of the revisions: what a revision lacks is an optional member, whose docs
//! name the revision it came with. Reading is lenient where nothing is lost by it: unknown members are ignored,
//! unknown kinds and strings are kept, optional members that are malformed read as absent. [`ProtocolVersion`]
//! knows what each revision has.

mod caching;
mod cancellation;
mod capabilities;
mod completion;
mod content;
mod discover;
mod elicitation;
mod error;
mod form;
pub mod http_headers;
mod input_required;
mod lifecycle;
mod logging;
mod message;
mod meta;
mod pagination;
mod ping;
mod progress;
mod prompts;
mod raw;
mod resources;
mod roots;
mod sampling;
mod subscriptions;
mod tasks;
mod tools;
mod version;
mod wire;

pub use caching::CacheScope;
pub use cancellation::{Cancelled, CancelledParams};
pub use capabilities::{
    ClientCapabilities, Declared, ElicitationCapability, ElicitationTaskRequests,
    PromptsCapability, ResourcesCapability, RootsCapability, SamplingCapability,
    SamplingTaskRequests, ServerCapabilities, TaskRequests, TasksCapability, ToolTaskRequests,
    ToolsCapability,
};
pub use completion::{
    Complete, CompleteParams, CompleteResult, Completion, CompletionArgument, CompletionContext,
    CompletionReference, PromptReference, ResourceReference,
};
pub use content::{
    Annotations, AudioContent, BlobResourceContents, ContentBlock, EmbeddedResource, ImageContent,
    ResourceContents, Role, TextContent, TextResourceContents,
};
pub use discover::{Discover, DiscoverResult};
pub use elicitation::{
    Elicit, ElicitAction, ElicitFormParams, ElicitParams, ElicitResult, ElicitUrlParams,
    ElicitationComplete, ElicitationCompleteParams, FormMode, UrlMode,
};
pub use error::{
    MissingCapabilityData, ResourceNotFoundData, UnsupportedVersionData, UrlElicitationRequiredData,
};
pub use form::{
    ArrayKind, BooleanKind, BooleanSchema, ChoiceItems, ChoiceSchema, ChoicesSchema, Fields,
    FormSchema, NumberKind, NumberSchema, ObjectKind, PrimitiveSchema, StringFormat, StringKind,
    StringSchema, TitledChoiceSchema, TitledChoicesSchema, TitledItems, TitledOption,
};
pub use input_required::{
    InputRequest, InputRequests, InputRequiredResult, InputResponses, TypedResult,
};
pub use lifecycle::{
    Icon, Implementation, Initialize, InitializeParams, InitializeResult, Initialized, Theme,
};
pub use logging::{LoggingLevel, LoggingMessage, LoggingMessageParams, SetLevel, SetLevelParams};
pub use message::{
    EmptyResult, Notification, NotificationParams, Request, RequestParams, ResultType,
};
pub use meta::{Meta, ProgressToken};
pub use pagination::{Cursor, PaginatedParams};
pub use ping::Ping;
pub use progress::{Progress, ProgressParams};
pub use prompts::{
    GetPrompt, GetPromptParams, GetPromptResult, ListPrompts, ListPromptsResult, Prompt,
    PromptArgument, PromptListChanged, PromptMessage,
};
pub use raw::RawJson;
pub use resources::{
    ListResourceTemplates, ListResourceTemplatesResult, ListResources, ListResourcesResult,
    ReadResource, ReadResourceParams, ReadResourceResult, Resource, ResourceListChanged,
    ResourceTemplate, ResourceUpdated, ResourceUpdatedParams, Subscribe, SubscribeParams,
    Unsubscribe,
};
pub use roots::{ListRoots, ListRootsResult, Root, RootsListChanged};
pub use sampling::{
    CreateMessage, CreateMessageParams, CreateMessageResult, IncludeContext, ModelHint,
    ModelPreferences, SamplingContent, SamplingMessage, StopReason, ToolChoice, ToolChoiceMode,
    ToolResultContent, ToolUseContent,
};
pub use subscriptions::{
    Listen, ListenAcknowledged, ListenAcknowledgedParams, ListenParams, ListenResult,
    SubscriptionFilter,
};
pub use tasks::{
    CancelTask, CreateTaskResult, GetTask, GetTaskPayload, ListTasks, ListTasksResult, RelatedTask,
    Task, TaskMetadata, TaskParams, TaskStatus, TaskStatusChanged,
};
pub use tools::{
    CallTool, CallToolParams, CallToolResult, ListTools, ListToolsResult, TaskSupport, Tool,
    ToolAnnotations, ToolExecution, ToolListChanged,
};
pub use version::{Era, ProtocolVersion};
pub(crate) use wire::as_value;
