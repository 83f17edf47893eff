//! How many partitions a read touches (model language, section 8).

use super::layout::{Layout, Relation};
use super::restrict::Query;
use crate::model::{Period, TemplatePart};

const DAY: u64 = 86_400;

/// Seconds of a period; a month has 30 days, a year 365.
pub(super) fn seconds(period: Period) -> u64 {
    match period {
        Period::Minute => 60,
        Period::Hour => 3_600,
        Period::Day => DAY,
        Period::Week => 7 * DAY,
        Period::Month => 30 * DAY,
        Period::Year => 365 * DAY,
        Period::Every(duration) => duration.seconds.max(1),
    }
}

/// How many buckets a read walks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buckets {
    AtMost(u64),
    /// The model does not give a number that it takes.
    Unknown,
    /// Rows are kept for ever, and the read may go back to the first.
    Endless,
}

impl Buckets {
    /// The number, when it is known.
    pub(super) fn count(self) -> Option<u64> {
        if let Self::AtMost(count) = self { Some(count) } else { None }
    }
}

/// Buckets that a range touches: the first and the last may be cut. A range with one end reaches as far as rows live; one with
/// two ends is as long as the pattern says.
pub(super) fn in_range(
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    period: Period,
    query: &Query<'_>,
    has_both_ends: bool,
) -> Buckets {
    match query.pattern.time_span {
        Some(span) => Buckets::AtMost(span.seconds.div_ceil(seconds(period)).saturating_add(1)),
        None if has_both_ends => Buckets::Unknown,
        None => back(relation, layout, seconds(period)),
    }
}

/// Buckets from now back to the oldest row.
fn back(relation: &Relation<'_>, layout: &Layout<'_>, period: u64) -> Buckets {
    match lifetime(relation, layout) {
        Some(lifetime) => Buckets::AtMost(lifetime.div_ceil(period).max(1)),
        None => Buckets::Endless,
    }
}

/// Buckets that are walked from the newest until `limit` is reached. A value that has been quiet makes the walk as long as
/// rows live; only when all rows are in the same buckets, the growth tells how soon `limit` is filled.
pub(super) fn newest(relation: &Relation<'_>, layout: &Layout<'_>, period: Period, query: &Query<'_>) -> Buckets {
    let period = seconds(period);
    let computed = |part: &TemplatePart| !matches!(part, TemplatePart::Attribute { .. });
    let all_together = layout.partition.iter().flat_map(|column| &column.parts).all(computed);
    if all_together
        && let (Some(limit), Some(growth)) = (query.pattern.limit, layout.entity.growth)
        && growth > 0.0
    {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        return Buckets::AtMost(rounded(limit as f64 / (growth * period as f64)).max(1));
    }
    match back(relation, layout, period) {
        // The growth would tell.
        Buckets::Endless if all_together => Buckets::Unknown,
        buckets => buckets,
    }
}

/// Seconds a row lives: the table's default, else what the business keeps, else what the numbers come to.
pub(super) fn lifetime(relation: &Relation<'_>, layout: &Layout<'_>) -> Option<u64> {
    let entity = layout.entity;
    relation.time_to_live().or(entity.retain.as_ref().map(|retain| retain.value.seconds)).or_else(|| {
        let growth = entity.growth.filter(|growth| *growth > 0.0)?;
        Some(rounded(entity.items? / growth))
    })
}

/// Rounded up. A number beyond u64 is cut off there; what is not a number is 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` cuts off at the ends, which is what is meant")]
fn rounded(number: f64) -> u64 {
    number.ceil() as u64
}
