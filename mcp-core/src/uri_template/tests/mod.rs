mod expansion;
mod grammar;
mod matches;
mod oracle;
mod sets;

use super::UriTemplate;

fn template(text: &str) -> UriTemplate {
    UriTemplate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a template finds in a URI, `name=value` each.
fn found(text: &str, uri: &str) -> Option<Vec<String>> {
    let captures = template(text).match_uri(uri)?;
    Some(
        captures
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect(),
    )
}

#[track_caller]
fn assert_finds(text: &str, uri: &str, values: &[&str]) {
    let found = found(text, uri);
    let found: Option<Vec<&str>> = found
        .as_ref()
        .map(|found| found.iter().map(String::as_str).collect());
    assert_eq!(found.as_deref(), Some(values), "{text} on {uri}");
}

#[track_caller]
fn assert_no_match(text: &str, uri: &str) {
    assert_eq!(found(text, uri), None, "{text} on {uri}");
}
