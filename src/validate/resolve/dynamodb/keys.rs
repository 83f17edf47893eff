//! Key attributes of DynamoDB tables and indexes: that they exist, that their types can be keys, and that all entities agree.

use crate::diagnostic::{Diagnostic, codes, in_words};
use crate::model::{Attribute, AttributeType, DynamodbTable, Encoding, Entity, Holding, Model, Other, Owner};
use crate::schema::dynamodb::KeyType;
use crate::schema::has_reference;
use crate::source::{Span, Spanned};
use crate::validate::document::{Field, Holds};
use crate::validate::resolve::holding;
use crate::validate::resolve::report::Report;
use crate::validate::resolve::scope::Scope;

/// Checks the keys of a table. What the owner says of its keys is for the owner to mend, so a table of another model is
/// checked for what this one holds. `others_known` is false while each model is read by itself.
pub(super) fn check(
    table: &DynamodbTable,
    written: &Field<Holds>,
    model: &Model,
    scope: &Scope,
    others_known: bool,
    report: &mut Report<'_>,
) {
    let all = Checker { table, written, model, scope, others_known };
    if matches!(table.owner, Owner::Model(_)) {
        let mut checked: Vec<&str> = Vec::new();
        for (key, of_table) in every_key(table) {
            if !checked.contains(&key.value.as_str()) {
                all.attribute(key, of_table, report);
                checked.push(&key.value);
            }
        }
        return;
    }
    if let Some(sort_key) = table.sort_key.as_ref().filter(|sort_key| sort_key.value == table.partition_key.value) {
        let diagnostic = Diagnostic::new(
            codes::SORT_KEY_IS_PARTITION_KEY,
            sort_key.span,
            format!("`{}` is both partition key and sort key", sort_key.value),
        );
        report.push(diagnostic.context(table.partition_key.span, "the partition key"));
    }
    let mut checked: Vec<&str> = Vec::new();
    let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
    for key in own {
        all.attribute(key, true, report);
        checked.push(&key.value);
    }
    for index in table.local_indexes.values() {
        if index.sort_key.value == table.partition_key.value {
            let diagnostic = Diagnostic::new(
                codes::SORT_KEY_IS_PARTITION_KEY,
                index.sort_key.span,
                format!("`{}` is both partition key and sort key", index.sort_key.value),
            );
            report.push(diagnostic.context(table.partition_key.span, "the partition key"));
        }
    }
    let local = table.local_indexes.values().map(|index| &index.sort_key);
    let global = table.global_indexes.values().flat_map(|index| index.partition_key.iter().chain(&index.sort_key));
    for key in local.chain(global) {
        if !checked.contains(&key.value.as_str()) {
            all.attribute(key, false, report);
            checked.push(&key.value);
        }
    }
    for index in table.global_indexes.values() {
        let keys: Vec<&Spanned<String>> = index.partition_key.iter().chain(&index.sort_key).collect();
        for (at, key) in keys.iter().enumerate() {
            if let Some(first) = keys.iter().take(at).find(|earlier| earlier.value == key.value) {
                report.push(
                    Diagnostic::new(codes::INDEX_KEY, key.span, format!("`{}` is in the key of the index twice", key.value))
                        .context(first.span, "the first"),
                );
            }
        }
    }
}

/// The key attributes of a table and its indexes; true for those of the table.
fn every_key(table: &DynamodbTable) -> impl Iterator<Item = (&Spanned<String>, bool)> {
    let own = std::iter::once(&table.partition_key).chain(&table.sort_key);
    let local = table.local_indexes.values().map(|index| &index.sort_key);
    let global = table.global_indexes.values().flat_map(|index| index.partition_key.iter().chain(&index.sort_key));
    own.map(|key| (key, true)).chain(local.chain(global).map(|key| (key, false)))
}

struct Checker<'r> {
    table: &'r DynamodbTable,
    /// What it holds, as it is written.
    written: &'r Field<Holds>,
    model: &'r Model,
    scope: &'r Scope,
    others_known: bool,
}

