//! Numbers that are missing, and the judgements that they would allow.

use super::requests;
use crate::design::scope::subjects;
use crate::diagnostic::{Code, Diagnostic, Sink, Subject, codes};
use crate::model::{Comparison, Entity, Model, PartitionPart, Pattern, TemplatePart, Verb, Where};
use crate::rules::numbers::{self, Keys, Known, Missing, Of};
use crate::rules::{Facts, Wording};
use crate::schema::Store;
use crate::source::Span;
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use std::collections::{HashMap, HashSet};

/// About how long a message gets, and a note, in bytes.
const MESSAGE: usize = 64;
const NOTE: usize = 80;

/// Which numbers are missing, and for which judgements.
#[derive(Default)]
struct Needs<'m> {
    /// The numbers of each, with a judgement that each would allow.
    missing: IndexMap<Of<'m>, Vec<(&'static str, Code)>, RandomState>,
}

impl<'m> Needs<'m> {
    /// Takes in what is missing for a judgement.
    fn record<T>(&mut self, code: Code, known: Known<'m, T>) {
        for missing in known.err().into_iter().flatten() {
            let known = self.missing.entry(missing.of).or_default();
            if !known.contains(&(missing.number, code)) {
                known.push((missing.number, code));
            }
        }
    }
}

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let mut needs = Needs::default();
    let keys = Keys::of(facts.model);
    for partition in partitions(facts.model) {
        of_partition(&keys, &partition, &mut needs);
    }
    let unknown: HashSet<(&str, Store), RandomState> = facts
        .design
        .coverage
        .iter()
        .filter(|coverage| coverage.served.iter().any(|service| service.partitions.is_none()))
        .map(|coverage| (coverage.pattern.as_str(), coverage.store))
        .collect();
    let requests = requests(facts.model);
    for pattern in &requests {
        of_pattern(facts, &keys, pattern, &unknown, &mut needs);
    }
    let patterns: HashMap<&str, Span, RandomState> =
        requests.iter().map(|pattern| (pattern.name.as_str(), pattern.span)).collect();
    sink.reserve(needs.missing.len());
    for (of, mut missing) in needs.missing {
        let Some(span) = place(facts.model, &patterns, of) else { continue };
        let finding = |message: String| Diagnostic::new(codes::NEEDS_NUMBERS, span, message).about(subject(of));
        if facts.wording == Wording::LeftOut {
            sink.push(finding(String::new()));
            continue;
        }
        missing.sort_unstable();
        let numbers = || missing.chunk_by(|(one, _), (next, _)| one == next);
        // Nearly all findings of a large model are these, so their texts are put together without detours.
        let mut message = name(of);
        let mut before = " does not give `";
        for (number, _) in numbers().filter_map(<[_]>::first) {
            message.extend([before, number, "`"]);
            before = ", `";
        }
        let mut finding = finding(message);
        for judged in numbers() {
            let Some((number, _)) = judged.first() else { continue };
            let mut note = String::with_capacity(NOTE);
            let mut before = "` would allow to judge: ";
            note.extend(["`", number]);
            for (_, code) in judged {
                note.extend([before, code.slug()]);
                before = ", ";
            }
            finding = finding.note(note);
        }
        sink.push(finding);
    }
}

/// The attributes that a partition key of a table or index is made from, for one entity.
struct Partition<'m> {
    store: Store,
    /// Of a table itself, not of an index.
    is_table: bool,
    entity: &'m Entity,
    attributes: Vec<&'m str>,
    /// A bucket or a shard is part of it.
    is_divided: bool,
    has_ttl: bool,
    has_local_indexes: bool,
}

fn partitions(model: &Model) -> Vec<Partition<'_>> {
    let mut partitions = Vec::new();
    for table in model.dynamodb.iter().flat_map(|section| section.tables.values()) {
        let indexes = table.global_indexes.values();
        let indexes = indexes.map(|index| (false, index.partition_key.iter().map(|name| name.value.as_str()).collect()));
        let own = (true, vec![table.partition_key.value.as_str()]);
        let all: Vec<(bool, Vec<&str>)> = std::iter::once(own).chain(indexes).collect();
        for holding in &table.holds {
            let Some(entity) = model.entities.get(&holding.entity.value) else { continue };
            for (is_table, columns) in &all {
                let mut attributes = Vec::new();
                let mut is_divided = false;
                let mut is_there = true;
                for &column in columns {
                    match holding.keys.get(column) {
                        Some(made) => {
                            is_divided |= made.template.parts.iter().any(is_computed);
                            attributes.extend(made.template.parts.iter().filter_map(own_attribute));
                        }
                        None if entity.attributes.contains_key(column) => attributes.push(column),
                        None => is_there = false,
                    }
                }
                if is_there {
                    partitions.push(Partition {
                        store: Store::Dynamodb,
                        is_table: *is_table,
                        entity,
                        attributes,
                        is_divided,
                        has_ttl: table.ttl.is_some(),
                        has_local_indexes: !table.local_indexes.is_empty(),
                    });
                }
            }
        }
    }
    for table in model.cql.iter().flat_map(|section| section.tables.values()) {
        for holding in &table.holds {
            let Some(entity) = model.entities.get(&holding.entity.value) else { continue };
            let mut attributes = Vec::new();
            let mut is_divided = false;
            for part in &table.partition_key {
                match &part.value {
                    PartitionPart::Attribute(column) => match holding.keys.get(column) {
                        Some(made) => attributes.extend(made.template.parts.iter().filter_map(own_attribute)),
                        None => attributes.push(column),
                    },
                    PartitionPart::Bucket { .. } | PartitionPart::Shard { .. } => is_divided = true,
                }
            }
            partitions.push(Partition {
                store: Store::Cql,
                is_table: true,
                entity,
                attributes,
                is_divided,
                has_ttl: table.ttl.is_some(),
                has_local_indexes: false,
            });
        }
    }
    partitions
}

