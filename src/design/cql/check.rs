//! What must hold of a table before a pattern can be served: its columns have one type each, and its key tells rows apart.

mod engine;
mod index;
mod view;

use super::keyspace::cql_type;
use super::layout::{KeyColumn, Layout, Relation, Relations, key_columns};
use super::table::{columns, key_type};
use crate::design::scope::Scope;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{AttributeType, Cql, Model, Period, TemplatePart};
use crate::schema::Store;
use crate::schema::cql::Type;
use engine::Engines;
use std::collections::BTreeMap;

/// Checks every table; views are made of what their tables hold.
pub(super) fn check(model: &Model, section: &Cql, scope: &Scope<'_>, relations: &Relations<'_>, sink: &mut Sink) {
    let engines = Engines::of(section);
    engine::conditions(model, &|pattern| scope.stores(pattern).contains(&Store::Cql), &engines, sink);
    for relation in relations.tables() {
        let mut types: BTreeMap<&str, (Type, &str)> = BTreeMap::new();
        for layout in &relation.layouts {
            for column in layout.key() {
                key_column(relation, layout, column, &mut types, sink);
            }
            for &name in &layout.regular {
                let Some(attribute) = layout.entity.attributes.get(name) else { continue };
                let kind = cql_type(&attribute.kind);
                let (first, owner) = types.entry(name).or_insert_with(|| (kind.clone(), &layout.entity.name));
                if *first != kind {
                    let message =
                        format!("column `{name}` would be `{first}` for `{owner}` and `{kind}` for `{}`", layout.entity.name);
                    sink.push(
                        Diagnostic::new(codes::COLUMN_TYPE_DIFFERS, attribute.span, message)
                            .context(relation.span, "the table that holds both")
                            .help("give both attributes one type, or one of them another name")
                            .at(&relation.address),
                    );
                }
            }
            identity(relation, layout, sink);
        }
        counters(relation, sink);
        statics(relation, sink);
        let columns = columns(relation);
        index::check(relation, &columns, &engines, sink);
        view::check(relation, &columns, &engines, sink);
        engine::table(relation, &columns, &engines, sink);
    }
}

fn key_column<'m>(
    relation: &Relation<'_>,
    layout: &Layout<'m>,
    column: &KeyColumn<'m>,
    types: &mut BTreeMap<&'m str, (Type, &'m str)>,
    sink: &mut Sink,
) {
    let entity = &layout.entity.name;
    for attribute in column.attributes() {
        match layout.entity.attributes.get(attribute) {
            None => sink.push(
                Diagnostic::new(
                    codes::KEY_ATTRIBUTE_MISSING,
                    column.span,
                    format!("`{entity}` has no attribute `{attribute}`, which the key of `{}` needs", relation.address),
                )
                .context(layout.entity.span, "the entity")
                .help(format!("add `{attribute}` to `{entity}`, or give the column a template under `holds`"))
                .at(&relation.address),
            ),
            Some(found) if found.optional => sink.push(
                Diagnostic::new(
                    codes::OPTIONAL_IN_KEY,
                    column.span,
                    format!("`{entity}.{attribute}` may be absent, but it is in the key of `{}`", relation.address),
                )
                .context(found.span, "optional here")
                .note("a row without a value for every key column cannot be written")
                .at(&relation.address)
                .of_attribute(entity, attribute),
            ),
            Some(_) => {}
        }
    }
    let Some(kind) = key_type(relation, column, &|name| layout.kind(name)) else { return };
    let (first, owner) = types.entry(column.name).or_insert_with(|| (kind.clone(), entity));
    if *first != kind {
        sink.push(
            Diagnostic::new(
                codes::KEY_TYPE_DIFFERS,
                column.span,
                format!("key column `{}` would be `{first}` for `{owner}` and `{kind}` for `{entity}`", column.name),
            )
            .help(format!("say its type under `key_types`, or give one of them a template that prints `{first}`"))
            .at(&relation.address),
        );
    }
    said_type(relation, layout, column, &kind, sink);
    if let Some(why) = not_a_key(&kind) {
        let message = format!("`{}` is `{kind}`, which cannot be in a key of a CQL table", column.name);
        sink.push(Diagnostic::new(codes::NOT_A_KEY_TYPE, column.span, message).note(why).at(&relation.address).of_entity(entity));
    }
}

/// What `key_types` says must be the type that the column has by itself, or one that what is printed into it can be read as.
fn said_type(relation: &Relation<'_>, layout: &Layout<'_>, column: &KeyColumn<'_>, kind: &Type, sink: &mut Sink) {
    let Some(said) = relation.table.key_types.get(column.name) else { return };
    let wanted = cql_type(&said.value);
    let (entity, name) = (&layout.entity.name, column.name);
    let (message, help) = if wanted != *kind {
        (
            format!("`{name}` of `{entity}` is `{kind}`, not `{wanted}`"),
            "leave it out of `key_types`, which are for constants and templates",
        )
    } else if column.bare().is_none() && !printed_as(&column.parts, &wanted) {
        (format!("`{name}` of `{entity}` is printed by a template, which makes no `{wanted}`"), "say `text`, or leave it out")
    } else {
        return;
    };
    sink.push(
        Diagnostic::new(codes::KEY_TYPE_DIFFERS, said.span, message)
            .context(column.span, "the column")
            .help(help)
            .at(&relation.address)
            .of_entity(entity),
    );
}

