//! Tables and views as the entities in them see them: how each key column is made from attributes, and what is stored.

use crate::model::Named;
use crate::model::{
    AttributeType, Condition, Cql, CqlIndex, CqlTable, CqlTtl, CqlView, Entity, Model, Order, PartitionPart, TemplatePart,
};
use crate::schema::Address;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A table or a view: something a SELECT can name.
pub(super) struct Relation<'m> {
    pub(super) address: Address,
    /// Its name in the keyspace.
    pub(super) name: &'m str,
    /// Its key in the model.
    pub(super) span: Span,
    pub(super) table: &'m CqlTable,
    pub(super) is_view: bool,
    /// One for each entity in it; the static entity's is last.
    pub(super) layouts: Vec<Layout<'m>>,
}

/// A relation as one entity sees it.
pub(super) struct Layout<'m> {
    pub(super) entity: &'m Entity,
    pub(super) partition: Vec<KeyColumn<'m>>,
    pub(super) clustering: Vec<KeyColumn<'m>>,
    /// Attributes that are columns beside the key.
    pub(super) regular: BTreeSet<&'m str>,
    /// The entity has one row a partition, in static columns.
    pub(super) is_static: bool,
    /// Conditions that hold for all rows in it: the entity has no others there.
    pub(super) when: Vec<&'m Condition>,
}

/// A key column and how its value is made from an entity's attributes.
pub(super) struct KeyColumn<'m> {
    pub(super) name: &'m str,
    pub(super) span: Span,
    /// Clustering order, from high to low.
    pub(super) descending: bool,
    pub(super) parts: Vec<TemplatePart>,
}

impl KeyColumn<'_> {
    /// The attribute whose value the column is.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [TemplatePart::Attribute { name, pad: None, case: None }] => Some(name),
            _ => None,
        }
    }

    /// The attributes its value is made from.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(part_attribute)
    }

    /// The attributes whose values tell two of its values apart: buckets and shards do not.
    pub(super) fn spelt_out(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Attribute { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }
}

/// The attribute a part of a template takes its value from.
fn part_attribute(part: &TemplatePart) -> Option<&str> {
    match part {
        TemplatePart::Literal(_) => None,
        TemplatePart::Attribute { name, .. } | TemplatePart::Bucket { name, .. } | TemplatePart::Shard { name, .. } => Some(name),
    }
}

impl<'m> Layout<'m> {
    /// All key columns, partition first.
    pub(super) fn key(&self) -> impl Iterator<Item = &KeyColumn<'m>> {
        self.partition.iter().chain(&self.clustering)
    }

    /// Whether a read returns an attribute as it was written.
    pub(super) fn returns(&self, attribute: &str) -> bool {
        self.regular.contains(attribute)
            || self
                .key()
                .flat_map(|column| &column.parts)
                .any(|part| matches!(part, TemplatePart::Attribute { name, case: None, .. } if name == attribute))
    }

    /// Whether an attribute decides whether a row is in it, or where: a key column is made from it, or it is in a `when`.
    pub(super) fn placed_by(&self, attribute: &str) -> bool {
        self.keyed_by(attribute) || self.when.iter().any(|condition| condition.attribute.value == attribute)
    }

    /// Whether some key column is made from an attribute.
    pub(super) fn keyed_by(&self, attribute: &str) -> bool {
        self.key().any(|column| column.attributes().any(|name| name == attribute))
    }

    /// The type of an attribute of the entity.
    pub(super) fn kind(&self, attribute: &str) -> Option<&'m AttributeType> {
        self.entity.attributes.get(attribute).map(|attribute| &attribute.kind)
    }

    /// Whether it stores counters, and so nothing else.
    pub(super) fn counts(&self) -> bool {
        self.regular.iter().any(|name| self.kind(name) == Some(&AttributeType::Counter))
    }
}

impl<'m> Relation<'m> {
    /// How an entity lies in it.
    pub(super) fn layout(&self, entity: &str) -> Option<&Layout<'m>> {
        self.layouts.iter().find(|layout| layout.entity.name == entity)
    }

    /// Seconds a row lives by the table's own default.
    pub(super) fn time_to_live(&self) -> Option<u64> {
        match self.table.ttl.as_ref().map(|ttl| &ttl.value) {
            Some(CqlTtl::Default(duration)) => Some(duration.seconds),
            _ => None,
        }
    }

    /// The indexes on it; a view has none.
    pub(super) fn indexes(&self) -> Option<&'m Named<CqlIndex>> {
        (!self.is_view).then_some(&self.table.indexes)
    }
}

/// All tables and views of a model, in its order, each table before its views.
pub(super) struct Relations<'m> {
    pub(super) all: Vec<Relation<'m>>,
    by_entity: BTreeMap<&'m str, Vec<usize>>,
}

impl<'m> Relations<'m> {
    pub(super) fn of(model: &'m Model, cql: &'m Cql) -> Self {
        let all = relations(model, cql);
        let mut by_entity: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, relation) in all.iter().enumerate() {
            for layout in &relation.layouts {
                by_entity.entry(&layout.entity.name).or_default().push(number);
            }
        }
        Self { all, by_entity }
    }

    /// Those that hold an entity.
    pub(super) fn holding(&self, entity: &str) -> impl Iterator<Item = &Relation<'m>> {
        self.by_entity.get(entity).into_iter().flatten().filter_map(|number| self.all.get(*number))
    }

    /// The tables, without views.
    pub(super) fn tables(&self) -> impl Iterator<Item = &Relation<'m>> {
        self.all.iter().filter(|relation| !relation.is_view)
    }
}

