//! Where a pattern that writes goes, and what it has to know for that (model language, section 4).

use super::candidate::{Candidate, Candidates, KeyAttribute, Kind, View};
use super::explain;
use super::lack::quoted;
use super::operation;
use super::request::Request;
use crate::design::Service;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Comparison, Entity, Model, Pattern, Verb, Where};
use crate::schema::Address;
use crate::source::Spanned;
use std::collections::BTreeSet;

/// A write of one item of an entity.
pub(super) struct Write<'m> {
    pub pattern: &'m Pattern,
    pub entity: &'m Entity,
    request: Request<'m>,
}

impl<'m> Write<'m> {
    /// A pattern as a write; None for a read, a transaction or a batch.
    pub(super) fn of(model: &'m Model, pattern: &'m Pattern) -> Option<Self> {
        let (Verb::Put(entity) | Verb::Update(entity) | Verb::Delete(entity)) = &pattern.verb else { return None };
        let entity = model.entities.get(&entity.value)?;
        Some(Self { pattern, entity, request: Request::new(pattern, vec![entity]) })
    }

    /// DynamoDB's word.
    fn operation(&self) -> &'static str {
        match self.pattern.verb {
            Verb::Update(_) => "UpdateItem",
            Verb::Delete(_) => "DeleteItem",
            _ => "PutItem",
        }
    }

    /// The attributes it changes, with their places.
    fn changed(&self) -> impl Iterator<Item = &'m Spanned<String>> {
        self.pattern.set.iter().chain(&self.pattern.increment)
    }

    /// Whether it gives the value an attribute has afterwards.
    fn gives(&self, attribute: &str) -> bool {
        match self.pattern.verb {
            Verb::Put(_) => true,
            _ if self.pattern.increment.iter().any(|name| name.value == attribute) => false,
            _ => self.request.equal(attribute).is_some() || self.pattern.set.iter().any(|name| name.value == attribute),
        }
    }
}

/// Every table that holds the entity, and the request there.
pub(super) fn write(model: &Model, candidates: &Candidates<'_>, write: &Write<'_>, sink: &mut Sink) -> Vec<Service> {
    let pattern = write.pattern;
    let holding: Vec<(&Candidate<'_>, &View<'_>)> = candidates
        .with(&write.entity.name)
        .filter(|candidate| candidate.kind == Kind::Table)
        .filter_map(|candidate| Some((candidate, candidate.view(&write.entity.name)?)))
        .collect();
    if holding.is_empty() {
        sink.push(explain::not_held(pattern, &[&write.entity.name]));
        return Vec::new();
    }
    let Some(named) = by_via(pattern, &write.entity.name, holding, sink) else { return Vec::new() };
    if !matches!(pattern.verb, Verb::Put(_)) && !names_one_item(write, &named, sink) {
        return Vec::new();
    }
    for (table, view) in &named {
        key_updated(write, table, view, sink);
        needs_read(model, candidates, write, table, view, sink);
    }
    let service = |(table, view): &(&Candidate<'_>, &View<'_>)| Service {
        address: table.address.clone(),
        operation: candidates.operations.text(|| operation::write(write.operation(), &write.request, view)),
        partitions: Some(1),
        endless: false,
    };
    named.iter().map(service).collect()
}

type Held<'c, 'm> = (&'c Candidate<'m>, &'c View<'m>);

/// The tables that `via` names, or all.
fn by_via<'c, 'm>(pattern: &Pattern, entity: &str, holding: Vec<Held<'c, 'm>>, sink: &mut Sink) -> Option<Vec<Held<'c, 'm>>> {
    let on_dynamodb = |via: &&Spanned<Address>| {
        matches!(via.value, Address::DynamodbTable(_) | Address::GlobalIndex(..) | Address::LocalIndex(..))
    };
    let via: Vec<&Spanned<Address>> = pattern.via.iter().filter(on_dynamodb).collect();
    let Some(first) = via.first() else { return Some(holding) };
    let mut possible = true;
    for address in &via {
        if !holding.iter().any(|(table, _)| table.address == address.value) {
            possible = false;
            let message = format!("{} cannot serve `{}`", address.value, pattern.name);
            let diagnostic = Diagnostic::new(codes::VIA_CANNOT_SERVE, address.span, message);
            sink.push(
                diagnostic
                    .note(format!("a write goes to a table that holds `{entity}`"))
                    .of_pattern(&pattern.name)
                    .at(&address.value),
            );
        }
    }
    let all = holding.len();
    let named: Vec<Held<'c, 'm>> =
        holding.into_iter().filter(|(table, _)| via.iter().any(|address| address.value == table.address)).collect();
    if possible && named.len() == all {
        let message = format!("`{}` would be written there without `via`", pattern.name);
        let diagnostic = Diagnostic::new(codes::VIA_NEEDLESS, pattern.span, message).context(first.span, "not needed");
        sink.push(diagnostic.help("remove `via`, or allow the finding to pin it").of_pattern(&pattern.name).at(&first.value));
    }
    possible.then_some(named)
}

