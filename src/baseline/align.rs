//! Puts a schema that was read from files under the keys of the lock, and gives it back what its format cannot say.
//!
//! What equals the lock, as the format expresses it, is the lock's; only what was edited is taken from the files.

use crate::schema::dynamodb::{Kept, Schema, Table};
use crate::schema::{Backend, Engine, Format, Parameter, cql};

/// A DynamoDB schema that was read from files of one format.
pub(super) fn dynamodb(read: Schema, lock: &Schema, format: Format) -> Schema {
    let expressed = lock.project(format).in_words_of(lock, format);
    let read = read.in_words_of(lock, format);
    let parameter = |(name, parameter): (String, Parameter)| {
        let same = expressed.parameters.get(&name) == Some(&parameter);
        let known = lock.parameters.get(&name).filter(|_| same).cloned();
        (name, known.unwrap_or(parameter))
    };
    let table = |(key, table): (String, Table)| {
        let Some(known) = lock.tables.get(&key) else { return (key, table) };
        if expressed.tables.get(&key) == Some(&table) {
            return (key, Table { about: table.about, ..known.clone() });
        }
        let table = match format {
            Format::Cloudformation => {
                let Table { terraform_name, prevent_destroy, ignore_changes, .. } = known.clone();
                Table { terraform_name, prevent_destroy, ignore_changes, ..table }
            }
            Format::Terraform | Format::Cql => Table {
                logical_id: known.logical_id.clone(),
                template: known.template,
                deletion_policy: known.deletion_policy.clone(),
                update_replace_policy: known.update_replace_policy.clone(),
                ..table
            },
        };
        (key, table)
    };
    let kept = |(key, kept): (String, Kept)| match lock.kept.get(&key) {
        Some(known) => (key, Kept { destroy: kept.destroy, about: kept.about, ..known.clone() }),
        None => (key, kept),
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
            let (kept, moved) = (lock.kept.clone(), lock.moved.clone());
            Schema { kept, moved, imported: lock.imported.clone(), removed: lock.removed.clone(), ..aligned }
        }
        Format::Terraform | Format::Cql => aligned,
    }
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
