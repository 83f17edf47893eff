//! DynamoDB: labels, logical IDs and what Terraform has to be told about tables that changed their label, left or came back.

use super::{free_key, remind, removal};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Dynamodb, DynamodbTable, Removal};
use crate::schema::dynamodb::{Insights, Kept, Made, Resource, Schema, Table, TableClass, Ttl};
use crate::schema::{About, Address};
use std::collections::{BTreeMap, BTreeSet};

/// Where a table of the next schema comes from.
enum Origin<'a> {
    /// A table of the lock, by its key there.
    Table(&'a str, &'a Table),
    /// A table that had left the model.
    Kept(&'a str, &'a Kept),
}

pub(super) fn carry(previous: &Schema, was_divided: bool, section: Option<&Dynamodb>, next: &mut Schema, sink: &mut Sink) {
    let origins = origins(previous, section, next);
    let mut labels = BTreeMap::new();
    let mut beside = BTreeMap::new();
    for (key, table) in &mut next.tables {
        let Some(origin) = origins.get(key) else { continue };
        let written = section.and_then(|section| section.tables.get(key));
        match origin {
            Origin::Table(from, before) => {
                take_names(table, written, &before.terraform_name, &before.logical_id, *from == key);
                if was_divided {
                    table.template = before.template;
                }
                labels.insert(before.terraform_name.clone(), table.terraform_name.clone());
                beside.extend(table.moves_beside(before).map(|moved| (moved.from, moved.to)));
                end_settings(table, before);
            }
            Origin::Kept(_, before) => {
                take_names(table, written, &before.terraform_name, &before.logical_id, true);
                if was_divided {
                    // The stack that let go of it takes it back.
                    table.template = before.template;
                }
                next.imported.extend(table.name.clone().map(|name| (table.terraform_name.clone(), name)));
                if let Some(made) = before.made.as_deref() {
                    end_settings(table, &made.table);
                    next.imported.extend(table.kinesis_import(&made.table));
                }
            }
        }
    }
    // Who deployed what is not known, so what was said once is said again, as long as Terraform can follow it.
    let labels_in_use = next.tables.values().map(|table| table.terraform_name.clone());
    let addresses_in_use = next.tables.values().flat_map(Table::beside).map(|beside| beside.address());
    let in_use: BTreeSet<String> = labels_in_use.chain(addresses_in_use).collect();
    for (at, id) in &previous.imported {
        let now = labels.get(at).or_else(|| beside.get(at)).unwrap_or(at);
        next.imported.extend(in_use.contains(now).then(|| (now.clone(), id.clone())));
    }
    let renamed = labels.into_iter().filter(|(from, to)| !from.is_empty() && from != to).chain(beside);
    next.moved = previous.moved.clone().into_iter().chain(renamed).filter(|(from, _)| !in_use.contains(from)).collect();
    next.kept = kept(previous, section, &origins, sink);
    next.kept.retain(|_, kept| !in_use.contains(&kept.terraform_name));
    next.removed = removed(previous, &next.kept).filter(|(address, _)| !in_use.contains(address)).collect();
    taken_twice(next, sink);
}

/// A table that was once made as a global table stays one, also when it has no replicas any more: a resource cannot change its
/// type in place.
pub(super) fn keep_resources(previous: &Schema, next: &mut Schema) {
    let global = |table: &&Table| table.resource == Resource::GlobalTable;
    let known: BTreeSet<&str> = previous.tables.values().filter(global).map(|table| table.logical_id.as_str()).collect();
    for table in next.tables.values_mut().filter(|table| known.contains(table.logical_id.as_str())) {
        table.resource = Resource::GlobalTable;
    }
}

/// The names a table was given stay, unless the model writes others. Only a new key gives a new label: then the file, the
/// output and the block that moves the state all carry the name that people now use.
fn take_names(table: &mut Table, written: Option<&DynamodbTable>, label: &str, logical_id: &str, same_key: bool) {
    if written.is_none_or(|table| table.terraform_name.is_none()) && same_key && !label.is_empty() {
        label.clone_into(&mut table.terraform_name);
    }
    if written.is_none_or(|table| table.logical_id.is_none()) && !logical_id.is_empty() {
        logical_id.clone_into(&mut table.logical_id);
    }
}

/// Writes out that settings end which last when nothing is said of them any more.
fn end_settings(table: &mut Table, before: &Table) {
    if table.ttl.is_none() {
        // Terraform leaves TTL as it is when nothing is said, and the service asks which attribute to stop at.
        table.ttl = before.ttl.as_ref().map(|ttl| Ttl { attribute: ttl.attribute.clone(), enabled: false });
    }
    // What CloudFormation makes of a setting that is no longer written is not documented.
    table.table_class = table.table_class.or(before.table_class.map(|_| TableClass::Standard));
    table.contributor_insights = table.contributor_insights.or(before.contributor_insights.map(|_| Insights::Off));
}

/// Finds the table of the lock that a next one is, by its key and itself.
type Way<'w, 'a> = &'w dyn Fn(&str, &Table) -> Option<&'a str>;

