//! A write says with `where` which item it means: all else that is asked of the item belongs into `if`.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Comparison, Condition, CqlTable, DynamodbTable, Entity, Holding, Model, PartitionPart, Pattern, Verb, Where};

/// Error `bad-pattern` for conditions of writes that name one item already, on attributes by which nothing finds or places it.
pub(super) fn check(report: &mut Report<'_>, model: &Model) {
    for pattern in model.patterns.values() {
        match &pattern.verb {
            Verb::Transaction(entries) | Verb::Batch(entries) => entries.iter().for_each(|entry| one(entry, model, report)),
            _ => one(pattern, model, report),
        }
    }
}

fn one(pattern: &Pattern, model: &Model, report: &mut Report<'_>) {
    let (Verb::Update(name) | Verb::Delete(name)) = &pattern.verb else { return };
    let (Some(entity), Some(asked)) = (model.entities.get(&name.value), &pattern.conditions) else { return };
    let of_key = |condition: &&Condition| entity.key.iter().any(|key| key.value == condition.attribute.value);
    let equal = |condition: &&Condition| matches!(condition.comparison, Comparison::Equal(_));
    // Each attribute has one `=`.
    if asked.conditions.iter().filter(of_key).filter(equal).count() < entity.key.len() {
        return;
    }
    for condition in asked.conditions.iter().filter(|condition| !of_key(condition)) {
        let attribute = condition.attribute.value.as_str();
        if entity.attributes.contains_key(attribute) && !places(model, entity, attribute) {
            let message = format!("`{condition}` does not tell which `{}` is meant: its key is given already", entity.name);
            report.push(
                Diagnostic::new(codes::BAD_PATTERN, condition.span, message)
                    .help("put it into `if`, where it is asked of the item")
                    .of_pattern(&pattern.name),
            );
        }
    }
}

/// Whether an attribute decides where some table keeps an item, or whether an index has it. Where it is not known which tables
/// hold it, any may.
fn places(model: &Model, entity: &Entity, attribute: &str) -> bool {
    let holds = |holds: &[Holding]| holds.iter().any(|holding| holding.entity.value == entity.name);
    let is_static = |table: &CqlTable| table.static_entity.as_ref().is_some_and(|name| name.value == entity.name);
    let mut is_known = false;
    if let Some(section) = &model.dynamodb {
        // A table of another model, which is not known while each is read by itself.
        if section.shared.iter().any(|(key, shared)| holds(&shared.holds) && !section.tables.contains_key(key)) {
            return true;
        }
        for table in section.tables.values().filter(|table| holds(&table.holds)) {
            if in_dynamodb(table, &entity.name, attribute) {
                return true;
            }
            is_known = true;
        }
    }
    for table in model.cql.iter().flat_map(|section| section.tables.values()) {
        if holds(&table.holds) || is_static(table) {
            if in_cql(table, &entity.name, attribute) {
                return true;
            }
            is_known = true;
        }
    }
    !is_known
}

fn in_dynamodb(table: &DynamodbTable, entity: &str, attribute: &str) -> bool {
    let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
    let local = table.local_indexes.values().map(|index| &index.sort_key);
    let global = table.global_indexes.values().flat_map(|index| index.partition_key.iter().chain(&index.sort_key));
    own.chain(local).chain(global).any(|key| made_from(&table.holds, entity, &key.value, attribute))
}

fn in_cql(table: &CqlTable, entity: &str, attribute: &str) -> bool {
    let partition = table.partition_key.iter().any(|part| match &part.value {
        PartitionPart::Attribute(column) => made_from(&table.holds, entity, column, attribute),
        PartitionPart::Bucket { attribute: of, .. } | PartitionPart::Shard { attribute: of, .. } => of == attribute,
    });
    partition || table.clustering.iter().any(|order| made_from(&table.holds, entity, &order.attribute.value, attribute))
}

/// Whether an entity's value of a key comes from an attribute.
fn made_from(holds: &[Holding], entity: &str, key: &str, attribute: &str) -> bool {
    let holding = holds.iter().find(|holding| holding.entity.value == entity);
    match holding.and_then(|holding| holding.keys.get(key)) {
        None => key == attribute,
        Some(value) => {
            let mut named = value.template.attributes().chain(value.when.iter().flat_map(Where::attributes));
            named.any(|name| name == attribute)
        }
    }
}
