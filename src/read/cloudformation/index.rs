//! Keys, projections and indexes.

use super::Reader;
use super::item::{Fields, Item};
use crate::schema::dynamodb::{GlobalIndex, KEY_NOT_SORTED, Keys, LocalIndex, Projection};
use crate::schema::{Items, Value};
use crate::source::{Kind, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The two parts of a `KeySchema`.
#[derive(Default)]
pub(super) struct Key {
    pub(super) hash: Vec<String>,
    pub(super) range: Vec<String>,
    /// A sort attribute stands before a partition attribute.
    pub(super) is_unsorted: bool,
    /// Where it stands.
    span: Option<Span>,
}

impl Reader<'_> {
    /// `KeySchema`: without it there is no table or index, so one that is computed is an error.
    pub(super) fn key(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Option<Key> {
        let node = self.required(fields, "KeySchema")?;
        if self.computed(node, "KeySchema") {
            return None;
        }
        let Kind::Sequence(elements) = &node.kind else {
            self.wrong(node.span, "`KeySchema` has to be a list");
            return None;
        };
        let mut key = Key { span: Some(node.span), ..Key::default() };
        for element in elements {
            if self.computed(element, "KeySchema") {
                continue;
            }
            let Some(mut element_fields) = self.fields(element, "KeySchema", item) else { continue };
            let name = self.required(&mut element_fields, "AttributeName").and_then(|name| self.name(name));
            let is_hash = self.required(&mut element_fields, "KeyType").and_then(|kind| {
                let known = [("HASH", true), ("RANGE", false)];
                let found = kind.as_str().and_then(|word| known.into_iter().find(|(name, _)| *name == word));
                if found.is_none() {
                    self.wrong(kind.span, "`KeyType` has to be `HASH` or `RANGE`");
                }
                found.map(|(_, is_hash)| is_hash)
            });
            if let (Some(name), Some(is_hash)) = (name, is_hash) {
                let (part, property) = if is_hash { (&mut key.hash, "partition_key") } else { (&mut key.range, "sort_key") };
                part.push(name);
                item.place(property, element.span);
                key.is_unsorted |= is_hash && !key.range.is_empty();
            }
        }
        Some(key)
    }

    /// Says so when a key has not the number of attributes that its owner allows.
    pub(super) fn key_fits(&mut self, key: &Key, hash: usize, range: std::ops::RangeInclusive<usize>, what: &str) {
        let fits = (1..=hash).contains(&key.hash.len()) && range.contains(&key.range.len());
        if let (false, Some(span)) = (fits, key.span) {
            self.wrong(span, format!("the key of a {what} has {}", counts(hash, &range)));
        }
    }

    /// The global indexes; in `writes` where those of each index of a global table start.
    pub(super) fn global_indexes(
        &mut self,
        table: &mut Fields<'_>,
        item: &mut Item,
        writes: &mut BTreeMap<String, Value<u64>>,
    ) -> Items<GlobalIndex> {
        let mut indexes = Items::new();
        for (_, node) in self.items(table, "GlobalSecondaryIndexes", item) {
            let mut item = Item::at(node.span);
            let Some(mut fields) = self.fields(node, "", &mut item) else { continue };
            let name = self.index_name(&mut fields);
            let key = self.key(&mut fields, &mut item).unwrap_or_default();
            self.key_fits(&key, 4, 0..=4, "global index");
            if key.is_unsorted {
                item.extra.insert("KeySchema".to_owned(), KEY_NOT_SORTED.to_owned());
            }
            let projection = self.projection(&mut fields, &mut item);
            let mut index = GlobalIndex {
                partition_key: Keys(key.hash),
                sort_key: Keys(key.range),
                throughput: self.throughput(&mut fields, &mut item),
                on_demand_maximum: self.on_demand_maximum(&mut fields, &mut item),
                warm_throughput: self.warm_throughput(&mut fields, &mut item),
                contributor_insights: self.insights(&mut fields, &mut item),
                ..GlobalIndex::default()
            };
            let start = self.writes(&mut fields, &mut item, &mut index.autoscaling, &mut index.on_demand_maximum);
            writes.extend(name.clone().zip(start));
            fields.carry_rest(&mut item);
            let (Some(name), Some(projection)) = (name, projection) else { continue };
            let index = GlobalIndex { about: item.about, name, projection, extra: item.extra, ..index };
            self.insert_index(&mut indexes, index.name.clone(), index, node.span);
        }
        indexes
    }

    /// The local indexes; `partition_key` is the table's, which each of them repeats.
    pub(super) fn local_indexes(&mut self, table: &mut Fields<'_>, partition_key: &str, item: &mut Item) -> Items<LocalIndex> {
        let mut indexes = Items::new();
        for (_, node) in self.items(table, "LocalSecondaryIndexes", item) {
            let mut item = Item::at(node.span);
            let Some(mut fields) = self.fields(node, "", &mut item) else { continue };
            let name = self.index_name(&mut fields);
            let key = self.key(&mut fields, &mut item).unwrap_or_default();
            self.key_fits(&key, 1, 1..=1, "local index");
            if let (Some(hash), Some(span)) = (key.hash.first().filter(|hash| *hash != partition_key), key.span) {
                self.wrong(span, format!("the partition key of a local index is that of its table, not `{hash}`"));
            }
            let projection = self.projection(&mut fields, &mut item);
            fields.carry_rest(&mut item);
            let (Some(name), Some(projection), Some(sort_key)) = (name, projection, key.range.into_iter().next()) else {
                continue;
            };
            let Item { about, extra } = item;
            let index = LocalIndex { about, name, sort_key, projection, extra };
            self.insert_index(&mut indexes, index.name.clone(), index, node.span);
        }
        indexes
    }

    fn index_name(&mut self, fields: &mut Fields<'_>) -> Option<String> {
        let node = self.required(fields, "IndexName")?;
        self.name(node)
    }

    fn insert_index<T>(&mut self, indexes: &mut Items<T>, name: String, index: T, span: Span) {
        if indexes.contains_key(&name) {
            self.wrong(span, format!("the table has two indexes `{name}`"));
        }
        indexes.insert(name, index);
    }

    /// `Projection`: without its type it is nothing the service takes. A computed one is carried along and counts as `ALL`.
    fn projection(&mut self, fields: &mut Fields<'_>, item: &mut Item) -> Option<Projection> {
        let node = self.required(fields, "Projection")?;
        item.place("projection", node.span);
        let Some(mut projection) = self.fields(node, fields.path("Projection"), item) else { return Some(Projection::All) };
        let kinds = [("ALL", Some(Projection::All)), ("KEYS_ONLY", Some(Projection::KeysOnly)), ("INCLUDE", None)];
        let kind = self.required(&mut projection, "ProjectionType");
        let kind = kind.and_then(|kind| self.word(kind, projection.path("ProjectionType"), &kinds, item));
        let kind = match kind {
            Some(None) => {
                let mut names = BTreeSet::new();
                for (_, name) in self.items(&mut projection, "NonKeyAttributes", item) {
                    names.extend(self.name(name));
                }
                Projection::Include(names)
            }
            Some(Some(kind)) => {
                // None at all may be said of any projection.
                projection.take_if("NonKeyAttributes", |names| matches!(&names.kind, Kind::Sequence(names) if names.is_empty()));
                kind
            }
            None => Projection::All,
        };
        projection.carry_rest(item);
        Some(kind)
    }
}

/// "1 HASH and 0 to 1 RANGE attributes".
fn counts(hash: usize, range: &std::ops::RangeInclusive<usize>) -> String {
    let span = |least: usize, most: usize| if least == most { most.to_string() } else { format!("{least} to {most}") };
    format!("{} HASH and {} RANGE attributes", span(1, hash), span(*range.start(), *range.end()))
}
