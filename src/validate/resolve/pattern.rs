//! Access patterns (section 4).

use super::report::Report;
use super::scope::{Scope, unknown, unknown_attribute};
use super::{allow, condition};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AttributeType, Consistency, Entity, Guard, Model, Pattern, Verb};
use crate::schema::{Address, Store};
use crate::source::{Inside, Span, Spanned};
use crate::validate::document::{self, Field, Map};
use crate::validate::grammar::condition::Place;
use crate::validate::grammar::name::Name;
use crate::validate::grammar::units;
use std::collections::BTreeSet;

pub(super) fn resolve(document: &document::Model, report: &mut Report<'_>, model: &mut Model, scope: &Scope) {
    let Some(patterns) = document.access_patterns.get() else { return };
    let addresses = addresses(document);
    for (name, pattern) in patterns.good() {
        report.name(Name::Kebab, name, "the name of an access pattern");
        let mut reader = Reader {
            model,
            scope,
            addresses: &addresses,
            sections: [document.dynamodb.is_there(), document.cql.is_there()],
            report,
        };
        if let Some(resolved) = reader.pattern(&name.value, name.span, pattern, false) {
            model.patterns.insert(name.value.clone(), resolved);
        }
    }
    allow::renames(model.patterns.iter().map(|(name, pattern)| (name.as_str(), pattern.renamed_from.as_ref())), report);
}

/// What `via` may name, as far as the document has it.
fn addresses(document: &document::Model) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let names = |known: &mut BTreeSet<String>, addresses: &mut dyn Iterator<Item = Address>| {
        known.extend(addresses.map(|address| address.to_string()))
    };
    let tables = document.dynamodb.get().and_then(|section| section.tables.get());
    for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
        let table = &table.value;
        names(&mut known, &mut std::iter::once(Address::DynamodbTable(table.clone())));
        let Some(options) = options.get() else { continue };
        let local = options.local_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut local.map(|index| Address::LocalIndex(table.clone(), index.value.clone())));
        let global = options.global_secondary_indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut global.map(|index| Address::GlobalIndex(table.clone(), index.value.clone())));
    }
    let tables = document.cql.get().and_then(|section| section.tables.get());
    for (table, options) in tables.into_iter().flat_map(|tables| &tables.0) {
        let table = &table.value;
        names(&mut known, &mut std::iter::once(Address::CqlTable(None, table.clone())));
        let Some(options) = options.get() else { continue };
        let indexes = options.indexes.get().into_iter().flat_map(|indexes| indexes.names());
        names(&mut known, &mut indexes.map(|index| Address::CqlIndex(None, table.clone(), index.value.clone())));
        let views = options.views.get().into_iter().flat_map(|views| views.names());
        names(&mut known, &mut views.map(|view| Address::View(None, table.clone(), view.value.clone())));
    }
    known
}

struct Reader<'r, 'a> {
    model: &'r Model,
    scope: &'r Scope,
    addresses: &'r BTreeSet<String>,
    /// Whether the model has a section for DynamoDB, and for CQL.
    sections: [bool; 2],
    report: &'r mut Report<'a>,
}

/// The keys of a pattern beside its verb: name, place, and the verbs they go with.
type Keys<'d> = Vec<(&'static str, Option<Span>, &'static [&'static str])>;

