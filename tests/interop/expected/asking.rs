//! What clients are asked, and what comes of their answers.
//!
//! A question is a request up to 2025-11-25 and a round of the call from 2026-07-28 on. The clients show both alike.

use serde_json::{Value, json};

use super::{Expected, Revision, error, exactly, text};

/// What a model is told when its client can't be asked.
fn undeclared(name: &str) -> String {
    format!("this needs the capability `{name}`, which the client does not have")
}

/// One call that asks: what it asks, and the text it answers with.
struct Asks {
    name: &'static str,
    asked: Vec<Value>,
    said: String,
    /// It asks a person, which revisions before 2025-06-18 have no way to do.
    needs_person: bool,
}

impl Asks {
    fn person(name: &'static str, asked: Vec<Value>, said: impl Into<String>) -> Self {
        Self {
            name,
            asked,
            said: said.into(),
            needs_person: true,
        }
    }

    fn nobody(name: &'static str, asked: Vec<Value>, said: impl Into<String>) -> Self {
        Self {
            needs_person: false,
            ..Self::person(name, asked, said)
        }
    }

    fn expected(self, revision: Revision) -> Expected {
        if self.needs_person && revision < Revision::V2025_06_18 {
            let content = [text(&undeclared("elicitation"))];
            let refused = json!({ "asked": [], "content": content, "isError": true });
            return exactly(self.name, refused);
        }
        let answer = json!({ "asked": self.asked, "content": [text(&self.said)] });
        exactly(self.name, answer)
    }
}

pub(super) fn steps(revision: Revision) -> Vec<Expected> {
    let mut steps = forms(revision);
    steps.extend(visits(revision));
    steps.extend(others(revision));
    steps.extend(offers(revision));
    if revision == Revision::V2026_07_28 {
        steps.extend(rounds());
    }
    steps
}

/// What asks and is no tool, so that there is no result to tell a model in.
fn offers(revision: Revision) -> [Expected; 2] {
    if revision < Revision::V2025_06_18 {
        return ["ask by a prompt", "ask by a resource"]
            .map(|name| exactly(name, error(-32600, &undeclared("elicitation"))));
    }
    let described = |name: &str, description: &str| {
        let mut schema = one(name, "string");
        schema["properties"][name]["description"] = json!(description);
        schema
    };
    let context = described("context", "What the prompt should know.");
    let message = json!({ "role": "user", "content": text("Prompt with context: tea") });
    let prompt = json!({
        "asked": [form("What context should the prompt use?", context)],
        "messages": [message],
    });
    let signature = described("name", "Who wants to read it.");
    let contents = json!({
        "uri": "test://input-required",
        "mimeType": "text/plain",
        "text": "For Ann only.",
    });
    let resource = json!({
        "asked": [form("Who wants to read it?", signature)],
        "contents": [contents],
    });
    [
        exactly("ask by a prompt", prompt),
        exactly("ask by a resource", resource),
    ]
}

/// Rounds by hand: what is not answered is asked again, and the state comes back as it was or not at all.
fn rounds() -> [Expected; 4] {
    let asked = || json!({ "asked": ["confirm"] });
    let why = "`requestState` is not one of this request, or has expired";
    let done = json!({ "asked": [], "content": [text("confirmed=true")] });
    [
        exactly("round", asked()),
        exactly("round with a wrong key", asked()),
        exactly("round with a wrong state", error(-32602, why)),
        exactly("round with the answer", done),
    ]
}

/// A person is sent to a page, which has an id in one revision only.
fn visits(revision: Revision) -> [Expected; 2] {
    let names = ["elicit a visit", "elicit a visit, declined"];
    if revision < Revision::V2025_11_25 {
        let content = [text(&undeclared("elicitation.url"))];
        let refused = json!({ "asked": [], "content": content, "isError": true });
        return names.map(|name| exactly(name, refused.clone()));
    }
    let asked = json!({
        "method": "elicitation/create",
        "message": "Please sign in.",
        "url": "https://example.com/sign-in",
        "has id": revision == Revision::V2025_11_25,
    });
    let agreed = text("The person agreed to go there");
    let declined = text("the person declined");
    [
        exactly(names[0], json!({ "asked": [asked], "content": [agreed] })),
        exactly(
            names[1],
            json!({ "asked": [asked], "content": [declined], "isError": true }),
        ),
    ]
}

