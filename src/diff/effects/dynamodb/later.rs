//! What only a later release of a tool knows: the one before refuses an argument that it has never heard of.

use super::gsi;
use super::refused::Refused;
use crate::diff::rows::Case;
use crate::schema::dynamodb::{APART, GlobalIndex, IN_MODULE, Insights, ReplicaConsistency, Table};
use crate::schema::{Backend, Value};

/// What of a table version 5 of the provider does not know. Where a row tells it of a change, that row does.
pub(super) fn table(backend: Backend, table: &Table) -> impl Iterator<Item = Refused> {
    // One that is a resource of its own can be protected; that one is not protected goes without saying.
    let mut own = table.replicas.values().filter(|replica| !replica.extra.contains_key(APART));
    let off = Some(Value::Literal(false));
    let strong = table.replica_consistency == ReplicaConsistency::Strong;
    let carried = |path: &str| table.extra.contains_key(path) && !table.terraform_name.starts_with(IN_MODULE);
    let found = [
        (table.warm_throughput.is_some(), Refused::new("warm-increase", &[])),
        (table.witness.is_some(), Refused::new("witness-change", &[])),
        (strong, Refused::new("table-to-mrsc", &[])),
        (carried("region"), Refused::new("region-change", &["region"]).case(Case::LaterProvider, true)),
        (
            carried("restore_backup_arn"),
            Refused::new("restore-source-set", &["restore_backup_arn"]).case(Case::LaterProvider, true),
        ),
        (
            own.any(|replica| replica.deletion_protection.is_some() && replica.deletion_protection != off),
            Refused::new("replica-settings", &["replicas"]).case(Case::LaterProvider, true),
        ),
        (
            table.contributor_insights == Some(Insights::ThrottledKeys),
            Refused::new("contributor-insights-mode", &["contributor_insights"]),
        ),
    ];
    unknown_to(backend, found)
}

/// What of a global index it does not know.
pub(super) fn index(backend: Backend, index: &GlobalIndex) -> impl Iterator<Item = Refused> {
    const KEY: &[&str] = &["partition_key", "sort_key", "key_schema"];
    let several = index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1;
    let found = [
        (gsi::is_apart(index), Refused::new("gsi-inline-to-resource", &[APART, "partition_key", "sort_key", "projection"])),
        (several, Refused::new("gsi-multi-attribute-key", KEY)),
        (index.extra.contains_key("key_schema"), Refused::new("gsi-syntax-key-schema", KEY)),
        (index.warm_throughput.is_some(), Refused::new("gsi-warm-increase", &[])),
        (
            index.contributor_insights == Some(Insights::ThrottledKeys),
            Refused::new("contributor-insights-mode", &["contributor_insights"]),
        ),
    ];
    unknown_to(backend, found)
}

fn unknown_to<const N: usize>(backend: Backend, found: [(bool, Refused); N]) -> impl Iterator<Item = Refused> {
    let holds = move |(found, refused)| (found && backend == Backend::TerraformAws5).then_some(refused);
    found.into_iter().filter_map(holds)
}