/// Which table of the lock each next table is: the one it was renamed from, the one of its key, the one of its physical name,
/// else one that had left.
fn origins<'a>(previous: &'a Schema, section: Option<&Dynamodb>, next: &Schema) -> BTreeMap<String, Origin<'a>> {
    let mut left: BTreeMap<&str, &Table> = previous.tables.iter().map(|(key, table)| (key.as_str(), table)).collect();
    let mut origins = BTreeMap::new();
    let renamed_from = |key: &str| Some(section?.tables.get(key)?.renamed_from.as_ref()?.value.as_str());
    let by_rename = |key: &str, table: &Table| {
        let (from, before) = previous.tables.get_key_value(renamed_from(key)?)?;
        (!previous.tables.contains_key(key) && before.name == table.name).then_some(from.as_str())
    };
    let by_key = |key: &str, _: &Table| previous.tables.get_key_value(key).map(|(key, _)| key.as_str());
    let by_name = |_: &str, table: &Table| {
        let name = table.name.as_ref()?;
        previous.tables.iter().find(|(_, before)| before.name.as_ref() == Some(name)).map(|(key, _)| key.as_str())
    };
    let ways: [Way<'_, 'a>; 3] = [&by_rename, &by_key, &by_name];
    for way in ways {
        for (key, table) in &next.tables {
            if !origins.contains_key(key)
                && let Some((from, before)) = way(key, table).and_then(|from| left.remove_entry(from))
            {
                origins.insert(key.clone(), Origin::Table(from, before));
            }
        }
    }
    for (key, table) in next.tables.iter().filter(|(_, table)| table.name.is_some()) {
        let is_it = |kept: &&Kept| !kept.destroy && kept.name == table.name;
        let returned = previous.kept.get_key_value(key).filter(|(_, kept)| is_it(kept));
        let returned = returned.or_else(|| previous.kept.iter().find(|(_, kept)| is_it(kept)));
        if let Some((from, kept)) = returned.filter(|_| !origins.contains_key(key)) {
            origins.insert(key.clone(), Origin::Kept(from, kept));
        }
    }
    origins
}

/// The tables that are kept: those that left before and did not come back, and those that leave now.
fn kept(
    previous: &Schema,
    section: Option<&Dynamodb>,
    origins: &BTreeMap<String, Origin<'_>>,
    sink: &mut Sink,
) -> BTreeMap<String, Kept> {
    let returned: BTreeSet<&str> = origins
        .values()
        .map(|origin| match origin {
            Origin::Table(from, _) | Origin::Kept(from, _) => *from,
        })
        .collect();
    let of_model = |key: &str| removal(section.map(|section| &section.removed), key);
    // A table that another model owns by now, or that exists elsewhere, left on purpose.
    let left_on_purpose = |key: &str| {
        let table = section.and_then(|section| section.tables.get(key));
        table.is_some_and(|table| !table.is_emitted())
    };
    let mut all = BTreeMap::new();
    for (key, before) in previous.kept.iter().filter(|(key, _)| !returned.contains(key.as_str())) {
        let removal = of_model(key);
        let destroy = removal.map_or(before.destroy, |removal| removal.value == Removal::Destroy);
        if removal.is_none() && !destroy && !left_on_purpose(key) {
            remind(&Address::DynamodbTable(key.clone()), section.map(|section| section.span), sink);
        }
        let about = removal.map(|removal| About::at(removal.span)).unwrap_or_default();
        all.insert(key.clone(), Kept { destroy, about, ..before.clone() });
    }
    for (key, table) in previous.tables.iter().filter(|(key, _)| !returned.contains(key.as_str())) {
        let removal = of_model(key);
        let kept = Kept {
            terraform_name: table.terraform_name.clone(),
            logical_id: table.logical_id.clone(),
            name: table.name.clone(),
            template: table.template,
            destroy: removal.is_some_and(|removal| removal.value == Removal::Destroy),
            about: removal.map(|removal| About::at(removal.span)).unwrap_or_default(),
            made: Some(Box::new(Made { table: table.clone(), parameters: previous.parameters.clone() })),
        };
        all.insert(free_key(|key| all.contains_key(key), key), kept);
    }
    all
}

/// What stood beside tables that are kept, and is kept with them.
fn removed(previous: &Schema, kept: &BTreeMap<String, Kept>) -> impl Iterator<Item = (String, bool)> {
    let letting_go: BTreeSet<&str> =
        kept.values().filter(|kept| !kept.destroy).map(|kept| kept.terraform_name.as_str()).collect();
    let leaving = previous.tables.values().filter(move |table| letting_go.contains(table.terraform_name.as_str()));
    let left = previous.removed.iter().map(|(address, destroy)| (address.clone(), *destroy));
    left.chain(leaving.flat_map(Table::beside).map(|beside| (beside.address(), false)))
}

/// A name from the lock may meet one that another table has by default.
fn taken_twice(next: &Schema, sink: &mut Sink) {
    for (what, property) in [("Terraform label", "terraform_name"), ("logical ID", "logical_id")] {
        let name = |table: &Table| match property {
            "logical_id" => table.logical_id.clone(),
            _ => table.terraform_name.clone(),
        };
        let mut seen: BTreeMap<String, (&str, &Table)> = BTreeMap::new();
        for (key, table) in &next.tables {
            let Some((other, first)) = seen.insert(name(table).to_lowercase(), (key, table)) else { continue };
            let message = format!("`{key}` and `{other}` have one {what}: `{}`", name(table));
            let help = format!("one of them has it since an earlier generation; give the other a `{property}` of its own");
            let mut diagnostic = Diagnostic::nowhere(codes::NAME_TAKEN, message).help(help);
            if let Some(span) = table.about.span {
                diagnostic.primary = Some(crate::diagnostic::Label { span, text: String::new() });
            }
            if let Some(span) = first.about.span {
                diagnostic = diagnostic.context(span, "the other");
            }
            sink.push(diagnostic);
        }
    }
}
