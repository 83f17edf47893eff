//! Local and global secondary indexes.

use super::Reader;
use super::fields::{Fields, Item, Source};
use super::syntax::Block;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::Items;
use crate::schema::dynamodb::{GlobalIndex, KEY_NOT_SORTED, KEY_TWICE, Keys, LocalIndex, NO_PROJECTION, Projection};
use crate::source::Span;
use std::collections::BTreeSet;

impl<'a> Reader<'a> {
    pub(super) fn local_indexes(&mut self, table: &mut Fields<'a>) -> Items<LocalIndex> {
        let mut indexes = Items::new();
        for block in table.blocks("local_secondary_index") {
            let span = table.source.span(&block.ident);
            self.local_index(Fields::new(table.source, &block.body), span, &mut indexes);
        }
        indexes
    }

    /// One local index, at its place.
    pub(super) fn local_index(&mut self, mut fields: Fields<'a>, span: Span, indexes: &mut Items<LocalIndex>) {
        let (mut item, name) = self.index(&mut fields, span);
        let sort_key = self.key(&mut fields, "range_key", "sort_key", &mut item).unwrap_or_default();
        let projection = self.projection(&mut fields, &mut item);
        fields.carry_rest("", &mut item);
        let index = LocalIndex { about: item.about, name: name.clone(), sort_key, projection, extra: item.extra };
        self.insert(indexes, name, index, span);
    }

    pub(super) fn global_indexes(&mut self, table: &mut Fields<'a>) -> Items<GlobalIndex> {
        let mut indexes = Items::new();
        for block in table.blocks("global_secondary_index") {
            let span = table.source.span(&block.ident);
            self.global_index(Fields::new(table.source, &block.body), span, &mut indexes);
        }
        indexes
    }

    /// One global index, at its place.
    pub(super) fn global_index(&mut self, mut fields: Fields<'a>, span: Span, indexes: &mut Items<GlobalIndex>) {
        let source = fields.source;
        let (mut item, name) = self.index(&mut fields, span);
        let hash = self.key(&mut fields, "hash_key", "partition_key", &mut item);
        let range = self.key(&mut fields, "range_key", "sort_key", &mut item).filter(|key| !key.is_empty());
        let inline = hash.is_some() || range.is_some();
        let (mut partition_key, mut sort_key) = (Keys(hash.into_iter().collect()), Keys(range.into_iter().collect()));
        let parts = fields.blocks("key_schema");
        for part in &parts {
            self.key_part(source, part, &mut partition_key, &mut sort_key, &mut item);
        }
        // Provider 5 has no `key_schema`: where `hash_key` would have done, how it is written matters. Later ones refuse a sort
        // attribute before a partition attribute, and both ways at once.
        let single = matches!((partition_key.0.as_slice(), sort_key.0.as_slice()), ([_], [] | [_]));
        let kinds: Vec<Option<String>> = parts.iter().map(|part| self.kind_of(source, part)).collect();
        let (hash, range) = (Some("HASH"), Some("RANGE"));
        let sorted =
            kinds.windows(2).all(|pair| !matches!(pair, [one, other] if one.as_deref() == range && other.as_deref() == hash));
        if let Some(first) = parts.first().filter(|_| single || !sorted || inline) {
            item.place("key_schema", source.span(&first.ident));
            let words = partition_key.0.iter().map(|name| ("HASH", name)).chain(sort_key.0.iter().map(|name| ("RANGE", name)));
            let mut text: Vec<String> = words.map(|(kind, name)| format!("{kind} {name}")).collect();
            text.extend((!sorted).then(|| KEY_NOT_SORTED.to_owned()));
            text.extend(inline.then(|| KEY_TWICE.to_owned()));
            item.extra.insert("key_schema".to_owned(), text.join(", "));
        }
        let projection = self.projection(&mut fields, &mut item);
        let index = GlobalIndex {
            name: name.clone(),
            partition_key,
            sort_key,
            projection,
            throughput: self.throughput(&mut fields, &mut item),
            on_demand_maximum: self.on_demand_maximum(&mut fields, &mut item),
            warm_throughput: self.warm_throughput(&mut fields, &mut item),
            ..GlobalIndex::default()
        };
        fields.carry_rest("", &mut item);
        let index = GlobalIndex { about: item.about, extra: item.extra, ..index };
        self.insert(indexes, name, index, span);
    }

    /// Of which kind a part of a key is.
    fn kind_of(&self, source: Source<'a>, part: &'a Block<'a>) -> Option<String> {
        self.scope.word(source, &part.body.get_attribute("key_type")?.value)
    }

    fn index(&mut self, fields: &mut Fields<'a>, span: Span) -> (Item, String) {
        let mut item = Item::at(span);
        let name = self.key(fields, "name", "name", &mut item).unwrap_or_else(|| {
            self.wrong(span, "the index has no `name`");
            String::new()
        });
        (item, name)
    }

    pub(super) fn insert<T>(&mut self, indexes: &mut Items<T>, name: String, index: T, span: Span) {
        if indexes.contains_key(&name) {
            self.fail(Diagnostic::new(codes::DUPLICATE_NAME, span, format!("the table has two indexes `{name}`")));
        }
        indexes.insert(name, index);
    }

    pub(super) fn key_part(
        &mut self,
        source: Source<'a>,
        part: &'a Block<'a>,
        hash: &mut Keys,
        range: &mut Keys,
        item: &mut Item,
    ) {
        let mut fields = Fields::new(source, &part.body);
        let Some(name) = self.key(&mut fields, "attribute_name", "partition_key", item) else {
            self.wrong(source.span(&part.ident), "`key_schema` has no `attribute_name`");
            return;
        };
        let kind = fields.argument("key_type").and_then(|kind| self.scope.word(source, kind));
        match kind.as_deref() {
            Some("HASH") => hash.0.push(name),
            Some("RANGE") => {
                item.place("sort_key", source.span(&part.body));
                range.0.push(name);
            }
            _ => self.wrong(source.span(&part.ident), "`key_type` has to be `HASH` or `RANGE`"),
        }
    }

    pub(super) fn projection(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Projection {
        let source = fields.source;
        let names = fields.argument("non_key_attributes");
        let Some(kind) = fields.argument("projection_type") else {
            item.extra.insert("projection_type".to_owned(), NO_PROJECTION.to_owned());
            return Projection::All;
        };
        item.place("projection", source.span(kind));
        let word = self.scope.word(source, kind);
        let projection = match word.as_deref() {
            Some("KEYS_ONLY") => Projection::KeysOnly,
            Some("INCLUDE") => Projection::Include(BTreeSet::new()),
            Some("ALL") => Projection::All,
            Some(other) => {
                item.extra.insert("projection_type".to_owned(), format!("\"{other}\", {NO_PROJECTION}"));
                Projection::All
            }
            None => {
                self.not_evaluated(source.span(kind), "projection_type");
                item.carry("projection_type", source, kind);
                Projection::All
            }
        };
        let Some(names) = names else { return projection };
        let (place, followed) = self.scope.follow(source, names);
        let words = followed.as_array().map(|array| array.iter().map(|name| self.scope.word(place, name)).collect());
        match (projection, words) {
            (Projection::Include(_), Some(Some(words))) => {
                item.place("projection", source.span(kind).to(source.span(names)));
                Projection::Include(words)
            }
            // None at all may be said of any projection.
            (projection, Some(Some(words))) if words.is_empty() => projection,
            (projection, words) => {
                if !matches!(words, Some(Some(_))) {
                    self.not_evaluated(source.span(names), "non_key_attributes");
                }
                item.carry("non_key_attributes", source, names);
                projection
            }
        }
    }
}
