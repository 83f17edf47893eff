//! Access patterns (section 4).

mod addresses;
mod keys;
mod verb;

use super::report::Report;
use super::scope::{Scope, unknown, unknown_attribute};
use super::{allow, condition, entity};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Consistency, Entity, Guard, Model, Pattern, Verb};
use crate::schema::{Address, Store};
use crate::source::{Inside, Span, Spanned};
use crate::validate::document::{self, Field, Map};
use crate::validate::grammar::condition::Place;
use crate::validate::grammar::name::Name;
use crate::validate::grammar::units;
use crate::validate::share::Neighbours;
use addresses::Addresses;
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub(super) fn resolve(
    document: &document::Model,
    neighbours: Option<&Neighbours<'_>>,
    report: &mut Report<'_>,
    model: &mut Model,
    scope: &Scope,
) {
    let Some(patterns) = document.access_patterns.get() else { return };
    let addresses = OnceCell::new();
    model.patterns.reserve_exact(patterns.value.0.len());
    for (name, pattern) in patterns.good() {
        report.name(Name::Kebab, name, "the name of an access pattern");
        let mut reader = Reader { document, neighbours, model, scope, addresses: &addresses, report };
        if let Some(resolved) = reader.pattern(&name.value, name.span, pattern, false) {
            model.patterns.insert(name.value.clone(), resolved);
        }
    }
    allow::renames(model.patterns.iter().map(|(name, pattern)| (name.as_str(), pattern.renamed_from.as_ref())), report);
}

struct Reader<'r, 'a> {
    document: &'r document::Model,
    neighbours: Option<&'r Neighbours<'r>>,
    model: &'r Model,
    scope: &'r Scope,
    /// What `via` may name. Few patterns have one, so it is found when it is asked for.
    addresses: &'r OnceCell<Addresses>,
    report: &'r mut Report<'a>,
}

impl Reader<'_, '_> {
    fn pattern(&mut self, name: &str, span: Span, document: &document::Pattern, entry: bool) -> Option<Pattern> {
        let (verb_name, verb_span, broken) = self.verb_name(name, span, document)?;
        self.allowed_keys(verb_name, document, entry);
        let allow = allow::resolve(&document.allow, self.report);
        let rate = self.report.field(&document.rate, units::rate);
        let peak = self.report.field(&document.peak, units::rate);
        if let (Some(rate), Some(peak)) = (&rate, &peak)
            && peak.value < rate.value
        {
            self.report.push(
                Diagnostic::new(codes::BAD_VALUE, peak.span, "the peak is below the average rate").context(rate.span, "the rate"),
            );
        }
        let keeps = self.report.field(&document.keeps, units::share).map(|keeps| keeps.value);
        let time_span = self.report.field(&document.span, units::duration).map(|span| span.value);
        let via = self.via(document);
        let backend = self.backend(document);
        if broken {
            return None;
        }
        let verb = self.verb(name, verb_name, document)?;
        let named: Vec<&Spanned<String>> = match &verb {
            Verb::Find(entities) | Verb::Scan(entities) => entities.iter().collect(),
            Verb::Count(entity) | Verb::Put(entity) | Verb::Update(entity) | Verb::Delete(entity) => vec![entity],
            Verb::Transaction(_) | Verb::Batch(_) => Vec::new(),
        };
        let entities: Vec<&Entity> = named.iter().filter_map(|name| self.scope.entity(self.model, name, self.report)).collect();
        // With an entity missing nothing more can be said about attributes.
        let complete = entities.len() == named.len();
        let entities = if complete { entities } else { Vec::new() };
        self.required(verb_name, verb_span, document);
        let conditions = self.conditions(&document.conditions, &entities, Place::Where);
        let filter = self.conditions(&document.filter, &entities, Place::Filter);
        let set = self.attributes(&document.set, &entities);
        let increment = self.attributes(&document.increment, &entities);
        self.increments(&set, &increment, &entities);
        let limit = self.positive("limit", &document.limit);
        let batch_size = self.positive("batch_size", &document.batch_size);
        self.batch_size(verb_name, &verb, document);
        Some(Pattern {
            span,
            name: name.to_owned(),
            description: entity::text(&document.description),
            order: self.order(document, &entities),
            select: self.attributes(&document.select, &entities),
            guard: self.guard(document, &entities),
            verb,
            verb_span,
            conditions,
            limit,
            filter,
            keeps,
            time_span,
            batch_size: batch_size.unwrap_or(1),
            set,
            increment,
            peak: peak.as_ref().or(rate.as_ref()).map(|peak| peak.value),
            rate: rate.map(|rate| rate.value),
            consistency: match document.consistency.get().map(|consistency| consistency.value) {
                None | Some(document::Consistency::Eventual) => Consistency::Eventual,
                Some(document::Consistency::Strong) => Consistency::Strong,
                Some(document::Consistency::Transactional) => Consistency::Transactional,
            },
            via,
            backend,
            unserved: document.unserved.get().cloned(),
            reason: entity::text(&document.reason),
            segments: self.positive("segments", &document.segments),
            renamed_from: document.renamed_from.get().cloned(),
            allow,
        })
    }