fn forms(revision: Revision) -> Vec<Expected> {
    let user = || form("Who are you?", user());
    let profile = || {
        form(
            "Please review and update the form fields with defaults",
            profile(revision),
        )
    };
    let accepted = |content: &str| format!("action=accept, content={content}");
    let ann = accepted(r#"{"username":"ann","email":"ann@example.com"}"#);
    let defaults = r#"{"name":"John Doe","age":30,"score":95.5,"status":"active","verified":true}"#;
    let others = r#"{"name":"Ann","age":41,"score":0.5,"status":"pending","verified":false}"#;
    let completed = |content: &str| format!("Elicitation completed: {}", accepted(content));
    let asks = [
        Asks::person("elicit", vec![user()], format!("User response: {ann}")),
        Asks::person(
            "elicit, declined",
            vec![user()],
            "User response: action=decline",
        ),
        Asks::person(
            "elicit, cancelled",
            vec![user()],
            "User response: action=cancel",
        ),
    ];
    let mut steps: Vec<_> = (asks.into_iter())
        .map(|asks| asks.expected(revision))
        .collect();
    steps.push(misfit(revision, &user()));
    let asks = [
        // The answer leaves everything out.
        Asks::person("elicit defaults", vec![profile()], completed(defaults)),
        Asks::person("elicit others", vec![profile()], completed(others)),
    ];
    steps.extend(asks.into_iter().map(|asks| asks.expected(revision)));
    steps.push(enums(revision, &completed));
    steps
}

/// The answer lacks what the form requires. A round is a request with wrong params; a request of ours that is answered
/// wrongly is no fault of the call, so the model is told.
fn misfit(revision: Revision, user: &Value) -> Expected {
    const NAME: &str = "elicit, misfit";
    let why = "the answer to `user`: the answer does not fit the form:\n- /email: missing, expected string";
    if revision == Revision::V2026_07_28 {
        return exactly(NAME, error(-32602, why));
    }
    if revision < Revision::V2025_06_18 {
        return Asks::person(NAME, Vec::new(), "").expected(revision);
    }
    let told = json!({ "asked": [user], "content": [text(why)], "isError": true });
    exactly(NAME, told)
}

fn enums(revision: Revision, completed: &dyn Fn(&str) -> String) -> Expected {
    const NAME: &str = "elicit enums";
    if revision == Revision::V2025_06_18 {
        let why = "revision 2025-06-18 cannot ask for the field `untitledMulti`, which is a list";
        return exactly(
            NAME,
            json!({ "asked": [], "content": [text(why)], "isError": true }),
        );
    }
    let question = form("Please select options from the enum fields", choices());
    let chosen = r#"{"untitledSingle":"option2","titledSingle":"value3","legacyEnum":"opt1","untitledMulti":["option1","option3"],"titledMulti":["value2"]}"#;
    Asks::person(NAME, vec![question], completed(chosen)).expected(revision)
}

/// A model, folders, several questions in one call.
fn others(revision: Revision) -> Vec<Expected> {
    let has_person = revision >= Revision::V2025_06_18;
    let name = || form("What is your name?", one("name", "string"));
    let roots = || json!({ "method": "roots/list" });
    let step1 = form("Step 1: What is your name?", one("name", "string"));
    let step2 = form(
        "Step 2: What is your favorite color, Ann?",
        one("color", "string"),
    );
    // Where questions are requests, the handler runs once.
    let rounds = if revision == Revision::V2026_07_28 {
        2
    } else {
        1
    };
    let at_once = vec![name(), roots(), to_model("Write a greeting.")];
    let mut declared = vec![roots(), to_model("Say hello.")];
    if has_person {
        declared.insert(0, name());
    }
    let answers = if has_person {
        "Ann, Paris, 1"
    } else {
        "Paris, 1"
    };
    let asks = [
        Asks::nobody(
            "sample",
            vec![to_model("Capital of France?")],
            "LLM response: Paris",
        ),
        Asks::nobody("roots", vec![roots()], "Roots: file:///srv/interop"),
        Asks::person("ask at once", at_once, "Ann: Paris (file:///srv/interop)"),
        Asks::person("ask in turn", vec![step1, step2], "Ann likes blue"),
        Asks::person(
            "ask and remember",
            vec![form("Please confirm.", one("ok", "boolean"))],
            format!("state-ok: confirmed=true in round {rounds}"),
        ),
        Asks::nobody(
            "ask what is declared",
            declared,
            format!("Answers: {answers}"),
        ),
    ];
    let mut steps: Vec<_> = (asks.into_iter())
        .map(|asks| asks.expected(revision))
        .collect();
    if revision != Revision::V2026_07_28 {
        let asked = to_model("Capital of France?");
        let refused =
            json!({ "asked": [asked], "content": [text("the person declined")], "isError": true });
        steps.insert(1, exactly("sample, refused", refused));
    }
    steps
}

fn form(message: &str, schema: Value) -> Value {
    json!({ "method": "elicitation/create", "message": message, "schema": schema })
}

fn to_model(question: &str) -> Value {
    let message = json!({ "role": "user", "content": text(question) });
    json!({ "method": "sampling/createMessage", "messages": [message], "maxTokens": 100 })
}

/// A form of one field.
fn one(name: &str, kind: &str) -> Value {
    json!({ "type": "object", "properties": { name: { "type": kind } }, "required": [name] })
}

fn user() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "What they are called here." },
            "email": { "type": "string", "description": "Where mail reaches them." },
        },
        "required": ["username", "email"],
    })
}

