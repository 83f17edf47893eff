//! Whether a table or index serves a read, step by step (model language, section 6.3).

use super::candidate::{Candidate, KeyAttribute, Kind, View};
use super::fanout;
use super::join::join;
use super::lack::Lack;
use super::operation;
use super::order::{order, wanted};
use super::partition::partition;
use super::projection::{consistency, projection};
use super::request::Request;
use super::separation::{Asked, others};
use super::settled::Settled;
use super::sort::{Shape, Sort, sort};
use super::sparse::{hidden, when};
use crate::model::{Comparison, Condition, Consistency, Verb};

/// A read of one table or index that gives the pattern what it asks for.
#[derive(Clone, Debug)]
pub(super) struct Read<'c, 'm> {
    pub candidate: &'c Candidate<'m>,
    /// It names whole keys of the table.
    pub whole: bool,
    /// The request, in short.
    pub operation: String,
    /// Partitions touched, when known.
    pub partitions: Option<u64>,
    /// Entities whose items come with it and are filtered out.
    pub others: Vec<&'m str>,
    /// Optional key attributes that hide items: entity and attribute.
    pub hidden: Vec<(&'m str, String)>,
}

/// How a table or index serves a read, or all that is missing.
pub(super) fn serve<'c, 'm>(candidate: &'c Candidate<'m>, request: &Request<'m>) -> Result<Read<'c, 'm>, Vec<Lack>> {
    let views: Vec<&View<'m>> = request.entities.iter().filter_map(|entity| candidate.view(&entity.name)).collect();
    let absent = request.entities.iter().filter(|entity| candidate.view(&entity.name).is_none());
    let absent: Vec<Lack> = absent.map(|entity| Lack::Absent { entity: entity.name.clone() }).collect();
    if !absent.is_empty() {
        return Err(absent);
    }
    if matches!(request.pattern.verb, Verb::Scan(_)) {
        return scan(candidate, request);
    }
    if let Some(read) = get(candidate, &views, request) {
        return Ok(read);
    }
    query(candidate, &views, request)
}

fn scan<'c, 'm>(candidate: &'c Candidate<'m>, request: &Request<'m>) -> Result<Read<'c, 'm>, Vec<Lack>> {
    let mut lacks = Vec::new();
    if candidate.kind != Kind::Table {
        lacks.push(Lack::ScansTable);
    }
    if request.transactional {
        lacks.push(Lack::WholeKey);
    }
    let named = |view: &View<'_>| request.entities.iter().any(|entity| entity.name == view.entity.name);
    let others: Vec<&str> = candidate.views.iter().filter(|view| !named(view)).map(|view| view.entity.name.as_str()).collect();
    let discriminator = separate(candidate, &others, &mut lacks);
    if !lacks.is_empty() {
        return Err(lacks);
    }
    let operation = operation::scan(candidate, request, discriminator);
    // The reason that a scan states covers what it throws away.
    Ok(Read { candidate, whole: false, operation, partitions: None, others: Vec::new(), hidden: Vec::new() })
}

/// The discriminator, when others have to be filtered out.
fn separate<'m>(candidate: &Candidate<'m>, others: &[&str], lacks: &mut Vec<Lack>) -> Option<&'m str> {
    if others.is_empty() {
        return None;
    }
    let discriminator = candidate.discriminator();
    if discriminator.is_none() {
        let entities = others.iter().map(|name| (*name).to_owned()).collect();
        let discriminator = candidate.table.discriminator.as_ref().map(|name| name.value.clone());
        lacks.push(Lack::Inseparable { entities, discriminator });
    }
    discriminator
}

