//! Parts of a table that are resources of their own instead of blocks in it: a replica, a global index, a global table of the
//! version of 2017.

use super::Reader;
use super::fields::{Fields, Item, Source};
use super::place::Holders;
use super::syntax::{Block, Name};
use crate::schema::dynamodb::{
    APART, GlobalIndex, KeyType, Keys, LEGACY_GLOBAL, PointInTimeRecovery, Replica, TableClass, beside,
};
use std::collections::BTreeMap;

/// The types of these resources, with the argument that names the table.
const TYPES: [(&str, &str); 3] =
    [(beside::GLOBAL_INDEX, "table_name"), (beside::REPLICA, "global_table_arn"), (LEGACY_GLOBAL, "name")];

/// Whether resources of a type are such parts.
pub(super) fn is_apart(kind: &str) -> bool {
    TYPES.iter().any(|(name, _)| *name == kind)
}

/// Where a resource is: its type and its label.
fn address(block: &Block<'_>) -> String {
    block.labels.iter().map(Name::as_str).collect::<Vec<_>>().join(".")
}

impl<'a> Reader<'a> {
    /// Puts a part that stands apart into its table.
    pub(super) fn part(&mut self, source: Source<'a>, block: &'a Block<'a>, holders: &Holders) {
        let kind = block.labels.first().map_or("", Name::as_str);
        let Some((_, argument)) = TYPES.iter().find(|(name, _)| *name == kind) else { return };
        let mut fields = Fields::new(source, &block.body);
        let Some((label, _)) = self.holder(block, &mut fields, argument, holders) else { return };
        let item = Item::at(source.span(&block.ident));
        fields.argument("depends_on");
        fields.blocks("timeouts");
        match kind {
            beside::REPLICA => self.replica_apart(&label, block, fields, item),
            beside::GLOBAL_INDEX => self.index_apart(&label, block, fields, item),
            _ => {
                let mut item = item;
                item.carry_block(LEGACY_GLOBAL, source, &block.body);
                self.put(&label, item, |_| ());
            }
        }
    }

    fn replica_apart(&mut self, label: &str, block: &'a Block<'a>, mut fields: Fields<'a>, mut item: Item) {
        let source = fields.source;
        let region = self.region(&mut fields).unwrap_or_else(|| address(block));
        item.place(format!("replicas.{region}"), source.span(&block.ident));
        let mut own = Item::default();
        let recovery = fields.argument("point_in_time_recovery").map(|on| self.scope.value(source, on));
        let class = fields.argument("table_class_override");
        let known = class.and_then(|class| TableClass::find(&self.scope.word(source, class)?));
        if let (Some(class), None) = (class, known) {
            own.carry("table_class_override", source, class);
        }
        let replica = Replica {
            kms_key: fields.argument("kms_key_arn").and_then(|key| self.scope.text(source, key)),
            point_in_time_recovery: recovery.map(|enabled| PointInTimeRecovery { enabled, days: None }),
            deletion_protection: fields.argument("deletion_protection_enabled").map(|on| self.scope.value(source, on)),
            table_class: known,
            ..Replica::default()
        };
        fields.carry_rest("", &mut own);
        own.extra.insert(APART.to_owned(), address(block));
        let replica = Replica { extra: own.extra, ..replica };
        let twice = format!("the table has two replicas in `{region}`");
        let taken = self.module.schema.tables.get(label).is_some_and(|table| table.replicas.contains_key(&region));
        if taken {
            self.wrong(source.span(&block.ident), twice);
        } else {
            self.put(label, item, |table| _ = table.replicas.insert(region, replica));
        }
    }

    /// The Region of a resource: what it says itself, else that of the provider it names.
    fn region(&mut self, fields: &mut Fields<'a>) -> Option<String> {
        let provider = fields.argument("provider");
        if let Some(region) = fields.argument("region") {
            return self.scope.word(fields.source, region);
        }
        self.scope.region_of(Some(provider?))
    }

    fn index_apart(&mut self, label: &str, block: &'a Block<'a>, mut fields: Fields<'a>, item: Item) {
        let source = fields.source;
        let mut own = item;
        let Some(name) = self.key(&mut fields, "index_name", "name", &mut own) else {
            return self.wrong(source.span(&block.ident), "the index has no `index_name`");
        };
        let (mut partition_key, mut sort_key) = (Keys::default(), Keys::default());
        let mut types: BTreeMap<String, KeyType> = BTreeMap::new();
        for part in fields.blocks("key_schema") {
            self.key_part(source, part, &mut partition_key, &mut sort_key, &mut own);
            let word = |argument| part.body.get_attribute(argument).and_then(|found| self.scope.word(source, &found.value));
            let kind = word("attribute_type").and_then(|kind| KeyType::find(&kind));
            types.extend(word("attribute_name").zip(kind));
        }
        let projection = fields.block("projection").map(|block| {
            let mut fields = Fields::new(source, &block.body);
            let projection = self.projection(&mut fields, &mut own);
            fields.carry_rest("projection", &mut own);
            projection
        });
        let throughput = fields.block("provisioned_throughput").and_then(|block| {
            let mut fields = Fields::new(source, &block.body);
            let throughput = self.throughput_of(&mut fields, ["read_capacity_units", "write_capacity_units"], &mut own);
            fields.carry_rest("provisioned_throughput", &mut own);
            throughput
        });
        let index = GlobalIndex {
            name: name.clone(),
            partition_key,
            sort_key,
            projection: projection.unwrap_or_default(),
            throughput,
            on_demand_maximum: self.on_demand_maximum(&mut fields, &mut own),
            warm_throughput: self.warm_throughput(&mut fields, &mut own),
            ..GlobalIndex::default()
        };
        fields.carry_rest("", &mut own);
        own.extra.insert(APART.to_owned(), address(block));
        let index = GlobalIndex { about: own.about, extra: own.extra, ..index };
        let span = source.span(&block.ident);
        let Some(table) = self.module.schema.tables.get_mut(label) else { return };
        for (attribute, kind) in types {
            table.attributes.entry(attribute).or_insert(kind);
        }
        let mut indexes = std::mem::take(&mut table.global_indexes);
        self.insert(&mut indexes, name, index, span);
        if let Some(table) = self.module.schema.tables.get_mut(label) {
            table.global_indexes = indexes;
        }
    }
}
