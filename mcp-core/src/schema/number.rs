//! Numbers compared exactly, from their text: nothing passes through a floating-point number.

use std::cmp::Ordering;

/// A JSON number taken apart: `0.d₁d₂d₃… × 10^magnitude`, where `d₁` is not zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    negative: bool,
    /// The digits before and after the point, zeros at both ends taken off; both are empty for zero.
    whole: &'a [u8],
    fraction: &'a [u8],
    magnitude: i64,
}

impl<'a> Decimal<'a> {
    /// Takes apart a number that follows JSON's grammar.
    pub(super) fn parse(raw: &'a str) -> Self {
        let (negative, unsigned) = match raw.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, raw),
        };
        let (mantissa, exponent) = unsigned
            .split_once(['e', 'E'])
            .map_or((unsigned, 0), |(mantissa, exponent)| {
                (mantissa, read_exponent(exponent))
            });
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut whole = trim_start(whole.as_bytes());
        let mut fraction = trim_end(fraction.as_bytes());
        let mut magnitude = i64::try_from(whole.len()).unwrap_or(i64::MAX);
        if whole.is_empty() {
            let significant = trim_start(fraction);
            let zeros = i64::try_from(fraction.len() - significant.len()).unwrap_or(i64::MAX);
            magnitude = -zeros;
            fraction = significant;
        } else if fraction.is_empty() {
            whole = trim_end(whole);
        }
        if whole.is_empty() && fraction.is_empty() {
            return Self {
                negative: false,
                whole,
                fraction,
                magnitude: 0,
            };
        }
        Self {
            negative,
            whole,
            fraction,
            magnitude: magnitude.saturating_add(exponent),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    fn digit_count(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    fn digits(&self) -> impl Iterator<Item = u8> + 'a {
        self.whole.iter().chain(self.fraction).copied()
    }

    /// Whether the value is a whole number, however it is written.
    pub(super) fn is_integer(&self) -> bool {
        self.is_zero()
            || usize::try_from(self.magnitude).is_ok_and(|places| self.digit_count() <= places)
    }

    /// The whole number without point and exponent; `None` for fractions and for more than 40 digits, which no
    /// integer type holds.
    pub(super) fn to_integer_text(self) -> Option<String> {
        const LONGEST: usize = 40;
        if self.is_zero() {
            return Some("0".to_owned());
        }
        let places = usize::try_from(self.magnitude)
            .ok()
            .filter(|&places| places <= LONGEST && self.digit_count() <= places)?;
        let mut text = String::with_capacity(places + 1);
        if self.negative {
            text.push('-');
        }
        text.extend(self.digits().map(char::from));
        text.extend(std::iter::repeat_n('0', places - self.digit_count()));
        Some(text)
    }

    /// One text for all spellings of a value.
    pub(super) fn canonical(self) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits().map(char::from).collect();
        // Zeros at the end of the whole part are already gone, and those of the fraction too.
        format!("{sign}{digits}e{}", self.last_place())
    }

    /// Exactly, or by floating point where a number has more digits than 128 bits hold.
    pub(super) fn is_multiple_of(&self, step: &Self) -> bool {
        if self.is_zero() {
            return true;
        }
        let exact = || {
            let lowest = self.last_place().min(step.last_place());
            let value = self.scaled(lowest)?;
            value.checked_rem(step.scaled(lowest)?)
        };
        exact().map_or_else(
            || (self.approximate() / step.approximate()).fract() == 0.0,
            |rest| rest == 0,
        )
    }

    /// The power of ten of the last digit.
    fn last_place(&self) -> i64 {
        let digits = i64::try_from(self.digit_count()).unwrap_or(i64::MAX);
        self.magnitude.saturating_sub(digits)
    }

    /// The value as a multiple of `10^lowest`.
    fn scaled(&self, lowest: i64) -> Option<i128> {
        let digits = self.digits().try_fold(0_i128, |sum, digit| {
            sum.checked_mul(10)?.checked_add(i128::from(digit - b'0'))
        })?;
        let zeros = u32::try_from(self.last_place().checked_sub(lowest)?).ok()?;
        digits.checked_mul(10_i128.checked_pow(zeros)?)
    }

    fn approximate(&self) -> f64 {
        let digits: String = self.digits().map(char::from).collect();
        format!("0.{digits}e{}", self.magnitude)
            .parse()
            .unwrap_or(f64::INFINITY)
    }

    fn compare_unsigned(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .magnitude
                .cmp(&other.magnitude)
                .then_with(|| self.digits().cmp(other.digits())),
        }
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_unsigned(other),
            (true, true) => other.compare_unsigned(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal<'_> {}

/// An exponent beyond any use counts as one that is merely huge, so that sums of exponents do not overflow.
fn read_exponent(text: &str) -> i64 {
    const HUGE: i64 = 1 << 60;
    let magnitude = text.trim_start_matches(['+', '-']);
    let size = magnitude.parse::<i64>().unwrap_or(HUGE).min(HUGE);
    if text.starts_with('-') { -size } else { size }
}

fn trim_start(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

fn trim_end(digits: &[u8]) -> &[u8] {
    let zeros = digits
        .iter()
        .rev()
        .take_while(|&&digit| digit == b'0')
        .count();
    &digits[..digits.len() - zeros]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(a: &str, b: &str) -> Ordering {
        Decimal::parse(a).cmp(&Decimal::parse(b))
    }

    #[test]
    fn numbers_are_compared_by_value_and_not_by_spelling() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0.001", "1e-3"),
            ("-0", "0"),
            ("0e5", "0.0"),
            ("120", "1.2E+2"),
        ] {
            assert_eq!(order(a, b), Ordering::Equal, "{a} {b}");
        }
    }

    #[test]
    fn neighbours_beyond_2_to_the_53_differ() {
        assert_eq!(
            order("9007199254740993", "9007199254740992"),
            Ordering::Greater
        );
        assert_eq!(
            order("18446744073709551616", "18446744073709551615"),
            Ordering::Greater
        );
        assert_eq!(
            order("-9223372036854775809", "-9223372036854775808"),
            Ordering::Less
        );
    }

    #[test]
    fn sizes_and_signs_are_ordered() {
        let ascending = [
            "-1e400", "-2", "-1.5", "-1e-9", "0", "0.09", "0.1", "1", "9", "10", "1e400",
        ];
        for (low, high) in ascending.iter().zip(&ascending[1..]) {
            assert_eq!(order(low, high), Ordering::Less, "{low} {high}");
        }
    }

    #[test]
    fn integers_are_recognised_however_they_are_written() {
        for (raw, text) in [
            ("1.0", "1"),
            ("1e3", "1000"),
            ("-0", "0"),
            ("12.50e1", "125"),
            ("-7", "-7"),
        ] {
            assert_eq!(Decimal::parse(raw).to_integer_text().as_deref(), Some(text));
        }
        for raw in ["1.5", "1e-1", "1e999999999999999999999"] {
            assert_eq!(Decimal::parse(raw).to_integer_text(), None, "{raw}");
        }
        assert!(Decimal::parse("1e999").is_integer());
        assert!(!Decimal::parse("1e-999").is_integer());
    }

    #[test]
    fn multiples_are_exact_for_decimal_steps() {
        for (value, step, expected) in [
            ("0.3", "0.1", true),
            ("0.35", "0.1", false),
            ("10", "2.5", true),
            ("-9", "3", true),
            ("9007199254740993", "2", false),
        ] {
            let multiple = Decimal::parse(value).is_multiple_of(&Decimal::parse(step));
            assert_eq!(multiple, expected, "{value} {step}");
        }
    }
}