/// A write names one item: the identity of the entity, or the whole key of the table, by `=`.
fn names_one_item(write: &Write<'_>, tables: &[Held<'_, '_>], sink: &mut Sink) -> bool {
    let pattern = write.pattern;
    let range = write.request.conditions().iter().find(|condition| !matches!(condition.comparison, Comparison::Equal(_)));
    let whole = |view: &View<'_>| view.key().flat_map(KeyAttribute::attributes).all(|name| write.request.equal(name).is_some());
    let one = write.request.names_one(write.entity) || tables.iter().all(|(_, view)| whole(view));
    let (span, why) = match range {
        Some(condition) => (condition.span, format!("`{condition}` may hold for many items")),
        None if one => return true,
        None => {
            let missing: Vec<&str> = write.entity.key.iter().map(|name| name.value.as_str()).collect();
            let missing: Vec<&str> = missing.into_iter().filter(|name| write.request.equal(name).is_none()).collect();
            let span = pattern.conditions.as_ref().map_or(pattern.span, |conditions| conditions.span);
            (span, format!("{} of its key is not given", quoted(&missing)))
        }
    };
    let message = format!("`{}` does not name one `{}`: {why}", pattern.name, write.entity.name);
    let key: Vec<&str> = write.entity.key.iter().map(|name| name.value.as_str()).collect();
    sink.push(
        Diagnostic::new(codes::RANGE_WRITE, span, message)
            .note(format!("in DynamoDB {} names one item by its whole key", write.operation()))
            .help(format!("give {} by `=`, and read first which items are meant", quoted(&key)))
            .of_pattern(&pattern.name)
            .of_entity(&write.entity.name),
    );
    false
}

/// An item cannot change its key.
fn key_updated(write: &Write<'_>, table: &Candidate<'_>, view: &View<'_>, sink: &mut Sink) {
    let key: BTreeSet<&str> = view.key().flat_map(KeyAttribute::attributes).collect();
    for name in write.changed().filter(|name| key.contains(name.value.as_str())) {
        let message = format!("`{}` changes `{}`, which is in the key of {table}", write.pattern.name, name.value);
        sink.push(
            Diagnostic::new(codes::KEY_ATTRIBUTE_UPDATED, write.pattern.span, message)
                .context(name.span, "in the key")
                .note("DynamoDB cannot change the key of an item: it is deleted and put again, best in a transaction")
                .of_pattern(&write.pattern.name)
                .of_attribute(&write.entity.name, &name.value)
                .at(&table.address),
        );
    }
}

/// The key of the table, and the templates of its indexes that change, have to be known.
fn needs_read(
    model: &Model,
    candidates: &Candidates<'_>,
    write: &Write<'_>,
    table: &Candidate<'_>,
    view: &View<'_>,
    sink: &mut Sink,
) {
    let pattern = write.pattern;
    let mut needs: Vec<(&str, BTreeSet<&str>)> = Vec::new();
    for key in view.key() {
        let unknown: BTreeSet<&str> = key.attributes().filter(|name| !write.gives(name)).collect();
        needs.push((key.name, unknown));
    }
    if matches!(pattern.verb, Verb::Update(_)) {
        let indexes =
            candidates.with(&write.entity.name).filter(|index| index.kind != Kind::Table && index.table.key == table.table.key);
        let keys = indexes.filter_map(|index| index.view(&write.entity.name)).flat_map(View::key);
        for key in keys.filter(|key| key.template.is_some()) {
            let when = key.when().into_iter().flat_map(Where::attributes);
            let mentioned: BTreeSet<&str> = key.attributes().chain(when).collect();
            if write.changed().any(|name| mentioned.contains(name.value.as_str())) {
                needs.push((key.name, mentioned.into_iter().filter(|name| !write.gives(name)).collect()));
            }
        }
    }
    let mut said = BTreeSet::new();
    for (key, unknown) in needs.into_iter().filter(|(_, unknown)| !unknown.is_empty()) {
        if !said.insert(key) {
            continue;
        }
        let names: Vec<&str> = unknown.into_iter().collect();
        let message = format!("`{}` needs {} for `{key}` of {table}, which it does not give", pattern.name, quoted(&names));
        let diagnostic = Diagnostic::new(codes::WRITE_NEEDS_READ, pattern.span, message).context(table.span, "written here");
        sink.push(
            diagnostic
                .help(first_read(model, write, &names))
                .of_pattern(&pattern.name)
                .of_entity(&write.entity.name)
                .at(&table.address),
        );
    }
}

/// The read that must come first: a pattern that finds the item by what the write gives.
fn first_read(model: &Model, write: &Write<'_>, names: &[&str]) -> String {
    let finds = |pattern: &&Pattern| {
        let entity =
            matches!(&pattern.verb, Verb::Find(entities) if entities.iter().any(|entity| entity.value == write.entity.name));
        let selects = pattern.select.is_empty() || names.iter().all(|name| pattern.select.iter().any(|one| one.value == *name));
        let conditions = pattern.conditions.iter().flat_map(|conditions| &conditions.conditions);
        let mut given = conditions.map(|condition| {
            matches!(condition.comparison, Comparison::Equal(_)) && write.request.equal(&condition.attribute.value).is_some()
        });
        entity && selects && pattern.conditions.is_some() && given.all(|given| given)
    };
    let by: Vec<&str> = write.request.conditions().iter().map(|condition| condition.attribute.value.as_str()).collect();
    match model.patterns.values().find(finds) {
        Some(pattern) => format!("read the item by `{}` first", pattern.name),
        None => format!("read the item by {} first; no pattern does that yet", quoted(&by)),
    }
}
