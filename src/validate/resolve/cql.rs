//! Section `cql` (section 7): names, keys, columns and time to live of each table.

use super::dynamodb::removed;
use super::report::Report;
use super::scope::{Scope, unknown_attribute};
use super::{allow, collection, holding};
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::model::{
    AttributeType, Cql, CqlIndex, CqlKeyspace, CqlTable, CqlTtl, CqlView, Entity, Holding, Model, Order, PartitionPart, Period,
};
use crate::schema::{Engine, Part, Scalar, Text, Value};
use crate::source::{Inside, Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::grammar::{Flaw, condition, template, types, units};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// The longest time to live that engines take: 20 years.
const LONGEST_TTL: u64 = 630_720_000;

pub(super) fn resolve(document: &document::Model, report: &mut Report<'_>, model: &mut Model, scope: &Scope) {
    let Some(section) = document.cql.get() else { return };
    let engines = engines(&section.value.engines, report);
    let keyspace = keyspace(&section.value, section.span, &engines, model, report);
    let mut tables = IndexMap::new();
    for (key, table) in section.value.tables.get().into_iter().flat_map(|tables| tables.good()) {
        report.name(Name::Word, key, "the key of a table");
        let reader = Reader { key, table, model, scope, engines: &engines };
        if let Some(table) = reader.table(report) {
            tables.insert(key.value.clone(), table);
        }
    }
    names(&tables, report);
    allow::renames(tables.iter().map(|(name, table)| (name.as_str(), table.renamed_from.as_ref())), report);
    let removed = removed(&section.value.removed, section.value.tables.get().map(|tables| &tables.value), report);
    if let Some(keyspace) = keyspace {
        model.cql = Some(Cql { span: section.span, engines, keyspace, tables, removed });
    }
}

fn engines(written: &Field<Vec<Spanned<document::EngineName>>>, report: &mut Report<'_>) -> Vec<Spanned<Engine>> {
    let Some(written) = written.get() else { return Vec::new() };
    let mut engines: Vec<Spanned<Engine>> = Vec::new();
    for name in &written.value {
        let engine = match name.value {
            document::EngineName::Cassandra40 => Engine::Cassandra40,
            document::EngineName::Cassandra41 => Engine::Cassandra41,
            document::EngineName::Cassandra50 => Engine::Cassandra50,
            document::EngineName::Scylla20251 => Engine::Scylla20251,
            document::EngineName::Scylla20261 => Engine::Scylla20261,
            document::EngineName::Keyspaces => Engine::Keyspaces,
        };
        if engines.iter().any(|known| known.value == engine) {
            report.push(Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{engine}` is listed twice")));
            continue;
        }
        engines.push(Spanned::new(engine, name.span));
    }
    if engines.is_empty() {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the list of engines is empty"));
    }
    engines.sort_by_key(|engine| engine.value);
    engines
}

fn keyspace(
    section: &document::Cql,
    section_span: Span,
    engines: &[Spanned<Engine>],
    model: &Model,
    report: &mut Report<'_>,
) -> Option<CqlKeyspace> {
    let empty = document::Keyspace::default();
    let (written, span) = section.keyspace.get().map_or((&empty, section_span), |keyspace| (&keyspace.value, keyspace.span));
    let name = match written.name.get() {
        Some(name) => report.text(name),
        None => Some(Spanned::new(Text::literal(model.name.value.replace('-', "_")), model.name.span)),
    };
    if let Some(name) = &name {
        let literal: String =
            name.value.parts().iter().map(|part| if let Part::Literal(text) = part { text.as_str() } else { "" }).collect();
        let text = Spanned::new(if literal.is_empty() { "x".to_owned() } else { literal }, name.span);
        report.name(Name::Cql, &text, "the name of a keyspace");
    }
    let needs_replication = engines.iter().any(|engine| engine.value != Engine::Keyspaces);
    let there = written.replication.is_there() || section.keyspace.is_broken();
    if needs_replication && !there {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, span, "the keyspace does not say how often its data is kept");
        report.push(diagnostic.help("add `keyspace: { replication: { dc1: 3 } }`, with the names of your data centres"));
    }
    let mut replication = IndexMap::new();
    for (centre, number) in written.replication.get().into_iter().flat_map(|replication| replication.good()) {
        let number = match report.number_value(number) {
            Some(Value::Parameter(parameter)) => {
                in_force(&parameter, number.span, report).map(|value| Spanned::new(value, number.span))
            }
            Some(Value::Literal(value)) => Some(Spanned::new(value, number.span)),
            _ => None,
        };
        if centre.value.is_empty() {
            report.push(Diagnostic::new(codes::BAD_NAME, centre.span, "a data centre has a name"));
        }
        if let Some(number) = number {
            if number.value == 0 {
                report.push(Diagnostic::new(
                    codes::BAD_VALUE,
                    number.span,
                    "a data centre without replicas is left out of the list",
                ));
            }
            replication.insert(centre.value.clone(), number);
        }
    }
    if let (Some(written), true) = (written.replication.get(), replication.is_empty())
        && written.value.0.is_empty()
    {
        report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "no data centre is named"));
    }
    Some(CqlKeyspace {
        span,
        name: name?,
        replication,
        regions: written.regions.get().map(|regions| regions.value.clone()).unwrap_or_default(),
        durable_writes: written.durable_writes.get().map(|value| value.value),
        tablets: written.tablets.get().cloned(),
    })
}

/// CQL has no variables: the parameter's default is written.
fn in_force(parameter: &str, span: Span, report: &mut Report<'_>) -> Option<u64> {
    let default = report.parameters.get(parameter)?.as_ref()?.default.clone();
    match default {
        Some(Scalar::Number(text)) => text.parse().ok(),
        _ => {
            let diagnostic = Diagnostic::new(codes::PARAMETER_UNSET, span, format!("CQL needs a value of `{parameter}`"));
            report.push(diagnostic.help("give the parameter a `default`"));
            None
        }
    }
}

struct Reader<'r> {
    key: &'r Spanned<String>,
    table: &'r document::CqlTable,
    model: &'r Model,
    scope: &'r Scope,
    engines: &'r [Spanned<Engine>],
}

impl Reader<'_> {
    fn table(&self, report: &mut Report<'_>) -> Option<CqlTable> {
        let document = self.table;
        let partition_key = self.partition_key(report);
        let clustering = orders(&document.clustering, report);
        let columns: Vec<&str> = partition_key
            .iter()
            .map(|part| part.value.column())
            .chain(clustering.iter().map(|order| order.attribute.value.as_str()))
            .collect();
        let holds = holding::resolve(&document.holds, &columns, self.model, self.scope, report);
        self.key(&partition_key, &clustering, &holds, report);
        let key_types = self.key_types(&columns, report);
        let stored = document.columns.get().map(|columns| {
            for column in &columns.value {
                self.column(column, &holds, report);
            }
            columns.value.clone()
        });
        let name = self.name(report);
        self.types(&holds, stored.as_deref(), report);
        let (static_entity, static_attributes) = self.statics(&holds, &clustering, report);
        let table = CqlTable {
            span: self.key.span,
            key: self.key.value.clone(),
            description: super::entity::text(&document.description),
            ttl: self.ttl(&holds, report),
            indexes: self.indexes(&holds, report),
            views: self.views(report),
            holds,
            static_entity,
            static_attributes,
            columns: stored,
            partition_key,
            clustering,
            key_types,
            name: name?,
            options: BTreeMap::new(),
            engine_options: BTreeMap::new(),
            renamed_from: document.renamed_from.get().cloned(),
            allow: allow::resolve(&document.allow, report),
        };
        document.partition_key.get().map(|_| table)
    }

    fn name(&self, report: &mut Report<'_>) -> Option<Spanned<String>> {
        if self.table.name.is_broken() {
            return None;
        }
        let name = self.table.name.get().unwrap_or(self.key);
        report.name(Name::Cql, name, "the name of a table").then(|| name.clone())
    }

    fn entities<'m>(&'m self, holds: &'m [Holding]) -> impl Iterator<Item = (&'m Holding, &'m Entity)> {
        holds.iter().filter_map(|holding| Some((holding, self.model.entities.get(&holding.entity.value)?)))
    }

    fn partition_key(&self, report: &mut Report<'_>) -> Vec<Spanned<PartitionPart>> {
        let Some(written) = self.table.partition_key.get() else { return Vec::new() };
        let attribute = |name: &str, span| Spanned::new(PartitionPart::Attribute(name.to_owned()), span);
        let parts = match &written.value {
            document::PartitionKey::Text(name) => vec![attribute(&name.value, name.span)],
            document::PartitionKey::Map(part) => self.part(&part.value, part.span, report).into_iter().collect(),
            document::PartitionKey::List(parts) => parts
                .iter()
                .filter_map(|part| match &part.value {
                    document::Part::Text(name) => Some(attribute(name, part.span)),
                    document::Part::Map(map) => self.part(map, part.span, report),
                })
                .collect(),
        };
        if let document::PartitionKey::List(parts) = &written.value
            && parts.is_empty()
        {
            report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the partition key is empty"));
        }
        parts
    }

    /// A bucket or a shard.
    fn part(&self, written: &document::PartMap, span: Span, report: &mut Report<'_>) -> Option<Spanned<PartitionPart>> {
        let column = |default: String| written.column.get().map_or(default, |column| column.value.clone());
        let part = match (written.bucket.get(), written.shard.get()) {
            (Some(bucket), None) => {
                let Field::Given(by) = &written.by else {
                    if !written.by.is_broken() {
                        report.push(
                            Diagnostic::new(codes::WRONG_SHAPE, span, "the bucket does not say how long it lasts")
                                .help("add `by: month` or another period"),
                        );
                    }
                    return None;
                };
                if let Some(into) = written.into.get() {
                    report.push(Diagnostic::new(codes::BAD_PATTERN, into.span, "`into` goes with `shard`, not with `bucket`"));
                }
                let period = report.read(by, template::period)?;
                let kind = match written.kind.get().map(|kind| kind.value) {
                    Some(document::BucketType::Text) => AttributeType::Text,
                    Some(document::BucketType::Int) => AttributeType::Int,
                    Some(document::BucketType::Bigint) => AttributeType::Bigint,
                    Some(document::BucketType::Date) => AttributeType::Date,
                    None if matches!(period, Period::Every(_)) => AttributeType::Int,
                    None => AttributeType::Text,
                };
                let suffix = by.value.clone();
                PartitionPart::Bucket {
                    attribute: bucket.value.clone(),
                    period,
                    column: column(format!("{}_{suffix}", bucket.value)),
                    kind,
                }
            }
            (None, Some(shard)) => {
                let Field::Given(into) = &written.into else {
                    if !written.into.is_broken() {
                        report.push(
                            Diagnostic::new(codes::WRONG_SHAPE, span, "the shard does not say how many there are")
                                .help("add `into: 8` or another number"),
                        );
                    }
                    return None;
                };
                if into.value < 2 {
                    report.push(
                        Diagnostic::new(codes::BAD_VALUE, into.span, format!("{} is no number of shards", into.value))
                            .help("2 or more"),
                    );
                }
                PartitionPart::Shard {
                    attribute: shard.value.clone(),
                    into: into.value,
                    column: column(format!("{}_shard", shard.value)),
                }
            }
            _ => {
                if !written.bucket.is_broken() && !written.shard.is_broken() {
                    let diagnostic =
                        Diagnostic::new(codes::WRONG_SHAPE, span, "a part of a partition key is either a bucket or a shard");
                    report.push(diagnostic.help("write `{ bucket: created_at, by: month }` or `{ shard: order_id, into: 8 }`"));
                }
                return None;
            }
        };
        Some(Spanned::new(part, span))
    }

    /// Key columns: known, and each once.
    fn key(&self, partition: &[Spanned<PartitionPart>], clustering: &[Order], holds: &[Holding], report: &mut Report<'_>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let parts = partition.iter().map(|part| (part.value.column(), part.span));
        for (column, span) in parts.chain(clustering.iter().map(|order| (order.attribute.value.as_str(), order.attribute.span))) {
            if let Some(first) = seen.insert(column, span) {
                report.push(
                    Diagnostic::new(codes::DUPLICATE_NAME, span, format!("`{column}` is in the primary key twice"))
                        .context(first, "the first"),
                );
            }
            report.name(Name::Attribute, &Spanned::new(column.to_owned(), span), "the name of a column");
        }
        for part in partition {
            let (attribute, bucket) = match &part.value {
                PartitionPart::Attribute(_) => continue,
                PartitionPart::Bucket { attribute, .. } => (attribute, true),
                PartitionPart::Shard { attribute, .. } => (attribute, false),
            };
            for (_, entity) in self.entities(holds) {
                if self.scope.is_broken(&entity.name, attribute) {
                    continue;
                }
                match entity.attributes.get(attribute) {
                    None => report.push(unknown_attribute(entity, attribute, part.span)),
                    Some(found) if bucket && !found.kind.has_time() => {
                        let message = format!("a bucket needs a value that carries a time, and `{attribute}` is {}", found.kind);
                        report.push(Diagnostic::new(codes::BAD_TEMPLATE, part.span, message).context(found.span, "its type"));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn key_types(&self, columns: &[&str], report: &mut Report<'_>) -> IndexMap<String, Spanned<AttributeType>> {
        let mut key_types = IndexMap::new();
        let user: Vec<&str> = self.model.types.keys().map(String::as_str).collect();
        for (column, kind) in self.table.key_types.get().into_iter().flat_map(|types| types.good()) {
            if !columns.contains(&column.value.as_str()) {
                let diagnostic = Diagnostic::new(
                    codes::UNKNOWN_ATTRIBUTE,
                    column.span,
                    format!("`{}` is no key column of `{}`", column.value, self.key.value),
                );
                report.push(match nearest(&column.value, columns.iter().copied()) {
                    Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), column.span, near),
                    None => diagnostic,
                });
            }
            if let Some(read) = report.read(kind, |text| types::attribute_type(text, &user)) {
                key_types.insert(column.value.clone(), Spanned::new(read, kind.span));
            }
        }
        key_types
    }

    /// A column that some held entity must have.
    fn column(&self, column: &Spanned<String>, holds: &[Holding], report: &mut Report<'_>) {
        let entities: Vec<&Entity> = self.entities(holds).map(|(_, entity)| entity).collect();
        let known =
            |entity: &&Entity| entity.attributes.contains_key(&column.value) || self.scope.is_broken(&entity.name, &column.value);
        if let Some(entity) = entities.first().filter(|_| !entities.iter().any(known)) {
            report.push(unknown_attribute(entity, &column.value, column.span));
        }
    }

    /// Types of the columns, by CQL's own rules.
    fn types(&self, holds: &[Holding], stored: Option<&[Spanned<String>]>, report: &mut Report<'_>) {
        for (_, entity) in self.entities(holds) {
            for (name, attribute) in &entity.attributes {
                let in_key = self.key_columns().contains(&name.as_str());
                if in_key || stored.is_none_or(|columns| columns.iter().any(|column| column.value == *name)) {
                    report.name(Name::Attribute, &Spanned::new(name.clone(), attribute.span), "the name of a column");
                    collection::check(name, attribute, in_key, self.engines, self.model, report);
                }
            }
        }
    }

    fn key_columns(&self) -> Vec<&str> {
        let partition = match self.table.partition_key.get().map(|key| &key.value) {
            Some(document::PartitionKey::Text(name)) => vec![name.value.as_str()],
            Some(document::PartitionKey::List(parts)) => parts
                .iter()
                .filter_map(|part| if let document::Part::Text(name) = &part.value { Some(name.as_str()) } else { None })
                .collect(),
            _ => Vec::new(),
        };
        let clustering = self.table.clustering.get().into_iter().flat_map(|clustering| &clustering.value);
        let word = |text: &'_ Spanned<String>| text.value.split_whitespace().next().map_or(0, str::len);
        partition.into_iter().chain(clustering.map(|text| text.value.get(..word(text)).unwrap_or_default())).collect()
    }

    fn statics(
        &self,
        holds: &[Holding],
        clustering: &[Order],
        report: &mut Report<'_>,
    ) -> (Option<Spanned<String>>, Vec<Spanned<String>>) {
        let Some(written) = self.table.statics.get() else { return (None, Vec::new()) };
        if clustering.is_empty() && !self.table.clustering.is_there() {
            let diagnostic = Diagnostic::new(
                codes::STATIC_NEEDS_CLUSTERING,
                written.span,
                "static columns need a clustering key: without one a partition is one row",
            );
            report.push(diagnostic.help("add `clustering`, or leave `static` out"));
        }
        match &written.value {
            document::OneOrMany::Text(entity) => {
                (self.scope.entity(self.model, entity, report).map(|_| entity.clone()), Vec::new())
            }
            document::OneOrMany::List(attributes) => {
                for attribute in attributes {
                    self.column(attribute, holds, report);
                }
                (None, attributes.clone())
            }
        }
    }

    fn ttl(&self, holds: &[Holding], report: &mut Report<'_>) -> Option<Spanned<CqlTtl>> {
        let written = self.table.ttl.get()?;
        if written.value.contains("${") {
            report.push(Diagnostic::new(codes::PARAMETER_NOT_HERE, written.span, "a parameter cannot be a time to live"));
            return None;
        }
        let entities: Vec<&Entity> = self.entities(holds).map(|(_, entity)| entity).collect();
        let ttl = if written.value == "retain" {
            let retain: Vec<_> = entities.iter().filter_map(|entity| entity.retain.as_ref()).collect();
            let longest = retain.iter().map(|retain| retain.value).max();
            if let Some(entity) =
                entities.iter().find(|entity| entity.retain.is_none() && !self.scope.is_broken(&entity.name, ""))
            {
                let diagnostic = Diagnostic::new(
                    codes::BAD_VALUE,
                    written.span,
                    format!("`{}` does not say how long it is kept", entity.name),
                );
                report.push(diagnostic.context(entity.span, "add `retain:` here"));
                return None;
            }
            CqlTtl::Default(longest?)
        } else if written.value.starts_with(|first: char| first.is_ascii_digit()) {
            CqlTtl::Default(report.read(written, units::duration)?)
        } else {
            for entity in &entities {
                let Some(attribute) = self.scope.attribute(entity, written, report) else { continue };
                if attribute.kind != AttributeType::Timestamp {
                    let message = format!("`{}` is {}; rows expire by a timestamp", written.value, attribute.kind);
                    report.push(Diagnostic::new(codes::TTL_ATTRIBUTE, written.span, message).context(attribute.span, "its type"));
                }
            }
            CqlTtl::Attribute(written.value.clone())
        };
        if let CqlTtl::Default(duration) = &ttl
            && (duration.seconds == 0 || duration.seconds > LONGEST_TTL)
        {
            let flaw = Flaw::value(
                0..written.value.len(),
                format!("{duration} is not between 1s and 20 years, which is what engines take"),
            );
            report.flaw(written, flaw);
        }
        let counter = entities
            .iter()
            .flat_map(|entity| entity.attributes.values())
            .find(|attribute| attribute.kind == AttributeType::Counter);
        if let Some(counter) = counter {
            report.push(
                Diagnostic::new(codes::COUNTER_MIXED, written.span, "counters cannot expire").context(counter.span, "a counter"),
            );
        }
        Some(Spanned::new(ttl, written.span))
    }

    fn indexes(&self, holds: &[Holding], report: &mut Report<'_>) -> IndexMap<String, CqlIndex> {
        let mut indexes = IndexMap::new();
        for (name, index) in self.table.indexes.get().into_iter().flat_map(|indexes| indexes.good()) {
            report.name(Name::Cql, name, "the name of an index");
            let Some(column) = index.column.get() else { continue };
            self.column(column, holds, report);
            let target = index.target.get().map(|target| {
                let word = match target.value {
                    document::IndexTarget::Keys => "keys",
                    document::IndexTarget::Values => "values",
                    document::IndexTarget::Entries => "entries",
                    document::IndexTarget::Full => "full",
                };
                Spanned::new(word.to_owned(), target.span)
            });
            let options = index.options.get().into_iter().flat_map(|options| options.good());
            indexes.insert(
                name.value.clone(),
                CqlIndex {
                    span: name.span,
                    description: super::entity::text(&index.description),
                    column: column.clone(),
                    sai: index.using.get().is_some_and(|using| using.value == document::IndexKind::Sai),
                    target,
                    local: index.local.get().is_some_and(|local| local.value),
                    options: options.map(|(name, value)| (name.value.clone(), value.value.0.clone())).collect(),
                    renamed_from: index.renamed_from.get().cloned(),
                    allow: allow::resolve(&index.allow, report),
                },
            );
        }
        indexes
    }

    fn views(&self, report: &mut Report<'_>) -> IndexMap<String, CqlView> {
        let mut views = IndexMap::new();
        for (name, view) in self.table.views.get().into_iter().flat_map(|views| views.good()) {
            report.name(Name::Cql, name, "the name of a view");
            let Some(partition_key) = view.partition_key.get() else { continue };
            views.insert(
                name.value.clone(),
                CqlView {
                    span: name.span,
                    description: super::entity::text(&view.description),
                    partition_key: partition_key.value.names().to_vec(),
                    clustering: orders(&view.clustering, report),
                    columns: view.columns.get().map(|columns| columns.value.clone()),
                    options: BTreeMap::new(),
                    engine_options: BTreeMap::new(),
                    renamed_from: view.renamed_from.get().cloned(),
                    allow: allow::resolve(&view.allow, report),
                },
            );
        }
        views
    }
}

fn orders(written: &Field<Vec<Spanned<String>>>, report: &mut Report<'_>) -> Vec<Order> {
    let mut orders = Vec::new();
    for text in written.get().into_iter().flat_map(|list| &list.value) {
        if text.value.contains("${") {
            report.push(Diagnostic::new(codes::PARAMETER_NOT_HERE, text.span, "a parameter cannot be part of a key"));
            continue;
        }
        let inside = Inside::new(report.sources, text.span, &text.value);
        orders.extend(report.read(text, |source| condition::order(source, &inside)));
    }
    orders
}

/// Tables, views and indexes share the keyspace's names.
fn names(tables: &IndexMap<String, CqlTable>, report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for table in tables.values() {
        let views = table.views.iter().map(|(name, view)| (name.as_str(), view.span));
        for (name, span) in std::iter::once((table.name.value.as_str(), table.name.span)).chain(views) {
            if let Some(first) = seen.insert(name, span) {
                report.push(
                    Diagnostic::new(codes::DUPLICATE_NAME, span, format!("two tables or views are called `{name}`"))
                        .context(first, "the other"),
                );
            }
        }
    }
    let mut indexes: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, index) in tables.values().flat_map(|table| &table.indexes) {
        if let Some(first) = indexes.insert(name, index.span) {
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, index.span, format!("two indexes are called `{name}`"));
            report.push(diagnostic.context(first, "the other").note("the names of indexes are unique in a keyspace"));
        }
    }
}
