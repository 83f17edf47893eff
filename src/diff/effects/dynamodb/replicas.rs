//! Copies in other Regions: which come, which go, what of theirs changes, and how consistent they are.

use super::{Facts, Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{Billing, Replica, ReplicaConsistency, Table};
use crate::schema::{Backend, Format};
use serde_json::{Map, Value as Json};

/// A replica, the consistency between them, or the witness.
pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let strong = |table: &Table| table.replica_consistency == ReplicaConsistency::Strong;
    match (strong(pair.previous), strong(pair.next)) {
        (false, true) if pair.previous.regions() <= 1 => Pick::rule("table-to-mrsc"),
        // All go, and the table is one of a single Region again.
        (true, false) if pair.next.regions() <= 1 => Pick::rule("replica-remove"),
        (true, true) if pair.previous.witness.is_some() != pair.next.witness.is_some() => {
            Pick::rule("witness-change").case(Case::Removed, together.replicas_dropped > 0)
        }
        _ => match draft.head() {
            "replica_consistency" => Pick::rule("replica-consistency"),
            "witness" => Pick::rule("witness-change"),
            _ => replica(facts.backend, together, draft, pair),
        },
    }
}

fn replica(backend: Backend, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    match draft.action {
        Action::Add if together.replicas_dropped > 0 => Pick::rule("replica-region-change"),
        Action::Drop if together.replicas_added > 0 => Pick::rule("replica-region-change"),
        Action::Add if fixed(pair.previous) || fixed(pair.next) => Pick::rule("replica-add").case(Case::FixedCapacity, true),
        Action::Add if together.replicas_added > 1 => Pick::rule("replica-add-two"),
        Action::Add => Pick::rule("replica-add"),
        Action::Drop if together.replicas_dropped > 1 => Pick::rule("replica-add-two").case(Case::Removed, true),
        Action::Drop => Pick::rule("replica-remove"),
        Action::Modify | Action::Rename => settings(backend, draft),
    }
}

/// What differs in a replica that stays; of several things the gravest.
fn settings(backend: Backend, draft: &Draft<Item<'_>>) -> Pick {
    let (before, after) = (fields(draft.before.as_ref()), fields(draft.after.as_ref()));
    let differs = |name: &str| before.get(name) != after.get(name);
    let extra = |side: &Map<String, Json>| side.get("extra").and_then(Json::as_object).cloned().unwrap_or_default();
    let (carried_before, carried_after) = (extra(&before), extra(&after));
    let all = carried_before.keys().chain(carried_after.keys());
    let carried: Vec<&str> = all.filter(|key| carried_before.get(*key) != carried_after.get(*key)).map(String::as_str).collect();
    let reads = |key: &&str| key.starts_with("Read") || *key == "GlobalSecondaryIndexes";
    // A parameter whose value changed is shown with its expression; both sides say the same.
    if differs("kms_key") {
        Pick::rule("replica-kms-change")
    } else if carried.contains(&"consistency_mode") {
        Pick::rule("replica-consistency")
    } else if differs("table_class") && backend.format() == Format::Terraform {
        Pick::unknown()
    } else if carried.is_empty() || carried.iter().all(|key| *key == "Tags") {
        Pick::rule("replica-settings")
    } else if carried.iter().all(reads) {
        Pick::rule("autoscaling-limits")
    } else {
        match carried.as_slice() {
            ["ContributorInsightsSpecification"] => Pick::rule("contributor-insights"),
            ["KinesisStreamSpecification"] => Pick::rule("kinesis-change"),
            ["ResourcePolicy"] => Pick::rule("resource-policy"),
            _ => Pick::unknown(),
        }
    }
}

/// A replica's fields; those of its values in force when it is shown with its expressions.
fn fields(side: Option<&Json>) -> Map<String, Json> {
    let side = side.map(|side| side.get("value").unwrap_or(side));
    side.and_then(Json::as_object).cloned().unwrap_or_default()
}

/// Whether write capacity is fixed: written, and nothing says that something else scales it.
fn fixed(table: &Table) -> bool {
    let scaled =
        table.ignore_changes.contains("write_capacity") || table.autoscaling.as_ref().is_some_and(|it| it.write.is_some());
    table.billing != Some(Billing::OnDemand) && table.throughput.is_some() && !scaled
}

/// Whether a new table has replicas and scaled capacity, of which Terraform makes the replicas first.
pub(super) fn before_scaling(backend: Backend, table: &Table) -> bool {
    let provisioned = table.billing != Some(Billing::OnDemand) && table.throughput.is_some();
    backend.format() == Format::Terraform && provisioned && !table.replicas.is_empty()
}

/// Whether a Region of a provisioned global table says nothing of how much may be read there.
pub(super) fn lack_reads(table: &Table) -> bool {
    let said = |replica: &Replica| replica.extra.get("ReadProvisionedThroughputSettings").is_some_and(|said| said != "null");
    if table.own_region_named {
        // Each says its own.
        return table.throughput.is_none() && !table.replicas.values().all(said);
    }
    let unlike = |replica: &Replica| replica.extra.contains_key("ReadProvisionedThroughputSettings") && !said(replica);
    table.throughput.is_none() || table.replicas.values().any(unlike)
}
