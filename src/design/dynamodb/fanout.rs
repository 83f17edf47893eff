//! How many partitions a read touches at most (model language, section 8).

use super::candidate::{KeyAttribute, View};
use super::partition::walks;
use super::request::Request;
use crate::design::buckets::{self, Buckets};
use crate::model::{Entity, Period, TemplatePart};
use std::collections::BTreeSet;

/// Partitions touched by one request of the pattern.
pub(super) fn partitions(view: &View<'_>, request: &Request<'_>) -> Buckets {
    let parts: Vec<&TemplatePart> = view.partition.iter().flat_map(|key| key.parts.iter()).collect();
    let everyone = parts.iter().all(|part| !matches!(part, TemplatePart::Attribute { .. }));
    let mut counted = BTreeSet::new();
    let mut total = Buckets::AtMost(1);
    for part in parts {
        let factor = match part {
            TemplatePart::Literal(_) => 1,
            TemplatePart::Attribute { name, .. } => values(name, request, &mut counted),
            TemplatePart::Shard { name, into } if request.given(name) => {
                values(name, request, &mut counted).min(u64::from(*into))
            }
            TemplatePart::Shard { into, .. } => u64::from(*into),
            TemplatePart::Bucket { name, .. } if request.given(name) => values(name, request, &mut counted),
            TemplatePart::Bucket { name, period } => {
                total = total.times(buckets(view.entity, request, name, *period, everyone));
                continue;
            }
        };
        total = total.times(Buckets::AtMost(factor));
    }
    total
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
fn buckets(entity: &Entity, request: &Request<'_>, attribute: &str, period: Period, everyone: bool) -> Buckets {
    let lifetime = buckets::lifetime(None, entity);
    match request.range(attribute) {
        Some(range) => {
            let both = range.lower.is_some() && range.upper.is_some();
            buckets::in_range(request.pattern, period, both, lifetime)
        }
        None if walks(request, attribute) => buckets::newest(request.pattern, entity, period, everyone, lifetime),
        None => Buckets::Unknown,
    }
}
