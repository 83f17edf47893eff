//! `rename-done`: a `renamed_from` that the lock has caught up with.

use crate::baseline::Lock;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::schema::Schema;
use crate::schema::cql::Keyspace;
use crate::source::Spanned;
use std::cell::LazyCell;
use std::collections::BTreeSet;

/// The names that the lock has, of each kind. An index is known by its table's key and its own.
#[derive(Default)]
struct Names<'a> {
    dynamodb: BTreeSet<Vec<&'a str>>,
    cql: BTreeSet<Vec<&'a str>>,
    types: BTreeSet<Vec<&'a str>>,
    attributes: BTreeSet<Vec<&'a str>>,
}

/// Which names of one kind are known.
type Known = for<'n, 'a> fn(&'n Names<'a>) -> &'n BTreeSet<Vec<&'a str>>;

/// Reports each rename whose new name is in the lock, and whose former name is not.
pub(super) fn findings(lock: &Lock, model: &Model, sink: &mut Sink) {
    // Hardly any model renames anything.
    let names = LazyCell::new(|| Names::of(lock));
    let mut done = |known: Known, path: &[&str], renamed_from: Option<&Spanned<String>>| {
        let Some((from, (name, above))) = renamed_from.zip(path.split_last()) else { return };
        let known = known(&names);
        let former: Vec<&str> = above.iter().copied().chain([from.value.as_str()]).collect();
        if known.contains(path) && !known.contains(&former) {
            // Whether anything was ever called so is not known: the lock remembers no names that are done with.
            let message = format!("the lock has `{name}` already and no `{}`; this line may go", from.value);
            let note = "the output does not change: blocks that Terraform needs stay in the lock";
            sink.push(Diagnostic::new(codes::RENAME_DONE, from.span, message).note(note));
        }
    };
    for (key, table) in model.dynamodb.iter().flat_map(|section| &section.tables) {
        done(|names| &names.dynamodb, &[key], table.renamed_from.as_ref());
        for (index, of) in &table.local_indexes {
            done(|names| &names.dynamodb, &[key, index], of.renamed_from.as_ref());
        }
        for (index, of) in &table.global_indexes {
            done(|names| &names.dynamodb, &[key, index], of.renamed_from.as_ref());
        }
    }
    for (key, table) in model.cql.iter().flat_map(|section| &section.tables) {
        done(|names| &names.cql, &[key], table.renamed_from.as_ref());
        for (index, of) in &table.indexes {
            done(|names| &names.cql, &[key, index], of.renamed_from.as_ref());
        }
        for (view, of) in &table.views {
            done(|names| &names.cql, &[key, view], of.renamed_from.as_ref());
        }
    }
    for (name, of) in &model.types {
        done(|names| &names.types, &[name], of.renamed_from.as_ref());
    }
    for (name, attribute) in model.entities.values().flat_map(|entity| &entity.attributes) {
        done(|names| &names.attributes, &[name], attribute.renamed_from.as_ref());
    }
}

impl<'a> Names<'a> {
    fn of(lock: &'a Lock) -> Self {
        let mut names = Self::default();
        for schema in lock.generation.values() {
            match schema {
                Schema::Dynamodb(schema) => {
                    for (key, table) in &schema.tables {
                        let indexes = table.local_indexes.keys().chain(table.global_indexes.keys());
                        names.dynamodb.extend(indexes.map(|index| vec![key.as_str(), index]));
                        names.dynamodb.insert(vec![key]);
                        names.attributes.extend(table.attributes.keys().map(|name| vec![name.as_str()]));
                    }
                }
                Schema::Cql(schema) => schema.keyspaces.values().for_each(|keyspace| names.keyspace(keyspace)),
            }
        }
        names
    }

    fn keyspace(&mut self, keyspace: &'a Keyspace) {
        self.types.extend(keyspace.types.keys().map(|name| vec![name.as_str()]));
        for (key, table) in keyspace.tables.iter().filter(|(_, table)| !table.kept) {
            let things = table.indexes.keys().chain(table.views.keys());
            self.cql.extend(things.map(|name| vec![key.as_str(), name]));
            self.cql.insert(vec![key]);
            self.attributes.extend(table.columns.keys().map(|name| vec![name.as_str()]));
        }
    }
}
