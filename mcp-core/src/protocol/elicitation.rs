use serde::{Deserialize, Serialize};

use super::wire::{notification, open_enum, read_by_tag, request, wire};
use super::{FormSchema, RawJson, TaskMetadata};

request! {
    /// `elicitation/create`: asks the person (2025-06-18). A request of the server, or an input request
    /// (2026-07-28).
    Elicit = "elicitation/create", ElicitParams => ElicitResult
}

notification! {
    /// `notifications/elicitation/complete`: what was to happen at a URL has happened (2025-11-25).
    ElicitationComplete = "notifications/elicitation/complete", ElicitationCompleteParams
}

/// How to ask: by a form, or by sending the person to a URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ElicitParams {
    /// By a form. The mode is left out, which every revision understands as this.
    Form(ElicitFormParams),
    /// By a URL (2025-11-25).
    Url(ElicitUrlParams),
    /// A mode that this version of the SDK does not know, as it came.
    Other(RawJson),
}

impl ElicitParams {
    /// By a form.
    #[must_use]
    pub fn form(message: impl Into<String>, schema: impl Into<RawJson>) -> Self {
        Self::Form(ElicitFormParams::new(message, schema))
    }

    /// By a URL.
    #[must_use]
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self::Url(ElicitUrlParams::new(UrlMode::Url, message, url))
    }

    /// Why, for the person, unless this is a mode we do not know.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Form(form) => Some(&form.message),
            Self::Url(url) => Some(&url.message),
            Self::Other(_) => None,
        }
    }
}

/// The mode when none is named.
fn unnamed_mode() -> String {
    "form".to_owned()
}

read_by_tag!(ElicitParams by "mode" default "unnamed_mode" {
    "form" => Form,
    "url" => Url,
});

wire! {
    /// Asks by a form.
    pub struct ElicitFormParams {
        /// Why, for the person.
        pub message: String,
        /// The fields, as JSON Schema: see [`FormSchema`].
        pub requested_schema: RawJson,
    }
    strict {
        /// Says that this is a form (2025-11-25); understood when absent.
        pub mode: FormMode, with_mode;
        /// 2025-11-25: run as a task.
        pub task: TaskMetadata, with_task;
    }
    _meta as meta
}

impl ElicitFormParams {
    /// The fields.
    ///
    /// # Errors
    ///
    /// When the schema is not one of a form.
    pub fn form(&self) -> serde_json::Result<FormSchema> {
        self.requested_schema.parse()
    }
}

wire! {
    /// Asks by a URL (2025-11-25).
    pub struct ElicitUrlParams {
        /// Says that this is a URL.
        pub mode: UrlMode,
        /// Why, for the person.
        pub message: String,
        /// Where to go.
        pub url: String,
    }
    strict {
        /// Names it in `notifications/elicitation/complete`; required in 2025-11-25, gone after.
        pub elicitation_id: String, with_elicitation_id;
        /// 2025-11-25: run as a task.
        pub task: TaskMetadata, with_task;
    }
    _meta as meta
}

/// `"form"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "it stands for one string")]
pub enum FormMode {
    /// The one value.
    #[default]
    Form,
}

/// `"url"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "it stands for one string")]
pub enum UrlMode {
    /// The one value.
    #[default]
    Url,
}

wire! {
    /// What the person did.
    pub struct ElicitResult {
        /// Whether they gave it.
        pub action: ElicitAction,
    }
    strict {
        /// What they gave, when they accepted a form: an object of plain values.
        pub content: RawJson, with_content;
    }
    _meta as meta
}

impl ElicitResult {
    /// They gave this.
    #[must_use]
    pub fn accept(content: impl Into<RawJson>) -> Self {
        Self::new(ElicitAction::Accept).with_content(content)
    }

    /// They agreed to go to the URL.
    #[must_use]
    pub fn accept_url() -> Self {
        Self::new(ElicitAction::Accept)
    }

    /// They said no.
    #[must_use]
    pub fn decline() -> Self {
        Self::new(ElicitAction::Decline)
    }

    /// They turned away without an answer.
    #[must_use]
    pub fn cancel() -> Self {
        Self::new(ElicitAction::Cancel)
    }
}

open_enum! {
    /// Whether a person gave what they were asked for.
    pub enum ElicitAction {
        /// They did.
        Accept = "accept",
        /// They said no.
        Decline = "decline",
        /// They turned away without an answer.
        Cancel = "cancel",
    }
}

wire! {
    /// What has happened at a URL (2025-11-25).
    pub struct ElicitationCompleteParams {
        /// The elicitation.
        pub elicitation_id: String,
    }
    _meta as meta
}