fn own_attribute(part: &TemplatePart) -> Option<&str> {
    if let TemplatePart::Attribute { name, .. } = part { Some(name) } else { None }
}

fn is_computed(part: &TemplatePart) -> bool {
    matches!(part, TemplatePart::Bucket { .. } | TemplatePart::Shard { .. })
}

/// What is missing to judge the partitions of a table or index.
fn of_partition<'m>(keys: &Keys<'m>, partition: &Partition<'m>, needs: &mut Needs<'m>) {
    let Partition { entity, attributes, is_table, .. } = partition;
    let in_partition = || numbers::both(numbers::most_per_value(keys, entity, attributes), numbers::size(entity));
    let is_identity =
        entity.key.len() == attributes.len() && entity.key.iter().all(|name| attributes.contains(&name.value.as_str()));
    match partition.store {
        Store::Dynamodb => {
            needs.record(codes::HOT_PARTITION, numbers::both(numbers::share(keys, entity, attributes), numbers::size(entity)));
            if *is_table && partition.has_local_indexes && !is_identity {
                needs.record(codes::ITEM_COLLECTION_SIZE, in_partition());
            }
        }
        Store::Cql if !is_identity => needs.record(codes::PARTITION_SIZE, in_partition()),
        Store::Cql => {}
    }
    if *is_table && !is_identity && !partition.is_divided {
        needs.record(codes::LOW_CARDINALITY_PARTITION, numbers::distinct(keys, entity, attributes));
        let is_bounded = entity.retain.is_some() || partition.has_ttl || !entity.per.is_empty();
        if !is_bounded {
            needs.record(codes::UNBOUNDED_PARTITION, numbers::growth(entity));
        }
    }
}

/// What is missing to judge a request.
fn of_pattern<'m>(
    facts: &Facts<'m>,
    keys: &Keys<'m>,
    pattern: &'m Pattern,
    unknown: &HashSet<(&str, Store), RandomState>,
    needs: &mut Needs<'m>,
) {
    let model = facts.model;
    let stores = facts.scope.stores(pattern);
    if pattern.unserved.is_some() {
        return;
    }
    if stores.contains(&Store::Dynamodb) {
        needs.record(codes::HOT_PARTITION, numbers::peak(pattern));
    }
    if matches!(pattern.verb, Verb::Delete(_)) && stores.contains(&Store::Cql) {
        needs.record(codes::TOMBSTONES, numbers::peak(pattern));
    }
    let conditions = || pattern.conditions.iter().flat_map(|conditions: &Where| &conditions.conditions);
    let has_range = conditions().any(|condition| condition.comparison.is_range());
    if !matches!(pattern.verb, Verb::Find(_)) {
        return;
    }
    if pattern.limit.is_none() && !has_range {
        let equal = conditions().filter(|condition| matches!(condition.comparison, Comparison::Equal(_)));
        let equal: Vec<&str> = equal.map(|condition| condition.attribute.value.as_str()).collect();
        for entity in subjects(model, pattern).into_iter().filter_map(|name| model.entities.get(name)) {
            let names_one = entity.key.iter().all(|name| equal.contains(&name.value.as_str()));
            if !names_one {
                needs.record(
                    codes::UNBOUNDED_READ,
                    numbers::both(numbers::most_per_value(keys, entity, &equal), numbers::size(entity)),
                );
            }
        }
    }
    // A range over buckets: without its length, the partitions it touches are not known.
    let is_unknown = |store: Store| unknown.contains(&(pattern.name.as_str(), store));
    if has_range && pattern.time_span.is_none() && stores.iter().copied().any(is_unknown) {
        needs.record::<()>(codes::WIDE_FAN_OUT, Err(vec![Missing { of: Of::Pattern(&pattern.name), number: "span" }]));
    }
}

fn place(model: &Model, patterns: &HashMap<&str, Span, RandomState>, of: Of<'_>) -> Option<Span> {
    match of {
        Of::Entity(name) => model.entities.get(name).map(|entity| entity.span),
        Of::Attribute(entity, name) => Some(model.entities.get(entity)?.attributes.get(name)?.span),
        Of::Pattern(name) => patterns.get(name).copied(),
    }
}

fn subject(of: Of<'_>) -> Subject {
    match of {
        Of::Entity(name) => Subject::Entity(name.to_owned()),
        Of::Attribute(entity, name) => Subject::Attribute(entity.to_owned(), name.to_owned()),
        Of::Pattern(name) => Subject::Pattern(name.to_owned()),
    }
}

fn name(of: Of<'_>) -> String {
    let mut text = String::with_capacity(MESSAGE);
    match of {
        Of::Entity(name) | Of::Pattern(name) => text.extend(["`", name, "`"]),
        Of::Attribute(entity, name) => text.extend(["`", entity, ".", name, "`"]),
    }
    text
}