/// Whether what a template prints is a value of a type; constants are looked at one by one.
fn printed_as(parts: &[TemplatePart], wanted: &Type) -> bool {
    let Type::Native(wanted) = wanted else { return false };
    match (parts, *wanted) {
        ([TemplatePart::Literal(_)], _)
        | (_, "text" | "ascii")
        | ([TemplatePart::Bucket { .. } | TemplatePart::Shard { .. }], "int" | "bigint") => true,
        ([TemplatePart::Bucket { period, .. }], "date") => period.has_dates(),
        ([TemplatePart::Bucket { period, .. }], "smallint") => *period == Period::Year,
        ([TemplatePart::Shard { into, .. }], "tinyint") => *into <= 1 << 7,
        ([TemplatePart::Shard { into, .. }], "smallint") => *into <= 1 << 15,
        _ => false,
    }
}

/// Why a type cannot be that of a key column (Apache Cassandra `schema/TableMetadata.java`).
fn not_a_key(kind: &Type) -> Option<&'static str> {
    match kind {
        Type::Native(name) if *name == "counter" => Some("a counter can only be incremented"),
        Type::Native(name) if *name == "duration" => Some("durations have no order: a month is not a number of days"),
        Type::List(_) | Type::Set(_) | Type::Map(..) | Type::User(_) => Some("inside a key it must be `frozen<…>`"),
        Type::Frozen(of) => match of.as_ref() {
            Type::List(of) | Type::Set(of) => not_a_key(&frozen(of)),
            Type::Map(key, value) => not_a_key(&frozen(key)).or_else(|| not_a_key(&frozen(value))),
            _ => None,
        },
        Type::Tuple(parts) => parts.iter().find_map(|part| not_a_key(&frozen(part))),
        Type::Vector(of, _) => not_a_key(&frozen(of)),
        _ => None,
    }
}

/// A type inside `frozen<…>`, where everything is frozen.
fn frozen(kind: &Type) -> Type {
    match kind {
        Type::List(_) | Type::Set(_) | Type::Map(..) | Type::User(_) => Type::Frozen(Box::new(kind.clone())),
        other => other.clone(),
    }
}

/// The key must spell out the entity's identity, else one row overwrites another.
fn identity(relation: &Relation<'_>, layout: &Layout<'_>, sink: &mut Sink) {
    let spelt: Vec<&str> = layout.key().flat_map(KeyColumn::spelt_out).collect();
    let entity = layout.entity;
    let lacking: Vec<String> =
        entity.key.iter().filter(|name| !spelt.contains(&name.value.as_str())).map(|name| format!("`{}`", name.value)).collect();
    if lacking.is_empty() {
        return;
    }
    let held = relation.table.holds.iter().find(|holding| holding.entity.value == entity.name).map(|holding| &holding.entity);
    let span = held.or(relation.table.static_entity.as_ref()).map_or(relation.span, |name| name.span);
    let lacking = lacking.join(", ");
    let mut finding = Diagnostic::new(
        codes::KEY_NOT_UNIQUE,
        span,
        format!("rows of `{}` overwrite one another: the key of `{}` lacks {lacking}", entity.name, relation.address),
    )
    .at(&relation.address)
    .of_entity(&entity.name);
    if let Some(key) = entity.key.first() {
        finding = finding.context(key.span, "what tells two of them apart");
    }
    let help = if layout.is_static {
        format!("the key of a static entity is the partition key: add {lacking} to it, or give `{}` a table", entity.name)
    } else {
        format!("add {lacking} at the end of `clustering`")
    };
    sink.push(finding.help(help));
}

/// A table counts or stores, not both (Apache Cassandra and ScyllaDB refuse the mixture).
fn counters(relation: &Relation<'_>, sink: &mut Sink) {
    let columns =
        relation.layouts.iter().flat_map(|layout| layout.regular.iter().filter_map(|name| layout.entity.attributes.get(*name)));
    let is_counter = |kind: &AttributeType| matches!(kind, AttributeType::Counter);
    let (counters, others): (Vec<_>, Vec<_>) = columns.partition(|attribute| is_counter(&attribute.kind));
    if let (Some(counter), Some(other)) = (counters.first(), others.first()) {
        sink.push(
            Diagnostic::new(
                codes::COUNTER_MIXED,
                counter.span,
                format!("`{}` holds counters and other columns", relation.address),
            )
            .label("a counter")
            .context(other.span, "not a counter")
            .help("keep the counters in a table of their own, with `columns` that lists only them")
            .at(&relation.address),
        );
    }
}

/// A static column has one value a partition; a column of the key has one a row.
fn statics(relation: &Relation<'_>, sink: &mut Sink) {
    for attribute in &relation.table.static_attributes {
        if key_columns(relation.table).any(|column| column == attribute.value) {
            sink.push(
                Diagnostic::new(codes::STATIC_KEY, attribute.span, format!("`{}` is in the primary key", attribute.value))
                    .help("leave it out of `static`: a column of the key is not stored beside the rows")
                    .at(&relation.address),
            );
        }
    }
    let Some(name) = &relation.table.static_entity else { return };
    for layout in relation.layouts.iter().filter(|layout| layout.is_static && layout.entity.name == name.value) {
        let is_of_key = |column: &&KeyColumn<'_>| layout.entity.key.iter().any(|key| column.bare() == Some(key.value.as_str()));
        let Some(more) = layout.partition.iter().find(|column| !is_of_key(column)) else { continue };
        sink.push(
            Diagnostic::new(
                codes::STATIC_KEY,
                name.span,
                format!(
                    "`{}` has one key for many partitions: `{}` is part of the partition key and not of its",
                    name.value, more.name
                ),
            )
            .note("the values of a static entity stand once in each partition, so its key is the partition key")
            .context(more.span, "this column")
            .help(format!("give `{}` a table of its own, or add the column to its `key`", name.value))
            .at(&relation.address)
            .of_entity(&name.value),
        );
    }
}
