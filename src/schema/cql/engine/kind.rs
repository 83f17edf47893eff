//! Values that a sub-option takes.

use crate::schema::Engine;

/// A key of an option that is a map.
#[derive(Clone, Copy, Debug)]
pub struct SubOption {
    /// Its name in CQL.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// The engines that know it.
    pub engines: &'static [Engine],
}

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`
    Bool,
    /// A whole number from the first to the second, both included.
    Integer(u64, u64),
    /// A number from the first to the second, both included.
    Decimal(f64, f64),
    /// One of some words, in this case.
    Word(&'static [&'static str]),
    /// One of some words, in any case.
    AnyCase(&'static [&'static str]),
    /// A share from 0 to 1, or in percent.
    Share,
    /// A number of bytes with its unit, such as `256MiB`, and the least it may be.
    Size(u64),
    /// `T4`, `L8`, `N` or a whole number, several with commas between.
    Scaling,
}

/// The largest whole number of an engine's own integers.
pub(super) const MOST: u64 = 2_147_483_647;

impl Kind {
    /// What the value must be, when it is not.
    #[must_use]
    pub fn flaw(self, text: &str) -> Option<String> {
        let fits = match self {
            Self::Bool => matches!(text, "true" | "false"),
            Self::Integer(low, high) => text.parse().is_ok_and(|number: u64| (low..=high).contains(&number)),
            Self::Decimal(low, high) => text.parse().is_ok_and(|number: f64| (low..=high).contains(&number)),
            Self::Word(words) => words.contains(&text),
            Self::AnyCase(words) => words.iter().any(|word| word.eq_ignore_ascii_case(text)),
            Self::Share => share(text).is_some_and(|share| (0.0..=1.0).contains(&share)),
            Self::Size(least) => bytes(text).is_some_and(|size| size >= least),
            Self::Scaling => text.split(',').all(|part| scaling(part.trim())),
        };
        (!fits).then(|| match self {
            Self::Bool => "true or false".to_owned(),
            Self::Integer(low, MOST) => format!("a whole number, {low} or more"),
            Self::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Self::Decimal(low, high) if high >= f64::MAX => format!("a number, {low} or more"),
            Self::Decimal(low, high) => format!("a number from {low} to {high}"),
            Self::Word(words) | Self::AnyCase(words) => words.join(", "),
            Self::Share => "a number from 0 to 1, or a percentage".to_owned(),
            Self::Size(least) if least > 1 => {
                format!("a size with its unit, such as `256MiB`, and at least {}MiB", least / MIB)
            }
            Self::Size(_) => "a size with its unit, such as `256MiB`".to_owned(),
            Self::Scaling => "`T` or `L` and a number from 2 on, `N`, or a list of these, such as `T4, N, L8`".to_owned(),
        })
    }
}

pub(super) const MIB: u64 = 1024 * 1024;

/// A size in bytes, as Cassandra's `FBUtilities.parseHumanReadableBytes` takes it.
#[must_use]
pub fn bytes(text: &str) -> Option<u64> {
    let unit = ["GiB", "MiB", "KiB", "B"].into_iter().find(|unit| text.ends_with(unit))?;
    let factor: u64 = match unit {
        "GiB" => 1024 * MIB,
        "MiB" => MIB,
        "KiB" => 1024,
        _ => 1,
    };
    let number = text.strip_suffix(unit)?.trim();
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(factor);
    }
    let size: f64 = number.parse().ok().filter(|size: &f64| size.is_finite() && *size >= 0.0)?;
    #[expect(clippy::cast_precision_loss, reason = "a factor is exact")]
    let bytes = size * factor as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above 0, and cut off where it ends")]
    Some(bytes as u64)
}

/// A share as Cassandra's `FBUtilities.parsePercent` takes it.
fn share(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok().map(|percent: f64| percent / 100.0),
        None => text.parse().ok(),
    }
}

fn scaling(text: &str) -> bool {
    let at_least_2 = |digits: &str| digits.parse().is_ok_and(|factor: u32| factor >= 2);
    match text.chars().next() {
        Some('T' | 'L') => text.get(1..).is_some_and(at_least_2),
        Some('N') => text.len() == 1,
        _ => text.parse::<i32>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_or_are_told_what_they_must_be() {
        for (kind, good, bad) in [
            (Kind::Bool, "true", "yes"),
            (Kind::Integer(2, MOST), "4", "1"),
            (Kind::Integer(0, 10), "10", "-1"),
            (Kind::Decimal(0.0, 1.0), "0.333", "1.5"),
            (Kind::Decimal(0.0, f64::MAX), "1e3", "NaN"),
            (Kind::Word(&["HOURS", "DAYS"]), "DAYS", "days"),
            (Kind::Size(MIB), "256MiB", "1073741824"),
            (Kind::Size(MIB), "1 GiB", "1KiB"),
            (Kind::Size(MIB), "70.710MiB", "0.5MiB"),
            (Kind::AnyCase(&["NONE", "ROW"]), "row", "cells"),
            (Kind::Share, "33%", "133%"),
            (Kind::Share, "0.333", "a third"),
            (Kind::Scaling, "T4, N, L8, -2", "T1"),
            (Kind::Scaling, "N", "x4"),
        ] {
            assert_eq!(kind.flaw(good), None, "{kind:?}");
            assert!(kind.flaw(bad).is_some_and(|flaw| !flaw.is_empty()), "{kind:?}");
        }
        assert_eq!(
            Kind::Scaling.flaw("").unwrap(),
            "`T` or `L` and a number from 2 on, `N`, or a list of these, such as `T4, N, L8`"
        );
    }
}
