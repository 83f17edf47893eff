//! Whether a table or index serves a read, step by step (model language, section 6.3).

use super::candidate::{Candidate, KeyAttribute, Kind, Title, View};
use super::fanout;
use super::join::join;
use super::lack::Lack;
use super::order::{order, wanted};
use super::partition::partition;
use super::projection::{consistency, projection};
use super::request::Request;
use super::separation::{Asked, others, unnamed};
use super::settled::Settled;
use super::sort::{Shape, Sort, sort};
use super::sparse::{hidden, when};
use crate::design::buckets::Buckets;
use crate::model::{Comparison, Condition, Consistency, Verb};

/// A read of one table or index that gives the pattern what it asks for.
#[derive(Clone, Debug)]
pub(super) struct Read<'c, 'm> {
    pub candidate: &'c Candidate<'m>,
    pub request: &'c Request<'m>,
    pub how: How<'c, 'm>,
    /// Partitions touched.
    pub partitions: Buckets,
    /// Entities whose items come with it and are filtered out.
    pub others: Vec<Title<'m>>,
    /// Optional key attributes that hide items: entity and attribute.
    pub hidden: Vec<(&'m str, String)>,
}

/// The request of a read.
#[derive(Clone, Debug)]
pub(super) enum How<'c, 'm> {
    /// So many whole keys of a table, as each entity makes them.
    Keys { views: Vec<&'c View<'m>>, count: u64 },
    /// A query: of the attributes whose value is known, and of what is asked of the next.
    Query { equal: Vec<&'c KeyAttribute<'m>>, last: Option<(&'c KeyAttribute<'m>, Shape<'m>)>, discriminator: Option<&'m str> },
    /// All items of a table.
    Scan { discriminator: Option<&'m str> },
}

/// How a table or index serves a read, or all that is missing.
pub(super) fn serve<'c, 'm>(candidate: &'c Candidate<'m>, request: &'c Request<'m>) -> Result<Read<'c, 'm>, Vec<Lack<'m>>> {
    let views: Vec<&View<'m>> = request.entities.iter().filter_map(|entity| candidate.view(&entity.name)).collect();
    let absent = request.entities.iter().filter(|entity| candidate.view(&entity.name).is_none());
    let absent: Vec<Lack<'m>> = absent.map(|entity| Lack::Absent { entity: entity.name.clone() }).collect();
    if !absent.is_empty() {
        return Err(absent);
    }
    if matches!(request.pattern.verb, Verb::Scan(_)) {
        return scan(candidate, &views, request);
    }
    if let Some(read) = get(candidate, &views, request) {
        return Ok(read);
    }
    query(candidate, &views, request)
}

/// Whether a request says where to look in a table or index; what does not cannot serve, and most of them do not.
pub(super) fn may_serve(candidate: &Candidate<'_>, request: &Request<'_>) -> bool {
    let is_located = |view: &View<'_>| partition(view, request).is_ok();
    matches!(request.pattern.verb, Verb::Scan(_))
        || request.entities.iter().all(|entity| candidate.view(&entity.name).is_some_and(is_located))
}

fn scan<'c, 'm>(
    candidate: &'c Candidate<'m>,
    views: &[&'c View<'m>],
    request: &'c Request<'m>,
) -> Result<Read<'c, 'm>, Vec<Lack<'m>>> {
    // A scan has no conditions, so it repeats no `when`.
    let mut lacks: Vec<Lack<'m>> = views.iter().flat_map(|view| when(view, request).1).collect();
    if candidate.kind != Kind::Table {
        lacks.push(Lack::ScansTable);
    }
    if request.transactional {
        lacks.push(Lack::WholeKey);
    }
    let others: Vec<Title<'_>> = unnamed(candidate, request).map(|(_, title)| title).collect();
    let discriminator = separate(candidate, &others, &mut lacks);
    if !lacks.is_empty() {
        return Err(lacks);
    }
    // The reason that a scan states covers what it throws away.
    Ok(Read {
        candidate,
        request,
        how: How::Scan { discriminator },
        partitions: Buckets::Unknown,
        others: Vec::new(),
        hidden: Vec::new(),
    })
}

/// The discriminator, when others have to be filtered out.
fn separate<'m>(candidate: &Candidate<'m>, others: &[Title<'_>], lacks: &mut Vec<Lack<'m>>) -> Option<&'m str> {
    if others.is_empty() {
        return None;
    }
    let discriminator = candidate.discriminator();
    if discriminator.is_none() {
        let entities = others.iter().map(ToString::to_string).collect();
        let discriminator = candidate.table.discriminator.as_ref().map(|name| name.value.clone());
        lacks.push(Lack::Inseparable { entities, discriminator });
    }
    discriminator
}

