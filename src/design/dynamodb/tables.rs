//! The tables of a model as they are to exist.

use super::candidate::{Candidate, View};
use crate::model::{Capacity, DynamodbTable, GlobalIndex, LocalIndex, Model, Owner, Settings};
use crate::schema::dynamodb::{self, Autoscaling, Insights, KeyType, Keys, Resource, Schema, Stream, Table, Ttl};
use crate::schema::{About, Items, Notes, pascal_case};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// The tables of one owner, and the parameters in use. Who serves what is filled in by the proof of coverage.
pub(super) fn tables(model: &Model, owner: &Owner, candidates: &[Candidate<'_>]) -> Schema {
    // The indexes of a table follow it.
    let each = candidates.chunk_by(|one, next| one.table.key == next.table.key);
    let each = each.filter(|of| of.first().is_some_and(|first| first.table.owner == *owner));
    let tables: Items<Table> =
        each.filter_map(|of| of.first().map(|first| (first.table.key.clone(), table(first.table, of)))).collect();
    // Most models have none.
    let used: BTreeSet<String> = tables.values().filter(|_| !model.parameters.is_empty()).flat_map(Table::parameters).collect();
    let parameters = model.parameters.iter().filter(|(name, _)| used.contains(*name));
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
    let local = |(key, index): (&String, &LocalIndex)| (key.clone(), local_index(index));
    let global = |(key, index): (&String, &GlobalIndex)| (key.clone(), global_index(index, &settings.capacity));
    Table {
        about: about(table, candidates),
        terraform_name: table.terraform_name.as_ref().map_or_else(|| table.key.clone(), |name| name.value.clone()),
        logical_id: table.logical_id.as_ref().map_or_else(|| logical_id(&table.key), |id| id.value.clone()),
        resource: if settings.replicas.is_empty() { Resource::Table } else { Resource::GlobalTable },
        name: Some(table.name.value.clone()),
        attributes: attributes(candidates),
        partition_key: table.partition_key.value.clone(),
        sort_key: table.sort_key.as_ref().map(|key| key.value.clone()),
        local_indexes: table.local_indexes.iter().map(local).collect(),
        global_indexes: table.global_indexes.iter().map(global).collect(),
        ttl: table.ttl.as_ref().map(|attribute| Ttl { attribute: attribute.value.clone(), enabled: true }),
        stream: (settings.stream != Stream::Off).then_some(settings.stream),
        billing: Some(settings.billing),
        throughput: settings.capacity.throughput.clone(),
        autoscaling: settings.capacity.autoscaling.clone(),
        on_demand_maximum: settings.capacity.on_demand_maximum.clone(),
        warm_throughput: table.warm_throughput.as_ref().map(|units| units.value.clone()),
        table_class: settings.table_class,
        encryption: Some(settings.encryption.clone()),
        point_in_time_recovery: Some(settings.point_in_time_recovery.clone()),
        deletion_protection: Some(settings.deletion_protection.clone()),
        replicas: settings.replicas.clone(),
        replica_consistency: settings.replica_consistency,
        witness: settings.witness.clone(),
        contributor_insights: settings.contributor_insights.filter(|insights| *insights != Insights::Off),
        kinesis_stream: table.kinesis_stream.as_ref().map(|arn| arn.value.clone()),
        resource_policy: table.resource_policy.as_ref().map(|policy| policy.value.clone()),
        tags: settings.tags.clone(),
        // Terraform allows no variable in `prevent_destroy`.
        prevent_destroy: settings.deletion_protection.literal() == Some(&true),
        ignore_changes: settings.capacity.autoscaling.as_ref().map(Autoscaling::overlooked).unwrap_or_default(),
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

/// An index has the table's capacity when it states none.
fn global_index(index: &GlobalIndex, of_table: &Capacity) -> dynamodb::GlobalIndex {
    let capacity = index.capacity.as_ref().map_or(of_table, |own| &own.value);
    let keys = |names: &[Spanned<String>]| Keys(names.iter().map(|name| name.value.clone()).collect());
    let whole = |names: &[Spanned<String>]| {
        let first = names.first().map(|name| name.span)?;
        Some(names.iter().fold(first, |span, name| span.to(name.span)))
    };
    let mut properties = vec![("name", index.name.span), ("projection", index.projection.span)];
    properties.extend(whole(&index.partition_key).map(|span| ("partition_key", span)));
    properties.extend(whole(&index.sort_key).map(|span| ("sort_key", span)));
    for property in ["throughput", "on_demand_maximum", "autoscaling"] {
        properties.extend(index.capacity.as_ref().map(|capacity| (property, capacity.span)));
    }
    properties.extend(index.warm_throughput.as_ref().map(|units| ("warm_throughput", units.span)));
    properties.extend(index.contributor_insights.as_ref().map(|insights| ("contributor_insights", insights.span)));
    dynamodb::GlobalIndex {
        about: place(index.span, index.description.as_ref(), &properties),
        name: index.name.value.clone(),
        partition_key: keys(&index.partition_key),
        sort_key: keys(&index.sort_key),
        projection: index.projection.value.clone(),
        throughput: capacity.throughput.clone(),
        autoscaling: capacity.autoscaling.clone(),
        on_demand_maximum: capacity.on_demand_maximum.clone(),
        warm_throughput: index.warm_throughput.as_ref().map(|units| units.value.clone()),
        contributor_insights: index
            .contributor_insights
            .as_ref()
            .map(|insights| insights.value)
            .filter(|insights| *insights != Insights::Off),
        extra: BTreeMap::new(),
    }
}

/// The types of the attributes in keys. Entities agree on them; `validate` holds that. An index may be there for what other
/// models hold alone.
fn attributes(candidates: &[Candidate<'_>]) -> BTreeMap<String, KeyType> {
    let views = candidates.iter().flat_map(|candidate| {
        let guests = candidate.guests.iter().map(|guest| &guest.view);
        candidate.views.iter().chain(guests)
    });
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
    properties.extend(table.warm_throughput.as_ref().map(|units| ("warm_throughput".to_owned(), units.span)));
    properties.extend(table.kinesis_stream.as_ref().map(|arn| ("kinesis_stream".to_owned(), arn.span)));
    properties.extend(table.resource_policy.as_ref().map(|policy| ("resource_policy".to_owned(), policy.span)));
    let Settings { places, .. } = &table.settings;
    properties.extend(places.iter().map(|(name, span)| (name.clone(), *span)));
    let mut about = About::from(Notes { description: table.description.clone(), ..Notes::at(table.span) });
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
    About::from(Notes { description: description.cloned(), properties, ..Notes::at(span) })
}
