//! Tools that ask the client: one question each.

use mcp_core::protocol::{
    CreateMessageParams, FormSchema, PrimitiveSchema, SamplingMessage, TitledOption,
};
use mcp_core::{Context, Refused, Server, data, tool};
use serde::Serialize;

pub(crate) fn add(server: Server) -> Server {
    server
        .tool::<test_sampling>()
        .tool::<test_elicitation>()
        .tool::<test_elicitation_sep1034_defaults>()
        .tool::<test_elicitation_sep1330_enums>()
        .tool::<test_elicitation_url>()
        .tool::<test_missing_capability>()
        .tool::<test_streaming_elicitation>()
}

/// What a person decided, and what they filled in.
fn decision<T: Serialize>(answer: Result<T, Refused>) -> Result<String, serde_json::Error> {
    Ok(match answer {
        Ok(content) => format!(
            "action=accept, content={}",
            serde_json::to_string(&content)?
        ),
        Err(Refused::Declined) => "action=decline".to_owned(),
        Err(_) => "action=cancel".to_owned(),
    })
}

/// One question for a model.
pub(crate) fn to_model(text: impl Into<String>) -> CreateMessageParams {
    CreateMessageParams::new([SamplingMessage::user(text.into())], 100)
}

/// Asks the client's model.
#[tool]
async fn test_sampling(
    cx: &Context,
    /// What to ask.
    prompt: String,
) -> Result<String, Refused> {
    let said = cx.sample("prompt", to_model(prompt)).await?;
    Ok(format!("LLM response: {}", said.text()))
}

#[data]
struct User {
    /// What they are called here.
    username: String,
    /// Where mail reaches them.
    email: String,
}

/// Asks a person to fill in a form.
#[tool]
async fn test_elicitation(
    cx: &Context,
    /// What to say above the form.
    message: String,
) -> Result<String, serde_json::Error> {
    let answer = cx.elicit::<User>("user", message).await;
    Ok(format!("User response: {}", decision(answer)?))
}

#[data]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[data]
#[serde(default)]
struct Profile {
    name: String,
    age: i64,
    score: f64,
    status: Status,
    verified: bool,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "John Doe".to_owned(),
            age: 30,
            score: 95.5,
            status: Status::Active,
            verified: true,
        }
    }
}

/// Asks a person to fill in a form that has something in every field already.
#[tool]
async fn test_elicitation_sep1034_defaults(cx: &Context) -> Result<String, serde_json::Error> {
    let question = "Please review and update the form fields with defaults";
    let answer = cx.elicit::<Profile>("profile", question).await;
    Ok(format!("Elicitation completed: {}", decision(answer)?))
}

/// Asks a person to choose, in every way that there is.
#[tool]
async fn test_elicitation_sep1330_enums(cx: &Context) -> Result<String, serde_json::Error> {
    let question = "Please select options from the enum fields";
    let answer = cx.elicit_form("options", question, &choices()).await;
    Ok(format!("Elicitation completed: {}", decision(answer)?))
}

/// By hand, for no type has the names beside the values.
fn choices() -> FormSchema {
    let names = ["option1", "option2", "option3"];
    let titled = || -> Vec<TitledOption> {
        let pairs = [
            ("value1", "First Option"),
            ("value2", "Second Option"),
            ("value3", "Third Option"),
        ];
        (pairs.into_iter())
            .map(|(value, title)| TitledOption::new(value, title))
            .collect()
    };
    let legacy = PrimitiveSchema::choice(["opt1", "opt2", "opt3"])
        .with_names(["Option One", "Option Two", "Option Three"].map(str::to_owned));
    FormSchema::default()
        .with_field("untitledSingle", PrimitiveSchema::choice(names))
        .with_field("titledSingle", PrimitiveSchema::titled_choice(titled()))
        .with_field("legacyEnum", legacy)
        .with_field("untitledMulti", PrimitiveSchema::choices(names))
        .with_field("titledMulti", PrimitiveSchema::titled_choices(titled()))
}

/// Sends a person to a page.
#[tool]
async fn test_elicitation_url(cx: &Context) -> Result<&'static str, Refused> {
    let page = "https://example.com/sign-in";
    cx.elicit_url("page", "Please sign in.", page).await?;
    Ok("The person agreed to go there")
}

/// Needs a client that has a model.
#[tool]
async fn test_missing_capability(cx: &Context) -> Result<String, Refused> {
    let said = cx.sample("needed", to_model("Are you there?")).await?;
    Ok(format!("The model is there: {}", said.text()))
}

#[data]
struct Confirmation {
    /// Whether to go on.
    ok: bool,
}

/// Asks a person while its answer may be streamed.
#[tool]
async fn test_streaming_elicitation(cx: &Context) -> Result<String, serde_json::Error> {
    let answer = cx.elicit::<Confirmation>("confirm", "Go on?").await;
    Ok(format!("Streamed: {}", decision(answer)?))
}
