//! What the business keeps for a time only, and nothing deletes.

use super::requests;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Verb;
use crate::rules::Facts;
use crate::schema::Address;
use crate::source::Span;
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    let deleted: BTreeSet<&str> = requests(model)
        .into_iter()
        .filter_map(|pattern| match &pattern.verb {
            Verb::Delete(entity) => Some(entity.value.as_str()),
            _ => None,
        })
        .collect();
    let mut judge = |entity: &str, address: &Address, span: Span| {
        let Some(entity) = model.entities.get(entity).filter(|entity| !deleted.contains(entity.name.as_str())) else { return };
        let Some(retain) = &entity.retain else { return };
        sink.push(
            Diagnostic::new(
                codes::RETENTION_NOT_ENFORCED,
                span,
                format!("`{}` is kept for a time, but `{address}` has no `ttl` and no pattern deletes it", entity.name),
            )
            .context(retain.span, "kept this long")
            .help(match address {
                Address::CqlTable(..) => "say `ttl: retain`, or add the pattern that deletes it",
                _ => "name the attribute with the end of its life as `ttl`, or add the pattern that deletes it",
            })
            .of_entity(&entity.name)
            .at(address),
        );
    };
    for (key, table) in model.dynamodb.iter().flat_map(|section| &section.tables).filter(|(_, table)| table.ttl.is_none()) {
        let address = Address::DynamodbTable(key.clone());
        table.holds.iter().for_each(|holding| judge(&holding.entity.value, &address, table.span));
    }
    for (key, table) in model.cql.iter().flat_map(|section| &section.tables).filter(|(_, table)| table.ttl.is_none()) {
        let address = Address::CqlTable(None, key.clone());
        let held = table.holds.iter().map(|holding| &holding.entity).chain(&table.static_entity);
        held.for_each(|entity| judge(&entity.value, &address, table.span));
    }
}
