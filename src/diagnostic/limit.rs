//! Findings that are made from a number, and from where on (model language, section 10). `thresholds` in `gen.yaml` changes
//! the limits; a rule asks here which level its number has.

use super::{Code, Level, codes};
use std::collections::BTreeMap;

/// What a limit is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `40`, `10K`
    Count,
    /// `10MB`, in bytes
    Size,
    /// `60%`, as 0 to 1
    Share,
    /// `10d`, in seconds
    Duration,
}

/// From where on a number is a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// A warning; None: the engine's own, or never.
    pub warn: Option<f64>,
    /// A finding of level error.
    pub error: Option<f64>,
}

/// A finding that has limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limited {
    /// The finding.
    pub code: Code,
    /// What its limits are numbers of.
    pub unit: Unit,
    /// Numbers below the limit are found, not those above.
    pub below: bool,
    /// What holds when nothing is said.
    pub limits: Limits,
}

const MB: f64 = 1024.0 * 1024.0;
const GB: f64 = 1024.0 * MB;

const fn above(code: Code, unit: Unit, warn: Option<f64>, error: Option<f64>) -> Limited {
    Limited { code, unit, below: false, limits: Limits { warn, error } }
}

const fn below(code: Code, unit: Unit, warn: f64) -> Limited {
    Limited { code, unit, below: true, limits: Limits { warn: Some(warn), error: None } }
}

/// All of them, sorted by code. Of those whose rules are not built the limits are taken and wait for the rule.
const LIMITED: &[Limited] = &[
    below(codes::FILTER_WASTES_READS, Unit::Share, 0.5),
    above(codes::HOT_PARTITION, Unit::Share, Some(0.7), Some(1.0)),
    above(codes::ITEM_COLLECTION_SIZE, Unit::Size, Some(8.0 * GB), Some(10.0 * GB)),
    above(codes::ITEMS_INCONSISTENT, Unit::Count, Some(2.0), None),
    // What coordinators refuse differs between engines.
    above(codes::LARGE_BATCH, Unit::Size, None, None),
    below(codes::LOW_CARDINALITY_PARTITION, Unit::Count, 10.0),
    above(codes::PARTITION_SIZE, Unit::Size, Some(100.0 * MB), Some(GB)),
    below(codes::SHORT_GC_GRACE, Unit::Duration, 864_000.0),
    above(codes::TOMBSTONES, Unit::Count, Some(1e3), Some(1e5)),
    above(codes::TWCS_WINDOWS, Unit::Count, Some(30.0), Some(50.0)),
    above(codes::UNBOUNDED_PARTITION, Unit::Size, Some(100.0 * MB), Some(GB)),
    above(codes::UNBOUNDED_READ, Unit::Size, Some(10.0 * MB), None),
    above(codes::WIDE_FAN_OUT, Unit::Count, Some(30.0), None),
];

impl Limited {
    /// A finding by its code; None when it has no limits.
    #[must_use]
    pub fn find(code: Code) -> Option<&'static Self> {
        LIMITED.iter().find(|limited| limited.code == code)
    }

    /// The codes of all findings with limits.
    pub fn codes() -> impl Iterator<Item = Code> {
        LIMITED.iter().map(|limited| limited.code)
    }

    /// Whether a number is past a limit.
    #[must_use]
    pub fn is_past(&self, value: f64, limit: f64) -> bool {
        if self.below { value < limit } else { value > limit }
    }
}

/// Limits that were given instead of those that hold otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thresholds(BTreeMap<Code, Limits>);

impl Thresholds {
    /// Gives limits; what is None stays as it is.
    pub fn set(&mut self, code: Code, limits: Limits) {
        self.0.insert(code, limits);
    }

    /// The limits of a finding in force.
    #[must_use]
    pub fn limits(&self, code: Code) -> Limits {
        let default = Limited::find(code).map(|limited| limited.limits).unwrap_or_default();
        self.over(code, default)
    }

    /// The limits of a finding in force, where others than those of the table hold when nothing is said.
    #[must_use]
    pub fn over(&self, code: Code, default: Limits) -> Limits {
        let given = self.0.get(&code).copied().unwrap_or_default();
        Limits { warn: given.warn.or(default.warn), error: given.error.or(default.error) }
    }

    /// The level of a number by the limits in force, and the limit that it is past; None when it is not worth a word.
    #[must_use]
    pub fn level(&self, code: Code, value: f64) -> Option<(Level, f64)> {
        level(code, value, self.limits(code))
    }
}

/// The level of a number by some limits, and the limit that it is past.
#[must_use]
pub fn level(code: Code, value: f64, limits: Limits) -> Option<(Level, f64)> {
    let limited = Limited::find(code)?;
    let past = |limit: Option<f64>| limit.filter(|limit| limited.is_past(value, *limit));
    let error = past(limits.error).map(|limit| (Level::Error, limit));
    error.or_else(|| past(limits.warn).map(|limit| (Level::Warning, limit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_of_findings() {
        assert!(LIMITED.is_sorted_by_key(|limited| limited.code.slug()));
        let is_finding = |limited: &Limited| matches!(limited.code.kind(), super::super::CodeKind::Finding(_));
        assert!(LIMITED.iter().all(is_finding));
    }

    #[test]
    fn a_number_has_the_level_of_the_limit_it_is_past() {
        let mut thresholds = Thresholds::default();
        let windows = |thresholds: &Thresholds, count| thresholds.level(codes::TWCS_WINDOWS, count).map(|(level, _)| level);
        assert_eq!(windows(&thresholds, 30.0), None);
        assert_eq!(windows(&thresholds, 31.0), Some(Level::Warning));
        assert_eq!(windows(&thresholds, 51.0), Some(Level::Error));
        thresholds.set(codes::TWCS_WINDOWS, Limits { warn: Some(10.0), error: None });
        assert_eq!(windows(&thresholds, 11.0), Some(Level::Warning));
        assert_eq!(windows(&thresholds, 51.0), Some(Level::Error));
        assert_eq!(thresholds.level(codes::SHORT_GC_GRACE, 86_400.0), Some((Level::Warning, 864_000.0)));
        assert_eq!(thresholds.level(codes::SHORT_GC_GRACE, 864_000.0), None);
        assert_eq!(thresholds.level(codes::UNUSED_INDEX, 1.0), None);
    }
}
