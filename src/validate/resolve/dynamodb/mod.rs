//! Section `dynamodb` (section 6): names, keys, indexes and settings of each table.

mod capacity;
mod indexes;
mod keys;
mod names;
mod policy;
mod replicas;
mod settings;
mod shared;

use super::in_force::InForce;
use super::report::Report;
use super::scope::{Scope, unknown_attribute};
use super::{allow, entity, holding};
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::model::Named;
use crate::model::{AttributeType, Dynamodb, DynamodbTable, Holding, Model, Owner, Removal};
use crate::schema::{Part, Text};
use crate::source::Spanned;
use crate::validate::document::{self, DynamodbDefaults, Field, Map};
use crate::validate::grammar::name::Name;
use crate::validate::share::Neighbours;

pub(super) fn resolve(
    document: &document::Model,
    neighbours: Option<&Neighbours<'_>>,
    report: &mut Report<'_>,
    model: &mut Model,
    scope: &Scope,
) {
    let Some(section) = document.dynamodb.get() else { return };
    let defaults = section.value.defaults.get().map(|defaults| &defaults.value);
    let mut tables = Named::default();
    tables.reserve_exact(section.value.tables.get().map_or(0, |tables| tables.value.0.len()));
    let mut shared = Named::default();
    for (key, table) in section.value.tables.get().into_iter().flat_map(|tables| tables.good()) {
        report.name(Name::Word, key, "the key of a table");
        let reader = Reader { key, table, defaults, neighbours, model, scope };
        let table = if table.owner.is_there() { reader.shared(&mut shared, report) } else { reader.table(report) };
        if let Some(table) = table {
            tables.insert(key.value.clone(), table);
        }
    }
    names::taken(&tables, report, model);
    allow::renames(tables.iter().map(|(name, table)| (name.as_str(), table.renamed_from.as_ref())), report);
    let removed = removed(&section.value.removed, section.value.tables.get().map(|tables| &tables.value), report);
    model.dynamodb = Some(Dynamodb { span: section.span, tables, shared, removed });
}

/// `removed`: tables that left the model.
pub(super) fn removed<T>(
    document: &Field<Map<document::Removal>>,
    tables: Option<&Map<T>>,
    report: &mut Report<'_>,
) -> Named<Spanned<Removal>> {
    let mut removed = Named::default();
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
    /// None while each model is read by itself.
    neighbours: Option<&'r Neighbours<'r>>,
    model: &'r Model,
    scope: &'r Scope,
}

impl Reader<'_> {
    fn table(&self, report: &mut Report<'_>) -> Option<DynamodbTable> {
        let document = self.table;
        if let Field::Absent = document.partition_key {
            let diagnostic =
                Diagnostic::new(codes::WRONG_SHAPE, self.key.span, format!("`{}` has no `partition_key`", self.key.value));
            report.push(diagnostic.help("add `partition_key:`"));
        }
        for key in [&document.partition_key, &document.sort_key].into_iter().filter_map(Field::get) {
            report.name(Name::TableAttribute, key, "a key attribute");
        }
        let holds = holding::resolve(&document.holds, Some(&self.key_names()), self.model, self.scope, report);
        let settings = settings::resolve(document, self.defaults, report);
        let local_indexes = self.local_indexes(&holds, report);
        let global_indexes = self.global_indexes(&holds, &settings, report);
        allow::renames(local_indexes.iter().map(|(name, index)| (name.as_str(), index.renamed_from.as_ref())), report);
        allow::renames(global_indexes.iter().map(|(name, index)| (name.as_str(), index.renamed_from.as_ref())), report);
        indexes::names(&local_indexes, &global_indexes, report);
        for (label, kind, what) in [
            (&document.terraform_name, Name::Label, "a Terraform label"),
            (&document.logical_id, Name::LogicalId, "a logical ID"),
        ] {
            if let Some(name) = label.get() {
                report.name(kind, name, what);
            }
        }
        let ttl = self.ttl(&holds, report);
        if let Some(name) = document.discriminator.get() {
            self.discriminator(name, &self.key_names(), &holds, report);
        }
        let external = document.external.get().is_some_and(|external| external.value);
        let table = DynamodbTable {
            span: self.key.span,
            key: self.key.value.clone(),
            description: entity::text(&document.description),
            owner: if external { Owner::Elsewhere } else { Owner::This },
            holds,
            others: self.neighbours.map(|neighbours| neighbours.guests(&self.key.value)).unwrap_or_default(),
            partition_key: document.partition_key.get()?.clone(),
            sort_key: document.sort_key.get().cloned(),
            name: self.name(report)?,
            local_indexes,
            global_indexes,
            ttl,
            discriminator: document.discriminator.get().cloned(),
            warm_throughput: capacity::warm(&document.warm_throughput, report),
            kinesis_stream: self.kinesis_stream(report),
            resource_policy: policy::resolve(&document.resource_policy, report),
            settings,
            terraform_name: document.terraform_name.get().cloned(),
            logical_id: document.logical_id.get().cloned(),
            renamed_from: document.renamed_from.get().cloned(),
            allow: allow::resolve(&document.allow, report),
        };
        replicas::check(&table, report);
        let complete = !document.holds.is_broken() && !document.sort_key.is_broken();
        if complete {
            keys::check(&table, &document.holds, self.model, self.scope, self.neighbours.is_some(), report);
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
            return names::is_name(&text, report).then_some(text);
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
        names::is_name(&text, report).then_some(text)
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
        !holding::is_complete(&self.table.holds, holds)
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

    /// An ARN, as far as its value is known.
    fn kinesis_stream(&self, report: &mut Report<'_>) -> Option<Spanned<Text>> {
        let arn = report.text(self.table.kinesis_stream.get()?)?;
        let in_force = InForce::of(&arn.value, report);
        if let Some(other) = in_force.whole().filter(|text| !text.starts_with("arn:")) {
            let diagnostic = Diagnostic::new(codes::BAD_VALUE, arn.span, format!("`{other}` is no ARN"));
            report.push(diagnostic.help("write that of the stream: `arn:aws:kinesis:…:stream/…`"));
        }
        Some(arn)
    }

    fn ttl(&self, holds: &[Holding], report: &mut Report<'_>) -> Option<Spanned<String>> {
        let ttl = self.table.ttl.get()?;
        if !report.name(Name::TableAttribute, ttl, "the attribute of `ttl`") {
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
            if !is_time(&attribute.kind) {
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

    fn discriminator(&self, name: &Spanned<String>, keys: &[&str], holds: &[Holding], report: &mut Report<'_>) {
        report.name(Name::Attribute, name, "a discriminator");
        if keys.contains(&name.value.as_str()) {
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

/// Whether items can expire by an attribute of that type.
fn is_time(kind: &AttributeType) -> bool {
    matches!(kind, AttributeType::Timestamp | AttributeType::Int | AttributeType::Bigint | AttributeType::Varint)
}
