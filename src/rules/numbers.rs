//! The numbers that judgements are computed from (model language, sections 3 and 10): given, derived, or missing by name.

use crate::diagnostic::Subject;
use crate::model::{Entity, Model, Pattern};
use std::collections::{BTreeMap, BTreeSet};

/// A number that the model does not give.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Missing {
    /// What it would be a number of.
    pub(super) subject: Subject,
    /// Its key in the model: `size`, `per: { username }`.
    pub(super) number: String,
}

/// A number, or what would have to be given to know it.
pub(super) type Known = Result<f64, BTreeSet<Missing>>;

fn missing<T>(subject: Subject, number: impl Into<String>) -> Result<T, BTreeSet<Missing>> {
    Err([Missing { subject, number: number.into() }].into())
}

/// Both numbers, or all that is missing for either.
pub(super) fn both(one: Known, next: Known) -> Result<(f64, f64), BTreeSet<Missing>> {
    match (one, next) {
        (Ok(one), Ok(next)) => Ok((one, next)),
        (Err(mut one), Err(next)) => {
            one.extend(next);
            Err(one)
        }
        (Err(lacking), _) | (_, Err(lacking)) => Err(lacking),
    }
}

/// How many items exist.
pub(super) fn items(entity: &Entity) -> Known {
    entity.items.map_or_else(|| missing(Subject::Entity(entity.name.clone()), "items"), Ok)
}

/// Average size of an item, in bytes.
pub(super) fn size(entity: &Entity) -> Known {
    entity.size.map_or_else(|| missing(Subject::Entity(entity.name.clone()), "size"), |size| Ok(size.average))
}

/// Net new items a second.
pub(super) fn growth(entity: &Entity) -> Known {
    entity.growth.map_or_else(|| missing(Subject::Entity(entity.name.clone()), "growth"), Ok)
}

/// Requests a second, at most.
pub(super) fn peak(pattern: &Pattern) -> Known {
    pattern.peak.or(pattern.rate).map_or_else(|| missing(Subject::Pattern(pattern.name.clone()), "rate"), Ok)
}

/// The entities by their whole keys: the number of items of one is the number of values of its key in another.
pub(super) struct Keys<'m>(BTreeMap<BTreeSet<&'m str>, Vec<&'m Entity>>);

impl<'m> Keys<'m> {
    /// All keys of a model.
    pub(super) fn of(model: &'m Model) -> Self {
        let mut keys: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for entity in model.entities.values() {
            keys.entry(entity.key.iter().map(|name| name.value.as_str()).collect()).or_default().push(entity);
        }
        Self(keys)
    }
}

/// Number of different values of some attributes together.
pub(super) fn distinct(keys: &Keys<'_>, entity: &Entity, attributes: &[&str]) -> Known {
    let same = keys.0.get(&attributes.iter().copied().collect::<BTreeSet<&str>>());
    if same.into_iter().flatten().any(|other| other.name == entity.name) {
        return items(entity);
    }
    if let Some([other]) = same.map(Vec::as_slice) {
        return items(other);
    }
    let mut all = Ok(1.0);
    for &attribute in attributes {
        let of = entity.attributes.get(attribute);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let values = of.and_then(|of| of.distinct.or(of.values.as_ref().map(|values| values.len() as f64)));
        let one = match values {
            Some(values) => Ok(values),
            None => missing(Subject::Attribute(entity.name.clone(), attribute.to_owned()), "distinct"),
        };
        all = both(all, one).map(|(all, one)| all * one);
    }
    all
}

/// Share of the traffic, and of the items, on the most frequent value of some attributes together.
pub(super) fn share(keys: &Keys<'_>, entity: &Entity, attributes: &[&str]) -> Known {
    let mut lacking = BTreeSet::new();
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

fn attribute_share(keys: &Keys<'_>, entity: &Entity, attribute: &str) -> Known {
    let Some(of) = entity.attributes.get(attribute) else { return Ok(1.0) };
    if let Some(share) = of.top_share {
        return Ok(share);
    }
    let Some(values) = &of.values else { return distinct(keys, entity, &[attribute]).map(|distinct| 1.0 / distinct.max(1.0)) };
    let shares: Option<Vec<f64>> = values.values().copied().collect();
    match shares {
        Some(shares) if !shares.is_empty() => Ok(shares.into_iter().fold(0.0, f64::max)),
        _ => missing(Subject::Attribute(entity.name.clone(), attribute.to_owned()), "enum shares"),
    }
}

/// How many items share the most frequent combination of some attributes: given, or items × share.
pub(super) fn most_per_value(keys: &Keys<'_>, entity: &Entity, attributes: &[&str]) -> Known {
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
        let entity = |name: &str| missing::<f64>(Subject::Entity(name.into()), "size");
        assert_eq!(both(Ok(1.0), Ok(2.0)), Ok((1.0, 2.0)));
        assert_eq!(both(entity("A"), Ok(2.0)).unwrap_err().len(), 1);
        assert_eq!(both(entity("A"), entity("B")).unwrap_err().len(), 2);
        assert_eq!(both(entity("A"), entity("A")).unwrap_err().len(), 1);
    }
}
