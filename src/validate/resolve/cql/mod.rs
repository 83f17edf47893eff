//! Section `cql` (section 7): names, keys, columns and time to live of each table.

mod collection;
mod key;
mod key_types;
mod keyspace;
mod options;

use super::dynamodb::removed;
use super::report::Report;
use super::scope::{Scope, unknown_attribute};
use super::{allow, entity, holding};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{AttributeType, Cql, CqlIndex, CqlTable, CqlTtl, CqlView, EngineOptions, Entity, Holding, Model, Order};
use crate::schema::{Address, Engine, has_reference};
use crate::source::{Inside, Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::grammar::{Flaw, condition, units};
use std::collections::BTreeMap;

/// The longest time to live that engines take: 20 years.
const LONGEST_TTL: u64 = 630_720_000;

pub(super) fn resolve(document: &document::Model, report: &mut Report<'_>, model: &mut Model, scope: &Scope) {
    let Some(section) = document.cql.get() else { return };
    let engines = keyspace::engines(&section.value.engines, report);
    let keyspace = keyspace::resolve(&section.value, section.span, &engines, model, report);
    let defaults = section.value.defaults.get().map(|defaults| &defaults.value);
    let inherited = defaults
        .map(|defaults| options::resolve(defaults.options(), &defaults.for_engine, &engines, None, report))
        .unwrap_or_default();
    let mut tables = Named::default();
    tables.reserve_exact(section.value.tables.get().map_or(0, |tables| tables.value.0.len()));
    for (key, table) in section.value.tables.get().into_iter().flat_map(|tables| tables.good()) {
        report.name(Name::Word, key, "the key of a table");
        let reader = Reader { key, table, defaults, inherited: &inherited, model, scope, engines: &engines };
        if let Some(table) = reader.table(report) {
            tables.insert(key.value.clone(), table);
        }
    }
    names(&tables, report);
    collection::user_types(tables.values().flat_map(|table| stored(table, model)), model, report);
    allow::renames(tables.iter().map(|(name, table)| (name.as_str(), table.renamed_from.as_ref())), report);
    let removed = removed(&section.value.removed, section.value.tables.get().map(|tables| &tables.value), report);
    if let Some(keyspace) = keyspace {
        model.cql = Some(Cql { span: section.span, engines, keyspace, tables, removed });
    }
}

/// The types of the attributes that a table stores.
fn stored<'m>(table: &CqlTable, model: &'m Model) -> impl Iterator<Item = &'m AttributeType> {
    let in_key = |name: &str| {
        let mut partition = table.partition_key.iter().map(|part| part.value.column());
        partition.any(|column| column == name) || table.clustering.iter().any(|order| order.attribute.value == name)
    };
    let entities = table.holds.iter().filter_map(|holding| model.entities.get(&holding.entity.value));
    let attributes = entities
        .flat_map(|entity| &entity.attributes)
        .filter(move |(name, _)| in_key(name) || lists(table.columns.as_deref(), name));
    attributes.map(|(_, attribute)| &attribute.kind)
}

/// Whether a table's `columns` list an attribute; where there are none, it stores all.
fn lists(columns: Option<&[Spanned<String>]>, name: &str) -> bool {
    columns.is_none_or(|columns| columns.iter().any(|column| column.value == name))
}