    fn conditions(&mut self, field: &Field<String>, entities: &[&Entity], place: Place) -> Option<crate::model::Where> {
        condition::resolve(field.get()?, entities, place, self.scope, self.report)
    }

    fn guard(&mut self, document: &document::Pattern, entities: &[&Entity]) -> Option<Spanned<Guard>> {
        let text = document.guard.get()?;
        let words: Vec<String> = text.value.split_whitespace().map(str::to_lowercase).collect();
        let guard = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["exists"] => Guard::Exists,
            ["not", "exists"] => Guard::NotExists,
            _ => Guard::Where(self.conditions(&document.guard, entities, Place::Filter)?),
        };
        Some(Spanned::new(guard, text.span))
    }

    fn order(&mut self, document: &document::Pattern, entities: &[&Entity]) -> Vec<crate::model::Order> {
        let mut order: Vec<crate::model::Order> = Vec::new();
        for text in document.order.get().map(|order| order.value.names()).unwrap_or_default() {
            let inside = Inside::new(self.report.sources, text.span, &text.value);
            let Some(one) = self.report.read(text, |text| crate::validate::grammar::condition::order(text, &inside)) else {
                continue;
            };
            let name = &one.attribute;
            let known = entities
                .iter()
                .any(|entity| entity.attributes.contains_key(&name.value) || self.scope.is_broken(&entity.name, &name.value));
            if let Some(entity) = entities.first().filter(|_| !known) {
                self.report.push(unknown_attribute(entity, &name.value, name.span));
            }
            if order.iter().any(|earlier| earlier.attribute.value == name.value) {
                self.report.push(Diagnostic::new(
                    codes::DUPLICATE_NAME,
                    name.span,
                    format!("`{}` is in the order twice", name.value),
                ));
            }
            order.push(one);
        }
        order
    }

    /// Names of attributes, each of which must exist in one of the entities.
    fn attributes(&mut self, field: &Field<Vec<Spanned<String>>>, entities: &[&Entity]) -> Vec<Spanned<String>> {
        let Some(names) = field.get() else { return Vec::new() };
        for name in &names.value {
            let known = entities
                .iter()
                .any(|entity| entity.attributes.contains_key(&name.value) || self.scope.is_broken(&entity.name, &name.value));
            if let Some(entity) = entities.first().filter(|_| !known) {
                self.report.push(unknown_attribute(entity, &name.value, name.span));
            }
        }
        if names.value.is_empty() {
            self.report.push(Diagnostic::new(codes::WRONG_SHAPE, names.span, "the list of attributes is empty"));
        }
        for (index, name) in names.value.iter().enumerate() {
            if names.value.iter().take(index).any(|earlier| earlier.value == name.value) {
                self.report.push(Diagnostic::new(codes::DUPLICATE_NAME, name.span, format!("`{}` is listed twice", name.value)));
            }
        }
        names.value.clone()
    }

    fn increments(&mut self, set: &[Spanned<String>], increment: &[Spanned<String>], entities: &[&Entity]) {
        let kind = |name: &Spanned<String>| {
            let entity = entities.first().filter(|entity| !self.scope.is_broken(&entity.name, &name.value))?;
            entity.attributes.get(&name.value).map(|attribute| attribute.kind.clone())
        };
        for name in set {
            if kind(name) == Some(AttributeType::Counter) {
                let diagnostic = Diagnostic::new(
                    codes::COUNTER_WRITTEN,
                    name.span,
                    format!("`{}` is a counter: it can be added to, not set", name.value),
                );
                self.report.push(diagnostic.help("list it under `increment`"));
            }
            if let Some(both) = increment.iter().find(|other| other.value == name.value) {
                self.report.push(
                    Diagnostic::new(codes::BAD_PATTERN, both.span, format!("`{}` is both set and incremented", name.value))
                        .context(name.span, "set here"),
                );
            }
        }
        for name in increment {
            if let Some(kind) = kind(name).filter(|kind| !kind.is_number()) {
                self.report.push(Diagnostic::new(
                    codes::BAD_PATTERN,
                    name.span,
                    format!("`{}` is {kind}, and only numbers can be added to", name.value),
                ));
            }
        }
    }

    fn positive(&mut self, key: &str, field: &Field<u64>) -> Option<u64> {
        let number = field.get()?;
        if number.value == 0 {
            self.report.push(Diagnostic::new(codes::BAD_VALUE, number.span, format!("`{key}` must be at least 1")));
        }
        Some(number.value)
    }

    fn batch_size(&mut self, verb: &str, verb_value: &Verb, document: &document::Pattern) {
        let Some(written) = document.batch_size.get() else { return };
        if matches!(verb_value, Verb::Transaction(_) | Verb::Batch(_)) {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, written.span, format!("`batch_size` does not go with `{verb}`"));
            self.report.push(diagnostic.help("each of its entries has a `batch_size` of its own"));
        }
    }

    fn via(&mut self, document: &document::Pattern) -> Vec<Spanned<Address>> {
        let mut via = Vec::new();
        for name in document.via.get().map(|via| via.value.names()).unwrap_or_default() {
            let addresses = self.addresses.get_or_init(|| Addresses::of(self.document, self.neighbours));
            match Address::parse(&name.value) {
                Some(address) if addresses.has(&address) => via.push(Spanned::new(address, name.span)),
                _ => {
                    let diagnostic = unknown(codes::UNKNOWN_NAME, "table or index", name, addresses.known());
                    self.report.push(diagnostic.help("an address is `dynamodb.T`, `dynamodb.T.gsi.I`, `dynamodb.T.lsi.I`, `cql.T`, `cql.T.index.I` or `cql.T.view.V`"));
                }
            }
        }
        via
    }

    fn backend(&mut self, document: &document::Pattern) -> Option<Spanned<Store>> {
        let backend = document.backend.get()?;
        let (store, name, there) = match backend.value {
            document::Store::Dynamodb => (Store::Dynamodb, "dynamodb", self.document.dynamodb.is_there()),
            document::Store::Cql => (Store::Cql, "cql", self.document.cql.is_there()),
        };
        if !there {
            self.report.push(Diagnostic::new(codes::UNKNOWN_NAME, backend.span, format!("the model has no section `{name}`")));
        }
        Some(Spanned::new(store, backend.span))
    }
}

/// All names of patterns, broken ones too.
pub(super) fn names(document: &document::Model) -> BTreeSet<String> {
    document
        .access_patterns
        .get()
        .map(|patterns| &patterns.value)
        .into_iter()
        .flat_map(Map::names)
        .map(|name| name.value.clone())
        .collect()
}
