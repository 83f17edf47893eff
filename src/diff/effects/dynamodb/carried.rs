//! Properties that are carried along unmodelled, by their paths in their format. What a row knows of them is told all the same.

use super::{Item, Together};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{Billing, Table};
use serde_json::Value as Json;

/// A property of a table.
pub(super) fn table(together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let (head, rest) = split(draft.key());
    // What only a global table has comes and goes with the type of the resource.
    if pair.previous.resource != pair.next.resource {
        return Pick::rule("table-to-globaltable");
    }
    match (head, draft.action) {
        ("replica" | "Replicas", _) => replica(together, draft, pair, rest),
        ("WriteOnDemandThroughputSettings", Action::Drop) => Pick::rule("ondemand-max-remove"),
        ("WriteOnDemandThroughputSettings", _) => Pick::rule("ondemand-max-set"),
        ("WriteProvisionedThroughputSettings", action) => match (action, pair.previous.billing == pair.next.billing) {
            (_, false) => Pick::rule("billing-to-provisioned").case(Case::ReadSettingsMissing, lacks_read_settings(pair.next)),
            (Action::Modify, true) => Pick::rule("autoscaling-limits"),
            (Action::Drop, true) => Pick::rule("autoscaling-remove"),
            _ => Pick::rule("autoscaling-add"),
        },
        ("ContributorInsightsSpecification", _) => Pick::rule("contributor-insights"),
        ("ImportSourceSpecification", _) => Pick::rule("import-source-change"),
        ("import_table", _) if rest.starts_with("s3_bucket_source") => Pick::rule("import-source-change"),
        ("import_table", _) => Pick::rule("import-format-change"),
        (
            "restore_source_name"
            | "restore_source_table_arn"
            | "restore_backup_arn"
            | "restore_date_time"
            | "restore_to_latest_time",
            action,
        ) => Pick::rule(if action == Action::Drop { "restore-source-cleared" } else { "restore-source-set" }),
        ("global_table_witness", _) => Pick::rule("witness-change"),
        ("region", _) => Pick::rule("region-change"),
        ("tags" | "Tags", _) => Pick::rule("tags"),
        ("timeouts", _) => Pick::rule("guard-change"),
        _ => Pick::unknown(),
    }
}

/// A property of a global index.
pub(super) fn index(draft: &Draft<Item<'_>>) -> Pick {
    match (split(draft.key()).0, draft.action) {
        ("key_schema", _) => Pick::rule("gsi-syntax-key-schema"),
        ("ContributorInsightsSpecification", _) => Pick::rule("contributor-insights"),
        _ => Pick::unknown(),
    }
}

/// A replica, or a property of one. Terraform's path is the Region and the argument, CloudFormation's the Region.
fn replica(together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>, rest: &str) -> Pick {
    let (region, property) = split(rest);
    let there = |table: &Table| {
        table.extra.keys().any(|path| {
            let (head, rest) = split(path);
            matches!(head, "replica" | "Replicas") && split(rest).0 == region
        })
    };
    match (there(pair.previous), there(pair.next)) {
        (false, _) if together.replicas_dropped > 0 => Pick::rule("replica-region-change"),
        (_, false) if together.replicas_added > 0 => Pick::rule("replica-region-change"),
        (false, _) if together.replicas_added > 1 => Pick::rule("replica-add-two"),
        (_, false) if together.replicas_dropped > 1 => Pick::rule("replica-add-two").case(Case::Removed, true),
        (false, _) => Pick::rule("replica-add").case(Case::FixedCapacity, fixed_capacity(pair.next)),
        (_, false) => Pick::rule("replica-remove"),
        _ => match property {
            "kms_key_arn" => Pick::rule("replica-kms-change"),
            "consistency_mode" => Pick::rule("replica-consistency"),
            "point_in_time_recovery" | "deletion_protection_enabled" | "propagate_tags" => Pick::rule("replica-settings"),
            "" => of_template(draft),
            _ => Pick::unknown(),
        },
    }
}

/// What differs in a replica that a template writes as a whole.
fn of_template(draft: &Draft<Item<'_>>) -> Pick {
    let read = |side: &Option<Json>| -> Option<Json> { serde_json::from_str(side.as_ref()?.as_str()?).ok() };
    let (Some(Json::Object(before)), Some(Json::Object(after))) = (read(&draft.before), read(&draft.after)) else {
        return Pick::unknown();
    };
    let differs = |key: &&String| before.get(*key) != after.get(*key);
    let keys: Vec<&str> = before.keys().chain(after.keys()).filter(differs).map(String::as_str).collect();
    let settings = ["PointInTimeRecoverySpecification", "DeletionProtectionEnabled", "Tags", "TableClass"];
    match keys.as_slice() {
        keys if keys.iter().all(|key| *key == "SSESpecification") => Pick::rule("replica-kms-change"),
        keys if keys.iter().all(|key| settings.contains(key)) => Pick::rule("replica-settings"),
        keys if keys.iter().all(|key| *key == "ReadProvisionedThroughputSettings") => Pick::rule("autoscaling-limits"),
        _ => Pick::unknown(),
    }
}

/// The Regions of a table's replicas.
pub(super) fn regions(table: &Table) -> Vec<&str> {
    let mut regions: Vec<&str> = table
        .extra
        .keys()
        .filter_map(|path| {
            let (head, rest) = split(path);
            matches!(head, "replica" | "Replicas").then(|| split(rest).0)
        })
        .collect();
    regions.dedup();
    regions
}

/// Whether capacity is written and nothing says that something else scales it.
fn fixed_capacity(table: &Table) -> bool {
    let scaled =
        table.ignore_changes.contains("write_capacity") || table.autoscaling.as_ref().is_some_and(|it| it.write.is_some());
    table.billing != Some(Billing::OnDemand) && table.throughput.is_some() && !scaled
}

/// Whether a replica of a global table says nothing about its read capacity.
pub(super) fn lacks_read_settings(table: &Table) -> bool {
    let replicas = table.extra.iter().filter(|(path, _)| split(path).0 == "Replicas");
    let mut replicas = replicas.peekable();
    replicas.peek().is_none() || replicas.any(|(_, text)| !text.contains("ReadProvisionedThroughputSettings"))
}

/// The first name of a path and the rest: `replica.eu-west-1.kms_key_arn`, `Replicas[1]`.
pub(super) fn split(path: &str) -> (&str, &str) {
    match path.find(['.', '[']) {
        Some(at) => (path.get(..at).unwrap_or(path), path.get(at + 1..).unwrap_or("").trim_end_matches(']')),
        None => (path, ""),
    }
}
