//! Section `dynamodb` (section 6): names, keys, indexes and settings of each table.

use super::report::Report;
use super::scope::{Scope, unknown_attribute};
use super::{allow, dynamodb_keys, holding, settings};
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::model::{AttributeType, Dynamodb, DynamodbTable, GlobalIndex, Holding, LocalIndex, Model, Removal};
use crate::schema::dynamodb::Projection;
use crate::schema::{Part, Text, pascal_case};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, DynamodbDefaults, Field, Map};
use crate::validate::grammar::name::{Name, is_dynamodb};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn resolve(document: &document::Model, report: &mut Report<'_>, model: &mut Model, scope: &Scope) {
    let Some(section) = document.dynamodb.get() else { return };
    let defaults = section.value.defaults.get().map(|defaults| &defaults.value);
    let mut tables = IndexMap::new();
    for (key, table) in section.value.tables.get().into_iter().flat_map(|tables| tables.good()) {
        report.name(Name::Word, key, "the key of a table");
        let reader = Reader { key, table, defaults, model, scope };
        if let Some(table) = reader.table(report) {
            tables.insert(key.value.clone(), table);
        }
    }
    names_taken(&tables, report, model);
    allow::renames(tables.iter().map(|(name, table)| (name.as_str(), table.renamed_from.as_ref())), report);
    let removed = removed(&section.value.removed, section.value.tables.get().map(|tables| &tables.value), report);
    model.dynamodb = Some(Dynamodb { span: section.span, tables, removed });
}

/// `removed`: tables that left the model.
pub(super) fn removed<T>(
    document: &Field<Map<document::Removal>>,
    tables: Option<&Map<T>>,
    report: &mut Report<'_>,
) -> IndexMap<String, Spanned<Removal>> {
    let mut removed = IndexMap::new();
    for (key, removal) in document.get().into_iter().flat_map(|removed| removed.good()) {
        if let Some(there) = tables.into_iter().flat_map(Map::names).find(|name| name.value == key.value) {
            let diagnostic =
                Diagnostic::new(codes::NAME_TAKEN, key.span, format!("`{}` is removed, but the model still has it", key.value));
            report.push(diagnostic.context(there.span, "the table").help("remove one of the two"));
        }
        let removal = match removal.value {
            document::Removal::Retain => Removal::Retain,
            document::Removal::Destroy => Removal::Destroy,
        };
        removed.insert(key.value.clone(), Spanned::new(removal, key.span));
    }
    removed
}

struct Reader<'r> {
    key: &'r Spanned<String>,
    table: &'r document::DynamodbTable,
    defaults: Option<&'r DynamodbDefaults>,
    model: &'r Model,
    scope: &'r Scope,
}

