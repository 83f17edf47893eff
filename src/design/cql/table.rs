//! A table of the model as it exists in an engine.

use super::keyspace::{cql_type, names};
use super::layout::{KeyColumn, Relation, key_columns};
use crate::model::{AttributeType, CqlIndex, CqlTable, CqlTtl, CqlView, EngineOptions, Order, PartitionPart};
use crate::schema::cql::{Clustering, Column, Index, Managed, OptionValue, Table, Type, View};
use crate::schema::{About, Engine};
use crate::source::Span;
use std::collections::BTreeMap;

/// The table with its indexes and views; `relation` is the table's own.
pub(super) fn table(relation: &Relation<'_>, engine: Engine) -> Table {
    let model = relation.table;
    let mut options = options(&model.options, model.description.as_ref(), engine);
    if let Some(seconds) = relation.time_to_live() {
        options.insert("default_time_to_live".to_owned(), OptionValue::Number(seconds.to_string()));
    }
    Table {
        about: about(relation, engine),
        managed: if engine == Engine::Keyspaces { managed(model) } else { Managed::default() },
        name: model.name.value.clone(),
        columns: columns(relation),
        partition_key: model.partition_key.iter().map(|part| part.value.column().to_owned()).collect(),
        clustering: clustering(&model.clustering),
        options,
        indexes: model.indexes.iter().map(|(name, index)| (name.clone(), self::index(model, index))).collect(),
        views: model.views.iter().map(|(name, view)| (name.clone(), self::view(relation, view, engine))).collect(),
        ..Table::default()
    }
}

/// What Terraform and CloudFormation know a table of Amazon Keyspaces by.
fn managed(table: &CqlTable) -> Managed {
    let mut managed = names(&table.key, &table.key);
    if let Some(label) = &table.terraform_name {
        managed.terraform_name.clone_from(&label.value);
    }
    if let Some(id) = &table.logical_id {
        managed.logical_id.clone_from(&id.value);
    } else if managed.logical_id.is_empty() {
        // A key of underscores alone leaves nothing.
        "Table".clone_into(&mut managed.logical_id);
    }
    managed
}

/// Columns by name.
pub(super) type Columns = BTreeMap<String, Column>;

/// The columns: the key's, then every stored attribute of every entity in the table.
pub(super) fn columns(relation: &Relation<'_>) -> Columns {
    let table = relation.table;
    let column = |kind: Type, is_static: bool| Column { kind, is_static, extra: None };
    let mut columns = BTreeMap::new();
    for layout in &relation.layouts {
        for key in layout.key() {
            if let Some(kind) = key_type(relation, key, &|name| layout.kind(name)) {
                columns.entry(key.name.to_owned()).or_insert_with(|| column(kind, false));
            }
        }
        for &name in &layout.regular {
            if let Some(kind) = layout.kind(name) {
                let is_static = layout.is_static || table.static_attributes.iter().any(|attribute| attribute.value == name);
                columns.entry(name.to_owned()).or_insert_with(|| column(cql_type(kind), is_static));
            }
        }
    }
    columns
}

/// The type of a key column: the attribute's when the column is one, what a bucket or a shard says; of a template or a constant
/// what `key_types` says, else text.
pub(super) fn key_type<'k>(
    relation: &Relation<'_>,
    column: &KeyColumn<'_>,
    kind: &dyn Fn(&str) -> Option<&'k AttributeType>,
) -> Option<Type> {
    if let Some(attribute) = column.bare() {
        return kind(attribute).map(cql_type);
    }
    for part in &relation.table.partition_key {
        match &part.value {
            PartitionPart::Bucket { column: name, kind, .. } if name == column.name => return Some(cql_type(kind)),
            PartitionPart::Shard { column: name, .. } if name == column.name => return Some(Type::Native("int")),
            _ => {}
        }
    }
    Some(relation.table.key_types.get(column.name).map_or(Type::Native("text"), |said| cql_type(&said.value)))
}

fn clustering(orders: &[Order]) -> Vec<Clustering> {
    orders.iter().map(|order| Clustering { column: order.attribute.value.clone(), descending: order.descending }).collect()
}

