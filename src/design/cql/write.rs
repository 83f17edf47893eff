//! Where a write goes: one statement for each table that holds the entity. Views look after themselves.

use super::guard;
use super::layout::{KeyColumn, Layout, Relation};
use super::read::{Side, conditions, query};
use super::restrict::{Query, comparisons, equal};
use super::serve::{Read, locate};
use crate::design::{Operations, Service};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{AttributeType, Comparison, CqlTtl, Entity, Guard, Operand, Pattern, TemplatePart, Verb};
use crate::schema::cql::identifier;
use crate::schema::{Address, Store};
use crate::source::Spanned;
use std::collections::BTreeSet;

/// A statement of a write.
pub(super) struct Write<'p> {
    pub(super) service: Service,
    pub(super) partition: Partition<'p>,
    /// It is on a table of counters: adding to them, or a deletion (`ModificationStatement.isCounter`).
    pub(super) counts: bool,
    /// Why it goes without the `if` of its pattern.
    unguarded: Option<Diagnostic>,
}

/// A partition of a table as a statement names it: what is equal is one partition.
#[derive(PartialEq)]
pub(super) struct Partition<'p> {
    table: &'p Address,
    /// Each key column, and where its values come from.
    columns: Vec<(&'p [TemplatePart], Vec<Option<&'p Comparison>>)>,
    /// Each statement of several names its own.
    several: bool,
}

/// The statements of a `put`, `update` or `delete`.
pub(super) fn writes<'p>(side: &Side<'p>, pattern: &'p Pattern, entity: &Entity, sink: &mut Sink) -> Vec<Write<'p>> {
    if matches!(pattern.verb, Verb::Update(_)) && !names_one_row(pattern, entity, sink) {
        return Vec::new();
    }
    let via: Vec<_> = pattern.via.iter().filter(|address| address.value.store() == Some(Store::Cql)).collect();
    let tables = || side.relations.holding(&entity.name).filter(|relation| !relation.is_view);
    let holding = || tables().filter_map(|relation| relation.layout(&entity.name).map(|layout| (relation, layout)));
    for address in &via {
        if !holding().any(|(relation, _)| relation.address == address.value) {
            let message =
                format!("`{}` cannot take `{}`: it is no table that holds `{}`", address.value, pattern.name, entity.name);
            sink.push(
                Diagnostic::new(codes::VIA_CANNOT_SERVE, address.span, message).of_pattern(&pattern.name).at(&address.value),
            );
        } else if holding().all(|(relation, _)| via.iter().any(|address| address.value == relation.address)) {
            let message = format!("`{}` goes to all tables that hold `{}` anyway", pattern.name, entity.name);
            sink.push(
                Diagnostic::new(codes::VIA_NEEDLESS, address.span, message)
                    .help("remove `via`")
                    .of_pattern(&pattern.name)
                    .at(&address.value),
            );
        }
    }
    if holding().next().is_some() && !increments_counters(pattern, entity, sink) {
        return Vec::new();
    }
    let mut writes = Vec::new();
    for (relation, layout) in holding() {
        if !via.is_empty() && via.iter().all(|address| address.value != relation.address) {
            continue;
        }
        let found = match &pattern.verb {
            Verb::Put(_) => put(side, pattern, relation, layout, sink),
            Verb::Update(_) => update(side, pattern, relation, layout, sink),
            _ => Some(delete(side, pattern, relation, layout, sink)),
        };
        writes.extend(found);
    }
    // One table that takes the `if` is enough: those that cannot are its copies, which are written when it was applied.
    if writes.iter().all(|write| write.unguarded.is_some()) {
        sink.extend(writes.iter_mut().filter_map(|write| write.unguarded.take()));
    }
    writes
}

/// An update on CQL names all key columns by `=`, so the pattern must name the row.
fn names_one_row(pattern: &Pattern, entity: &Entity, sink: &mut Sink) -> bool {
    let given = given(pattern);
    let lacking: Vec<String> =
        entity.key.iter().filter(|name| !given.contains(name.value.as_str())).map(|name| format!("`{}`", name.value)).collect();
    if lacking.is_empty() {
        return true;
    }
    let span = pattern.conditions.as_ref().map_or(pattern.span, |conditions| conditions.span);
    sink.push(
        Diagnostic::new(
            codes::RANGE_WRITE,
            span,
            format!("`{}` names no single row: it lacks {}", pattern.name, lacking.join(", ")),
        )
        .note("a CQL UPDATE compares every key column with `=`")
        .help(format!("compare {} with `=`, or read the rows first and update each", lacking.join(" and ")))
        .of_pattern(&pattern.name)
        .of_entity(&entity.name),
    );
    false
}

