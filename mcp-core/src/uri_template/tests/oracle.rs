//! What must hold for any template and any URI.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{UriTemplate, template};

#[derive(Clone, Debug)]
enum Piece {
    Literal(&'static str),
    /// An operator and how many variables.
    Expression(&'static str, usize),
}

const LITERALS: &[&str] = &[
    "/", "a", "-", "b/", "/x", ":", ".", "%2F", "é", "c=", ",", ";", "%41", "&",
];
const LETTERS: &[&str] = &[
    "a", "b", "x", "1", ".", "-", "/", "%", "é", ":", ";", "=", "&", ",", "?", "#", " ", "v", "0",
];
/// What URIs are made of, well formed or not.
const SCRAPS: &[&str] = &[
    "a", "b", "x", "1", ".", "-", "/", "%2F", "%2f", "%61", "%C3%A9", "é", ":", ";", "=", "&", ",",
    "?", "#", "%25", "41", "%", "v0", ";v0", "v1=", "?v1=", "&v2=", "%C3", " ",
];

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        select(LITERALS).prop_map(Piece::Literal),
        (select(&["", "", "+", "/", ".", ";"][..]), 1_usize..3)
            .prop_map(|(operator, names)| Piece::Expression(operator, names)),
    ];
    let query = (select(&["?", "&"][..]), 1_usize..4)
        .prop_map(|(operator, names)| Piece::Expression(operator, names));
    let fragment = prop_oneof![
        Just(Piece::Literal("#a")),
        (1_usize..3).prop_map(|names| Piece::Expression("#", names)),
    ];
    (
        vec(piece, 0..6),
        proptest::option::of(query),
        proptest::option::of(fragment),
    )
        .prop_map(|(pieces, query, fragment)| {
            pieces.into_iter().chain(query).chain(fragment).collect()
        })
}

/// Writes a template. Names are `v0`, `v1` and so on, from the beginning again after `distinct`.
fn write(pieces: &[Piece], distinct: usize) -> Option<UriTemplate> {
    let mut text = String::new();
    let mut next = 0;
    for piece in pieces {
        match piece {
            Piece::Literal(literal) => text += literal,
            Piece::Expression(operator, count) => {
                let names: Vec<String> = (next..next + count)
                    .map(|name| format!("v{}", name % distinct))
                    .collect();
                next += count;
                text += &format!("{{{operator}{}}}", names.join(","));
            }
        }
    }
    // One parameter twice is refused.
    UriTemplate::parse(&text).ok()
}

fn value() -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(
        0.8,
        vec(select(LETTERS), 0..4).prop_map(|letters| letters.concat()),
    )
}

/// Makes values those that an unambiguous template gives back. Names are all distinct.
fn presentable(pieces: &[Piece], values: &[Option<String>]) -> BTreeMap<String, String> {
    let mut given = BTreeMap::new();
    let mut next = 0;
    for piece in pieces {
        let Piece::Expression(operator, count) = piece else {
            continue;
        };
        let list = ["/", ".", "#"].contains(operator);
        for (index, value) in values.iter().enumerate().skip(next).take(*count) {
            let mut value = value.clone();
            if ["", "+"].contains(operator) {
                value = Some(value.unwrap_or_default() + "y");
            }
            if ["+", "#"].contains(operator) {
                value = value.map(|value| value.replace(['?', '#', '&', '%'], "z"));
            }
            let Some(value) = value else {
                if list {
                    break;
                }
                continue;
            };
            given.insert(format!("v{index}"), value);
        }
        next += count;
    }
    given
}

/// The text with all escapes decoded; the order of parameters made one.
fn meaning(template: &UriTemplate, uri: &str) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    if !template.as_str().contains("{?") && !template.as_str().contains("{&") {
        return vec![bytes];
    }
    let parts = bytes.split(|byte| b"?&#".contains(byte));
    let mut parts: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
    parts.sort();
    parts
}

/// A match is expanded to the URI again; and matched again, unless escapes tell values apart that expansions do not.
fn check_match(template: &UriTemplate, uri: &str) -> Result<bool, TestCaseError> {
    let Some(captures) = template.match_uri(uri) else {
        return Ok(false);
    };
    let again = template.expand(captures.iter());
    prop_assert_eq!(
        meaning(template, uri),
        meaning(template, &again),
        "{} {} {}",
        template,
        uri,
        again
    );
    let text = template.as_str();
    let wide = text.contains("{+") || text.contains("{#");
    if !wide && template.ambiguous_at().is_none() {
        let rematched = template.match_uri(&again);
        prop_assert_eq!(rematched.as_ref(), Some(&captures), "{} {}", template, uri);
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn an_unambiguous_template_gives_back_what_it_was_expanded_from(
        pieces in pieces(),
        values in vec(value(), 20),
    ) {
        let template = write(&pieces, usize::MAX).expect("names are distinct");
        if template.ambiguous_at().is_some() {
            return Ok(());
        }
        let given = presentable(&pieces, &values);
        let uri = template.expand(&given);
        let Some(captures) = template.match_uri(&uri) else {
            return Err(TestCaseError::fail(format!("{template} does not match {uri}")));
        };
        let found: BTreeMap<String, String> = captures
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        prop_assert_eq!(&found, &given, "{} {}", template, uri);
    }

    #[test]
    fn any_template_matches_what_it_was_expanded_from(
        pieces in pieces(),
        values in vec(value(), 20),
    ) {
        let template = write(&pieces, usize::MAX).expect("names are distinct");
        let mut given = presentable(&pieces, &values);
        // A letter could be cut in two; items of `{.x,y}` hold no dots.
        for value in given.values_mut() {
            *value = value.replace(['é', '.'], "o");
        }
        let uri = template.expand(&given);
        prop_assert!(check_match(&template, &uri)?, "{} {}", template, uri);
    }

    #[test]
    fn what_matches_is_what_the_template_says(
        pieces in pieces(),
        distinct in 3_usize..20,
        values in vec(value(), 20),
        scraps in vec(select(SCRAPS), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let Some(template) = write(&pieces, distinct) else {
            return Ok(());
        };
        let scraps = scraps.concat();
        check_match(&template, &scraps)?;
        // An expansion with something put in.
        let expanded = template.expand(presentable(&pieces, &values));
        let mut at = cut.index(expanded.len() + 1);
        while !expanded.is_char_boundary(at) {
            at -= 1;
        }
        let (before, after) = expanded.split_at(at);
        check_match(&template, &format!("{before}{scraps}{after}"))?;
        check_match(&template, &format!("{before}{scraps}"))?;
    }

    #[test]
    fn a_path_matches_itself(path in "[^\\x00-\\x1f\u{7f}]{1,20}") {
        prop_assume!(!path.contains('%'));
        for text in ["file:///{x}", "file:///{+x}", "file://{?x}", "file:///{x}/{x}"] {
            let template = template(text);
            let uri = template.expand([("x", &path)]);
            let captures = template.match_uri(&uri);
            prop_assert_eq!(captures.as_ref().and_then(|found| found.get("x")), Some(&*path), "{}", uri);
        }
    }
}