/// A read of whole keys of a table: it has neither a filter nor an order.
fn get<'c, 'm>(candidate: &'c Candidate<'m>, views: &[&'c View<'m>], request: &Request<'m>) -> Option<Read<'c, 'm>> {
    let known = |view: &&View<'m>| view.key().flat_map(KeyAttribute::attributes).all(|name| request.given(name));
    if candidate.kind != Kind::Table || request.pattern.filter.is_some() || !views.iter().all(known) {
        return None;
    }
    let count = views.iter().map(|view| fanout::keys(view, request)).fold(0, u64::saturating_add);
    let ordered = views.iter().any(|view| !wanted(view.entity, request).is_empty());
    if ordered && count > 1 {
        return None;
    }
    for view in views {
        let mut settled = Settled::default();
        for part in view.key().flat_map(|key| key.parts.iter()) {
            super::sort::settle(part, view.entity, request, &mut settled);
        }
        let (asked, lacks) = when(view, request);
        if !lacks.is_empty() || !settled.and(asked).left_over(request, view.entity).is_empty() {
            return None;
        }
    }
    let keys: Vec<Vec<&KeyAttribute<'_>>> = views.iter().map(|view| view.key().collect()).collect();
    let operation = operation::get(request, &keys, count);
    Some(Read { candidate, whole: true, operation, partitions: Some(count), others: Vec::new(), hidden: Vec::new() })
}

fn query<'c, 'm>(candidate: &'c Candidate<'m>, views: &[&'c View<'m>], request: &Request<'m>) -> Result<Read<'c, 'm>, Vec<Lack>> {
    let mut lacks = Vec::new();
    if request.transactional {
        lacks.push(Lack::WholeKey);
    }
    if let Some(lack) = consistency(candidate, request).filter(|_| request.pattern.consistency != Consistency::Transactional) {
        lacks.push(lack);
    }
    let mut each: Vec<(&'c View<'m>, Sort<'c, 'm>)> = Vec::new();
    for view in views {
        lacks.extend(one_entity(candidate, view, request, &mut each));
    }
    if let Some(lack) = together(&each, request) {
        lacks.push(lack);
    }
    let (equal, last, others) = match condition(candidate, request, &each) {
        Ok(condition) => condition,
        Err(lack) => {
            lacks.push(lack);
            return Err(unique(lacks));
        }
    };
    let discriminator = separate(candidate, &others, &mut lacks);
    let Some((view, _)) = each.first().filter(|_| lacks.is_empty()) else {
        return Err(unique(lacks));
    };
    let equal_keys: Vec<&KeyAttribute<'_>> = view.partition.iter().chain(view.sort.iter().take(equal)).collect();
    let asked = last.as_ref().map(|(key, shape)| (*key, shape));
    let operation = operation::query(request, &equal_keys, asked, discriminator);
    let hidden =
        if candidate.kind == Kind::Table { Vec::new() } else { views.iter().flat_map(|view| hides(view, request)).collect() };
    Ok(Read { candidate, whole: false, operation, partitions: fanout::partitions(view, request), others, hidden })
}

fn hides<'m>(view: &View<'m>, request: &Request<'m>) -> Vec<(&'m str, String)> {
    hidden(view, request).into_iter().map(|name| (view.entity.name.as_str(), name.to_owned())).collect()
}

/// Steps 1 to 5 for one entity; its sort condition is added to `each`.
fn one_entity<'c, 'm>(
    candidate: &Candidate<'m>,
    view: &'c View<'m>,
    request: &Request<'m>,
    each: &mut Vec<(&'c View<'m>, Sort<'c, 'm>)>,
) -> Vec<Lack> {
    let mut lacks = Vec::new();
    let (asked, unasked) = when(view, request);
    let mut settled = asked;
    match partition(view, request) {
        Ok(answered) => settled = settled.and(answered),
        Err(needs) => {
            // What the partition key would answer if it were known is no second thing to complain of.
            for key in &view.partition {
                for part in key.parts.iter().filter(|part| part.attribute().is_some_and(|name| request.given(name))) {
                    super::sort::settle(part, view.entity, request, &mut settled);
                }
            }
            lacks.extend(needs);
        }
    }
    lacks.extend(unasked);
    let (sort, unsorted) = sort(view, request);
    lacks.extend(unsorted);
    let settled = settled.and(sort.settled.clone());
    lacks.extend(settled.left_over(request, view.entity).into_iter().map(|condition| unanswered(view, condition)));
    lacks.extend(order(view.entity, request, &sort));
    lacks.extend(projection(candidate, view, request));
    each.push((view, sort));
    lacks
}