/// Adding is for counters (model language, section 4).
fn increments_counters(pattern: &Pattern, entity: &Entity, sink: &mut Sink) -> bool {
    let kind = |name: &Spanned<String>| entity.attributes.get(&name.value).map(|attribute| &attribute.kind);
    let mut others = pattern.increment.iter().filter_map(|name| Some((name, kind(name)?)));
    let Some((name, kind)) = others.find(|(_, kind)| **kind != AttributeType::Counter) else { return true };
    let message = format!("`{}` is {kind}, and on CQL only a counter can be added to", name.value);
    sink.push(
        Diagnostic::new(codes::BAD_PATTERN, name.span, message)
            .help(
                "make it a `counter`, in a table of counters, or read the value and `set` the sum, with an `if` on what was read",
            )
            .of_pattern(&pattern.name)
            .of_attribute(&entity.name, &name.value),
    );
    false
}

fn put<'p>(
    side: &Side<'_>,
    pattern: &'p Pattern,
    relation: &'p Relation<'_>,
    layout: &'p Layout<'_>,
    sink: &mut Sink,
) -> Option<Write<'p>> {
    if let Some(counter) = layout.regular.iter().find(|name| is_counter(layout, name)) {
        sink.push(
            Diagnostic::new(codes::COUNTER_WRITTEN, pattern.span, format!("`{}` puts `{counter}`, a counter", pattern.name))
                .note("a counter starts with its first `increment`; there is no INSERT")
                .help("use an `update` with `increment`")
                .of_pattern(&pattern.name)
                .at(&relation.address),
        );
        return None;
    }
    let unguarded = guard::refusal(pattern, relation, layout, None);
    let guard = guarded(pattern, unguarded.as_ref());
    let statement = side.operations.text(|| match guard {
        // An INSERT knows no other condition than IF NOT EXISTS.
        Some(Guard::Exists | Guard::Where(_)) => {
            let settings: Vec<String> = layout.regular.iter().map(|name| assignment(name)).collect();
            update_statement(side, relation, layout, &settings, guard)
        }
        _ => format!("{}{}{}", insert(side, relation, layout), guard_text(guard, layout), ttl(relation)),
    });
    Some(Write { unguarded, ..write(relation, layout, pattern, statement) })
}

fn update<'p>(
    side: &Side<'_>,
    pattern: &'p Pattern,
    relation: &'p Relation<'_>,
    layout: &'p Layout<'_>,
    sink: &mut Sink,
) -> Option<Write<'p>> {
    let set: Vec<&str> = pattern.set.iter().map(|name| name.value.as_str()).collect();
    let increment: Vec<&str> = pattern.increment.iter().map(|name| name.value.as_str()).collect();
    let placing: Vec<&str> = set.iter().copied().filter(|name| layout.placed_by(name)).collect();
    let stored: Vec<&str> = set.iter().copied().filter(|name| layout.regular.contains(name)).collect();
    let counted: Vec<&str> = increment.iter().copied().filter(|name| layout.regular.contains(name)).collect();
    if placing.is_empty() && stored.is_empty() && counted.is_empty() {
        return None;
    }
    let mut given = given(pattern);
    given.extend(&set);
    // An UPDATE of a row that is not there would make it.
    let conditions = layout.when.iter().map(|condition| condition.attribute.value.as_str());
    needs_read(side, pattern, relation, layout, (&given, conditions), sink);
    let unguarded = guard::refusal(pattern, relation, layout, None);
    if placing.is_empty() {
        let statement = side.operations.text(|| {
            let settings = stored.into_iter().map(assignment);
            let additions = counted.iter().map(|name| format!("{0} = {0} + :{0}", identifier(name)));
            let settings: Vec<String> = settings.chain(additions).collect();
            update_statement(side, relation, layout, &settings, guarded(pattern, unguarded.as_ref()))
        });
        return Some(Write { unguarded, ..write(relation, layout, pattern, statement) });
    }
    let names: Vec<String> = placing.iter().map(|name| format!("`{name}`")).collect();
    let span = pattern.set.iter().find(|name| placing.contains(&name.value.as_str())).map_or(pattern.span, |name| name.span);
    let (does, why) = if placing.iter().any(|name| layout.keyed_by(name)) {
        (
            "is in the key of",
            "a key cannot be changed: the row is deleted and written again, and the previous value must be known",
        )
    } else {
        ("decides what is in", "by the new value the row is written or deleted there, and its other values must be known")
    };
    sink.push(
        Diagnostic::new(
            codes::KEY_ATTRIBUTE_UPDATED,
            span,
            format!("`{}` sets {}, which {does} `{}`", pattern.name, names.join(", "), relation.address),
        )
        .context(relation.span, "the table")
        .note(why)
        .of_pattern(&pattern.name)
        .at(&relation.address),
    );
    let statement = side.operations.text(|| {
        let key = key_text(relation, layout, "previous_");
        format!("DELETE FROM {} WHERE {key}; {}{}", target(side, relation), insert(side, relation, layout), ttl(relation))
    });
    Some(Write { unguarded, ..write(relation, layout, pattern, statement) })
}

