//! Parts of tables that are resources of their own in Terraform, and that blocks carry to another address: they are the same under it.

use crate::diff::Pair;
use crate::schema::Items;
use crate::schema::dynamodb::{APART, Schema, Table, beside};
use std::collections::BTreeMap;

/// The previous tables with their parts at the addresses to which the blocks of next carry them. None where no block names a part.
pub(super) fn parts(pair: Pair<&Schema>) -> Option<Schema> {
    let names_a_part = |address: &String| matches!(beside::kind_of(address), Some(beside::REPLICA | beside::GLOBAL_INDEX));
    let next = pair.next;
    if !next.moved.keys().chain(next.removed.keys()).any(names_a_part) {
        return None;
    }
    let arrived: Vec<&String> = next.tables.values().flat_map(addresses).collect();
    let follow = |from: &str| arrived.iter().find(|to| next.leads(from, to)).map(|to| (*to).clone());
    let mut previous = pair.previous.clone();
    let mut tables = Items::new();
    for (key, mut table) in std::mem::take(&mut previous.tables) {
        for index in table.global_indexes.values_mut() {
            carry(&mut index.extra, follow);
        }
        for (region, mut replica) in std::mem::take(&mut table.replicas) {
            // Where its Region is not written, it is called by its address.
            let is_address = replica.extra.get(APART) == Some(&region);
            let to = carry(&mut replica.extra, follow);
            table.replicas.insert(to.filter(|_| is_address).unwrap_or(region), replica);
        }
        tables.insert(key, table);
    }
    previous.tables = tables;
    Some(previous)
}

/// Where the parts of a table are.
fn addresses(table: &Table) -> impl Iterator<Item = &String> {
    let replicas = table.replicas.values().map(|replica| &replica.extra);
    replicas.chain(table.global_indexes.values().map(|index| &index.extra)).filter_map(|extra| extra.get(APART))
}

/// Carries the address of a part along; gives the one to which it is carried.
fn carry(extra: &mut BTreeMap<String, String>, follow: impl Fn(&str) -> Option<String>) -> Option<String> {
    let address = extra.get_mut(APART)?;
    let to = follow(address)?;
    address.clone_from(&to);
    Some(to)
}
