//! A calendar day.

use std::fmt;

/// A day, `2027-01-31`. Days compare as they follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Reads `YYYY-MM-DD`. None when there is no such day.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = |range: std::ops::Range<usize>| {
            let digits = text.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u16>().ok()).flatten()
        };
        if text.len() != 10 || text.get(4..5) != Some("-") || text.get(7..8) != Some("-") {
            return None;
        }
        let (year, month, day) = (number(0..4)?, u8::try_from(number(5..7)?).ok()?, u8::try_from(number(8..10)?).ok()?);
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let last = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=last).contains(&day).then_some(Self { year, month, day })
    }

    /// The day, in UTC, of a moment after the first of January 1970.
    #[must_use]
    pub fn after_epoch(duration: std::time::Duration) -> Self {
        // Years begin in March here, so that the leap day is the last one: Howard Hinnant, "chrono-compatible low-level
        // date algorithms", civil_from_days.
        let days = duration.as_secs() / 86_400 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
        let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
        Self { year: u16::try_from(year + era * 400).unwrap_or(u16::MAX), month: small(month), day: small(day) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_are_read_and_printed() {
        for day in ["2027-01-31", "2028-02-29", "2000-02-29", "0001-12-31"] {
            assert_eq!(Date::parse(day).unwrap().to_string(), day);
        }
        for wrong in [
            "",
            "2027-1-31",
            "2027-02-29",
            "1900-02-29",
            "2027-04-31",
            "2027-13-01",
            "2027-00-10",
            "2027-01-00",
            "+027-01-01",
            "2027/01/01",
            "2027-01-31T",
        ] {
            assert_eq!(Date::parse(wrong), None, "{wrong}");
        }
        assert!(Date::parse("2027-01-31") < Date::parse("2027-02-01"));
    }

    #[test]
    fn seconds_become_days() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_251_199, "2024-02-29"),
            (1_709_251_200, "2024-03-01"),
            (1_798_761_600, "2027-01-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Date::after_epoch(Duration::from_secs(seconds)).to_string(), day, "{seconds}");
        }
    }
}
