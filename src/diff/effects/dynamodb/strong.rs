//! What a table whose Regions are strongly consistent has to be, and must not have.

use super::refused::Refused;
use crate::schema::dynamodb::{Replica, ReplicaConsistency, Table};
use crate::schema::{Backend, is_computed};

/// Why a strongly consistent table is never accepted
/// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>).
pub(super) fn refused(backend: Backend, table: &Table) -> Option<Refused> {
    // Provider 5 does not know of it at all.
    if backend == Backend::TerraformAws5 {
        return None;
    }
    let alone = backend == Backend::TerraformAws6 && has_witness_alone(table);
    if is_mixed(table) || alone {
        return Some(Refused::new("mrsc-refused", &["replicas", "witness"]));
    }
    if table.replica_consistency != ReplicaConsistency::Strong {
        return None;
    }
    if table.expires() {
        return Some(Refused::new("mrsc-refused", &["ttl", "replica_consistency"]));
    }
    let wrong = !table.local_indexes.is_empty() || counts_wrong(table) || !is_of_one_set(table);
    wrong.then(|| Refused::new("mrsc-refused", &["replicas", "replica_consistency", "witness"]))
}

/// Whether some replicas that Terraform makes are strongly consistent and others are not.
pub(super) fn is_mixed(table: &Table) -> bool {
    let says = |replica: &Replica| replica.extra.get("consistency_mode").is_some_and(|mode| mode == "\"STRONG\"");
    table.replicas.values().any(says)
}

/// Whether there is a witness, and surely no replica that is strongly consistent.
fn has_witness_alone(table: &Table) -> bool {
    let says = |replica: &Replica| replica.extra.contains_key("consistency_mode");
    let eventual = table.replica_consistency == ReplicaConsistency::Eventual && !table.replicas.values().any(says);
    table.witness.is_some() && eventual && !is_open(table)
}

/// Whether some of its Regions are given by an expression.
fn is_open(table: &Table) -> bool {
    table.extra.keys().any(|path| {
        ["Replicas", "GlobalTableWitnesses", "dynamic.replica", "dynamic.global_table_witness", "global_table_witness"]
            .iter()
            .any(|part| path.starts_with(part))
    })
}

/// Whether it is not in three Regions, of which one may be a witness.
fn counts_wrong(table: &Table) -> bool {
    !is_open(table) && table.regions() + usize::from(table.witness.is_some()) != 3
}

/// Whether the Regions that are written out may be of one set.
fn is_of_one_set(table: &Table) -> bool {
    let regions: Vec<&str> =
        table.replicas.keys().chain(&table.witness).map(String::as_str).filter(|region| !is_computed(region)).collect();
    ReplicaConsistency::REGION_SETS.iter().any(|set| regions.iter().all(|region| set.contains(region)))
}
