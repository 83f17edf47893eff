//! What the business keeps for a time only, and nothing deletes.

use super::requests;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Verb;
use crate::rules::Facts;
use crate::schema::Address;
use crate::source::Span;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    let deleted =
        |entity: &str| requests(model).iter().any(|pattern| matches!(&pattern.verb, Verb::Delete(of) if of.value == entity));
    for (name, entity) in &model.entities {
        let Some(retain) = entity.retain.as_ref().filter(|_| !deleted(name)) else { continue };
        let mut keeping: Vec<(Address, Span)> = Vec::new();
        for (key, table) in model.dynamodb.iter().flat_map(|section| &section.tables) {
            if table.ttl.is_none() && table.holds.iter().any(|holding| holding.entity.value == *name) {
                keeping.push((Address::DynamodbTable(key.clone()), table.span));
            }
        }
        for (key, table) in model.cql.iter().flat_map(|section| &section.tables) {
            let is_static = table.static_entity.as_ref().is_some_and(|of| of.value == *name);
            if table.ttl.is_none() && (is_static || table.holds.iter().any(|holding| holding.entity.value == *name)) {
                keeping.push((Address::CqlTable(None, key.clone()), table.span));
            }
        }
        for (address, span) in keeping {
            sink.push(
                Diagnostic::new(
                    codes::RETENTION_NOT_ENFORCED,
                    span,
                    format!("`{name}` is kept for a time, but `{address}` has no `ttl` and no pattern deletes it"),
                )
                .context(retain.span, "kept this long")
                .help(match address {
                    Address::CqlTable(..) => "say `ttl: retain`, or add the pattern that deletes it",
                    _ => "name the attribute with the end of its life as `ttl`, or add the pattern that deletes it",
                })
                .of_entity(name)
                .at(address),
            );
        }
    }
}
