//! How many partitions a read touches at most (model language, section 8).

use super::candidate::{KeyAttribute, View};
use super::partition::walks;
use super::request::Request;
use crate::model::{Entity, Period, TemplatePart};
use std::collections::BTreeSet;

/// Partitions touched by one request of the pattern; None when the model does not say enough.
pub(super) fn partitions(view: &View<'_>, request: &Request<'_>) -> Option<u64> {
    let parts: Vec<&TemplatePart> = view.partition.iter().flat_map(|key| key.parts.iter()).collect();
    let everyone = parts.iter().all(|part| !matches!(part, TemplatePart::Attribute { .. }));
    let mut counted = BTreeSet::new();
    let mut total: u64 = 1;
    for part in parts {
        let factor = match part {
            TemplatePart::Literal(_) => 1,
            TemplatePart::Attribute { name, .. } => values(name, request, &mut counted),
            TemplatePart::Shard { name, into } if request.given(name) => {
                values(name, request, &mut counted).min(u64::from(*into))
            }
            TemplatePart::Shard { into, .. } => u64::from(*into),
            TemplatePart::Bucket { name, .. } if request.given(name) => values(name, request, &mut counted),
            TemplatePart::Bucket { name, period } => buckets(view.entity, request, name, *period, everyone)?,
        };
        total = total.saturating_mul(factor);
    }
    Some(total)
}

/// How many keys the values of a pattern make for an entity: the product of its lists.
pub(super) fn keys(view: &View<'_>, request: &Request<'_>) -> u64 {
    let mut counted = BTreeSet::new();
    let attributes = view.key().flat_map(KeyAttribute::attributes);
    attributes.fold(1, |total: u64, name| total.saturating_mul(values(name, request, &mut counted)))
}

/// The number of values of an attribute, once for each.
fn values(attribute: &str, request: &Request<'_>, counted: &mut BTreeSet<String>) -> u64 {
    let first = counted.insert(attribute.to_owned());
    if first { request.within(attribute).map_or(1, |values| request.count(values)) } else { 1 }
}

/// The buckets a read walks through: those of a range, or those that hold what `limit` asks for.
#[expect(clippy::cast_precision_loss, reason = "counts of buckets need no more than the 52 bits of an f64")]
fn buckets(entity: &Entity, request: &Request<'_>, attribute: &str, period: Period, everyone: bool) -> Option<u64> {
    let period = period.seconds().max(1);
    if let Some(span) = request.pattern.time_span.filter(|_| request.range(attribute).is_some()) {
        return Some(span.seconds.div_ceil(period).saturating_add(1));
    }
    let limit = request.pattern.limit.filter(|_| walks(request, attribute))?;
    let growth = entity.growth.filter(|growth| *growth > 0.0);
    if everyone {
        // The items of all values follow one another: as many buckets as the limit fills.
        return Some(whole(limit as f64 / (growth? * period as f64)));
    }
    // A value that has been quiet: its newest item may be as old as an item can be.
    let kept = entity.retain.as_ref().map(|retain| retain.seconds as f64);
    let lifetime = kept.or_else(|| Some(entity.items? / growth?))?;
    Some(whole(lifetime / period as f64))
}

/// Rounded up, at least 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is at least 1 and a cast saturates")]
fn whole(count: f64) -> u64 {
    count.ceil().max(1.0) as u64
}
