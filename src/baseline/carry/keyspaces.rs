//! Amazon Keyspaces as infrastructure code: labels and logical IDs that were given out, what Terraform has to be told about
//! tables that changed their label, and settings that cannot be unsaid.

use crate::diagnostic::{Diagnostic, Label, Sink, codes};
use crate::model::{Cql, CqlTable};
use crate::schema::Address;
use crate::schema::cql::{Keyspace, OptionValue, Schema, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Takes over what the lock knows of the keyspaces. A schema of another engine has none of it.
pub(super) fn carry(previous: &Schema, section: &Cql, next: &mut Schema, sink: &mut Sink) {
    let mut labels: BTreeMap<String, String> = BTreeMap::new();
    let mut imported = BTreeMap::new();
    for (name, keyspace) in &mut next.keyspaces {
        let before = previous.keyspaces.get(name);
        if before.is_some_and(|before| before.managed.terraform_name.is_empty()) && !keyspace.managed.terraform_name.is_empty() {
            imported.insert(format!("aws_keyspaces_keyspace.{}", keyspace.managed.terraform_name), name.clone());
        }
        let Some(before) = before else { continue };
        let origins = origins(before, keyspace);
        for (key, table) in keyspace.tables.iter_mut().filter(|(_, table)| !table.kept) {
            let Some((from, prior)) = origins.get(key).and_then(|from| before.tables.get_key_value(from)) else { continue };
            take_names(table, section.tables.get(key), prior, from == key);
            let address = || format!("aws_keyspaces_table.{}", table.managed.terraform_name);
            let label = &prior.managed.terraform_name;
            // One that was kept is no longer in the state, and one that statements or a stack made never was.
            if (prior.kept || label.is_empty()) && !table.managed.terraform_name.is_empty() {
                imported.insert(address(), format!("{name}/{}", table.name));
            } else if !label.is_empty() {
                labels.insert(label.clone(), table.managed.terraform_name.clone());
            }
            if !prior.kept {
                settings(&Address::CqlTable(None, key.clone()), prior, table, sink);
            }
        }
    }
    free_labels(next, section);
    tell_apart(next);
    // Who deployed what is not known, so what was said once is said again, as long as Terraform can follow it.
    for (address, id) in &previous.imported {
        let now = match address.strip_prefix("aws_keyspaces_table.") {
            Some(label) => labels.get(label).map(|label| format!("aws_keyspaces_table.{label}")),
            None => Some(address.clone()),
        };
        imported.extend(now.map(|now| (now, id.clone())));
    }
    next.imported = imported;
    let in_use: BTreeSet<&str> =
        tables(next).filter(|table| !table.kept).map(|table| table.managed.terraform_name.as_str()).collect();
    let renamed = labels.into_iter().filter(|(from, to)| from != to);
    let moved = previous.moved.clone().into_iter().chain(renamed).filter(|(from, _)| !in_use.contains(from.as_str()));
    next.moved = moved.collect();
}

fn is_managed(table: &Table) -> bool {
    !table.managed.terraform_name.is_empty() || !table.managed.logical_id.is_empty()
}

fn tables(schema: &Schema) -> impl Iterator<Item = &Table> {
    schema.keyspaces.values().flat_map(|keyspace| keyspace.tables.values())
}

/// Which table of the lock each next one is: that of its name. Under another name it is another table.
fn origins(before: &Keyspace, next: &Keyspace) -> BTreeMap<String, String> {
    let mut by_name: BTreeMap<&str, &String> = BTreeMap::new();
    for (key, table) in &before.tables {
        by_name.entry(&table.name).or_insert(key);
    }
    let next = next.tables.iter().filter(|(_, table)| !table.kept);
    next.filter_map(|(key, table)| Some((key.clone(), (*by_name.get(table.name.as_str())?).clone()))).collect()
}

/// A table that left keeps its label, which the one that now has its key would have, too.
fn free_labels(next: &mut Schema, section: &Cql) {
    let mut taken: BTreeSet<String> =
        tables(next).filter(|table| table.kept).map(|table| table.managed.terraform_name.clone()).collect();
    for keyspace in next.keyspaces.values_mut() {
        for (key, table) in keyspace.tables.iter_mut().filter(|(_, table)| !table.kept) {
            let label = &mut table.managed.terraform_name;
            let written = section.tables.get(key).is_some_and(|table| table.terraform_name.is_some());
            if !label.is_empty() && !written && taken.contains(label) {
                // One more number than there are labels: one of them is free.
                let free = (2..=taken.len() + 2).map(|number| format!("{label}_{number}")).find(|label| !taken.contains(label));
                *label = free.unwrap_or_default();
                taken.insert(label.clone());
            }
        }
    }
}

/// The names a table was given stay, unless the model writes others. Only a new key gives a new label: then the file and the
/// block that moves the state carry the name that people now use.
fn take_names(table: &mut Table, written: Option<&CqlTable>, prior: &Table, same_key: bool) {
    let (label, id) = (&prior.managed.terraform_name, &prior.managed.logical_id);
    if written.is_none_or(|table| table.terraform_name.is_none()) && same_key && !label.is_empty() {
        table.managed.terraform_name.clone_from(label);
    }
    if written.is_none_or(|table| table.logical_id.is_none()) && !id.is_empty() {
        table.managed.logical_id.clone_from(id);
    }
}

/// Settings that a tool cannot take back by leaving them out.
fn settings(address: &Address, prior: &Table, table: &mut Table, sink: &mut Sink) {
    let option = |table: &Table, name: &str| table.options.get(name).cloned();
    if !prior.managed.terraform_name.is_empty() {
        let comment = option(prior, "comment");
        if comment != option(table, "comment") {
            // Terraform would replace the table, with all its rows, for a note.
            let message =
                format!("the comment of `{address}` stays as it was made: Terraform would replace the table for another");
            let mut diagnostic = Diagnostic::nowhere(codes::LEFT_OUT, message).at(address.to_string());
            diagnostic.primary = table.about.place("options.comment").map(|span| Label { span, text: String::new() });
            sink.push(diagnostic.note("the description stands in the comments of the file"));
            match comment {
                Some(comment) => table.options.insert("comment".to_owned(), comment),
                None => table.options.remove("comment"),
            };
        }
    }
    // Neither can be turned off: to Terraform the one would be a difference for ever, the other a replacement.
    let mut custom = table.custom();
    for name in ["ttl", "client_side_timestamps"] {
        let Some(on) = prior.custom().remove(name).filter(|_| !custom.contains_key(name) && is_managed(prior)) else { continue };
        custom.insert(name.to_owned(), on);
        if name == "client_side_timestamps" {
            let message = format!("client-side timestamps of `{address}` stay on: they cannot be turned off");
            let mut diagnostic = Diagnostic::nowhere(codes::LEFT_OUT, message).at(address.to_string());
            diagnostic.primary = table.about.span.map(|span| Label { span, text: String::new() });
            sink.push(diagnostic);
        }
    }
    table.set_custom(custom);
    if !prior.managed.logical_id.is_empty() {
        // What CloudFormation makes of a property that is no longer written is not documented.
        for (name, off) in [("default_time_to_live", OptionValue::Number("0".to_owned())), ("cdc", OptionValue::Bool(false))] {
            if prior.options.contains_key(name) {
                table.options.entry(name.to_owned()).or_insert(off);
            }
        }
    }
}

/// A keyspace that only tables which left the model keep has the label that the next one would have, too.
fn tell_apart(next: &mut Schema) {
    let is_left = |keyspace: &Keyspace| !keyspace.tables.is_empty() && keyspace.tables.values().all(|table| table.kept);
    let taken: BTreeSet<String> = next
        .keyspaces
        .values()
        .filter(|keyspace| is_left(keyspace))
        .map(|keyspace| keyspace.managed.terraform_name.clone())
        .collect();
    for (name, keyspace) in &mut next.keyspaces {
        let managed = &mut keyspace.managed;
        if !managed.terraform_name.is_empty()
            && taken.contains(&managed.terraform_name)
            && !keyspace.tables.values().all(|table| table.kept)
        {
            managed.terraform_name = format!("{}_{name}", managed.terraform_name);
            managed.logical_id.push_str(&crate::schema::pascal_case(name));
        }
    }
}