impl Reader<'_> {
    fn table(&self, report: &mut Report<'_>) -> Option<DynamodbTable> {
        let document = self.table;
        if document.owner.is_there() {
            return None;
        }
        if let Field::Absent = document.partition_key {
            let diagnostic =
                Diagnostic::new(codes::WRONG_SHAPE, self.key.span, format!("`{}` has no `partition_key`", self.key.value));
            report.push(diagnostic.help("add `partition_key:`"));
        }
        for key in [&document.partition_key, &document.sort_key].into_iter().filter_map(Field::get) {
            report.name(Name::Attribute, key, "a key attribute");
            no_parameter(key, report);
        }
        let holds = holding::resolve(&document.holds, &self.key_names(), self.model, self.scope, report);
        let settings = settings::resolve(document, self.defaults, report);
        let local_indexes = self.local_indexes(&holds, report);
        let global_indexes = self.global_indexes(&holds, &settings, report);
        allow::renames(local_indexes.iter().map(|(name, index)| (name.as_str(), index.renamed_from.as_ref())), report);
        allow::renames(global_indexes.iter().map(|(name, index)| (name.as_str(), index.renamed_from.as_ref())), report);
        index_names(&local_indexes, &global_indexes, report);
        for (label, kind, what) in [
            (&document.terraform_name, Name::Label, "a Terraform label"),
            (&document.logical_id, Name::LogicalId, "a logical ID"),
        ] {
            if let Some(name) = label.get() {
                report.name(kind, name, what);
            }
        }
        let ttl = self.ttl(&holds, report);
        self.discriminator(&holds, report);
        let table = DynamodbTable {
            span: self.key.span,
            key: self.key.value.clone(),
            description: super::entity::text(&document.description),
            holds,
            partition_key: document.partition_key.get()?.clone(),
            sort_key: document.sort_key.get().cloned(),
            name: self.name(report)?,
            local_indexes,
            global_indexes,
            ttl,
            discriminator: document.discriminator.get().cloned(),
            settings,
            terraform_name: document.terraform_name.get().cloned(),
            logical_id: document.logical_id.get().cloned(),
            renamed_from: document.renamed_from.get().cloned(),
            allow: allow::resolve(&document.allow, report),
        };
        let complete = !document.holds.is_broken() && !document.sort_key.is_broken();
        if complete {
            dynamodb_keys::check(&table, self.model, self.scope, report);
        }
        Some(table)
    }

    /// All key attributes of the table and its indexes.
    fn key_names(&self) -> Vec<&str> {
        let document = self.table;
        let own = [&document.partition_key, &document.sort_key].into_iter().filter_map(Field::get).map(|key| key.value.as_str());
        let local = document
            .local_secondary_indexes
            .get()
            .into_iter()
            .flat_map(|indexes| indexes.good())
            .filter_map(|(_, index)| index.sort_key.get())
            .map(|key| key.value.as_str());
        let global = document.global_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.good());
        let global = global.flat_map(|(_, index)| [&index.partition_key, &index.sort_key]).filter_map(Field::get);
        own.chain(local).chain(global.flat_map(|keys| keys.value.names()).map(|key| key.value.as_str())).collect()
    }

    /// The physical name: `name`, else `defaults.table_name`, else the key.
    fn name(&self, report: &mut Report<'_>) -> Option<Spanned<Text>> {
        if let Some(name) = self.table.name.get() {
            let text = report.text(name)?;
            return physical(&text, report).then_some(text);
        }
        let text = match self.defaults.and_then(|defaults| defaults.table_name.get()) {
            None => Spanned::new(Text::literal(&self.key.value), self.key.span),
            Some(pattern) => {
                let text = report.text(pattern)?;
                let with_key = text.value.parts().iter().map(|part| match part {
                    Part::Literal(literal) => Part::Literal(literal.replace("{table}", &self.key.value)),
                    other => other.clone(),
                });
                let named = Text::from_parts(with_key);
                if named == text.value {
                    let diagnostic = Diagnostic::new(codes::BAD_VALUE, pattern.span, "`table_name` gives every table one name");
                    report.push(diagnostic.help("put `{table}` where the key of the table belongs"));
                    return None;
                }
                Spanned::new(named, pattern.span)
            }
        };
        physical(&text, report).then_some(text)
    }

    fn local_indexes(&self, holds: &[Holding], report: &mut Report<'_>) -> IndexMap<String, LocalIndex> {
        let Some(written) = self.table.local_secondary_indexes.get() else { return IndexMap::new() };
        if written.value.0.len() > 5 {
            let message =
                format!("`{}` has {} local secondary indexes; at most 5 are possible", self.key.value, written.value.0.len());
            report.push(
                Diagnostic::new(codes::TOO_MANY_LSI, written.span, message).help("make some of them global secondary indexes"),
            );
        }
        if let (Field::Absent, Some(first)) = (&self.table.sort_key, written.value.0.first()) {
            let message = format!("`{}` has a local secondary index and no sort key", self.key.value);
            report.push(
                Diagnostic::new(codes::LSI_NEEDS_SORT_KEY, first.0.span, message)
                    .help("give the table a `sort_key`, or make it a global secondary index"),
            );
        }
        let mut indexes = IndexMap::new();
        for (key, index) in written.value.good() {
            let Some(name) = self.index_name(key, &index.name, report) else { continue };
            let Some(sort_key) = index.sort_key.get() else { continue };
            no_parameter(sort_key, report);
            let keys = [self.table.partition_key.get(), self.table.sort_key.get(), Some(sort_key)];
            let projection = self.projection(&index.projection, key.span, &keys, holds, report);
            indexes.insert(
                key.value.clone(),
                LocalIndex {
                    span: key.span,
                    description: super::entity::text(&index.description),
                    name,
                    sort_key: sort_key.clone(),
                    projection,
                    renamed_from: index.renamed_from.get().cloned(),
                    allow: allow::resolve(&index.allow, report),
                },
            );
        }
        indexes
    }

    fn global_indexes(
        &self,
        holds: &[Holding],
        settings: &crate::model::Settings,
        report: &mut Report<'_>,
    ) -> IndexMap<String, GlobalIndex> {
        let Some(written) = self.table.global_secondary_indexes.get() else { return IndexMap::new() };
        if written.value.0.len() > 20 {
            let message =
                format!("`{}` has {} global secondary indexes; at most 20 are possible", self.key.value, written.value.0.len());
            report.push(Diagnostic::new(codes::TOO_MANY_GSI, written.span, message));
        }
        let mut indexes = IndexMap::new();
        for (key, index) in written.value.good() {
            let Some(name) = self.index_name(key, &index.name, report) else { continue };
            let Some(partition_key) = index.partition_key.get() else { continue };
            let sort_key = index.sort_key.get();
            let names =
                |keys: Option<&Spanned<document::OneOrMany>>| keys.map(|keys| keys.value.names().to_vec()).unwrap_or_default();
            for (part, keys) in [("partition", Some(partition_key)), ("sort", sort_key)] {
                let Some(keys) = keys else { continue };
                let number = keys.value.names().len();
                if number == 0 || number > 4 {
                    let message = format!("the {part} key of an index has 1 to 4 attributes, not {number}");
                    report.push(Diagnostic::new(codes::INDEX_KEY, keys.span, message));
                }
            }
            let (partition, sort) = (names(Some(partition_key)), names(sort_key));
            let mut keys: Vec<Option<&Spanned<String>>> = vec![self.table.partition_key.get(), self.table.sort_key.get()];
            for name in partition.iter().chain(&sort) {
                no_parameter(name, report);
                keys.push(Some(name));
            }
            let throughput = index.throughput.get().and_then(|throughput| {
                if settings.billing == crate::schema::dynamodb::Billing::Provisioned {
                    return settings::capacity(throughput, report);
                }
                settings::fixed_on_demand(throughput, report);
                None
            });
            let projection = self.projection(&index.projection, key.span, &keys, holds, report);
            indexes.insert(
                key.value.clone(),
                GlobalIndex {
                    span: key.span,
                    description: super::entity::text(&index.description),
                    name,
                    partition_key: partition,
                    sort_key: sort,
                    projection,
                    throughput,
                    renamed_from: index.renamed_from.get().cloned(),
                    allow: allow::resolve(&index.allow, report),
                },
            );
        }
        let projected: usize = self.projected(&indexes);
        if projected > 100 {
            let message =
                format!("the indexes of `{}` project {projected} attributes by name; at most 100 are possible", self.key.value);
            report.push(
                Diagnostic::new(codes::TOO_MANY_PROJECTED, written.span, message)
                    .help("use `projection: all` where an index needs most of them"),
            );
        }
        indexes
    }

    /// Attributes that are projected by name, over all indexes: a limit of the table.
    fn projected(&self, global: &IndexMap<String, GlobalIndex>) -> usize {
        let listed = |projection: &Projection| if let Projection::Include(names) = projection { names.len() } else { 0 };
        let local = self.table.local_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.good());
        let local = local.map(|(_, index)| match index.projection.get().map(|projection| &projection.value) {
            Some(document::Projection::List(names)) => names.len(),
            _ => 0,
        });
        local.sum::<usize>() + global.values().map(|index| listed(&index.projection.value)).sum::<usize>()
    }

    fn index_name(&self, key: &Spanned<String>, name: &Field<String>, report: &mut Report<'_>) -> Option<Spanned<String>> {
        if name.is_broken() {
            return None;
        }
        let name = name.get().unwrap_or(key);
        report.name(Name::Dynamodb, name, "the name of an index").then(|| name.clone())
    }

    fn projection(
        &self,
        written: &Field<document::Projection>,
        index: Span,
        keys: &[Option<&Spanned<String>>],
        holds: &[Holding],
        report: &mut Report<'_>,
    ) -> Spanned<Projection> {
        let Some(written) = written.get() else { return Spanned::new(Projection::All, index) };
        let names = match &written.value {
            document::Projection::Text(document::ProjectionWord::All) => return Spanned::new(Projection::All, written.span),
            document::Projection::Text(document::ProjectionWord::KeysOnly) => {
                return Spanned::new(Projection::KeysOnly, written.span);
            }
            document::Projection::List(names) => names,
        };
        let mut included = BTreeSet::new();
        for name in names {
            if let Some(key) = keys.iter().flatten().find(|key| key.value == name.value) {
                let diagnostic = Diagnostic::new(
                    codes::PROJECTED_KEY,
                    name.span,
                    format!("`{}` is a key of the table or the index, so it is projected anyway", name.value),
                );
                report.push(diagnostic.context(key.span, "the key").help("remove it from the list"));
            } else if !self.is_stored(&name.value, holds) {
                self.unknown(name, holds, report);
            }
            if !included.insert(name.value.clone()) {
                report.push(Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{}` is listed twice", name.value)));
            }
        }
        if names.is_empty() {
            report.push(Diagnostic::new(codes::WRONG_SHAPE, written.span, "the list is empty").suggest(
                "project the keys alone",
                written.span,
                "keys_only",
            ));
        }
        Spanned::new(Projection::Include(included), written.span)
    }

    /// Whether items of the table have an attribute: one of a held entity, a key or the discriminator.
    fn is_stored(&self, name: &str, holds: &[Holding]) -> bool {
        self.key_names().contains(&name)
            || self.table.discriminator.get().is_some_and(|discriminator| discriminator.value == name)
            || holds.iter().any(|holding| {
                self.scope.is_broken(&holding.entity.value, name)
                    || self.model.entities.get(&holding.entity.value).is_some_and(|entity| entity.attributes.contains_key(name))
            })
            || self.is_partly_known(holds)
    }

    /// Whether the table holds entities that are broken, so that nothing can be called unknown.
    fn is_partly_known(&self, holds: &[Holding]) -> bool {
        let written = match self.table.holds.get().map(|holds| &holds.value) {
            None => return true,
            Some(document::Holds::Text(_)) => 1,
            Some(document::Holds::List(names)) => names.len(),
            Some(document::Holds::Map(entities)) => entities.0.len(),
        };
        holds.len() < written
    }

    fn unknown(&self, name: &Spanned<String>, holds: &[Holding], report: &mut Report<'_>) {
        let entities: Vec<_> = holds.iter().filter_map(|holding| self.model.entities.get(&holding.entity.value)).collect();
        if let [entity] = entities.as_slice() {
            report.push(unknown_attribute(entity, &name.value, name.span));
            return;
        }
        let diagnostic = Diagnostic::new(
            codes::UNKNOWN_ATTRIBUTE,
            name.span,
            format!("no entity in `{}` has an attribute `{}`", self.key.value, name.value),
        );
        let known = entities.iter().flat_map(|entity| entity.attributes.keys()).map(String::as_str);
        report.push(match nearest(&name.value, known) {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), name.span, near),
            None => diagnostic,
        });
    }

    fn ttl(&self, holds: &[Holding], report: &mut Report<'_>) -> Option<Spanned<String>> {
        let ttl = self.table.ttl.get()?;
        if no_parameter(ttl, report) {
            return None;
        }
        let mut found = false;
        for holding in holds {
            if self.scope.is_broken(&holding.entity.value, &ttl.value) {
                found = true;
                continue;
            }
            let Some(attribute) =
                self.model.entities.get(&holding.entity.value).and_then(|entity| entity.attributes.get(&ttl.value))
            else {
                continue;
            };
            found = true;
            let integer = matches!(attribute.kind, AttributeType::Int | AttributeType::Bigint | AttributeType::Varint);
            if attribute.kind != AttributeType::Timestamp && !integer {
                let message = format!(
                    "`{}` is {}; items expire by a timestamp, or an integer holding epoch seconds",
                    ttl.value, attribute.kind
                );
                report.push(Diagnostic::new(codes::TTL_ATTRIBUTE, ttl.span, message).context(attribute.span, "its type"));
            }
        }
        if !found && !self.is_partly_known(holds) {
            self.unknown(ttl, holds, report);
        }
        Some(ttl.clone())
    }

    fn discriminator(&self, holds: &[Holding], report: &mut Report<'_>) {
        let Some(name) = self.table.discriminator.get() else { return };
        report.name(Name::Attribute, name, "a discriminator");
        no_parameter(name, report);
        if self.key_names().contains(&name.value.as_str()) {
            report.push(Diagnostic::new(
                codes::NAME_TAKEN,
                name.span,
                format!("`{}` is a key attribute, so it cannot hold the entity's name", name.value),
            ));
            return;
        }
        for holding in holds {
            let Some(attribute) =
                self.model.entities.get(&holding.entity.value).and_then(|entity| entity.attributes.get(&name.value))
            else {
                continue;
            };
            if attribute.kind != AttributeType::Text {
                let message = format!("`{}.{}` is {}; a discriminator is text", holding.entity.value, name.value, attribute.kind);
                report.push(Diagnostic::new(codes::NAME_TAKEN, name.span, message).context(attribute.span, "the attribute"));
            }
        }
    }
}

/// A key attribute or `ttl` is no place for a parameter: true, reported, when there is one.
fn no_parameter(name: &Spanned<String>, report: &mut Report<'_>) -> bool {
    let is_parameter = name.value.contains("${");
    if is_parameter {
        let diagnostic = Diagnostic::new(codes::PARAMETER_NOT_HERE, name.span, "a parameter cannot stand here");
        report.push(diagnostic.help("the name of an attribute is the same everywhere"));
    }
    is_parameter
}

/// Checks the literal parts of a physical table name.
fn physical(name: &Spanned<Text>, report: &mut Report<'_>) -> bool {
    let mut length = 0;
    let mut fits = true;
    for part in name.value.parts() {
        if let Part::Literal(text) = part {
            length += text.len();
            fits &= text.chars().all(is_dynamodb);
        }
    }
    let is_literal = name.value.as_literal().is_some();
    if !fits || (is_literal && length < 3) {
        let diagnostic = Diagnostic::new(codes::BAD_NAME, name.span, format!("`{}` cannot be the name of a table", name.value));
        report.push(
            diagnostic.help("3 to 255 letters, digits, underscores, hyphens and dots; a table's `name` may differ from its key"),
        );
        return false;
    }
    if length > 255 {
        report.push(Diagnostic::new(
            codes::NAME_TOO_LONG,
            name.span,
            format!("the name of the table has {length} characters; at most 255 are possible"),
        ));
        return false;
    }
    true
}

fn index_names(local: &IndexMap<String, LocalIndex>, global: &IndexMap<String, GlobalIndex>, report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let names = local.values().map(|index| &index.name).chain(global.values().map(|index| &index.name));
    for name in names {
        if let Some(first) = seen.insert(&name.value, name.span) {
            let diagnostic = Diagnostic::new(
                codes::DUPLICATE_NAME,
                name.span,
                format!("two indexes of the table are called `{}`", name.value),
            );
            report.push(diagnostic.context(first, "the other"));
        }
    }
}

/// Physical names, Terraform labels and logical IDs must tell tables apart.
fn names_taken(tables: &IndexMap<String, DynamodbTable>, report: &mut Report<'_>, model: &Model) {
    let mut names: BTreeMap<&Text, Span> = BTreeMap::new();
    let mut labels: BTreeMap<String, Span> = BTreeMap::new();
    let mut ids: BTreeMap<String, Span> = BTreeMap::new();
    for table in tables.values() {
        if let Some(first) = names.insert(&table.name.value, table.span) {
            let diagnostic =
                Diagnostic::new(codes::DUPLICATE_NAME, table.name.span, format!("two tables are called `{}`", table.name.value));
            report.push(diagnostic.context(first, "the other"));
        }
        let label = table.terraform_name.as_ref().map_or((&table.key, table.span), |name| (&name.value, name.span));
        if let Some(first) = labels.insert(label.0.to_lowercase(), label.1) {
            let diagnostic =
                Diagnostic::new(codes::NAME_TAKEN, label.1, format!("two tables would have the Terraform label `{}`", label.0));
            report.push(
                diagnostic
                    .note("labels and file names are compared without case")
                    .context(first, "the other")
                    .help("set `terraform_name` on one of them"),
            );
        }
        let id =
            table.logical_id.as_ref().map_or_else(|| (pascal_case(&table.key), table.span), |id| (id.value.clone(), id.span));
        if let Some(first) = ids.insert(id.0.to_lowercase(), id.1) {
            let diagnostic = Diagnostic::new(codes::NAME_TAKEN, id.1, format!("two tables would have the logical ID `{}`", id.0));
            report.push(diagnostic.context(first, "the other").help("set `logical_id` on one of them"));
        }
        let parameter = model.parameters.iter().find(|(name, _)| pascal_case(name) == id.0);
        if let Some((name, parameter)) = parameter {
            let diagnostic = Diagnostic::new(
                codes::NAME_TAKEN,
                id.1,
                format!("the table and the parameter `{name}` would both be called `{}` in CloudFormation", id.0),
            );
            let diagnostic = diagnostic.help("set `logical_id` on the table");
            report.push(match parameter.about.span {
                Some(span) => diagnostic.context(span, "the parameter"),
                None => diagnostic,
            });
        }
    }
}
