//! The request that serves a pattern, in short: `Query pk = "A#{a}" and begins_with(sk, "B#"), backward, limit 20`.

use super::candidate::{Candidate, KeyAttribute, View};
use super::request::{Range, Request};
use super::serve::{How, Read};
use super::sort::Shape;
use super::spelling::{print, substitute};
use crate::model::{Consistency, InValues, Literal, Operand, TemplatePart};
use std::fmt::Write as _;

/// The request of a read.
pub(super) fn read(read: &Read<'_, '_>) -> String {
    let request = read.request;
    match &read.how {
        How::Keys { views, count } => keys(request, views, *count),
        How::Query { equal, last, discriminator } => query(request, equal, last.as_ref(), *discriminator),
        How::Scan { discriminator } => scan(read.candidate, request, *discriminator),
    }
}

/// A write of one item by its key.
pub(super) fn write(verb: &str, request: &Request<'_>, view: &View<'_>) -> String {
    format!("{verb} {}", key(request, view.key()))
}

fn keys(request: &Request<'_>, views: &[&View<'_>], count: u64) -> String {
    let verb = match count {
        _ if request.transactional => "TransactGetItems",
        0 | 1 => "GetItem",
        _ => "BatchGetItem",
    };
    let consistent = if request.pattern.consistency == Consistency::Strong { ", consistent" } else { "" };
    format!("{verb} {}{consistent}", views.iter().map(|view| key(request, view.key())).collect::<Vec<_>>().join("; "))
}

fn key<'k, 'm: 'k>(request: &Request<'_>, keys: impl Iterator<Item = &'k KeyAttribute<'m>>) -> String {
    keys.map(|key| equal(key, request)).collect::<Vec<_>>().join(" and ")
}

/// Of one partition, or of several one after the other.
fn query<'m>(
    request: &Request<'m>,
    known: &[&KeyAttribute<'m>],
    last: Option<&(&KeyAttribute<'m>, Shape<'m>)>,
    discriminator: Option<&str>,
) -> String {
    let mut conditions: Vec<String> = known.iter().map(|key| equal(key, request)).collect();
    conditions.extend(last.map(|(key, shape)| asked(key, shape, request)));
    let mut order = request.pattern.order.iter().filter(|order| request.equal(&order.attribute.value).is_none());
    let direction = if order.next().is_some_and(|order| order.descending) { ", backward" } else { "" };
    format!("Query {}{direction}{}", conditions.join(" and "), tail(request, discriminator))
}

fn scan(candidate: &Candidate<'_>, request: &Request<'_>, discriminator: Option<&str>) -> String {
    let segments = request.pattern.segments.map(|segments| format!(", {segments} segments")).unwrap_or_default();
    format!("Scan {}{segments}{}", candidate.table.key, tail(request, discriminator))
}

fn tail(request: &Request<'_>, discriminator: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(limit) = request.pattern.limit {
        let _ = write!(text, ", limit {limit}");
    }
    if request.pattern.consistency == Consistency::Strong {
        text.push_str(", consistent");
    }
    let mut filters = Vec::new();
    if let Some(name) = discriminator {
        let names: Vec<String> = request.entities.iter().map(|entity| format!("'{}'", entity.name)).collect();
        filters.push(match names.as_slice() {
            [one] => format!("{name} = {one}"),
            many => format!("{name} in ({})", many.join(", ")),
        });
    }
    let filter = request.pattern.filter.iter().flat_map(|filter| &filter.conditions);
    filters.extend(filter.map(ToString::to_string));
    if !filters.is_empty() {
        let _ = write!(text, ", filter {}", filters.join(" and "));
    }
    text
}

fn equal(key: &KeyAttribute<'_>, request: &Request<'_>) -> String {
    match key.bare().map(|name| (request.equal(name), request.within(name))) {
        Some((Some(value), _)) => format!("{} = {value}", key.name),
        Some((_, Some(InValues::Parameter(name)))) => format!("{} = each of :{name}", key.name),
        Some((_, Some(values))) => format!("{} = each of {values}", key.name),
        Some((None, None)) => format!("{} = :{}", key.name, key.bare().unwrap_or(key.name)),
        None => format!("{} = {}", key.name, text(&key.parts, request, "")),
    }
}

fn asked(key: &KeyAttribute<'_>, shape: &Shape<'_>, request: &Request<'_>) -> String {
    let name = key.name;
    match shape {
        Shape::Prefix(prefix) => format!("begins_with({name}, {})", text(prefix, request, "")),
        Shape::BeginsWith(_, _, value) if key.bare().is_some() => format!("begins_with({name}, {value})"),
        Shape::BeginsWith(prefix, part, value) => {
            format!("begins_with({name}, {})", text(prefix, request, &printed(part, value)))
        }
        Shape::Range(_, _, range) if key.bare().is_some() => ranged(name, *range, Operand::to_string),
        Shape::Range(prefix, part, range) if prefix.is_empty() => {
            ranged(name, *range, |value| text(&[], request, &printed(part, value)))
        }
        Shape::Range(prefix, part, range) => {
            let end = |end: Option<(&Operand, bool)>| match end {
                Some((value, included)) => {
                    let excluded = if included { "" } else { " (excluded)" };
                    format!("{}{excluded}", text(prefix, request, &printed(part, value)))
                }
                None => text(prefix, request, ""),
            };
            let open = if range.upper.is_none() { " (its last)" } else { "" };
            format!("{name} between {} and {}{open}", end(range.lower), end(range.upper))
        }
        Shape::Between { common, low, high, .. } => {
            format!("{name} between {} and {}", text(common, request, low), text(common, request, high))
        }
    }
}

fn ranged(name: &str, range: Range<'_>, print: impl Fn(&Operand) -> String) -> String {
    if let (Some((low, true)), Some((high, true))) = (range.lower, range.upper) {
        return format!("{name} between {} and {}", print(low), print(high));
    }
    let low = range.lower.map(|(value, included)| format!("{name} {} {}", if included { ">=" } else { ">" }, print(value)));
    let high = range.upper.map(|(value, included)| format!("{name} {} {}", if included { "<=" } else { "<" }, print(value)));
    low.into_iter().chain(high).collect::<Vec<_>>().join(" and ")
}

/// A value as a placeholder prints it; a parameter as a placeholder of its own.
fn printed(part: &TemplatePart, value: &Operand) -> String {
    match (value, part) {
        (Operand::Literal(Literal::Text(text) | Literal::Number(text)), TemplatePart::Attribute { pad, case, .. }) => {
            print(text, *pad, *case)
        }
        (Operand::Parameter(name), TemplatePart::Attribute { pad, case, .. }) => {
            TemplatePart::Attribute { name: format!(":{name}"), pad: *pad, case: *case }.to_string()
        }
        _ => value.to_string(),
    }
}

/// A template in quotes, with the values the pattern writes out, and with more behind it.
fn text(parts: &[TemplatePart], request: &Request<'_>, more: &str) -> String {
    let printed: String = substitute(parts, request).iter().map(ToString::to_string).collect();
    format!("\"{printed}{more}\"")
}
