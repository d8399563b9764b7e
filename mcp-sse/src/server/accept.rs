//! What a client takes as an answer.

use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};

/// The kinds of answers that a client takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Reads all that the headers say. Without any, everything is taken.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut json = Best::default();
        let mut events = Best::default();
        let mut is_said = false;
        for value in headers.get_all(ACCEPT) {
            let Ok(text) = value.to_str() else { continue };
            for range in text
                .split(',')
                .map(str::trim)
                .filter(|range| !range.is_empty())
            {
                is_said = true;
                let (kind, parameters) = range.split_once(';').unwrap_or((range, ""));
                let kind = kind.trim();
                let is_taken = takes(parameters);
                json.consider(kind, "application", "json", is_taken);
                events.consider(kind, "text", "event-stream", is_taken);
            }
        }
        Self {
            json: !is_said || json.is_taken,
            events: !is_said || events.is_taken,
        }
    }

    pub(super) const fn nothing(self) -> bool {
        !self.json && !self.events
    }
}

/// The range that says most of a type counts.
#[derive(Default)]
struct Best {
    precision: u8,
    is_taken: bool,
}

impl Best {
    fn consider(&mut self, range: &str, kind: &str, subkind: &str, is_taken: bool) {
        let (main, sub) = range.split_once('/').unwrap_or((range, ""));
        let precision = if main.eq_ignore_ascii_case(kind) && sub.eq_ignore_ascii_case(subkind) {
            3
        } else if main.eq_ignore_ascii_case(kind) && sub == "*" {
            2
        } else if main == "*" && sub == "*" {
            1
        } else {
            return;
        };
        if precision > self.precision || (precision == self.precision && is_taken) {
            self.precision = precision;
            self.is_taken = is_taken;
        }
    }
}

/// A quality of nought means "not this".
fn takes(parameters: &str) -> bool {
    let quality = parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
    });
    quality.is_none_or(|quality| quality.parse::<f32>().map_or(true, |quality| quality > 0.0))
}

/// Whether the body is JSON in UTF-8. Nothing else is taken, so that a web page can't send it without having been asked
/// for leave.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return false;
    };
    let Ok(text) = value.to_str() else {
        return false;
    };
    let mut parts = text.split(';').map(str::trim);
    if !parts
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"))
    {
        return false;
    }
    parts.all(|parameter| {
        parameter.split_once('=').is_none_or(|(name, value)| {
            let value = value.trim().trim_matches('"');
            !name.trim().eq_ignore_ascii_case("charset")
                || value.eq_ignore_ascii_case("utf-8")
                || value.eq_ignore_ascii_case("utf8")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, value.parse().unwrap());
        }
        let accepts = Accepts::of(&headers);
        (accepts.json, accepts.events)
    }

    /// HTP-07.
    #[test]
    fn ranges_lists_and_case_are_understood() {
        for values in [
            &["*/*"][..],
            &["application/*, text/*"],
            &["APPLICATION/JSON, Text/Event-Stream"],
            &["application/json", "text/event-stream"],
            &["application/json;v=1 , text/event-stream; q=0.5"],
            &[],
        ] {
            assert_eq!(accepts(values), (true, true), "{values:?}");
        }
        assert_eq!(accepts(&["application/json"]), (true, false));
        assert_eq!(accepts(&["text/html"]), (false, false));
    }

    /// HTP-08.
    #[test]
    fn a_quality_of_nought_excludes() {
        assert_eq!(
            accepts(&["application/json;q=0, text/event-stream"]),
            (false, true)
        );
        assert_eq!(
            accepts(&["application/json, text/event-stream; Q=0.0"]),
            (true, false)
        );
        assert_eq!(accepts(&["*/*;q=0.1, application/json;q=0"]), (false, true));
        assert_eq!(accepts(&["application/json;q=0"]), (false, false));
    }

    /// HTP-09.
    #[test]
    fn bodies_are_json_in_utf_8() {
        let is = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, value.parse().unwrap());
            is_json(&headers)
        };
        for value in [
            "application/json",
            "Application/JSON",
            "application/json;charset=UTF-8",
            "application/json; charset=\"utf-8\"",
        ] {
            assert!(is(value), "{value}");
        }
        for value in [
            "text/plain",
            "application/json; charset=latin1",
            "application/jsonl",
            "",
        ] {
            assert!(!is(value), "{value}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}
