//! Numbers with units (section 1).

use super::Flaw;
use crate::diagnostic::codes;
use crate::model::Duration;

/// `40`, `2.5K`, `10M`, `1B`
pub(crate) fn count(text: &str) -> Result<f64, Flaw> {
    let (number, unit) = split(text, "a count, such as `40`, `2.5K` or `10M`")?;
    let factor = match unit {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "B" => 1e9,
        "k" | "m" | "b" => return Err(unit_flaw(text, unit).instead(text.to_uppercase())),
        _ => return Err(unit_flaw(text, unit).help("a count has the unit `K`, `M`, `B` or none")),
    };
    Ok(number * factor)
}

/// `500B`, `2KB`, `1.5MB`, `KiB` and so on, in bytes.
pub(crate) fn size(text: &str) -> Result<f64, Flaw> {
    let (number, unit) = split(text, "a size, such as `500B` or `2KB`")?;
    let factor = match unit {
        "B" => 1.0,
        "KB" | "KiB" => 1024.0,
        "MB" | "MiB" => 1024.0 * 1024.0,
        "GB" | "GiB" => 1024.0 * 1024.0 * 1024.0,
        "" | "K" | "M" | "G" => return Err(unit_flaw(text, unit).instead(format!("{text}B"))),
        _ => return Err(unit_flaw(text, unit).help("a size has the unit `B`, `KB`, `MB` or `GB`")),
    };
    Ok(number * factor)
}

/// `30s`, `5min`, `2h`, `7d`, `4w`, `6mo`, `1y`
pub(crate) fn duration(text: &str) -> Result<Duration, Flaw> {
    let (number, unit) = split(text, "a duration, such as `30s`, `2h` or `7d`")?;
    if unit == "m" {
        return Err(ambiguous(text, text.len() - 1));
    }
    let Some(seconds) = unit_seconds(unit, false) else {
        return Err(
            unit_flaw(text, unit).help("a duration has the unit `s`, `min`, `h`, `d`, `w`, `mo` (30 days) or `y` (365 days)")
        );
    };
    let digits = text.len() - unit.len();
    let whole: Option<u64> = text.get(..digits).and_then(|digits| digits.parse().ok());
    match whole.and_then(|whole| whole.checked_mul(seconds)) {
        Some(seconds) => Ok(Duration { seconds }),
        None if number.fract() != 0.0 => {
            Err(Flaw::value(0..digits, "a duration is a whole number").help("use the next smaller unit"))
        }
        None => Err(Flaw::value(0..text.len(), format!("`{text}` is too long"))),
    }
}

/// `200/s`, `3M/day`, in occurrences a second.
pub(crate) fn rate(text: &str) -> Result<f64, Flaw> {
    let Some((amount, unit)) = text.split_once('/') else {
        return Err(Flaw::value(0..text.len(), format!("`{text}` is no rate")).help("write `40/s`, `2.5K/min` or `3M/day`"));
    };
    let amount = count(amount)?;
    if unit == "m" {
        return Err(ambiguous(text, text.len() - 1));
    }
    let Some(seconds) = unit_seconds(unit, true) else {
        return Err(Flaw::value(text.len() - unit.len()..text.len(), format!("`{unit}` is no unit of a rate"))
            .help("write `s`, `min`, `h`, `d`, `w`, `mo`, `y` or the whole word"));
    };
    #[expect(clippy::cast_precision_loss, reason = "at most the seconds of a year")]
    Ok(amount / seconds as f64)
}

/// `12%`, as 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, Flaw> {
    let (number, unit) = split(text, "a share, such as `12%`")?;
    match unit {
        "%" if number <= 100.0 => Ok(number / 100.0),
        "%" => Err(Flaw::value(0..text.len(), format!("{text} is more than 100%"))),
        "" => Err(unit_flaw(text, unit).instead(format!("{text}%"))),
        _ => Err(unit_flaw(text, unit).help("a share ends in `%`")),
    }
}