fn delete<'p>(
    side: &Side<'_>,
    pattern: &'p Pattern,
    relation: &'p Relation<'_>,
    layout: &'p Layout<'_>,
    sink: &mut Sink,
) -> Write<'p> {
    let wanted = query(side, pattern, vec![layout.entity]);
    let located = locate(relation, &wanted, None, side.engine).ok();
    let unguarded = guard::refusal(pattern, relation, layout, located.as_ref());
    let guard = guarded(pattern, unguarded.as_ref());
    if let Some(located) = located {
        let rows = || located.texts.join(" AND ");
        let statement = side.operations.text(|| delete_statement(side, relation, layout, &rows(), guard));
        let mut write = Write { unguarded, ..write(relation, layout, pattern, statement) };
        write.service.partitions = located.partitions.count();
        return write;
    }
    needs_read(side, pattern, relation, layout, (&given(pattern), std::iter::empty()), sink);
    let statement = side.operations.text(|| delete_statement(side, relation, layout, &key_text(relation, layout, ""), guard));
    Write { unguarded, ..write(relation, layout, pattern, statement) }
}

/// Says which read must come first, when a table's key, or what else places the row, needs attributes that the pattern does not
/// give.
fn needs_read<'l>(
    side: &Side<'_>,
    pattern: &Pattern,
    relation: &Relation<'_>,
    layout: &'l Layout<'_>,
    (given, more): (&BTreeSet<&str>, impl Iterator<Item = &'l str>),
    sink: &mut Sink,
) {
    let mut lacking: Vec<&str> = Vec::new();
    for attribute in layout.key().flat_map(KeyColumn::attributes).chain(more) {
        let known = layout.entity.attributes.get_key_value(attribute).map(|(name, _)| name.as_str());
        if let Some(name) = known.filter(|name| !given.contains(name) && !lacking.contains(name)) {
            lacking.push(name);
        }
    }
    if lacking.is_empty() {
        return;
    }
    let names: Vec<String> = lacking.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    let mut finding = Diagnostic::new(
        codes::WRITE_NEEDS_READ,
        pattern.span,
        format!("`{}` must read {names} before it can write to `{}`", pattern.name, relation.address),
    )
    .context(relation.span, format!("its key needs {names}"))
    .of_pattern(&pattern.name)
    .at(&relation.address);
    let read = first_read(side, pattern, layout.entity, &lacking);
    finding = match read {
        Some(read) => finding.note(format!("`{}` gives them: {}", read.address, read.statement)),
        None => finding.note("no table gives them for what the pattern knows"),
    };
    sink.push(finding.help(format!("compare {names} in `where`, or allow the finding with the read as its reason")));
}

/// The best read that gives some attributes of the rows that a write means.
fn first_read<'m>(side: &Side<'m>, pattern: &'m Pattern, entity: &'m Entity, attributes: &[&'m str]) -> Option<Read> {
    let wanted = Query {
        pattern,
        entities: vec![entity],
        conditions: conditions(pattern),
        order: &[],
        select: attributes.to_vec(),
        filter: None,
        whole_keys: false,
        operations: Operations::Written,
    };
    let (reads, _) = side.candidates(&wanted);
    reads.into_iter().min_by_key(|read| read.rank)
}

