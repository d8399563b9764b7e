//! Bounds of numbers, given or natural to an integer type.

use std::fmt;

use super::number::Decimal;

/// One end of a range.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) limit: String,
    pub(super) exclusive: bool,
    /// Nearly all limits are this small, and comparing two of these costs nothing.
    small: Option<i64>,
}

impl Bound {
    fn new(limit: String, exclusive: bool) -> Self {
        let small = limit.parse().ok();
        Self {
            limit,
            exclusive,
            small,
        }
    }

    /// The tighter of two lower bounds.
    pub(super) fn tightest_lower(
        minimum: Option<String>,
        exclusive: Option<String>,
    ) -> Option<Self> {
        Self::tightest(minimum, exclusive, |inclusive, exclusive| {
            inclusive > exclusive
        })
    }

    /// The tighter of two upper bounds.
    pub(super) fn tightest_upper(
        maximum: Option<String>,
        exclusive: Option<String>,
    ) -> Option<Self> {
        Self::tightest(maximum, exclusive, |inclusive, exclusive| {
            inclusive < exclusive
        })
    }

    fn tightest(
        inclusive: Option<String>,
        exclusive: Option<String>,
        inclusive_wins: impl Fn(Decimal<'_>, Decimal<'_>) -> bool,
    ) -> Option<Self> {
        match (inclusive, exclusive) {
            (Some(a), Some(b)) if inclusive_wins(Decimal::parse(&a), Decimal::parse(&b)) => {
                Some(Self::new(a, false))
            }
            (_, Some(b)) => Some(Self::new(b, true)),
            (a, None) => a.map(|a| Self::new(a, false)),
        }
    }

    /// Whether a number lies on the right side of a lower bound.
    pub(super) fn allows_above(&self, raw: &str) -> bool {
        let order = self.compare(raw);
        order.is_gt() || (order.is_eq() && !self.exclusive)
    }

    /// Whether a number lies on the right side of an upper bound.
    pub(super) fn allows_below(&self, raw: &str) -> bool {
        let order = self.compare(raw);
        order.is_lt() || (order.is_eq() && !self.exclusive)
    }

    fn compare(&self, raw: &str) -> std::cmp::Ordering {
        match (self.small, raw.parse::<i64>()) {
            (Some(limit), Ok(number)) => number.cmp(&limit),
            _ => Decimal::parse(raw).cmp(&Decimal::parse(&self.limit)),
        }
    }
}

impl PartialEq for Bound {
    fn eq(&self, other: &Self) -> bool {
        self.exclusive == other.exclusive
            && Decimal::parse(&self.limit) == Decimal::parse(&other.limit)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.limit)
    }
}

/// The range of the integer type that schemars names by a `format`.
pub(super) fn natural_bounds(format: &str) -> Option<(Bound, Bound)> {
    let (lowest, highest) = match format {
        "int8" => (i8::MIN.to_string(), i8::MAX.to_string()),
        "int16" => (i16::MIN.to_string(), i16::MAX.to_string()),
        "int32" => (i32::MIN.to_string(), i32::MAX.to_string()),
        "int64" => (i64::MIN.to_string(), i64::MAX.to_string()),
        "int128" => (i128::MIN.to_string(), i128::MAX.to_string()),
        "int" => (isize::MIN.to_string(), isize::MAX.to_string()),
        "uint8" => ("0".to_owned(), u8::MAX.to_string()),
        "uint16" => ("0".to_owned(), u16::MAX.to_string()),
        "uint32" => ("0".to_owned(), u32::MAX.to_string()),
        "uint64" => ("0".to_owned(), u64::MAX.to_string()),
        "uint128" => ("0".to_owned(), u128::MAX.to_string()),
        "uint" => ("0".to_owned(), usize::MAX.to_string()),
        _ => return None,
    };
    Some((Bound::new(lowest, false), Bound::new(highest, false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_allowed_unless_it_is_exclusive() {
        for (exclusive, allowed) in [(false, true), (true, false)] {
            let bound = Bound::new("5".to_owned(), exclusive);
            for raw in ["5", "5.0", "50e-1"] {
                assert_eq!(bound.allows_above(raw), allowed, "{raw}");
                assert_eq!(bound.allows_below(raw), allowed, "{raw}");
            }
            assert!(bound.allows_above("6") && !bound.allows_above("4.9"));
            assert!(bound.allows_below("4") && !bound.allows_below("5.1"));
        }
    }

    #[test]
    fn of_two_bounds_the_tighter_counts() {
        let lower =
            |a: &str, b: &str| Bound::tightest_lower(Some(a.to_owned()), Some(b.to_owned()));
        assert_eq!(lower("5", "4"), Some(Bound::new("5".to_owned(), false)));
        assert_eq!(lower("5", "5"), Some(Bound::new("5".to_owned(), true)));
        let upper =
            |a: &str, b: &str| Bound::tightest_upper(Some(a.to_owned()), Some(b.to_owned()));
        assert_eq!(upper("5", "4"), Some(Bound::new("4".to_owned(), true)));
        assert_eq!(upper("3", "4"), Some(Bound::new("3".to_owned(), false)));
    }

    #[test]
    fn limits_beyond_64_bits_are_exact() {
        let (lowest, highest) = natural_bounds("uint64").unwrap();
        assert!(lowest.allows_above("0") && !lowest.allows_above("-1"));
        assert!(highest.allows_below("18446744073709551615"));
        assert!(!highest.allows_below("18446744073709551616"));
    }
}