struct Reader<'r> {
    key: &'r Spanned<String>,
    table: &'r document::CqlTable,
    defaults: Option<&'r document::CqlDefaults>,
    /// The options of `defaults`.
    inherited: &'r EngineOptions,
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
        let holds = holding::resolve(&document.holds, Some(&columns), self.model, self.scope, report);
        self.key(&partition_key, &clustering, &holds, report);
        let key_types = self.key_types(&columns, report);
        key_types::constants(&holds, &key_types, report);
        let stored = document.columns.get().map(|columns| {
            for column in &columns.value {
                self.column(column, &holds, report);
            }
            columns.value.clone()
        });
        let name = self.name(report);
        self.resource_names(report);
        self.types(&columns, &holds, stored.as_deref(), report);
        let (static_entity, static_attributes) = self.statics(&holds, &clustering, report);
        let ttl = self.ttl(&holds, report);
        let (options, settings) = self.options(ttl.as_ref(), report);
        let table = CqlTable {
            span: self.key.span,
            key: self.key.value.clone(),
            description: entity::text(&document.description),
            external: document.external.get().is_some_and(|external| external.value),
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
            options,
            settings,
            ttl,
            terraform_name: document.terraform_name.get().cloned(),
            logical_id: document.logical_id.get().cloned(),
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
        let good = report.name(Name::Cql, name, "the name of a table");
        keyspace::engine_name(&name.value, name.span, self.engines, report);
        good.then(|| name.clone())
    }

    /// What Terraform and CloudFormation call it, which is for Amazon Keyspaces alone.
    fn resource_names(&self, report: &mut Report<'_>) {
        for (key, field, kind, what) in [
            ("terraform_name", &self.table.terraform_name, Name::Label, "a Terraform label"),
            ("logical_id", &self.table.logical_id, Name::LogicalId, "a logical ID"),
        ] {
            let Some(name) = field.get() else { continue };
            report.name(kind, name, what);
            if self.engines.iter().all(|engine| engine.value != Engine::Keyspaces) {
                report.push(options::for_keyspaces_alone(key, name.span));
            }
        }
    }

    /// What each engine is told of the table, and where each of Amazon Keyspaces' own settings is written.
    fn options(&self, ttl: Option<&Spanned<CqlTtl>>, report: &mut Report<'_>) -> (EngineOptions, BTreeMap<String, Span>) {
        let document = self.table;
        let address = Address::CqlTable(None, self.key.value.clone());
        let mut options = options::resolve(document.options(), &document.for_engine, self.engines, Some(&address), report);
        let service = options::Service::of(document, self.defaults, ttl).read(self.engines, report);
        if !service.is_empty() {
            options::inherit(&mut options, &[(Engine::Keyspaces, service)].into());
        }
        options::inherit(&mut options, self.inherited);
        let own = options.get(&Engine::Keyspaces).into_iter().flatten();
        let settings = own.filter_map(|(name, value)| Some((options::custom_property(name)?.to_owned(), value.span))).collect();
        options::join_custom(&mut options);
        (options, settings)
    }

    /// What each engine is told of a view. `defaults` are for tables.
    fn view_options(&self, name: &Spanned<String>, view: &document::CqlView, report: &mut Report<'_>) -> EngineOptions {
        let address = Address::View(None, self.key.value.clone(), name.value.clone());
        let mut options = options::resolve(view.options(), &view.for_engine, self.engines, Some(&address), report);
        options::join_custom(&mut options);
        options
    }

    fn entities<'m>(&'m self, holds: &'m [Holding]) -> impl Iterator<Item = (&'m Holding, &'m Entity)> {
        holds.iter().filter_map(|holding| Some((holding, self.model.entities.get(&holding.entity.value)?)))
    }

    /// A column that some held entity must have.
    fn column(&self, column: &Spanned<String>, holds: &[Holding], report: &mut Report<'_>) {
        if !holding::is_complete(&self.table.holds, holds) {
            return;
        }
        let entities: Vec<&Entity> = self.entities(holds).map(|(_, entity)| entity).collect();
        let known =
            |entity: &&Entity| entity.attributes.contains_key(&column.value) || self.scope.is_broken(&entity.name, &column.value);
        if let Some(entity) = entities.first().filter(|_| !entities.iter().any(known)) {
            report.push(unknown_attribute(entity, &column.value, column.span));
        }
    }

    /// Types of the columns, by CQL's own rules.
    fn types(&self, key: &[&str], holds: &[Holding], stored: Option<&[Spanned<String>]>, report: &mut Report<'_>) {
        for (_, entity) in self.entities(holds) {
            for (name, attribute) in &entity.attributes {
                let in_key = key.contains(&name.as_str());
                if in_key || lists(stored, name) {
                    collection::check(name, attribute, in_key, self.engines, self.model, report);
                }
            }
        }
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
        if has_reference(&written.value) {
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

    fn indexes(&self, holds: &[Holding], report: &mut Report<'_>) -> Named<CqlIndex> {
        let mut indexes = Named::default();
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
                    description: entity::text(&index.description),
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

    fn views(&self, report: &mut Report<'_>) -> Named<CqlView> {
        let mut views = Named::default();
        for (name, view) in self.table.views.get().into_iter().flat_map(|views| views.good()) {
            report.name(Name::Cql, name, "the name of a view");
            let Some(partition_key) = view.partition_key.get() else { continue };
            views.insert(
                name.value.clone(),
                CqlView {
                    span: name.span,
                    description: entity::text(&view.description),
                    partition_key: partition_key.value.names().to_vec(),
                    clustering: orders(&view.clustering, report),
                    columns: view.columns.get().map(|columns| columns.value.clone()),
                    options: self.view_options(name, &view.value, report),
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
        if has_reference(&text.value) {
            report.push(Diagnostic::new(codes::PARAMETER_NOT_HERE, text.span, "a parameter cannot be part of a key"));
            continue;
        }
        let inside = Inside::new(report.sources, text.span, &text.value);
        orders.extend(report.read(text, |source| condition::order(source, &inside)));
    }
    orders
}

/// Tables, views and indexes share the keyspace's names.
fn names(tables: &Named<CqlTable>, report: &mut Report<'_>) {
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