/// Why the key does not answer a condition.
fn unanswered(view: &View<'_>, condition: &Condition) -> Lack {
    let attribute = condition.attribute.value.as_str();
    let is = if matches!(condition.comparison, Comparison::Contains(_) | Comparison::ContainsKey(_)) {
        "no key finds what lies inside a value"
    } else if view.partition.iter().any(|key| key.attributes().any(|name| name == attribute)) {
        "the partition key holds only a part of it"
    } else if view.sort.iter().any(|key| key.attributes().any(|name| name == attribute)) {
        if matches!(condition.comparison, Comparison::In(_)) {
            "a sort key takes no `in`"
        } else {
            "what stands before it in the sort key is not given by `=`"
        }
    } else {
        "it is not in the key"
    };
    Lack::Condition { condition: condition.to_string(), is }
}

/// Whether the entities of a list lie in one partition and come in one order.
fn together(each: &[(&View<'_>, Sort<'_, '_>)], request: &Request<'_>) -> Option<Lack> {
    let ((first, _), others) = each.split_first()?;
    let names = |other: &View<'_>| [first.entity.name.clone(), other.entity.name.clone()];
    for (other, _) in others {
        if !first.partition.iter().map(|key| &key.parts).eq(other.partition.iter().map(|key| &key.parts)) {
            return Some(Lack::Apart { entities: names(other) });
        }
    }
    let mut ordered = each.iter().filter(|(view, _)| !wanted(view.entity, request).is_empty());
    let (_, one) = ordered.next()?;
    let key = |sort: &Sort<'_, '_>| {
        let equal: Vec<_> = sort.equal.iter().map(|key| key.parts.to_vec()).collect();
        (equal, sort.last.as_ref().map(|(_, shape)| shape.prefix().to_vec()))
    };
    let differs = ordered.any(|(_, other)| key(other) != key(one));
    let attribute = request.pattern.order.first().map(|order| order.attribute.value.clone())?;
    differs.then_some(Lack::Order { attribute, why: "the entities follow one another in its sort key" })
}

type Asks<'c, 'm> = (usize, Option<(&'c KeyAttribute<'m>, Shape<'m>)>, Vec<&'m str>);

/// Step 6: the least condition that lets in no others; else the narrowest, with the entities it lets in.
fn condition<'c, 'm>(
    candidate: &'c Candidate<'m>,
    request: &Request<'m>,
    each: &[(&'c View<'m>, Sort<'c, 'm>)],
) -> Result<Asks<'c, 'm>, Lack> {
    let lets_in =
        |view: &'c View<'m>, equal: usize, shape: Option<&Shape<'m>>| others(candidate, request, &Asked { view, equal, shape });
    if let [(view, sort)] = each {
        let equal = sort.equal.len();
        let last = sort.last.clone();
        let others = lets_in(view, equal, last.as_ref().map(|(_, shape)| shape));
        return Ok((equal, last, others));
    }
    let joined = join(each)?;
    let mut asks: Asks<'c, 'm> = (joined.equal, None, Vec::new());
    let Some((view, _)) = each.first() else { return Ok(asks) };
    for shape in joined.shapes {
        let others = lets_in(view, joined.equal, shape.as_ref());
        let done = others.is_empty();
        asks = (joined.equal, joined.key.zip(shape), others);
        if done {
            break;
        }
    }
    Ok(asks)
}

fn unique(lacks: Vec<Lack>) -> Vec<Lack> {
    let mut unique: Vec<Lack> = Vec::new();
    for lack in lacks {
        if !unique.contains(&lack) {
            unique.push(lack);
        }
    }
    unique
}
