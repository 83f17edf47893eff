//! The numbers that judgements are computed from (model language, sections 3 and 10): given, derived, or missing by name.

use crate::model::{Entity, Model, Pattern};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// What has numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Of<'m> {
    /// An access pattern.
    Pattern(&'m str),
    /// An entity.
    Entity(&'m str),
    /// An attribute of an entity.
    Attribute(&'m str, &'m str),
}

/// A number that the model does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Missing<'m> {
    /// What it would be a number of.
    pub(super) of: Of<'m>,
    /// Its key in the model: `size`.
    pub(super) number: &'static str,
}

/// A number, or what would have to be given to know it, each once.
pub(super) type Known<'m, T = f64> = Result<T, Vec<Missing<'m>>>;

fn missing<'m, T>(of: Of<'m>, number: &'static str) -> Known<'m, T> {
    Err(vec![Missing { of, number }])
}

/// Both numbers, or all that is missing for either.
pub(super) fn both<'m>(one: Known<'m>, next: Known<'m>) -> Known<'m, (f64, f64)> {
    match (one, next) {
        (Ok(one), Ok(next)) => Ok((one, next)),
        (Err(mut one), Err(next)) => {
            let more: Vec<Missing<'m>> = next.into_iter().filter(|missing| !one.contains(missing)).collect();
            one.extend(more);
            Err(one)
        }
        (Err(lacking), _) | (_, Err(lacking)) => Err(lacking),
    }
}

/// How many items exist.
pub(super) fn items(entity: &Entity) -> Known<'_> {
    entity.items.map_or_else(|| missing(Of::Entity(&entity.name), "items"), Ok)
}

/// Average size of an item, in bytes.
pub(super) fn size(entity: &Entity) -> Known<'_> {
    entity.size.map_or_else(|| missing(Of::Entity(&entity.name), "size"), |size| Ok(size.average))
}

/// Net new items a second.
pub(super) fn growth(entity: &Entity) -> Known<'_> {
    entity.growth.map_or_else(|| missing(Of::Entity(&entity.name), "growth"), Ok)
}

/// Requests a second, at most.
pub(super) fn peak(pattern: &Pattern) -> Known<'_> {
    pattern.peak.or(pattern.rate).map_or_else(|| missing(Of::Pattern(&pattern.name), "rate"), Ok)
}

/// The entities by their whole keys: the number of items of one is the number of values of its key in another.
pub(super) struct Keys<'m>(HashMap<Vec<&'m str>, Vec<&'m Entity>, RandomState>);

impl<'m> Keys<'m> {
    /// All keys of a model.
    pub(super) fn of(model: &'m Model) -> Self {
        let mut keys: HashMap<_, Vec<_>, _> = HashMap::with_capacity_and_hasher(model.entities.len(), RandomState::default());
        for entity in model.entities.values() {
            keys.entry(key(entity)).or_default().push(entity);
        }
        Self(keys)
    }
}

fn key(entity: &Entity) -> Vec<&str> {
    each_once(entity.key.iter().map(|name| name.value.as_str()))
}

/// Sorted, so that the same names are the same list.
fn each_once<'m>(names: impl Iterator<Item = &'m str>) -> Vec<&'m str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Number of different values of some attributes together.
pub(super) fn distinct<'m>(keys: &Keys<'m>, entity: &'m Entity, attributes: &[&'m str]) -> Known<'m> {
    let attributes = each_once(attributes.iter().copied());
    if key(entity) == attributes {
        return items(entity);
    }
    if let Some([other]) = keys.0.get(&attributes).map(Vec::as_slice) {
        return items(other);
    }
    let mut all = Ok(1.0);
    for attribute in attributes {
        let of = entity.attributes.get(attribute);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let values = of.and_then(|of| of.distinct.or(of.values.as_ref().map(|values| values.len() as f64)));
        let one = match values {
            Some(values) => Ok(values),
            None => missing(Of::Attribute(&entity.name, attribute), "distinct"),
        };
        all = both(all, one).map(|(all, one)| all * one);
    }
    all
}

/// Share of the traffic, and of the items, on the most frequent value of some attributes together.
pub(super) fn share<'m>(keys: &Keys<'m>, entity: &'m Entity, attributes: &[&'m str]) -> Known<'m> {
    let mut lacking = Vec::new();
    let mut smallest: Option<f64> = None;
    for &attribute in attributes {
        match attribute_share(keys, entity, attribute) {
            Ok(share) => smallest = Some(smallest.map_or(share, |known| known.min(share))),
            Err(missing) => lacking.extend(missing),
        }
    }
    match smallest {
        Some(share) => Ok(share),
        None if attributes.is_empty() => Ok(1.0),
        None => Err(lacking),
    }
}

fn attribute_share<'m>(keys: &Keys<'m>, entity: &'m Entity, attribute: &'m str) -> Known<'m> {
    let Some(of) = entity.attributes.get(attribute) else { return Ok(1.0) };
    if let Some(share) = of.top_share {
        return Ok(share);
    }
    let Some(values) = &of.values else { return distinct(keys, entity, &[attribute]).map(|distinct| 1.0 / distinct.max(1.0)) };
    let shares: Option<Vec<f64>> = values.values().copied().collect();
    match shares {
        Some(shares) if !shares.is_empty() => Ok(shares.into_iter().fold(0.0, f64::max)),
        _ => missing(Of::Attribute(&entity.name, attribute), "enum shares"),
    }
}

/// How many items share the most frequent combination of some attributes: given, or items × share.
pub(super) fn most_per_value<'m>(keys: &Keys<'m>, entity: &'m Entity, attributes: &[&'m str]) -> Known<'m> {
    let mut sorted = attributes.to_vec();
    sorted.sort_unstable();
    let given = entity.per.iter().find(|per| per.attributes.iter().map(String::as_str).eq(sorted.iter().copied()));
    if let Some(max) = given.and_then(|per| per.count.max) {
        return Ok(max);
    }
    both(items(entity), share(keys, entity, attributes)).map(|(items, share)| items * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_collected() {
        let entity = |name: &'static str| missing::<f64>(Of::Entity(name), "size");
        assert_eq!(both(Ok(1.0), Ok(2.0)), Ok((1.0, 2.0)));
        assert_eq!(both(entity("A"), Ok(2.0)).unwrap_err().len(), 1);
        assert_eq!(both(entity("A"), entity("B")).unwrap_err().len(), 2);
        assert_eq!(both(entity("A"), entity("A")).unwrap_err().len(), 1);
    }
}
