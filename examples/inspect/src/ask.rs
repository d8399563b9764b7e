//! Questions of servers, put to whoever sits at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use mcp_core::client::Asked;
use mcp_core::protocol::{ElicitParams, ElicitResult};
use serde_json::{Map, Value};

use crate::show::clean;

/// Asks the person. Without a terminal nobody can be asked, and the answer is no.
pub(crate) async fn person(asked: Asked<ElicitParams>) -> ElicitResult {
    let who = asked
        .server()
        .map_or("the server", |server| server.name())
        .to_owned();
    let params = asked.into_params();
    if !io::stdin().is_terminal() {
        return ElicitResult::decline();
    }
    let answered = tokio::task::spawn_blocking(move || match params {
        ElicitParams::Form(form) => {
            let schema = form.requested_schema.parse().unwrap_or_default();
            fill_in(&who, &form.message, &schema)
        }
        _ => Ok(ElicitResult::decline()),
    });
    match answered.await {
        Ok(Ok(answer)) => answer,
        _ => ElicitResult::cancel(),
    }
}

fn fill_in(who: &str, message: &str, schema: &Value) -> io::Result<ElicitResult> {
    say(&format!(
        "{who} asks: {message}\n(an empty line skips a field, `!` declines)\n"
    ))?;
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let hint = field["title"].as_str().or(field["description"].as_str());
        let choices = field["enum"]
            .as_array()
            .map(|choices| format!(" {}", Value::from(choices.clone())));
        say(&format!(
            "{}{}: ",
            hint.unwrap_or(name),
            choices.unwrap_or_default()
        ))?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(ElicitResult::cancel());
        }
        match line.trim() {
            "" => {}
            "!" => return Ok(ElicitResult::decline()),
            text => {
                content.insert(name.clone(), typed(text, field));
            }
        }
    }
    Ok(ElicitResult::accept(Value::Object(content)))
}

fn typed(text: &str, field: &Value) -> Value {
    match field["type"].as_str() {
        Some("string") | None => Value::String(text.to_owned()),
        Some(_) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}

fn say(text: &str) -> io::Result<()> {
    let mut terminal = io::stderr();
    terminal.write_all(clean(text).as_bytes())?;
    terminal.flush()
}