/// The options in force on an engine; the description is the comment.
fn options(by_engine: &EngineOptions, description: Option<&String>, engine: Engine) -> BTreeMap<String, OptionValue> {
    let own = by_engine.get(&engine).into_iter().flatten();
    let mut options: BTreeMap<String, OptionValue> = own.map(|(name, value)| (name.clone(), value.value.clone())).collect();
    if let Some(description) = description {
        options.insert("comment".to_owned(), OptionValue::Text(description.clone()));
    }
    options
}

fn index(table: &CqlTable, index: &CqlIndex) -> Index {
    let mut about = About::at(index.span);
    about.description.clone_from(&index.description);
    about.properties.insert("column".to_owned(), index.column.span);
    let local = table.partition_key.iter().filter(|_| index.local).map(|part| part.value.column().to_owned());
    Index {
        about,
        column: index.column.value.clone(),
        further: Vec::new(),
        target: index.target.as_ref().map(|target| target.value.clone()),
        local: local.collect(),
        using: index.sai.then(|| "sai".to_owned()),
        options: index.options.clone(),
    }
}

fn view(relation: &Relation<'_>, view: &CqlView, engine: Engine) -> View {
    let table = relation.table;
    let mut about = About::at(view.span);
    about.description.clone_from(&view.description);
    place_keys(&mut about, view.partition_key.first().map(|name| name.span), &view.clustering);
    // A view has no static columns, and `*` would select them.
    let stored = columns(relation);
    let all = || stored.iter().filter(|(_, column)| !column.is_static).map(|(name, _)| name.clone()).collect();
    let any_static = stored.values().any(|column| column.is_static);
    // A view's SELECT must name the columns of its key, which are all of the table's key and at most one more.
    let listed = view.columns.as_ref().map(|columns| {
        let keys = view.partition_key.iter().chain(view.clustering.iter().map(|order| &order.attribute));
        let mut names: Vec<String> = keys.chain(columns).map(|name| name.value.clone()).collect();
        names.extend(key_columns(table).map(str::to_owned));
        names.sort();
        names.dedup();
        names
    });
    View {
        about,
        columns: listed.or_else(|| any_static.then(all)),
        filter: Vec::new(),
        partition_key: view.partition_key.iter().map(|name| name.value.clone()).collect(),
        clustering: clustering(&view.clustering),
        options: options(&view.options, view.description.as_ref(), engine),
    }
}

fn about(relation: &Relation<'_>, engine: Engine) -> About {
    let table = relation.table;
    let mut about = About::at(table.span);
    about.description.clone_from(&table.description);
    about.properties.insert("name".to_owned(), table.name.span);
    for (property, name) in [("terraform_name", &table.terraform_name), ("logical_id", &table.logical_id)] {
        about.properties.extend(name.as_ref().map(|name| (property.to_owned(), name.span)));
    }
    place_keys(&mut about, table.partition_key.first().map(|part| part.span), &table.clustering);
    for layout in &relation.layouts {
        for (name, attribute) in &layout.entity.attributes {
            about.properties.entry(format!("columns.{name}")).or_insert(attribute.span);
            let before = attribute.renamed_from.iter().map(|before| (format!("columns.{name}"), before.value.clone()));
            about.renamed_from.extend(before);
        }
    }
    for part in &table.partition_key {
        about.properties.entry(format!("columns.{}", part.value.column())).or_insert(part.span);
    }
    for (column, kind) in &table.key_types {
        about.properties.insert(format!("columns.{column}"), kind.span);
    }
    if let Some(CqlTtl::Default(_)) = table.ttl.as_ref().map(|ttl| &ttl.value) {
        about.properties.extend(table.ttl.as_ref().map(|ttl| ("options.default_time_to_live".to_owned(), ttl.span)));
    }
    if engine == Engine::Keyspaces {
        about.properties.extend(table.settings.iter().map(|(name, span)| (format!("custom_properties.{name}"), *span)));
    }
    for (name, value) in table.options.get(&engine).into_iter().flatten() {
        about.properties.insert(format!("options.{name}"), value.span);
    }
    about
}

fn place_keys(about: &mut About, partition: Option<Span>, clustering: &[Order]) {
    about.properties.extend(partition.map(|span| ("partition_key".to_owned(), span)));
    about.properties.extend(clustering.first().map(|order| ("clustering".to_owned(), order.attribute.span)));
}