/// The seconds of a unit, by its short name or, in a rate, its whole word.
pub(crate) fn unit_seconds(unit: &str, words: bool) -> Option<u64> {
    let units: [(&str, &str, u64); 7] = [
        ("s", "second", 1),
        ("min", "minute", 60),
        ("h", "hour", 3600),
        ("d", "day", 86_400),
        ("w", "week", 7 * 86_400),
        ("mo", "month", 30 * 86_400),
        ("y", "year", 365 * 86_400),
    ];
    units.into_iter().find(|(short, word, _)| unit == *short || (words && unit == *word)).map(|(.., seconds)| seconds)
}

fn split<'a>(text: &'a str, what: &str) -> Result<(f64, &'a str), Flaw> {
    let digits = text.find(|next: char| !(next.is_ascii_digit() || next == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let well_formed = number.starts_with(|first: char| first.is_ascii_digit()) && !number.ends_with('.');
    match number.parse::<f64>() {
        Ok(value) if well_formed && value.is_finite() => Ok((value, unit)),
        _ => Err(Flaw::value(0..text.len(), format!("`{text}` is not {what}"))),
    }
}

fn unit_flaw(text: &str, unit: &str) -> Flaw {
    let message = if unit.is_empty() { format!("`{text}` has no unit") } else { format!("`{unit}` is no unit here") };
    Flaw::value(if unit.is_empty() { 0 } else { text.len() - unit.len() }..text.len(), message)
}

fn ambiguous(text: &str, at: usize) -> Flaw {
    let before = text.get(..at).unwrap_or_default();
    Flaw::new(codes::AMBIGUOUS_UNIT, at..text.len(), "`m` may be minutes or months")
        .help(format!("write `{before}min` or `{before}mo`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these values are exact")]
    fn quantities_are_read() {
        assert_eq!(count("40").unwrap(), 40.0);
        assert_eq!(count("2.5K").unwrap(), 2500.0);
        assert_eq!(count("1.036B").unwrap(), 1.036e9);
        assert_eq!(size("2KB").unwrap(), 2048.0);
        assert_eq!(size("1.5MiB").unwrap(), 1_572_864.0);
        assert_eq!(duration("6mo").unwrap().seconds, 180 * 86_400);
        assert_eq!(duration("1y").unwrap().seconds, 365 * 86_400);
        assert_eq!(rate("3M/day").unwrap(), 3e6 / 86_400.0);
        assert_eq!(rate("120/min").unwrap(), 2.0);
        assert_eq!(share("0.1%").unwrap(), 0.001);
        assert_eq!(share("100%").unwrap(), 1.0);
    }

    #[test]
    fn wrong_quantities_are_told_with_a_way_out() {
        let flaw = duration("10m").unwrap_err();
        assert_eq!(
            (flaw.code, flaw.range, flaw.help.unwrap().as_str()),
            (codes::AMBIGUOUS_UNIT, 2..3, "write `10min` or `10mo`")
        );
        assert_eq!(rate("3/m").unwrap_err().code, codes::AMBIGUOUS_UNIT);
        assert_eq!(count("10k").unwrap_err().instead.as_deref(), Some("10K"));
        assert_eq!(size("500").unwrap_err().instead.as_deref(), Some("500B"));
        assert_eq!(size("2K").unwrap_err().instead.as_deref(), Some("2KB"));
        assert_eq!(share("12").unwrap_err().instead.as_deref(), Some("12%"));
        assert_eq!(share("101%").unwrap_err().message, "101% is more than 100%");
        assert_eq!(duration("1.5h").unwrap_err().message, "a duration is a whole number");
        assert_eq!(duration("99999999999999999999y").unwrap_err().message, "`99999999999999999999y` is too long");
        for wrong in ["", "x", "-1", ".5", "1.", "1e5", "1 K", "ü", "1.2.3"] {
            assert_eq!(count(wrong).unwrap_err().code, codes::BAD_VALUE, "{wrong}");
            assert!(rate(wrong).is_err() && size(wrong).is_err() && share(wrong).is_err() && duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(rate("5/fortnight").unwrap_err().range, 2..11);
    }
}
