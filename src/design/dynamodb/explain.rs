//! What to say when nothing serves a pattern: the nearest table or index, and what it lacks.

use super::candidate::Candidate;
use super::lack::{Lack, quoted};
use super::request::Request;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Consistency, Pattern, Verb};

/// A table or index that does not serve, with all it lacks.
pub(super) type Refusal<'c, 'm> = (&'c Candidate<'m>, Vec<Lack<'m>>);

/// The error for a pattern that nothing serves.
pub(super) fn unserved(pattern: &Pattern, request: &Request<'_>, refusals: &[Refusal<'_, '_>]) -> Diagnostic {
    let holding = refusals.iter().filter(|(_, lacks)| !lacks.iter().any(|lack| matches!(lack, Lack::Absent { .. })));
    // The lightest want; among equals the table before its indexes, then by name.
    let nearest = holding.min_by_key(|(candidate, lacks)| {
        let weight: u32 = lacks.iter().map(Lack::weight).sum();
        (weight, candidate.kind, candidate.address.clone())
    });
    let Some((candidate, lacks)) = nearest else {
        let entities: Vec<&str> = request.entities.iter().map(|entity| entity.name.as_str()).collect();
        return not_held(pattern, &entities);
    };
    if let [Lack::Inseparable { entities, .. }] = lacks.as_slice() {
        let message = format!("`{}` on {candidate} would also return {}", pattern.name, quoted(entities));
        return Diagnostic::new(codes::CANNOT_SEPARATE, pattern.span, message)
            .context(candidate.span, "this one is read")
            .note(format!("{candidate} {}", sentence(lacks)))
            .help("add `discriminator: <text attribute>` to the table, or begin the sort keys of each entity with a word of its own")
            .of_pattern(&pattern.name)
            .at(&candidate.address);
    }
    let message = format!("no table or index serves `{}`; the nearest is {candidate}, which {}", pattern.name, sentence(lacks));
    Diagnostic::new(codes::PATTERN_UNSERVED, pattern.span, message)
        .context(candidate.span, "the nearest")
        .help(advice(lacks, request))
        .of_pattern(&pattern.name)
        .at(&candidate.address)
}

/// The error for entities that no table, or no one table, holds.
pub(super) fn not_held(pattern: &Pattern, entities: &[&str]) -> Diagnostic {
    let message = match entities {
        [one] => format!("no table or index serves `{}`: no DynamoDB table holds `{one}`", pattern.name),
        many => format!("no table or index serves `{}`: no DynamoDB table holds {} together", pattern.name, quoted(many)),
    };
    Diagnostic::new(codes::PATTERN_UNSERVED, pattern.span, message)
        .help("name the entity under `holds` of a table, or say `unserved` with the reason")
        .of_pattern(&pattern.name)
}

/// What is missing, as one sentence without its subject.
pub(super) fn sentence(lacks: &[Lack]) -> String {
    let parts: Vec<String> = lacks.iter().map(ToString::to_string).collect();
    match parts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// What to do about the nearest: what it lacks, where that can be had, else the key of one that would serve.
fn advice(lacks: &[Lack<'_>], request: &Request<'_>) -> String {
    if matches!(request.pattern.verb, Verb::Scan(_)) {
        return "a scan reads every item of a table, outside transactions".to_owned();
    }
    match lacks {
        [Lack::Projection { attributes }] => {
            format!("add {} to its `projection`, or say with `select` what the caller needs", quoted(attributes))
        }
        [Lack::Filter, ..] => "leave `filter` to the caller, or read it outside a transaction".to_owned(),
        [Lack::WholeKey, ..] => "compare the whole key of a table with `=` or `in`, or read it outside a transaction".to_owned(),
        _ => proposal(request),
    }
}

fn proposal(request: &Request<'_>) -> String {
    // A global index lags behind.
    let one = if request.pattern.consistency == Consistency::Eventual { "an index" } else { "a table" };
    let mut partition: Vec<&str> = Vec::new();
    let mut sort: Vec<&str> = Vec::new();
    let order = request.pattern.order.iter().map(|order| order.attribute.value.as_str());
    let asked = request.conditions().iter().map(|condition| condition.attribute.value.as_str());
    for name in asked.chain(order) {
        let fixed = request.equal(name).is_some() || (request.within(name).is_some() && !partition.contains(&name));
        let part = if fixed { &mut partition } else { &mut sort };
        if !part.contains(&name) {
            part.push(name);
        }
    }
    match (partition.as_slice(), sort.as_slice()) {
        ([], _) => {
            format!(
                "{one} serves it whose partition key is made of constants, buckets and shards, or say `unserved` with the reason"
            )
        }
        (_, []) => format!(
            "{one} whose partition key is made of {} would serve it, or say `unserved` with the reason",
            quoted(&partition)
        ),
        _ => format!(
            "{one} whose partition key is made of {} and whose sort key of {} would serve it, or say `unserved` with the reason",
            quoted(&partition),
            quoted(&sort)
        ),
    }
}