fn relations<'m>(model: &'m Model, cql: &'m Cql) -> Vec<Relation<'m>> {
    let mut relations = Vec::new();
    for table in cql.tables.values() {
        relations.push(Relation {
            address: Address::CqlTable(None, table.key.clone()),
            name: &table.name.value,
            span: table.span,
            table,
            is_view: false,
            layouts: table_layouts(model, table),
        });
        for (name, view) in &table.views {
            relations.push(Relation {
                address: Address::View(None, table.key.clone(), name.clone()),
                name,
                span: view.span,
                table,
                is_view: true,
                layouts: view_layouts(model, table, view),
            });
        }
    }
    relations
}

fn table_layouts<'m>(model: &'m Model, table: &'m CqlTable) -> Vec<Layout<'m>> {
    let partition =
        |entity: &str| table.partition_key.iter().map(|part| partition_column(table, entity, &part.value, part.span)).collect();
    let key_columns: BTreeSet<&str> = key_columns(table).collect();
    let mut layouts = Vec::new();
    for holding in &table.holds {
        let Some(entity) = model.entities.get(&holding.entity.value) else { continue };
        let stored = |name: &str| {
            table.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column.value == name))
                || table.static_attributes.iter().any(|column| column.value == name)
        };
        let attributes = entity.attributes.keys().map(String::as_str);
        layouts.push(Layout {
            entity,
            partition: partition(&entity.name),
            clustering: clustering_columns(table, &entity.name, &table.clustering),
            regular: attributes.filter(|name| !key_columns.contains(name) && stored(name)).collect(),
            is_static: false,
            when: holding.keys.values().filter_map(|key| key.when.as_ref()).flat_map(|when| &when.conditions).collect(),
        });
    }
    if let Some(entity) = table.static_entity.as_ref().and_then(|name| model.entities.get(&name.value)) {
        layouts.push(Layout {
            entity,
            partition: partition(&entity.name),
            clustering: Vec::new(),
            regular: entity.attributes.keys().map(String::as_str).filter(|name| !key_columns.contains(name)).collect(),
            is_static: true,
            when: Vec::new(),
        });
    }
    layouts
}

/// A view holds what its table holds; its key columns are columns of the table.
fn view_layouts<'m>(model: &'m Model, table: &'m CqlTable, view: &'m CqlView) -> Vec<Layout<'m>> {
    let column = |entity: &str, name: &'m str, span: Span, descending: bool| {
        let computed = table.partition_key.iter().find(|part| part.value.column() == name);
        KeyColumn {
            name,
            span,
            descending,
            parts: match computed {
                Some(part) => partition_column(table, entity, &part.value, span).parts,
                None => attribute_parts(table, entity, name),
            },
        }
    };
    let keys: BTreeSet<&str> = view
        .partition_key
        .iter()
        .chain(view.clustering.iter().map(|order| &order.attribute))
        .map(|name| name.value.as_str())
        .collect();
    table_layouts(model, table)
        .into_iter()
        .filter(|layout| !layout.is_static)
        .map(|base| {
            let entity = base.entity;
            let selected =
                |name: &str| view.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column.value == name));
            let base_key = base.key().filter(|column| column.bare() == Some(column.name)).map(|column| column.name);
            // A view has no static columns.
            let is_static = |name: &str| table.static_attributes.iter().any(|column| column.value == name);
            let base_columns = base.regular.iter().copied().filter(|name| !is_static(name)).chain(base_key);
            Layout {
                entity,
                partition: view.partition_key.iter().map(|name| column(&entity.name, &name.value, name.span, false)).collect(),
                clustering: view
                    .clustering
                    .iter()
                    .map(|order| column(&entity.name, &order.attribute.value, order.attribute.span, order.descending))
                    .collect(),
                regular: base_columns.filter(|name| !keys.contains(name) && selected(name)).collect(),
                is_static: false,
                when: base.when,
            }
        })
        .collect()
}

/// The names of a table's key columns, partition first.
pub(super) fn key_columns(table: &CqlTable) -> impl Iterator<Item = &str> {
    let clustering = table.clustering.iter().map(|order| order.attribute.value.as_str());
    table.partition_key.iter().map(|part| part.value.column()).chain(clustering)
}

fn clustering_columns<'m>(table: &'m CqlTable, entity: &str, orders: &'m [Order]) -> Vec<KeyColumn<'m>> {
    orders
        .iter()
        .map(|order| KeyColumn {
            name: &order.attribute.value,
            span: order.attribute.span,
            descending: order.descending,
            parts: attribute_parts(table, entity, &order.attribute.value),
        })
        .collect()
}

fn partition_column<'m>(table: &'m CqlTable, entity: &str, part: &'m PartitionPart, span: Span) -> KeyColumn<'m> {
    let parts = match part {
        PartitionPart::Attribute(name) => attribute_parts(table, entity, name),
        PartitionPart::Bucket { attribute, period, .. } => {
            vec![TemplatePart::Bucket { name: attribute.clone(), period: *period }]
        }
        PartitionPart::Shard { attribute, into, .. } => vec![TemplatePart::Shard { name: attribute.clone(), into: *into }],
    };
    KeyColumn { name: part.column(), span, descending: false, parts }
}

/// The template that `holds` gives for a column, else the attribute of its name.
fn attribute_parts(table: &CqlTable, entity: &str, column: &str) -> Vec<TemplatePart> {
    let held = table.holds.iter().find(|holding| holding.entity.value == entity);
    match held.and_then(|holding| holding.keys.get(column)) {
        Some(made) => made.template.parts.clone(),
        None => vec![TemplatePart::Attribute { name: column.to_owned(), pad: None, case: None }],
    }
}
