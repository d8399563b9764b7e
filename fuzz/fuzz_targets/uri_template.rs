//! Any template and any URI: a match holds nothing but what the URI says.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_core::UriTemplate;

fuzz_target!(|input: (&str, &str)| {
    let (text, uri) = input;
    let template = match UriTemplate::parse(text) {
        Ok(template) => template,
        Err(error) => {
            assert!(error.offset() <= text.len());
            return;
        }
    };
    assert_eq!(template.as_str(), text);
    if let Some(offset) = template.ambiguous_at() {
        assert!(text[offset..].starts_with('{'));
    }
    check(&template, uri);
    // Any value for each of the variables: URIs that are like the template.
    let values = template.variables().zip(uri.split(' '));
    check(&template, &template.expand(values));
});

fn check(template: &UriTemplate, uri: &str) {
    let Some(captures) = template.match_uri(uri) else {
        return;
    };
    for (index, name) in template.variables().enumerate() {
        assert_eq!(captures.get(name), captures.get_index(index));
        assert!(
            !template.is_required(name)
                || captures.get(name).is_some_and(|value| !value.is_empty())
        );
    }
    let again = template.expand(captures.iter());
    assert_eq!(
        meaning(template, uri),
        meaning(template, &again),
        "{uri} {again}"
    );
    let text = template.as_str();
    if !text.contains("{+") && !text.contains("{#") {
        let slashes = |uri: &str| {
            uri.split(['?', '#'])
                .next()
                .map(|path| path.matches('/').count())
        };
        assert!(
            text.contains('?') || slashes(uri) == slashes(&again),
            "{uri} {again}"
        );
        // Where an escape tells what the expansion does not, or made it too long, it may be another match.
        if template.ambiguous_at().is_none() && again.len() <= uri.len().max(8 << 10) {
            assert_eq!(template.match_uri(&again), Some(captures));
        }
    }
}

/// Scheme and host have no case.
fn lower(uri: &mut [u8]) {
    let up_to = |from: &[u8], ends: &[u8]| {
        let end = from.iter().position(|byte| ends.contains(byte));
        end.unwrap_or(from.len())
    };
    let scheme = up_to(uri, b":/?#");
    let end = match uri[scheme..].strip_prefix(b"://") {
        Some(rest) => scheme + 3 + up_to(rest, b"/?#"),
        None => scheme,
    };
    uri[..end].make_ascii_lowercase();
}

/// The text with all escapes decoded; the order of parameters made one.
fn meaning(template: &UriTemplate, uri: &str) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push(u8::try_from(high << 4 | low).expect("two digits"));
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    lower(&mut bytes);
    if !template.as_str().contains("{?") && !template.as_str().contains("{&") {
        return vec![bytes];
    }
    let parts = bytes.split(|byte| b"?&#".contains(byte));
    let mut parts: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
    parts.sort();
    parts
}
