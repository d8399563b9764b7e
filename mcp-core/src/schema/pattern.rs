//! Patterns as JSON Schema writes them, matched in linear time.

use regex_lite::Regex;

/// Compiles a pattern. It is searched for anywhere in a string, as JSON Schema says.
///
/// regex-lite matches in time linear in the text, whatever the pattern. What it lacks of ECMA-262 (look-around,
/// back-references, `\p{…}`, `\cX`) is refused, with its own words.
pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_searched_for_anywhere() {
        assert!(compile("b+").unwrap().is_match("abbc"));
        assert!(!compile("^b+$").unwrap().is_match("abbc"));
    }

    #[test]
    fn spellings_of_ecma_are_understood() {
        for (pattern, text) in [
            (r"^\/a\/$", "/a/"),
            (r"^\u00e9$", "é"),
            (r"^\u{1F600}$", "😀"),
            (r"^[\w-]+\.\d{2,}$", "a-b.12"),
            (r"^(?:a|b)+?$", "abab"),
            (r"^\x41$", "A"),
            (r"^[^\n\-\]]$", "x"),
            (r"^(?<year>\d{4})$", "2025"),
        ] {
            assert!(
                compile(pattern).is_ok_and(|regex| regex.is_match(text)),
                "{pattern}"
            );
        }
    }

    #[test]
    fn what_cannot_be_matched_in_linear_time_is_refused() {
        for pattern in [
            "(?=a)", "(?<!a)b", r"(a)\1", r"\p{L}", r"\cA", "(", "a{2,1}",
        ] {
            assert!(compile(pattern).is_err(), "{pattern}");
        }
    }
}
