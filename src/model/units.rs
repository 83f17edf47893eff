//! Quantities. Counts and rates are `f64` (10^9 and more occur), sizes bytes, durations seconds, shares 0 to 1.

use std::fmt;

/// An average and a maximum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// The average.
    pub average: f64,
    /// The largest, when it was said.
    pub max: Option<f64>,
}

/// A length of time. `1mo` is 30 days, `1y` 365 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration {
    /// Whole seconds.
    pub seconds: u64,
}

/// In the largest unit that is exact: `10d`, `36h`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "min")];
        let exact = units.into_iter().find(|(unit, _)| self.seconds > 0 && self.seconds.is_multiple_of(*unit));
        let (unit, name) = exact.unwrap_or((1, "s"));
        write!(f, "{}{name}", self.seconds / unit)
    }
}
