//! One condition on the sort key for a list of entities (model language, section 6.3, step 6).

use super::candidate::{KeyAttribute, View};
use super::lack::Lack;
use super::sort::{Shape, Sort};
use crate::model::TemplatePart;

/// What is asked of the sort key for all entities of a list.
pub(super) struct Joined<'c, 'm> {
    /// How many leading attributes are known, and alike for all.
    pub equal: usize,
    /// The next attribute.
    pub key: Option<&'c KeyAttribute<'m>>,
    /// What may be asked of it, the least first.
    pub shapes: Vec<Option<Shape<'m>>>,
}

/// The conditions that hold for the items of all entities. Values that a pattern gives must lie in what they share.
pub(super) fn join<'c, 'm>(each: &[(&'c View<'m>, Sort<'c, 'm>)]) -> Result<Joined<'c, 'm>, Lack<'m>> {
    let Some(((view, first), others)) = each.split_first() else {
        return Ok(Joined { equal: 0, key: None, shapes: vec![None] });
    };
    let equal = first
        .equal
        .iter()
        .enumerate()
        .take_while(|(at, key)| others.iter().all(|(_, sort)| sort.equal.get(*at).is_some_and(|other| other.parts == key.parts)))
        .count();
    let key = view.sort.get(equal);
    if let Some(ranged) = each.iter().find(|(_, sort)| ranged(sort)) {
        // A range serves all of them only when they write that attribute in one way.
        let shape = ranged.1.last.as_ref().map(|(_, shape)| shape.clone());
        return match each.iter().find(|(_, sort)| !same_range(sort, &ranged.1)) {
            Some(other) => Err(differ(ranged.0, other.0)),
            None => Ok(Joined { equal: ranged.1.equal.len(), key: view.sort.get(ranged.1.equal.len()), shapes: vec![shape] }),
        };
    }
    let known: Vec<(&View<'m>, &[TemplatePart], bool)> =
        each.iter().map(|(view, sort)| (*view, known(view, sort, equal), sort.equal.len() > equal)).collect();
    let mut common: Vec<TemplatePart> = known.first().map(|(_, parts, _)| parts.to_vec()).unwrap_or_default();
    for (_, parts, _) in &known {
        common = shared(&common, parts);
    }
    let mut tails = Vec::new();
    for ((other, parts, whole), (_, sort)) in known.iter().zip(each) {
        let deeper = sort.equal.len() > equal + 1 || (sort.equal.len() == equal + 1 && sort.last.is_some());
        match tail(&common, parts) {
            Some(text) if !deeper => tails.push((text, *whole)),
            _ => return Err(differ(view, other)),
        }
    }
    Ok(Joined { equal, key, shapes: shapes(common, tails) })
}

/// The least condition first: nothing, the common prefix, from the lowest to the highest.
fn shapes<'m>(common: Vec<TemplatePart>, mut tails: Vec<(String, bool)>) -> Vec<Option<Shape<'m>>> {
    let mut shapes = Vec::new();
    if !common.iter().any(|part| part.attribute().is_some()) {
        shapes.push(None);
    }
    if !common.is_empty() {
        shapes.push(Some(Shape::Prefix(common.clone())));
    }
    tails.sort();
    if let (Some((low, _)), Some((high, whole))) = (tails.first(), tails.last())
        && low != high
        && !low.is_empty()
    {
        shapes.push(Some(Shape::Between { common, low: low.clone(), high: high.clone(), open: !whole }));
    }
    shapes
}

fn ranged(sort: &Sort<'_, '_>) -> bool {
    matches!(sort.last, Some((_, Shape::Range(..) | Shape::BeginsWith(..))))
}

fn same_range(one: &Sort<'_, '_>, other: &Sort<'_, '_>) -> bool {
    let equal = one.equal.iter().map(|key| &key.parts).eq(other.equal.iter().map(|key| &key.parts));
    let part = |sort: &Sort<'_, '_>| match &sort.last {
        Some((key, Shape::Range(prefix, part, _) | Shape::BeginsWith(prefix, part, _))) => {
            Some((key.name.to_owned(), prefix.clone(), part.clone()))
        }
        _ => None,
    };
    equal && part(one).is_some() && part(one) == part(other)
}

fn known<'a>(view: &'a View<'_>, sort: &'a Sort<'_, '_>, at: usize) -> &'a [TemplatePart] {
    match (view.sort.get(at), &sort.last) {
        (Some(key), _) if sort.equal.len() > at => &key.parts,
        (_, Some((_, shape))) if sort.equal.len() == at => shape.prefix(),
        _ => &[],
    }
}

/// The longest beginning of two templates that is the same in both.
fn shared(left: &[TemplatePart], right: &[TemplatePart]) -> Vec<TemplatePart> {
    let mut same: Vec<TemplatePart> = Vec::new();
    for pair in left.iter().zip(right) {
        match pair {
            (ours, theirs) if ours == theirs => same.push(ours.clone()),
            (TemplatePart::Literal(ours), TemplatePart::Literal(theirs)) => {
                let letters = ours.chars().zip(theirs.chars()).take_while(|(ours, theirs)| ours == theirs);
                let text: String = letters.map(|(letter, _)| letter).collect();
                if !text.is_empty() {
                    same.push(TemplatePart::Literal(text));
                }
                break;
            }
            _ => break,
        }
    }
    same
}

/// The text that follows what is shared; None when a value follows.
fn tail(common: &[TemplatePart], parts: &[TemplatePart]) -> Option<String> {
    match super::spelling::behind(common, parts)?.as_slice() {
        [] => Some(String::new()),
        [TemplatePart::Literal(text)] => Some(text.clone()),
        _ => None,
    }
}

fn differ<'m>(one: &View<'_>, other: &View<'_>) -> Lack<'m> {
    Lack::Conditions { entities: [one.entity.name.clone(), other.entity.name.clone()] }
}