/// Only yes or no has a default before 2025-11-25.
fn profile(revision: Revision) -> Value {
    let has_defaults = revision >= Revision::V2025_11_25;
    let field = |kind: &str, default: Value| {
        if has_defaults {
            json!({ "type": kind, "default": default })
        } else {
            json!({ "type": kind })
        }
    };
    let mut status = field("string", json!("active"));
    status["enum"] = json!(["active", "inactive", "pending"]);
    json!({
        "type": "object",
        "properties": {
            "name": field("string", json!("John Doe")),
            "age": field("integer", json!(30)),
            "score": field("number", json!(95.5)),
            "status": status,
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn choices() -> Value {
    let names = json!(["option1", "option2", "option3"]);
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" },
    ]);
    let legacy = json!({
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    });
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": names },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": legacy,
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": names } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
    })
}

/// What a client is told that has declared nothing.
pub(super) fn mute_steps(revision: Revision) -> Vec<Expected> {
    let modern = |needed: Value, capability: &str| {
        json!({ "error": {
            "code": -32021,
            "message": undeclared(capability),
            "data": { "requiredCapabilities": needed },
        } })
    };
    let is_modern = revision == Revision::V2026_07_28;
    let tool = |name, needed: Value, capability: &str| {
        let content = [text(&undeclared(capability))];
        let legacy = json!({ "content": content, "isError": true });
        exactly(
            name,
            if is_modern {
                modern(needed, capability)
            } else {
                legacy
            },
        )
    };
    let form = if revision < Revision::V2025_11_25 {
        "elicitation"
    } else {
        "elicitation.form"
    };
    let elicitation = json!({ "elicitation": { "form": {} } });
    let other = if is_modern {
        modern(elicitation.clone(), form)
    } else {
        error(-32600, &undeclared(form))
    };
    vec![
        tool("elicit", elicitation, form),
        tool("sample", json!({ "sampling": {} }), "sampling"),
        tool("roots", json!({ "roots": {} }), "roots"),
        exactly(
            "ask what is declared",
            json!({ "content": [text("Answers: ")] }),
        ),
        exactly("ask by a prompt", other.clone()),
        exactly("ask by a resource", other),
    ]
}
