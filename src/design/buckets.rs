//! How many buckets of time a read walks through, on either store (model language, section 8).

use crate::model::{Entity, Pattern, Period};

/// How many buckets a read walks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buckets {
    AtMost(u64),
    /// The model does not give a number that it takes.
    Unknown,
    /// Items are kept for ever, and the read may go back to the first.
    Endless,
}

impl Buckets {
    /// The number, when it is known.
    pub(super) fn count(self) -> Option<u64> {
        if let Self::AtMost(count) = self { Some(count) } else { None }
    }

    /// So many for each of the other: nothing bounds what is endless in one of them.
    pub(super) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Endless, _) | (_, Self::Endless) => Self::Endless,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::AtMost(one), Self::AtMost(other)) => Self::AtMost(one.saturating_mul(other)),
        }
    }
}

/// Buckets that a range touches: the first and the last may be cut. A range with one end reaches as far as items live; one
/// with two ends is as long as the pattern says.
pub(super) fn in_range(pattern: &Pattern, period: Period, has_both_ends: bool, lifetime: Option<u64>) -> Buckets {
    let period = period.seconds().max(1);
    match pattern.time_span {
        Some(span) => Buckets::AtMost(span.seconds.div_ceil(period).saturating_add(1)),
        None if has_both_ends => Buckets::Unknown,
        None => back(period, lifetime),
    }
}

/// Buckets from now back to the oldest item.
fn back(period: u64, lifetime: Option<u64>) -> Buckets {
    lifetime.map_or(Buckets::Endless, |lifetime| Buckets::AtMost(lifetime.div_ceil(period).max(1)))
}

/// Buckets that are walked from the newest until `limit` is reached. A value that has been quiet makes the walk as long as
/// items live; only when all items are in the same buckets, `all_together`, the growth tells how soon `limit` is filled.
pub(super) fn newest(pattern: &Pattern, entity: &Entity, period: Period, all_together: bool, lifetime: Option<u64>) -> Buckets {
    let period = period.seconds().max(1);
    let growth = entity.growth.filter(|growth| *growth > 0.0);
    if let (true, Some(limit), Some(growth)) = (all_together, pattern.limit, growth) {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        return Buckets::AtMost(rounded(limit as f64 / (growth * period as f64)).max(1));
    }
    match back(period, lifetime) {
        // The growth would tell.
        Buckets::Endless if all_together => Buckets::Unknown,
        buckets => buckets,
    }
}

/// Seconds an item lives: the table's default, else what the business keeps, else what the numbers come to.
pub(super) fn lifetime(time_to_live: Option<u64>, entity: &Entity) -> Option<u64> {
    time_to_live.or(entity.retain.as_ref().map(|retain| retain.value.seconds)).or_else(|| {
        let growth = entity.growth.filter(|growth| *growth > 0.0)?;
        Some(rounded(entity.items? / growth))
    })
}

/// Rounded up. A number beyond u64 is cut off there; what is not a number is 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` cuts off at the ends, which is what is meant")]
fn rounded(number: f64) -> u64 {
    number.ceil() as u64
}