impl Checker<'_> {
    fn entities(&self) -> impl Iterator<Item = (&Holding, &Entity)> {
        self.table.holds.iter().filter_map(|holding| Some((holding, self.model.entities.get(&holding.entity.value)?)))
    }

    /// One key attribute over all entities.
    fn attribute(&self, key: &Spanned<String>, of_table: bool, report: &mut Report<'_>) {
        if has_reference(&key.value) {
            return;
        }
        let mut first: Option<(KeyType, String, Span)> = None;
        let mut anywhere = self.table.discriminator.as_ref().is_some_and(|name| name.value == key.value);
        for other in &self.table.others {
            let Some((kind, place)) = of_another(key, other) else { continue };
            anywhere = true;
            if other.precedes && first.is_none() {
                first = Some((kind, format!("{}` of `{}", other.entity.name, other.model), place));
            }
        }
        for (holding, entity) in self.entities() {
            let Some((kind, place)) = self.key_type(key, holding, entity, of_table, &mut anywhere, report) else { continue };
            match &first {
                None => first = Some((kind, entity.name.clone(), place)),
                Some((known, other, known_place)) if *known != kind => {
                    let message = format!("`{}` would be {known:?} for `{other}` and {kind:?} for `{}`", key.value, entity.name);
                    let diagnostic =
                        Diagnostic::new(codes::KEY_TYPE_DIFFERS, place, message).context(*known_place, format!("{known:?} here"));
                    report
                        .push(diagnostic.help("a key attribute has one type; a template with more than `{name}` gives text (S)"));
                    return;
                }
                Some(_) => {}
            }
        }
        let is_judged = self.others_known && !matches!(self.table.owner, Owner::Model(_));
        if is_judged && !of_table && !anywhere && !self.table.holds.is_empty() {
            let entities: Vec<String> = self.entities().map(|(_, entity)| format!("`{}`", entity.name)).collect();
            let have = if entities.len() == 1 { "has" } else { "have" };
            let message = format!(
                "{} {have} no attribute `{}`, and no template makes it, so the index would be empty",
                in_words(entities),
                key.value
            );
            let known = self.entities().flat_map(|(_, entity)| entity.attributes.keys()).map(String::as_str);
            let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, key.span, message);
            report.push(match crate::diagnostic::nearest(&key.value, known) {
                Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), key.span, near),
                None => diagnostic.help("add the attribute, or a template for it under `holds`"),
            });
        }
    }

    /// The type of a key attribute for one entity; `anywhere` becomes true when the entity has it, or might.
    fn key_type<'m>(
        &'m self,
        key: &Spanned<String>,
        held: &'m Holding,
        entity: &'m Entity,
        of_table: bool,
        anywhere: &mut bool,
        report: &mut Report<'_>,
    ) -> Option<(KeyType, Span)> {
        let name = match held.keys.get(&key.value) {
            Some(value) => {
                *anywhere = true;
                let Some(bare) = value.template.bare() else {
                    return Some((if value.number { KeyType::N } else { KeyType::S }, value.template.span));
                };
                (bare, value.template.span)
            }
            // One that is written and not there could not be read.
            None if holding::has_template(self.written, &entity.name, &key.value) => {
                *anywhere = true;
                return None;
            }
            // The owner's text is not at fault.
            None if matches!(self.table.owner, Owner::Model(_)) => (key.value.as_str(), held.entity.span),
            None => (key.value.as_str(), key.span),
        };
        let (name, place) = name;
        if self.scope.is_broken(&entity.name, name) {
            *anywhere = true;
            return None;
        }
        let Some(attribute) = entity.attributes.get(name) else {
            if of_table && !held.keys.contains_key(&key.value) {
                let message =
                    format!("`{}` has no attribute `{}`, which is a key of `{}`", entity.name, key.value, self.table.key);
                let diagnostic =
                    Diagnostic::new(codes::KEY_ATTRIBUTE_MISSING, held.entity.span, message).context(key.span, "the key");
                report.push(
                    diagnostic
                        .context(entity.span, "the entity")
                        .help(format!("add a template: `holds: {{ {}: {{ {}: \"…\" }} }}`", entity.name, key.value)),
                );
            }
            return None;
        };
        *anywhere = true;
        let expires = self.table.ttl.as_ref().is_some_and(|ttl| ttl.value == name);
        let kind = stored(attribute, expires);
        if kind.is_none() {
            let message = format!("`{name}` is {}, which no key in DynamoDB can have", attribute.kind);
            report.push(
                Diagnostic::new(codes::NOT_A_KEY_TYPE, place, message)
                    .context(attribute.span, "its type")
                    .help("a key is text, a number or binary"),
            );
        }
        Some((kind?, place))
    }
}

/// The type of a key attribute for an entity of another model, where that is known.
fn of_another(key: &Spanned<String>, other: &Other) -> Option<(KeyType, Span)> {
    let (name, place) = match other.holding.keys.get(&key.value) {
        Some(value) => match value.template.bare() {
            Some(bare) => (bare, value.template.span),
            None => return Some((if value.number { KeyType::N } else { KeyType::S }, value.template.span)),
        },
        None => (key.value.as_str(), other.holding.entity.span),
    };
    Some((stored(other.entity.attributes.get(name)?, false)?, place))
}

/// The type of an attribute as a key; None when it cannot be one.
fn stored(attribute: &Attribute, expires: bool) -> Option<KeyType> {
    match attribute.kind {
        AttributeType::Timestamp if expires || attribute.encoding != Encoding::Iso => Some(KeyType::N),
        AttributeType::Blob => Some(KeyType::B),
        AttributeType::Timestamp
        | AttributeType::Text
        | AttributeType::Ascii
        | AttributeType::Inet
        | AttributeType::Uuid
        | AttributeType::Timeuuid
        | AttributeType::Ulid
        | AttributeType::Ksuid
        | AttributeType::Date
        | AttributeType::Time => Some(KeyType::S),
        ref kind if kind.is_number() => Some(KeyType::N),
        _ => None,
    }
}