/// The attributes that `where` fixes.
fn given(pattern: &Pattern) -> BTreeSet<&str> {
    let fixes = |comparison: &Comparison| matches!(comparison, Comparison::Equal(_) | Comparison::In(_));
    let fixing = conditions(pattern).iter().filter(|condition| fixes(&condition.comparison));
    fixing.map(|condition| condition.attribute.value.as_str()).collect()
}

fn is_counter(layout: &Layout<'_>, attribute: &str) -> bool {
    matches!(layout.kind(attribute), Some(AttributeType::Counter))
}

/// The `if` of a pattern, where its statement takes it.
fn guarded<'p>(pattern: &'p Pattern, unguarded: Option<&Diagnostic>) -> Option<&'p Guard> {
    pattern.guard.as_ref().filter(|_| unguarded.is_none()).map(|guard| &guard.value)
}

fn guard_text(guard: Option<&Guard>, layout: &Layout<'_>) -> String {
    match guard {
        None => String::new(),
        Some(Guard::Exists) => " IF EXISTS".to_owned(),
        Some(Guard::NotExists) => " IF NOT EXISTS".to_owned(),
        Some(Guard::Where(conditions)) => {
            let texts: Vec<String> = conditions
                .conditions
                .iter()
                .map(|condition| {
                    let name = &condition.attribute.value;
                    comparisons(name, layout.kind(name), &[(0, condition)])
                })
                .collect();
            format!(" IF {}", texts.join(" AND "))
        }
    }
}

/// A time to live by attribute stands in each write; the driver computes the seconds.
fn ttl(relation: &Relation<'_>) -> &'static str {
    match relation.table.ttl.as_ref().map(|ttl| &ttl.value) {
        Some(CqlTtl::Attribute(_)) => " USING TTL ?",
        _ => "",
    }
}

fn target(side: &Side<'_>, relation: &Relation<'_>) -> String {
    format!("{}.{}", identifier(side.keyspace), identifier(relation.name))
}

fn assignment(name: &str) -> String {
    format!("{0} = :{0}", identifier(name))
}

/// Without what may follow its values.
fn insert(side: &Side<'_>, relation: &Relation<'_>, layout: &Layout<'_>) -> String {
    let columns = layout.key().map(|column| column.name).chain(layout.regular.iter().copied());
    let names: Vec<String> = columns.map(identifier).collect();
    let values: Vec<String> = names.iter().map(|name| format!(":{name}")).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", target(side, relation), names.join(", "), values.join(", "))
}

fn delete_statement(side: &Side<'_>, relation: &Relation<'_>, layout: &Layout<'_>, rows: &str, guard: Option<&Guard>) -> String {
    format!("DELETE FROM {} WHERE {rows}{}", target(side, relation), guard_text(guard, layout))
}

fn update_statement(
    side: &Side<'_>,
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    settings: &[String],
    guard: Option<&Guard>,
) -> String {
    format!(
        "UPDATE {}{} SET {} WHERE {}{}",
        target(side, relation),
        ttl(relation),
        settings.join(", "),
        key_text(relation, layout, ""),
        guard_text(guard, layout)
    )
}

fn key_text(relation: &Relation<'_>, layout: &Layout<'_>, prefix: &str) -> String {
    let texts: Vec<String> = layout.key().map(|column| equal(relation, layout, column, prefix)).collect();
    texts.join(" AND ")
}

fn write<'p>(relation: &'p Relation<'_>, layout: &'p Layout<'_>, pattern: &'p Pattern, operation: String) -> Write<'p> {
    let columns = layout.partition.iter().map(|column| (column.parts.as_slice(), values(column, pattern))).collect();
    let several = pattern.batch_size > 1;
    let partition = Partition { table: &relation.address, columns, several };
    let partitions = (!several).then_some(1);
    let service = Service { address: relation.address.clone(), operation, partitions, endless: false };
    Write { service, partition, counts: layout.counts(), unguarded: None }
}

/// Where the values in a key column come from: the conditions, or the item that is written.
fn values<'p>(column: &KeyColumn<'_>, pattern: &'p Pattern) -> Vec<Option<&'p Comparison>> {
    let fixing = |name: &str| conditions(pattern).iter().find(|condition| condition.attribute.value == name);
    let by_name = |comparison: &Comparison, name: &str| *comparison == Comparison::Equal(Operand::Parameter(name.to_owned()));
    let own = |name| fixing(name).map(|condition| &condition.comparison).filter(|comparison| !by_name(comparison, name));
    column.attributes().map(own).collect()
}
