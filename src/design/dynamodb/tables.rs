//! The tables of a model as they are to exist.

use super::candidate::{Candidate, View};
use crate::model::{Capacity, DynamodbTable, GlobalIndex, LocalIndex, Model, Settings};
use crate::schema::dynamodb::{self, Billing, Encryption, KeyType, Keys, Schema, Stream, Table, Throughput, Ttl};
use crate::schema::{About, Part, Text, Value, pascal_case};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// All tables, and the parameters in use. Who serves what is filled in by the proof of coverage.
pub(super) fn tables(model: &Model, candidates: &[Candidate<'_>]) -> Schema {
    // The indexes of a table follow it.
    let each = candidates.chunk_by(|one, next| one.table.key == next.table.key);
    let tables: BTreeMap<String, Table> =
        each.filter_map(|of| of.first().map(|first| (first.table.key.clone(), table(first.table, of)))).collect();
    let used: BTreeSet<&str> = tables.values().flat_map(parameters).collect();
    let parameters = model.parameters.iter().filter(|(name, _)| used.contains(name.as_str()));
    Schema {
        parameters: parameters.map(|(name, parameter)| (name.clone(), parameter.clone())).collect(),
        tables,
        ..Schema::default()
    }
}

/// The CloudFormation logical ID of a table that states none: its key in Pascal case.
fn logical_id(key: &str) -> String {
    let id = pascal_case(key);
    // A key of underscores alone leaves nothing.
    if id.is_empty() { "Table".to_owned() } else { id }
}

fn table(table: &DynamodbTable, candidates: &[Candidate<'_>]) -> Table {
    let settings = &table.settings;
    let provisioned = settings.billing == Billing::Provisioned;
    let capacity = settings.throughput.as_ref().filter(|_| provisioned);
    let local = |(key, index): (&String, &LocalIndex)| (key.clone(), local_index(index));
    let global = |(key, index): (&String, &GlobalIndex)| {
        let own = index.throughput.as_ref().filter(|_| provisioned);
        (key.clone(), global_index(index, own.or(capacity)))
    };
    Table {
        about: about(table, candidates),
        terraform_name: table.terraform_name.as_ref().map_or_else(|| table.key.clone(), |name| name.value.clone()),
        logical_id: table.logical_id.as_ref().map_or_else(|| logical_id(&table.key), |id| id.value.clone()),
        name: Some(table.name.value.clone()),
        attributes: attributes(candidates),
        partition_key: table.partition_key.value.clone(),
        sort_key: table.sort_key.as_ref().map(|key| key.value.clone()),
        local_indexes: table.local_indexes.iter().map(local).collect(),
        global_indexes: table.global_indexes.iter().map(global).collect(),
        ttl: table.ttl.as_ref().map(|attribute| Ttl { attribute: attribute.value.clone(), enabled: true }),
        stream: (settings.stream != Stream::Off).then_some(settings.stream),
        billing: Some(settings.billing),
        throughput: capacity.map(throughput),
        encryption: Some(settings.encryption.clone()),
        point_in_time_recovery: Some(settings.point_in_time_recovery.clone()),
        deletion_protection: Some(settings.deletion_protection.clone()),
        tags: settings.tags.clone(),
        // Terraform allows no variable in `prevent_destroy`.
        prevent_destroy: settings.deletion_protection.literal() == Some(&true),
        deletion_policy: Some("Retain".to_owned()),
        update_replace_policy: Some("Retain".to_owned()),
        ..Table::default()
    }
}

fn local_index(index: &LocalIndex) -> dynamodb::LocalIndex {
    let properties = [("name", index.name.span), ("sort_key", index.sort_key.span), ("projection", index.projection.span)];
    dynamodb::LocalIndex {
        about: place(index.span, index.description.as_ref(), &properties),
        name: index.name.value.clone(),
        sort_key: index.sort_key.value.clone(),
        projection: index.projection.value.clone(),
        extra: BTreeMap::new(),
    }
}

fn global_index(index: &GlobalIndex, capacity: Option<&Spanned<Capacity>>) -> dynamodb::GlobalIndex {
    let keys = |names: &[Spanned<String>]| Keys(names.iter().map(|name| name.value.clone()).collect());
    let whole = |names: &[Spanned<String>]| {
        let first = names.first().map(|name| name.span)?;
        Some(names.iter().fold(first, |span, name| span.to(name.span)))
    };
    let mut properties = vec![("name", index.name.span), ("projection", index.projection.span)];
    properties.extend(whole(&index.partition_key).map(|span| ("partition_key", span)));
    properties.extend(whole(&index.sort_key).map(|span| ("sort_key", span)));
    properties.extend(capacity.map(|capacity| ("throughput", capacity.span)));
    dynamodb::GlobalIndex {
        about: place(index.span, index.description.as_ref(), &properties),
        name: index.name.value.clone(),
        partition_key: keys(&index.partition_key),
        sort_key: keys(&index.sort_key),
        projection: index.projection.value.clone(),
        throughput: capacity.map(throughput),
        extra: BTreeMap::new(),
    }
}

fn throughput(capacity: &Spanned<Capacity>) -> Throughput {
    Throughput { read: capacity.read.clone(), write: capacity.write.clone() }
}

/// The types of the attributes in keys. Entities agree on them; `validate` holds that.
fn attributes(candidates: &[Candidate<'_>]) -> BTreeMap<String, KeyType> {
    let views = candidates.iter().flat_map(|candidate| &candidate.views);
    views.flat_map(View::key).map(|key| (key.name.to_owned(), key.kind)).collect()
}

fn about(table: &DynamodbTable, candidates: &[Candidate<'_>]) -> About {
    let mut properties = vec![("name".to_owned(), table.name.span), ("partition_key".to_owned(), table.partition_key.span)];
    let optional = [
        ("sort_key", &table.sort_key),
        ("ttl", &table.ttl),
        ("terraform_name", &table.terraform_name),
        ("logical_id", &table.logical_id),
    ];
    let written = optional.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.as_ref()?.span)));
    properties.extend(written);
    let Settings { places, .. } = &table.settings;
    properties.extend(places.iter().map(|(name, span)| (name.clone(), *span)));
    let mut about = About { description: table.description.clone(), ..About::at(table.span) };
    about.properties = properties.into_iter().collect();
    for view in candidates.iter().flat_map(|candidate| &candidate.views) {
        for (key, template) in view.key().filter_map(|key| Some((key, key.template?))) {
            about.properties.entry(format!("attributes.{}", key.name)).or_insert(template.span);
        }
    }
    about
}

fn place(span: Span, description: Option<&String>, properties: &[(&str, Span)]) -> About {
    let properties = properties.iter().map(|(name, span)| ((*name).to_owned(), *span)).collect();
    About { description: description.cloned(), properties, ..About::at(span) }
}

/// The parameters a table's properties mention.
fn parameters(table: &Table) -> Vec<&str> {
    let mut names: Vec<&str> = table.name.iter().chain(table.tags.values()).flat_map(in_text).collect();
    if let Some(Encryption::KmsKey(key)) = &table.encryption {
        names.extend(in_text(key));
    }
    let indexes = table.global_indexes.values().filter_map(|index| index.throughput.as_ref());
    for throughput in table.throughput.iter().chain(indexes) {
        names.extend(in_value(&throughput.read).into_iter().chain(in_value(&throughput.write)));
    }
    names.extend(table.point_in_time_recovery.iter().filter_map(|recovery| in_value(&recovery.enabled)));
    names.extend(table.deletion_protection.iter().filter_map(in_value));
    names
}

fn in_text(text: &Text) -> impl Iterator<Item = &str> {
    text.parts().iter().filter_map(|part| if let Part::Parameter(name) = part { Some(name.as_str()) } else { None })
}

fn in_value<T>(value: &Value<T>) -> Option<&str> {
    if let Value::Parameter(name) = value { Some(name) } else { None }
}
