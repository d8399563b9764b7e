use proc_macro2::{Span, TokenStream};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{LitStr, Token};

use super::check::Annotations;
use crate::closest::suggestion;
use crate::mistakes::Mistakes;

/// Where data goes, as the words on the wire, and the names of the variants.
const FLOWS: [(&str, &str); 5] = [
    ("local-only", "LocalOnly"),
    ("filesystem-read", "FilesystemRead"),
    ("filesystem-write", "FilesystemWrite"),
    ("network-out", "NetworkOut"),
    ("third-party", "ThirdParty"),
];

/// Reads the list of `flow(…)`: the words of the flows that are known.
pub(super) fn flows(key: Span, list: TokenStream, mistakes: &mut Mistakes) -> Vec<LitStr> {
    let words = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list);
    let Some(words) = mistakes.keep(words) else {
        return Vec::new();
    };
    if words.is_empty() {
        mistakes.at(
            key,
            "`flow` needs at least one word, as in `flow(\"network-out\")`",
        );
    }
    let mut flows: Vec<LitStr> = Vec::new();
    for word in words {
        let value = word.value();
        if !FLOWS.iter().any(|(known, _)| *known == value) {
            let known = FLOWS.map(|(word, _)| word);
            mistakes.under(
                &word,
                format!("unknown flow `{value}`; {}", suggestion(&value, &known)),
            );
        } else if flows.iter().any(|flow| flow.value() == value) {
            mistakes.under(&word, format!("`{value}` is listed twice"));
        } else {
            flows.push(word);
        }
    }
    flows
}

/// The name of the variant for a word.
pub(super) fn variant(flow: &LitStr) -> &'static str {
    let value = flow.value();
    FLOWS
        .iter()
        .find(|(word, _)| *word == value)
        .map_or("LocalOnly", |(_, variant)| variant)
}

/// Flows that contradict each other or the annotations.
pub(super) fn lint(flows: &[LitStr], annotations: &Annotations, mistakes: &mut Mistakes) {
    let local = flows.iter().any(|flow| flow.value() == "local-only");
    for flow in flows {
        let word = flow.value();
        let contradiction = match word.as_str() {
            "local-only" if annotations.open_world == Some(true) => {
                "`open_world` says that the tool reaches out"
            }
            "local-only" => continue,
            _ if local => "`local-only` says that nothing leaves the process",
            "filesystem-write" if annotations.read_only == Some(true) => {
                "`read_only` says that the tool changes nothing"
            }
            "network-out" | "third-party" if annotations.open_world == Some(false) => {
                "`open_world = false` says that the tool reaches nothing outside"
            }
            _ => continue,
        };
        mistakes.under(
            flow,
            format!("`{word}` contradicts another setting: {contradiction}"),
        );
    }
}
