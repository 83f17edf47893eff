//! Step 2: what a pattern's conditions make of the sort key (model language, section 6.3).

use super::candidate::{KeyAttribute, View};
use super::lack::Lack;
use super::order::sorts_as_it_prints;
use super::partition::holds_one_value;
use super::request::{Range, Request};
use super::settled::{Settled, Use};
use crate::model::{AttributeType, Entity, Operand, TemplatePart};

/// What is asked of the sort key.
#[derive(Debug)]
pub(super) struct Sort<'c, 'm> {
    /// Leading attributes whose value is known.
    pub equal: Vec<&'c KeyAttribute<'m>>,
    /// The next attribute, when something is asked of it.
    pub last: Option<(&'c KeyAttribute<'m>, Shape<'m>)>,
    /// The placeholders behind what is known, in order, with the attribute they are in.
    pub rest: Vec<(&'c TemplatePart, &'c KeyAttribute<'m>)>,
    /// The conditions it answers.
    pub settled: Settled<'c>,
}

/// What is asked of the last attribute that is used.
#[derive(Clone, Debug)]
pub(super) enum Shape<'m> {
    /// It begins with what is known.
    Prefix(Vec<TemplatePart>),
    /// Behind what is known it begins with a value.
    BeginsWith(Vec<TemplatePart>, TemplatePart, &'m Operand),
    /// Behind what is known it lies in a range.
    Range(Vec<TemplatePart>, TemplatePart, Range<'m>),
    /// It lies between two texts behind what is known; the upper one alone, or with all that begins with it.
    Between { common: Vec<TemplatePart>, low: String, high: String, open: bool },
}

impl Shape<'_> {
    /// What is known of the attribute.
    pub(super) fn prefix(&self) -> &[TemplatePart] {
        match self {
            Self::Prefix(prefix) | Self::BeginsWith(prefix, ..) | Self::Range(prefix, ..) => prefix,
            Self::Between { common, .. } => common,
        }
    }
}

/// Walks the sort key: what `=` gives makes a prefix, and the first attribute without it may have a range.
pub(super) fn sort<'c, 'm>(view: &'c View<'m>, request: &Request<'m>) -> (Sort<'c, 'm>, Vec<Lack<'m>>) {
    let mut sort = Sort { equal: Vec::new(), last: None, rest: Vec::new(), settled: Settled::default() };
    let mut lacks = Vec::new();
    let mut keys = view.sort.iter();
    for key in keys.by_ref() {
        let known = key.parts.iter().take_while(|part| known(part, request)).count();
        let (prefix, rest) = key.parts.split_at(known);
        for part in prefix {
            settle(part, view.entity, request, &mut sort.settled);
        }
        let Some(stop) = rest.first() else {
            sort.equal.push(key);
            continue;
        };
        let shape = stopped(key, stop, view.entity, request, &mut sort.settled, &mut lacks);
        sort.last = shape.map(|shape| (key, shape.behind(prefix)));
        if sort.last.is_none() && !prefix.is_empty() {
            sort.last = Some((key, Shape::Prefix(prefix.to_vec())));
        }
        sort.rest.extend(rest.iter().filter(|part| part.attribute().is_some()).map(|part| (part, key)));
        break;
    }
    for key in keys {
        sort.rest.extend(key.parts.iter().filter(|part| part.attribute().is_some()).map(|part| (part, key)));
    }
    (sort, lacks)
}

fn known(part: &TemplatePart, request: &Request<'_>) -> bool {
    part.attribute().is_none_or(|name| request.equal(name).is_some())
}

/// Marks what a known part of a key answers.
pub(super) fn settle<'n>(part: &'n TemplatePart, entity: &Entity, request: &Request<'_>, settled: &mut Settled<'n>) {
    match part {
        TemplatePart::Literal(_) => {}
        TemplatePart::Attribute { name, .. } => settled.value(name, request),
        TemplatePart::Bucket { name, period } if holds_one_value(entity, name, *period) => settled.value(name, request),
        TemplatePart::Bucket { name, .. } | TemplatePart::Shard { name, .. } => settled.located(name),
    }
}

/// What is asked of the first attribute whose value is not known.
enum Stop<'m> {
    BeginsWith(TemplatePart, &'m Operand),
    Range(TemplatePart, Range<'m>),
}

impl<'m> Stop<'m> {
    fn behind(self, prefix: &[TemplatePart]) -> Shape<'m> {
        match self {
            Self::BeginsWith(part, value) => Shape::BeginsWith(prefix.to_vec(), part, value),
            Self::Range(part, range) => Shape::Range(prefix.to_vec(), part, range),
        }
    }
}

fn stopped<'c, 'm>(
    key: &KeyAttribute<'m>,
    part: &'c TemplatePart,
    entity: &Entity,
    request: &Request<'m>,
    settled: &mut Settled<'c>,
    lacks: &mut Vec<Lack<'m>>,
) -> Option<Stop<'m>> {
    let name = part.attribute()?;
    match part {
        TemplatePart::Attribute { .. } => {}
        TemplatePart::Bucket { period, .. } if holds_one_value(entity, name, *period) => {}
        _ => return None,
    }
    if let Some(value) = request.begins_with(name) {
        settled.exactly(name, Use::BeginsWith);
        return Some(Stop::BeginsWith(part.clone(), value));
    }
    let range = request.range(name)?;
    // The range is answered either way: what is wrong with it is said once.
    settled.exactly(name, Use::Range);
    if let Err(why) = sorts_as_it_prints(part, key, entity) {
        lacks.push(Lack::Unsorted { attribute: name.to_owned(), why });
    } else if range.half_open() && key.name == name && !has_neighbours(entity, name) {
        lacks.push(Lack::HalfOpen { attribute: name.to_owned() });
    }
    Some(Stop::Range(part.clone(), range))
}

/// Whether the value next to a value is known, so that `between` can leave an end out.
fn has_neighbours(entity: &Entity, attribute: &str) -> bool {
    entity.attributes.get(attribute).is_some_and(|attribute| match &attribute.kind {
        AttributeType::Timestamp | AttributeType::Date | AttributeType::Time => true,
        AttributeType::Decimal | AttributeType::Float | AttributeType::Double => false,
        kind => kind.is_number(),
    })
}