/// Whether a request names whole keys of a table.
fn names_keys(candidate: &Candidate<'_>, views: &[&View<'_>], request: &Request<'_>) -> bool {
    let known = |view: &&View<'_>| view.key().flat_map(KeyAttribute::attributes).all(|name| request.given(name));
    candidate.kind == Kind::Table && views.iter().all(known)
}

/// A read of whole keys of a table: it has neither a filter nor an order.
fn get<'c, 'm>(candidate: &'c Candidate<'m>, views: &[&'c View<'m>], request: &'c Request<'m>) -> Option<Read<'c, 'm>> {
    if request.pattern.filter.is_some() || !names_keys(candidate, views, request) {
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
    let how = How::Keys { views: views.to_vec(), count };
    Some(Read { candidate, request, how, partitions: Buckets::AtMost(count), others: Vec::new(), hidden: Vec::new() })
}

fn query<'c, 'm>(
    candidate: &'c Candidate<'m>,
    views: &[&'c View<'m>],
    request: &'c Request<'m>,
) -> Result<Read<'c, 'm>, Vec<Lack<'m>>> {
    let mut lacks = Vec::new();
    if request.transactional {
        let filters = request.pattern.filter.is_some() && names_keys(candidate, views, request);
        lacks.push(if filters { Lack::Filter } else { Lack::WholeKey });
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
    let equal = view.partition.iter().chain(view.sort.iter().take(equal)).collect();
    let hidden =
        if candidate.kind == Kind::Table { Vec::new() } else { views.iter().flat_map(|view| hides(view, request)).collect() };
    let how = How::Query { equal, last, discriminator };
    Ok(Read { candidate, request, how, partitions: fanout::partitions(view, request), others, hidden })
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
) -> Vec<Lack<'m>> {
    let mut lacks = Vec::new();
    let (asked, unasked) = when(view, request);
    let mut settled = asked;
    let mut known = true;
    match partition(view, request) {
        Ok(answered) => settled = settled.and(answered),
        Err(needs) => {
            known = false;
            lacks.extend(needs);
        }
    }
    lacks.extend(unasked);
    let (sort, unsorted) = sort(view, request);
    lacks.extend(unsorted);
    let settled = settled.and(sort.settled.clone());
    // Where the partition key is not given, a condition on a part of it is no second thing to complain of.
    let said = |condition: &&Condition| !known && in_partition(view, &condition.attribute.value);
    let left_over = settled.left_over(request, view.entity).into_iter().filter(|condition| !said(condition));
    lacks.extend(left_over.map(|condition| unanswered(view, condition)));
    lacks.extend(order(view.entity, request, &sort));
    lacks.extend(projection(candidate, view, request));
    each.push((view, sort));
    lacks
}

fn in_partition(view: &View<'_>, attribute: &str) -> bool {
    view.partition.iter().any(|key| key.attributes().any(|name| name == attribute))
}

/// Why the key does not answer a condition.
fn unanswered<'m>(view: &View<'m>, condition: &'m Condition) -> Lack<'m> {
    let attribute = condition.attribute.value.as_str();
    let is = if matches!(condition.comparison, Comparison::Contains(_) | Comparison::ContainsKey(_)) {
        "no key finds what lies inside a value"
    } else if in_partition(view, attribute) {
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
    Lack::Condition { condition, is }
}

/// Whether the entities of a list lie in one partition and come in one order.
fn together<'m>(each: &[(&View<'m>, Sort<'_, 'm>)], request: &Request<'m>) -> Option<Lack<'m>> {
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

type Asks<'c, 'm> = (usize, Option<(&'c KeyAttribute<'m>, Shape<'m>)>, Vec<Title<'m>>);

/// Step 6: the least condition that lets in no others; else the narrowest, with the entities it lets in.
fn condition<'c, 'm>(
    candidate: &'c Candidate<'m>,
    request: &Request<'m>,
    each: &[(&'c View<'m>, Sort<'c, 'm>)],
) -> Result<Asks<'c, 'm>, Lack<'m>> {
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

fn unique(lacks: Vec<Lack<'_>>) -> Vec<Lack<'_>> {
    let mut unique: Vec<Lack<'_>> = Vec::new();
    for lack in lacks {
        if !unique.contains(&lack) {
            unique.push(lack);
        }
    }
    unique
}
