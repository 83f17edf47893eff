//! The request that serves a pattern, in short: `Query pk = "A#{a}" and begins_with(sk, "B#"), backward, limit 20`.

use super::candidate::{Candidate, KeyAttribute};
use super::request::{Range, Request};
use super::sort::Shape;
use super::spelling::substitute;
use crate::model::{Consistency, InValues, Operand, TemplatePart};
use std::fmt::Write as _;

/// `GetItem`, `BatchGetItem` or `TransactGetItems` of whole keys.
pub(super) fn get(request: &Request<'_>, keys: &[Vec<&KeyAttribute<'_>>], count: u64) -> String {
    let verb = match count {
        _ if request.transactional => "TransactGetItems",
        0 | 1 => "GetItem",
        _ => "BatchGetItem",
    };
    let consistent = if request.pattern.consistency == Consistency::Strong { ", consistent" } else { "" };
    format!("{verb} {}{consistent}", keys.iter().map(|keys| key(request, keys)).collect::<Vec<_>>().join("; "))
}

/// A key, as far as it is known.
fn key(request: &Request<'_>, keys: &[&KeyAttribute<'_>]) -> String {
    keys.iter().map(|key| equal(key, request)).collect::<Vec<_>>().join(" and ")
}

/// A write of one item by its key.
pub(super) fn write(verb: &str, request: &Request<'_>, keys: &[&KeyAttribute<'_>]) -> String {
    format!("{verb} {}", key(request, keys))
}

/// Query of one partition or of several, one after the other.
pub(super) fn query(
    request: &Request<'_>,
    equal_keys: &[&KeyAttribute<'_>],
    last: Option<(&KeyAttribute<'_>, &Shape<'_>)>,
    discriminator: Option<&str>,
) -> String {
    let mut conditions: Vec<String> = equal_keys.iter().map(|key| equal(key, request)).collect();
    if let Some((key, shape)) = last {
        conditions.push(asked(key, shape, request));
    }
    let mut text = format!("Query {}", conditions.join(" and "));
    if request
        .pattern
        .order
        .iter()
        .find(|order| request.equal(&order.attribute.value).is_none())
        .is_some_and(|order| order.descending)
    {
        text.push_str(", backward");
    }
    text.push_str(&tail(request, discriminator));
    text
}

/// Scan of a table.
pub(super) fn scan(candidate: &Candidate<'_>, request: &Request<'_>, discriminator: Option<&str>) -> String {
    let mut text = format!("Scan {}", candidate.table.key);
    if let Some(segments) = request.pattern.segments {
        let _ = write!(text, ", {segments} segments");
    }
    text.push_str(&tail(request, discriminator));
    text
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
        _ => format!("{} = {}", key.name, text(&key.parts, request, "")),
    }
}

fn asked(key: &KeyAttribute<'_>, shape: &Shape<'_>, request: &Request<'_>) -> String {
    let name = key.name;
    match shape {
        Shape::Prefix(prefix) => format!("begins_with({name}, {})", text(prefix, request, "")),
        Shape::BeginsWith(prefix, _, value) if prefix.is_empty() => format!("begins_with({name}, {value})"),
        Shape::BeginsWith(prefix, _, value) => format!("begins_with({name}, {})", text(prefix, request, &of(value))),
        Shape::Range(prefix, _, range) if prefix.is_empty() => ranged(name, *range),
        Shape::Range(prefix, part, range) => {
            let end = |end: Option<(&Operand, bool)>| match end {
                Some((value, included)) => {
                    let value = part.to_string().replacen(part.attribute().unwrap_or_default(), &value.to_string(), 1);
                    let excluded = if included { "" } else { " (excluded)" };
                    format!("{}{excluded}", text(prefix, request, &value))
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

fn ranged(name: &str, range: Range<'_>) -> String {
    match (range.lower, range.upper) {
        (Some((low, true)), Some((high, true))) => format!("{name} between {low} and {high}"),
        (low, high) => {
            let low = low.map(|(value, included)| format!("{name} {} {value}", if included { ">=" } else { ">" }));
            let high = high.map(|(value, included)| format!("{name} {} {value}", if included { "<=" } else { "<" }));
            low.into_iter().chain(high).collect::<Vec<_>>().join(" and ")
        }
    }
}

fn of(value: &Operand) -> String {
    match value {
        Operand::Parameter(name) => format!("{{:{name}}}"),
        literal @ Operand::Literal(_) => literal.to_string().trim_matches('\'').to_owned(),
    }
}

/// A template in quotes, with the values the pattern writes out, and with more behind it.
fn text(parts: &[TemplatePart], request: &Request<'_>, more: &str) -> String {
    let printed: String = substitute(parts, request).iter().map(ToString::to_string).collect();
    format!("\"{printed}{more}\"")
}
