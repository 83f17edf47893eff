//! Copies of a table in other Regions.

use super::Reader;
use super::fields::{Fields, Item};
use crate::schema::dynamodb::{PointInTimeRecovery, Replica, ReplicaConsistency};
use std::collections::BTreeMap;

/// The `replica` blocks of a table, and what they say together.
pub(super) type Replicas = (BTreeMap<String, Replica>, ReplicaConsistency);

impl<'a> Reader<'a> {
    pub(super) fn replicas(&mut self, table: &mut Fields<'a>, item: &mut Item) -> Replicas {
        let source = table.source;
        let mut replicas: BTreeMap<String, Replica> = BTreeMap::new();
        let mut modes = Vec::new();
        for block in table.blocks("replica") {
            let mut fields = Fields::new(source, &block.body);
            let Some(region) = self.key(&mut fields, "region_name", "replicas", item) else {
                self.wrong(source.span(&block.ident), "`replica` has no `region_name`");
                continue;
            };
            item.place(format!("replicas.{region}"), source.span(&block.ident));
            let mut own = Item::default();
            let recovery = fields.argument("point_in_time_recovery").map(|on| self.scope.value(source, on));
            let replica = Replica {
                kms_key: fields.argument("kms_key_arn").and_then(|key| self.scope.text(source, key)),
                point_in_time_recovery: recovery.map(|enabled| PointInTimeRecovery { enabled, days: None }),
                deletion_protection: fields.argument("deletion_protection_enabled").map(|on| self.scope.value(source, on)),
                table_class: None,
                propagate_tags: fields
                    .argument("propagate_tags")
                    .and_then(|on| self.known_bool(source, on, "propagate_tags", &mut own))
                    .unwrap_or_default(),
                extra: BTreeMap::new(),
            };
            if let Some(mode) = fields.argument("consistency_mode") {
                item.place("replica_consistency", source.span(mode));
                let word = self.scope.word(source, mode);
                let known = ReplicaConsistency::WORDS.into_iter().find(|(name, _)| word.as_deref() == Some(name));
                match known {
                    Some((_, known)) => modes.push((region.clone(), known)),
                    None => own.carry("consistency_mode", source, mode),
                }
            }
            fields.carry_rest("", &mut own);
            if replicas.insert(region.clone(), Replica { extra: own.extra, ..replica }).is_some() {
                self.wrong(source.span(&block.ident), format!("the table has two replicas in `{region}`"));
            }
        }
        let strong = |(_, mode): &(String, ReplicaConsistency)| *mode == ReplicaConsistency::Strong;
        if !modes.is_empty() && modes.len() == replicas.len() && modes.iter().all(strong) {
            return (replicas, ReplicaConsistency::Strong);
        }
        // Not every replica has it, which the service refuses.
        for (region, _) in modes.into_iter().filter(strong) {
            if let Some(replica) = replicas.get_mut(&region) {
                replica.extra.insert("consistency_mode".to_owned(), "\"STRONG\"".to_owned());
            }
        }
        (replicas, ReplicaConsistency::Eventual)
    }

    pub(super) fn witness(&mut self, table: &mut Fields<'a>, item: &mut Item) -> Option<String> {
        let block = table.block("global_table_witness")?;
        let mut fields = Fields::new(table.source, &block.body);
        let region = self.key(&mut fields, "region_name", "witness", item);
        fields.carry_rest("global_table_witness", item);
        region
    }
}