const READS: &[&str] = &["find", "count", "scan", "transaction"];
const WRITES: &[&str] = &["put", "update", "delete"];

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
        self.batch_size(verb_name, &verb, document, batch_size);
        Some(Pattern {
            span,
            name: name.to_owned(),
            description: super::entity::text(&document.description),
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
            reason: super::entity::text(&document.reason),
            segments: self.positive("segments", &document.segments),
            renamed_from: document.renamed_from.get().cloned(),
            allow,
        })
    }

    /// The verb, its place, and whether what it names was wrong. None, reported, when there is not exactly one.
    fn verb_name(&mut self, name: &str, span: Span, document: &document::Pattern) -> Option<(&'static str, Span, bool)> {
        let place = |is_there: bool, span: Option<Span>| is_there.then_some(span);
        let verbs = [
            ("find", place(document.find.is_there(), document.find.get().map(|value| value.span))),
            ("count", place(document.count.is_there(), document.count.get().map(|value| value.span))),
            ("scan", place(document.scan.is_there(), document.scan.get().map(|value| value.span))),
            ("put", place(document.put.is_there(), document.put.get().map(|value| value.span))),
            ("update", place(document.update.is_there(), document.update.get().map(|value| value.span))),
            ("delete", place(document.delete.is_there(), document.delete.get().map(|value| value.span))),
            ("transaction", place(document.transaction.is_there(), document.transaction.get().map(|value| value.span))),
            ("batch", place(document.batch.is_there(), document.batch.get().map(|value| value.span))),
        ];
        let given: Vec<(&'static str, Option<Span>)> =
            verbs.into_iter().filter_map(|(verb, place)| Some((verb, place?))).collect();
        match given.as_slice() {
            [(verb, place)] => Some((verb, place.unwrap_or(span), place.is_none())),
            [] => {
                self.report.push(
                    Diagnostic::new(codes::NO_VERB, span, format!("`{name}` does not say what it does"))
                        .help("add one of `find`, `count`, `scan`, `put`, `update`, `delete`, `transaction`, `batch`"),
                );
                None
            }
            [(first, first_place), (second, second_place), ..] => {
                let mut diagnostic = Diagnostic::new(
                    codes::TWO_VERBS,
                    second_place.unwrap_or(span),
                    format!("`{name}` has both `{first}` and `{second}`"),
                );
                if let Some(place) = first_place {
                    diagnostic = diagnostic.context(*place, "the first");
                }
                self.report.push(diagnostic.help("make two patterns, or one `transaction` or `batch` of both"));
                None
            }
        }
    }

    fn verb(&mut self, name: &str, verb: &str, document: &document::Pattern) -> Option<Verb> {
        let many = |field: &Field<document::OneOrMany>| field.get().map(|entities| entities.value.names().to_vec());
        let one = |field: &Field<String>| field.get().cloned();
        Some(match verb {
            "find" => Verb::Find(self.distinct(many(&document.find)?, document.find.get()?.span)),
            "scan" => Verb::Scan(self.distinct(many(&document.scan)?, document.scan.get()?.span)),
            "count" => Verb::Count(one(&document.count)?),
            "put" => Verb::Put(one(&document.put)?),
            "update" => Verb::Update(one(&document.update)?),
            "delete" => Verb::Delete(one(&document.delete)?),
            "transaction" => Verb::Transaction(self.entries(name, &document.transaction, true)?),
            _ => Verb::Batch(self.entries(name, &document.batch, false)?),
        })
    }

    fn distinct(&mut self, entities: Vec<Spanned<String>>, span: Span) -> Vec<Spanned<String>> {
        if entities.is_empty() {
            self.report.push(Diagnostic::new(codes::WRONG_SHAPE, span, "the list of entities is empty"));
        }
        for (index, entity) in entities.iter().enumerate() {
            if entities.iter().take(index).any(|earlier| earlier.value == entity.value) {
                self.report.push(Diagnostic::new(
                    codes::DUPLICATE_NAME,
                    entity.span,
                    format!("`{}` is listed twice", entity.value),
                ));
            }
        }
        entities
    }

    fn entries(&mut self, name: &str, list: &Field<Vec<Field<document::Pattern>>>, transaction: bool) -> Option<Vec<Pattern>> {
        let list = list.get()?;
        if list.value.is_empty() {
            self.report.push(Diagnostic::new(codes::WRONG_SHAPE, list.span, format!("`{name}` has no entries")));
        }
        let mut entries = Vec::new();
        for (index, entry) in list.value.iter().enumerate() {
            let Some(entry) = entry.get() else { continue };
            if let Some(entry) = self.pattern(&format!("{name}[{index}]"), entry.span, entry, true) {
                entries.push(entry);
            }
        }
        let reads = |entry: &&Pattern| matches!(entry.verb, Verb::Find(_) | Verb::Count(_) | Verb::Scan(_));
        if let Some(read) = entries.iter().find(reads)
            && let Some(write) = entries.iter().find(|entry| !reads(entry))
        {
            let what = if transaction { "a transaction holds either reads or writes" } else { "a batch holds writes" };
            self.report.push(Diagnostic::new(codes::BAD_PATTERN, read.verb_span, what).context(write.verb_span, "a write"));
        } else if let Some(read) = entries.iter().find(reads).filter(|_| !transaction) {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, read.verb_span, "a batch holds writes");
            self.report
                .push(diagnostic.help("several entities in one read are `find: [A, B]`, several keys `in ?` with `batch_size`"));
        }
        let items: u64 = entries.iter().map(|entry| entry.batch_size).fold(0, u64::saturating_add);
        if transaction && items > 100 {
            let message = format!("`{name}` has {items} items; a transaction takes at most 100");
            self.report.push(
                Diagnostic::new(codes::BATCH_TOO_LARGE, list.span, message)
                    .help("split it, or use `batch` where it need not be atomic"),
            );
        }
        Some(entries)
    }

    /// Each key goes with some verbs only.
    fn allowed_keys(&mut self, verb: &str, document: &document::Pattern, entry: bool) {
        fn at<T>(field: &Field<T>) -> Option<Span> {
            field.get().map(|value| value.span)
        }
        let keys: Keys<'_> = vec![
            ("where", at(&document.conditions), &["find", "count", "update", "delete"]),
            ("order", at(&document.order), &["find"]),
            ("limit", at(&document.limit), &["find"]),
            ("select", at(&document.select), &["find", "scan"]),
            ("filter", at(&document.filter), &["find", "scan"]),
            ("keeps", at(&document.keeps), &["find", "scan"]),
            ("span", at(&document.span), &["find"]),
            ("set", at(&document.set), &["update"]),
            ("increment", at(&document.increment), &["update"]),
            ("if", at(&document.guard), WRITES),
            ("consistency", at(&document.consistency), READS),
            ("unserved", at(&document.unserved), &["find", "count"]),
            ("reason", at(&document.reason), &["scan"]),
            ("segments", at(&document.segments), &["scan"]),
        ];
        for (key, span, verbs) in keys {
            let Some(span) = span.filter(|_| !verbs.contains(&verb)) else { continue };
            let list: Vec<String> = verbs.iter().map(|verb| format!("`{verb}`")).collect();
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, span, format!("`{key}` does not go with `{verb}`"));
            self.report.push(diagnostic.help(format!("it goes with {}", list.join(", "))));
        }
        if let Some(span) = at(&document.keeps).filter(|_| !document.filter.is_there()) {
            self.report.push(Diagnostic::new(codes::BAD_PATTERN, span, "`keeps` without a `filter`"));
        }
        if !entry {
            return;
        }
        let of_the_whole = [
            ("rate", at(&document.rate)),
            ("peak", at(&document.peak)),
            ("transaction", at(&document.transaction)),
            ("batch", at(&document.batch)),
            ("renamed_from", at(&document.renamed_from)),
        ];
        for (key, span) in of_the_whole {
            let Some(span) = span else { continue };
            self.report.push(Diagnostic::new(
                codes::BAD_PATTERN,
                span,
                format!("`{key}` belongs to the whole, not to one of its entries"),
            ));
        }
    }

    fn required(&mut self, verb: &str, span: Span, document: &document::Pattern) {
        if matches!(verb, "count" | "update" | "delete") && !document.conditions.is_there() {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, span, format!("`{verb}` needs a `where`"));
            self.report.push(diagnostic.help("name the key: `where: \"id = ?\"`"));
        }
        if verb == "update" && !document.set.is_there() && !document.increment.is_there() {
            let diagnostic = Diagnostic::new(codes::UPDATE_SETS_NOTHING, span, "an `update` that changes nothing");
            self.report.push(diagnostic.help("add `set: […]` or `increment: […]`"));
        }
        let reason = document.reason.get().is_some_and(|reason| !reason.value.trim().is_empty());
        if verb == "scan" && !reason && !document.reason.is_broken() {
            let diagnostic = Diagnostic::new(
                codes::SCAN_WITHOUT_REASON,
                span,
                "a `scan` reads everything, and does not say why that is right",
            );
            self.report.push(diagnostic.help("add `reason: \"…\"`"));
        }
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

    fn batch_size(&mut self, verb: &str, verb_value: &Verb, document: &document::Pattern, size: Option<u64>) {
        let (Some(size), Some(written)) = (size, document.batch_size.get()) else { return };
        if matches!(verb_value, Verb::Transaction(_) | Verb::Batch(_)) {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, written.span, format!("`batch_size` does not go with `{verb}`"));
            self.report.push(diagnostic.help("each of its entries has a `batch_size` of its own"));
        } else if verb == "find" && size > 100 {
            let message = format!("{size} keys in one request; at most 100 are possible");
            self.report.push(
                Diagnostic::new(codes::BATCH_TOO_LARGE, written.span, message)
                    .help("the caller splits them; give the size of one request"),
            );
        }
    }

    fn via(&mut self, document: &document::Pattern) -> Vec<Spanned<Address>> {
        let mut via = Vec::new();
        for name in document.via.get().map(|via| via.value.names()).unwrap_or_default() {
            match Address::parse(&name.value) {
                Some(address) if self.addresses.contains(&address.to_string()) => via.push(Spanned::new(address, name.span)),
                _ => {
                    let diagnostic =
                        unknown(codes::UNKNOWN_NAME, "table or index", name, self.addresses.iter().map(String::as_str));
                    self.report.push(diagnostic.help("an address is `dynamodb.T`, `dynamodb.T.gsi.I`, `dynamodb.T.lsi.I`, `cql.T`, `cql.T.index.I` or `cql.T.view.V`"));
                }
            }
        }
        via
    }

    fn backend(&mut self, document: &document::Pattern) -> Option<Spanned<Store>> {
        let backend = document.backend.get()?;
        let (store, name, there) = match backend.value {
            document::Store::Dynamodb => (Store::Dynamodb, "dynamodb", self.sections.first()),
            document::Store::Cql => (Store::Cql, "cql", self.sections.last()),
        };
        if there == Some(&false) {
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
