//! The formats that are checked; no other is ever shown.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A `format` of JSON Schema whose strings we can tell from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    DateTime,
    Date,
    Time,
    Email,
    Uuid,
    Ipv4,
    Ipv6,
    Uri,
}

impl Format {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "date-time" => Self::DateTime,
            "date" => Self::Date,
            "time" => Self::Time,
            "email" => Self::Email,
            "uuid" => Self::Uuid,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "uri" => Self::Uri,
            _ => return None,
        })
    }

    /// What a report calls a string of this format.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::DateTime => "date and time such as 2025-01-31T12:00:00Z",
            Self::Date => "date such as 2025-01-31",
            Self::Time => "time such as 12:00:00Z",
            Self::Email => "email address",
            Self::Uuid => "UUID",
            Self::Ipv4 => "IPv4 address",
            Self::Ipv6 => "IPv6 address",
            Self::Uri => "absolute URI",
        }
    }

    pub(super) fn matches(self, text: &str) -> bool {
        match self {
            Self::DateTime => text
                .split_once(['T', 't'])
                .is_some_and(|(date, time)| is_date(date) && is_time(time)),
            Self::Date => is_date(text),
            Self::Time => is_time(text),
            Self::Email => is_email(text),
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Uri => is_uri(text),
        }
    }
}

/// The number that exactly `length` digits write.
fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length| parts.next().and_then(|part| digits(part, length));
    let (Some(year), Some(month), Some(day)) = (part(4), part(2), part(2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=last).contains(&day) && parts.next().is_none()
}

/// A time as RFC 3339 writes it: with an offset, and with second 60 only where a leap second can be.
fn is_time(text: &str) -> bool {
    let Some((clock, offset)) = split_offset(text) else {
        return false;
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let mut parts = whole.split(':');
    let mut part = || parts.next().and_then(|part| digits(part, 2));
    let (Some(hour), Some(minute), Some(second)) = (part(), part(), part()) else {
        return false;
    };
    if hour > 23 || minute > 59 || second > 60 || parts.next().is_some() {
        return false;
    }
    let in_utc = (i64::from(hour) * 60 + i64::from(minute) - offset).rem_euclid(24 * 60);
    second < 60 || in_utc == 23 * 60 + 59
}

/// Splits off the offset, in minutes east of UTC.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let at = text.rfind(['+', '-'])?;
    let (hours, minutes) = text[at + 1..].split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let east = i64::from(hours * 60 + minutes);
    let sign = if text[at..].starts_with('-') { -1 } else { 1 };
    Some((&text[..at], sign * east))
}

/// An address of the plain form `local@domain`: quoted local parts and address literals are refused.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_local_byte = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    (1..=64).contains(&local.len())
        && local.bytes().all(is_local_byte)
        && local.split('.').all(|atom| !atom.is_empty())
        && domain.len() <= 255
        && domain.split('.').all(is_label)
}

fn is_uuid(text: &str) -> bool {
    let mut lengths = [8, 4, 4, 4, 12].into_iter();
    let mut parts = text.split('-');
    parts.all(|part| {
        lengths.next() == Some(part.len()) && part.bytes().all(|b| b.is_ascii_hexdigit())
    }) && lengths.next().is_none()
}

/// A URI with a scheme. Its characters and escapes are checked, not what its scheme makes of them.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut letters = scheme.bytes();
    if !letters.next().is_some_and(|b| b.is_ascii_alphabetic())
        || !letters.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    {
        return false;
    }
    let (before, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = before.split_once('?').unwrap_or((before, ""));
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
        None => ("", hierarchy),
    };
    has_only(path, b":@/")
        && has_only(query, b":@/?")
        && has_only(fragment, b":@/?")
        && is_authority(authority)
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let Some((address, after)) = literal.split_once(']') else {
                return false;
            };
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            ("", after.strip_prefix(':').unwrap_or(after))
        }
        None => host.rsplit_once(':').unwrap_or((host, "")),
    };
    has_only(user, b":") && has_only(host, b"") && port.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a part of a URI holds nothing but unreserved characters, sub-delimiters, escapes and `more`.
fn has_only(part: &str, more: &[u8]) -> bool {
    let mut bytes = part.bytes();
    while let Some(b) = bytes.next() {
        let fine = match b {
            b'%' => {
                let mut hex = || bytes.next().is_some_and(|b| b.is_ascii_hexdigit());
                hex() && hex()
            }
            b => b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b) || more.contains(&b),
        };
        if !fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.matches(text), "{format:?} should take {text:?}");
        }
        for text in bad {
            assert!(!format.matches(text), "{format:?} should refuse {text:?}");
        }
    }

    #[test]
    fn dates_and_times_follow_rfc_3339() {
        check(
            Format::Date,
            &["2024-02-29", "2000-02-29", "0000-01-01"],
            &[
                "2023-02-29",
                "1900-02-29",
                "2024-13-01",
                "2024-1-01",
                "2024-01-01x",
                "",
                "2024-04-31",
            ],
        );
        check(
            Format::Time,
            &[
                "12:00:00Z",
                "23:59:60Z",
                "01:02:03.5+05:30",
                "15:59:60-08:00",
                "12:00:00z",
            ],
            &[
                "12:00:00",
                "24:00:00Z",
                "12:60:00Z",
                "12:00:60Z",
                "12:00Z",
                "12:00:00.Z",
                "12:00:00+24:00",
            ],
        );
        check(
            Format::DateTime,
            &[
                "2025-01-31T12:00:00Z",
                "2025-01-31t12:00:00.123456789-07:00",
            ],
            &[
                "2025-01-31 12:00:00Z",
                "2025-01-31",
                "2025-01-31T12:00:00",
                "é2025-01-31T12:00:00Z",
            ],
        );
    }

    #[test]
    fn addresses_of_every_kind_are_told_apart() {
        check(
            Format::Ipv4,
            &["127.0.0.1"],
            &["127.0.0.01", "256.0.0.1", "1.2.3"],
        );
        check(
            Format::Ipv6,
            &["::1", "fe80::1:2"],
            &["::g", "1::2::3", "127.0.0.1"],
        );
        check(
            Format::Email,
            &["a@b.example", "first.last+tag@sub.example.org"],
            &["a", "@b", "a@", "a..b@c.d", "a@-b.c", "a b@c.d", "a@b..c"],
        );
        check(
            Format::Uuid,
            &[
                "00000000-0000-0000-0000-000000000000",
                "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
            ],
            &[
                "a0eebc999c0b4ef8bb6d6bb9bd380a11",
                "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1",
                "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            ],
        );
    }

    #[test]
    fn a_uri_has_a_scheme_and_only_legal_characters() {
        check(
            Format::Uri,
            &[
                "https://user@example.org:8080/a%20b?q=1#top",
                "urn:isbn:0451450523",
                "mailto:a@b.c",
                "http://[::1]/",
                "file:///etc/hosts",
            ],
            &[
                "/relative",
                "example.org",
                "http://a b",
                "http://a/%zz",
                "1http://a",
                "http://[::1",
                "http://é.example/",
                "http://a:b/",
            ],
        );
    }
}
