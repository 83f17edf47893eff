//! Quantities. Counts and rates are `f64` (10^9 and more occur), sizes bytes, durations seconds, shares 0 to 1.

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
