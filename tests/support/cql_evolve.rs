//! What may become of a schema: another one that the engine takes, made from it by changes of every kind.

#![expect(clippy::indexing_slicing, reason = "a test")]

use crate::cql_schema::{Choices, OTHERS, indexes, options, parse, table, view};
use nosql_gen::schema::cql::engine::Feature;
use nosql_gen::schema::cql::{Column, Keyspace, Schema, Table, Type, View};
use nosql_gen::schema::{Engine, Family};
use std::collections::BTreeSet;

/// Two schemas, the second made from the first. What gen only carries along is left out: it is not changed.
pub(crate) fn pair(engine: Engine, schema: &Schema, choices: &[u16]) -> (Schema, Schema) {
    let mut previous = schema.clone();
    for keyspace in previous.keyspaces.values_mut() {
        keyspace.extra.clear();
        keyspace.tables.values_mut().for_each(|table| table.kept = false);
    }
    let mut next = previous.clone();
    let mut choices = Choices::new(engine, choices);
    for space in next.keyspaces.values_mut() {
        keyspace(&mut choices, space);
    }
    (previous, next)
}

fn keyspace(choices: &mut Choices, keyspace: &mut Keyspace) {
    if choices.one_in(3) {
        keyspace.durable_writes = [None, Some(true), Some(false)][choices.below(3)];
    }
    if choices.one_in(3) {
        keyspace.replication.values_mut().filter(|value| *value == "1").for_each(|value| "2".clone_into(value));
    }
    for user in keyspace.types.values_mut() {
        match choices.below(6) {
            0 => user.fields.push(("added field".to_owned(), parse("int"))),
            1 => "renamed field".clone_into(&mut user.fields[0].0),
            2 if user.fields.len() > 1 => _ = user.fields.pop(),
            _ => {}
        }
    }
    let gone: Vec<String> = keyspace.tables.keys().filter(|_| choices.one_in(6)).cloned().collect();
    keyspace.tables.retain(|key, _| !gone.contains(key));
    let mut taken: BTreeSet<String> =
        keyspace.tables.values().flat_map(|table| table.indexes.keys().chain(table.views.keys())).cloned().collect();
    for table in keyspace.tables.values_mut() {
        evolve(choices, table, &mut taken);
    }
    if choices.one_in(3) {
        let mut added = table(choices, keyspace, "added_table".to_owned());
        added.kept = false;
        keyspace.tables.insert("an added table".to_owned(), added);
    }
    let held: Vec<String> = keyspace
        .types
        .keys()
        .filter(|name| {
            let columns = keyspace.tables.values().flat_map(|table| table.columns.values().map(|column| column.kind.to_string()));
            let fields = keyspace.types.values().flat_map(|user| user.fields.iter().map(|(_, kind)| kind.to_string()));
            let written = Type::User((*name).clone()).to_string();
            columns.chain(fields).any(|kind| kind.contains(&written))
        })
        .cloned()
        .collect();
    if choices.one_in(2) {
        keyspace.types.retain(|name, _| held.contains(name));
    }
}

fn evolve(choices: &mut Choices, table: &mut Table, taken: &mut BTreeSet<String>) {
    let counters = table.columns.values().any(|column| column.kind.to_string() == "counter");
    let others: Vec<String> = table.columns.keys().filter(|name| !table.is_key(name)).cloned().collect();
    for name in others.into_iter().filter(|_| choices.one_in(4)) {
        table.columns.remove(&name);
        table.indexes.retain(|_, index| index.column != name);
        let holds = |view: &View| view.is_key(&name) || view.columns.as_ref().is_some_and(|columns| columns.contains(&name));
        table.views.retain(|_, view| !holds(view));
    }
    for number in 0..choices.below(3) {
        let kind = if counters { parse("counter") } else { choices.kind(OTHERS) };
        let column = Column {
            kind,
            is_static: !counters && !table.clustering.is_empty() && table.views.is_empty() && choices.one_in(4),
            extra: None,
        };
        table.columns.insert(format!("added {number}"), column);
    }
    if choices.one_in(3) {
        let ttl = table.options.remove("default_time_to_live").filter(|_| choices.one_in(2));
        table.options = options(choices);
        if counters && choices.engine.family() == Family::Scylla {
            table.options.remove("cdc");
        }
        table.options.extend(ttl.map(|ttl| ("default_time_to_live".to_owned(), ttl)));
    }
    if choices.one_in(4) && table.views.is_empty() {
        rename(table, "a renamed key");
    }
    if choices.one_in(8) && !table.clustering.is_empty() {
        table.clustering[0].descending = !table.clustering[0].descending;
    }
    table.indexes.retain(|_, _| !choices.one_in(3));
    table.views.retain(|_, _| !choices.one_in(3));
    if !counters {
        if table.indexes.is_empty() && choices.one_in(2) {
            indexes(choices, table, taken);
        }
        if choices.has(Feature::View) && table.views.is_empty() && choices.one_in(3) {
            let added = view(choices, table);
            table.views.insert(choices.name(&["added_view"], taken), added);
        }
        for view in table.views.values_mut() {
            if choices.one_in(3) {
                view.options = options(choices);
                if choices.engine.family() == Family::Scylla {
                    view.options.remove("cdc");
                }
            }
        }
        if choices.engine == Engine::Cassandra50 {
            mask(choices, table);
        }
    }
}

/// Gives the first column of the partition key another name.
fn rename(table: &mut Table, name: &str) {
    let from = std::mem::replace(&mut table.partition_key[0], name.to_owned());
    let column = table.columns.remove(&from).unwrap();
    table.columns.insert(name.to_owned(), column);
    // A local index names the columns of the partition key.
    for local in table.indexes.values_mut().flat_map(|index| &mut index.local).filter(|local| **local == from) {
        name.clone_into(local);
    }
}

/// Puts a mask on a column, or takes it off.
fn mask(choices: &mut Choices, table: &mut Table) {
    let free = |name: &String, table: &Table| {
        !table.is_key(name) && table.views.is_empty() && table.indexes.values().all(|index| index.column != *name)
    };
    let names: Vec<String> = table.columns.keys().filter(|name| free(name, table)).cloned().collect();
    for name in names.into_iter().filter(|_| choices.one_in(5)) {
        let column = table.columns.get_mut(&name).unwrap();
        column.extra = if column.extra.is_some() { None } else { Some("MASKED WITH mask_default()".to_owned()) };
    }
}
