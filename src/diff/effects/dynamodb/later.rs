//! What only a later release of a tool knows: the one before refuses an argument that it has never heard of.

use super::refused::Refused;
use super::{Facts, gsi, strong};
use crate::diff::rows::Case;
use crate::schema::dynamodb::{APART, GlobalIndex, IN_MODULE, Insights, ReplicaConsistency, Table};
use crate::schema::{Backend, Release, Value};

/// The first release of version 6, for what came with it, or with a release of it that is not known.
const SIX: Release = (6, 0, 0);

/// What of a table the release of the provider does not know. Where a row tells it of a change, that row does.
pub(super) fn table(facts: &Facts<'_>, table: &Table) -> impl Iterator<Item = Refused> {
    // One that is a resource of its own can be protected; that one is not protected goes without saying.
    let mut own = table.replicas.values().filter(|replica| !replica.extra.contains_key(APART));
    let off = Some(Value::Literal(false));
    let strong = table.replica_consistency == ReplicaConsistency::Strong || strong::is_mixed(table);
    let carried = |path: &str| table.extra.contains_key(path) && !table.terraform_name.starts_with(IN_MODULE);
    let found = [
        (SIX, table.warm_throughput.is_some(), Refused::new("warm-increase", &[])),
        ((6, 22, 0), table.witness.is_some(), Refused::new("witness-change", &[])),
        (SIX, strong, Refused::new("table-to-mrsc", &["replicas"])),
        (SIX, carried("region"), Refused::new("region-change", &["region"]).case(Case::LaterProvider, true)),
        (
            (6, 38, 0),
            carried("restore_backup_arn"),
            Refused::new("restore-source-set", &["restore_backup_arn"]).case(Case::LaterProvider, true),
        ),
        (
            SIX,
            own.any(|replica| replica.deletion_protection.is_some() && replica.deletion_protection != off),
            Refused::new("replica-settings", &["replicas"]).case(Case::LaterProvider, true),
        ),
        (
            SIX,
            table.contributor_insights == Some(Insights::ThrottledKeys),
            Refused::new("contributor-insights-mode", &["contributor_insights"]),
        ),
    ];
    unknown_to(facts, found)
}

/// What of a global index it does not know.
pub(super) fn index(facts: &Facts<'_>, index: &GlobalIndex) -> impl Iterator<Item = Refused> {
    const KEY: &[&str] = &["partition_key", "sort_key", "key_schema"];
    let several = index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1;
    let found = [
        (
            (6, 28, 0),
            gsi::is_apart(index),
            Refused::new("gsi-inline-to-resource", &[APART, "partition_key", "sort_key", "projection"]),
        ),
        ((6, 29, 0), several, Refused::new("gsi-multi-attribute-key", KEY)),
        ((6, 29, 0), index.extra.contains_key("key_schema"), Refused::new("gsi-syntax-key-schema", KEY)),
        (SIX, index.warm_throughput.is_some(), Refused::new("gsi-warm-increase", &[])),
        (
            SIX,
            index.contributor_insights == Some(Insights::ThrottledKeys),
            Refused::new("contributor-insights-mode", &["contributor_insights"]),
        ),
    ];
    unknown_to(facts, found)
}

fn unknown_to<const N: usize>(facts: &Facts<'_>, found: [(Release, bool, Refused); N]) -> impl Iterator<Item = Refused> {
    let (backend, releases) = (facts.backend, facts.releases);
    let is_before = move |since: Release| match backend {
        Backend::TerraformAws5 => true,
        Backend::TerraformAws6 => releases.is_some_and(|releases| releases.are_before(since) == Some(true)),
        _ => false,
    };
    found.into_iter().filter_map(move |(since, found, refused)| (found && is_before(since)).then_some(refused))
}
