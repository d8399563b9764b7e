//! Times, as the protocol writes them.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60;
/// Days of 400 years, after which the calendar repeats.
const ERA: u64 = 146_097;
/// Days from the first of March of the year 0 to the first of January 1970.
const BEFORE_1970: u64 = 719_468;

/// In UTC, to the second, in the form of ISO 8601; `None` before 1970.
pub(super) fn iso_8601(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let (days, second) = (seconds / DAY + BEFORE_1970, seconds % DAY);
    // Years that begin in March have the day that is sometimes missing at their end.
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    Some(format!(
        "{:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        era * 400 + year + next,
        second / 3600,
        second / 60 % 60,
        second % 60
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_written_by_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(iso_8601(time).as_deref(), Some(text));
        }
        assert_eq!(iso_8601(UNIX_EPOCH - Duration::from_secs(1)), None);
    }
}
