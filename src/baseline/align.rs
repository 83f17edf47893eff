//! Puts a schema that was read from files under the keys of the lock, and gives it back what its format cannot say.
//!
//! What equals the lock, as the format expresses it, is the lock's; only what was edited is taken from the files.

use crate::schema::dynamodb::{Kept, Schema, Table};
use crate::schema::{Backend, Engine, Format, Parameter, cql, pascal_case};
use std::collections::BTreeMap;

/// A DynamoDB schema that was read from files of one format.
pub(super) fn dynamodb(read: Schema, lock: &Schema, format: Format) -> Schema {
    let as_expressed = lock.project(format);
    let own_name = |name: &str| match format {
        Format::Cloudformation => lock.parameters.keys().find(|own| pascal_case(own) == name).cloned(),
        Format::Terraform | Format::Cql => None,
    };
    let parameter = |(name, parameter): (String, Parameter)| {
        let own = own_name(&name).unwrap_or_else(|| name.clone());
        let same = as_expressed.parameters.get(&name) == Some(&parameter);
        let known = lock.parameters.get(&own).filter(|_| same).cloned();
        (own, known.unwrap_or(parameter))
    };
    let label = |table: &Table| match format {
        Format::Cloudformation => table.logical_id.clone(),
        Format::Terraform | Format::Cql => table.terraform_name.clone(),
    };
    let table = |(name, mut table): (String, Table)| {
        let Some((key, known)) = lock.tables.iter().find(|(_, known)| label(known) == name) else { return (name, table) };
        if as_expressed.tables.get(&name) == Some(&table) {
            return (key.clone(), Table { about: table.about, ..known.clone() });
        }
        table.rename_parameters(&|name: &str| own_name(name).unwrap_or_else(|| name.to_owned()));
        by_key(&mut table.local_indexes, &known.local_indexes, |index| &index.name);
        by_key(&mut table.global_indexes, &known.global_indexes, |index| &index.name);
        let table = match format {
            Format::Cloudformation => {
                let Table { terraform_name, prevent_destroy, ignore_changes, .. } = known.clone();
                Table { terraform_name, prevent_destroy, ignore_changes, ..table }
            }
            Format::Terraform | Format::Cql => Table {
                logical_id: known.logical_id.clone(),
                deletion_policy: known.deletion_policy.clone(),
                update_replace_policy: known.update_replace_policy.clone(),
                ..table
            },
        };
        (key.clone(), table)
    };
    let kept = |(label, kept): (String, Kept)| match lock.kept.iter().find(|(_, known)| known.terraform_name == label) {
        Some((key, known)) => (key.clone(), Kept { destroy: kept.destroy, about: kept.about, ..known.clone() }),
        None => (label, kept),
    };
    let aligned = Schema {
        parameters: read.parameters.into_iter().map(parameter).collect(),
        tables: read.tables.into_iter().map(table).collect(),
        kept: read.kept.into_iter().map(kept).collect(),
        ..read
    };
    match format {
        // A template says nothing of what it lets go, and nothing of labels.
        Format::Cloudformation => {
            Schema { kept: lock.kept.clone(), moved: lock.moved.clone(), imported: lock.imported.clone(), ..aligned }
        }
        Format::Terraform | Format::Cql => aligned,
    }
}

/// Indexes, known by their name, under their key.
fn by_key<T>(indexes: &mut BTreeMap<String, T>, known: &BTreeMap<String, T>, name: impl Fn(&T) -> &String) {
    let key = |(of, index): (String, T)| {
        let key = known.iter().find(|(_, known)| *name(known) == of).map(|(key, _)| key.clone());
        (key.unwrap_or(of), index)
    };
    *indexes = std::mem::take(indexes).into_iter().map(key).collect();
}

/// A CQL schema that was read from the files of a backend.
pub(super) fn cql(read: cql::Schema, lock: &cql::Schema, backend: Backend) -> cql::Schema {
    let engine = backend.engine().unwrap_or(Engine::Keyspaces);
    // The name by which the files know a table.
    let own_name = |table: &cql::Table| match backend.format() {
        Format::Terraform => table.managed.terraform_name.clone(),
        Format::Cloudformation => table.managed.logical_id.clone(),
        Format::Cql => table.name.clone(),
    };
    let normal = |schema: &cql::Schema| match backend.format() {
        Format::Cql => schema.as_written().normalise(engine),
        Format::Terraform | Format::Cloudformation => schema.as_managed(backend).normalise(engine),
    };
    let (found, expected) = (normal(&read), normal(lock));
    let removed = &read.removed;
    // Infrastructure code does not list a table that it let go.
    let stays = |table: &cql::Table| match backend.format() {
        Format::Terraform => table.kept && removed.get(&table.managed.terraform_name) == Some(&false),
        Format::Cloudformation => table.kept,
        Format::Cql => false,
    };
    let keyspace = |(name, mut keyspace): (String, cql::Keyspace)| {
        if let Some(known) = lock.keyspaces.get(&name) {
            let same = |table: &str| {
                let of = |schema: &cql::Schema| Some(schema.keyspaces.get(&name)?.tables.get(table)?.clone());
                of(&found).is_some() && of(&found) == of(&expected)
            };
            let table = |(of, table): (String, cql::Table)| {
                let it = |known: &cql::Table| own_name(known) == of && !stays(known);
                let Some((key, known)) = known.tables.iter().find(|(_, known)| it(known)) else { return (of, table) };
                let table = if same(&of) {
                    cql::Table { about: table.about, ..known.clone() }
                } else {
                    cql::Table { dropped: known.dropped.clone(), kept: known.kept, ..table }
                };
                (key.clone(), table)
            };
            keyspace.tables = keyspace.tables.into_iter().map(table).collect();
            let kept = known.tables.iter().filter(|(_, table)| stays(table));
            keyspace.tables.extend(kept.map(|(key, table)| (key.clone(), table.clone())));
            // Terraform has no types of its own.
            if backend.format() == Format::Terraform {
                keyspace.types.clone_from(&known.types);
            }
        }
        (name, keyspace)
    };
    let followed: Vec<&str> = lock
        .keyspaces
        .values()
        .flat_map(|keyspace| keyspace.tables.values())
        .filter(|table| stays(table))
        .map(|table| table.managed.terraform_name.as_str())
        .collect();
    cql::Schema {
        parameters: lock.parameters.clone(),
        keyspaces: read.keyspaces.into_iter().map(keyspace).collect(),
        removed: removed.iter().filter(|(label, _)| !followed.contains(&label.as_str())).map(|(l, d)| (l.clone(), *d)).collect(),
        extra: read.extra,
        moved: read.moved,
        imported: read.imported,
    }
}
