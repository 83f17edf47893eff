//! Properties that are carried along unmodelled, by their paths in their format. What a row knows of them is told all the same.

use super::Item;
use crate::diff::draft::Draft;
use crate::diff::rows::Pick;
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::Table;

/// A property of a table.
pub(super) fn table(draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let (head, rest) = split(draft.key());
    // What only a global table has comes and goes with the type of the resource.
    if pair.previous.resource != pair.next.resource {
        return Pick::rule("table-to-globaltable");
    }
    match (head, draft.action) {
        ("Custom::DynamoDBReplica", Action::Drop) => Pick::rule("custom-replica-drop"),
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

/// The first name of a path and the rest: `timeouts.create`, `Replicas[1]`.
pub(super) fn split(path: &str) -> (&str, &str) {
    match path.find(['.', '[']) {
        Some(at) => (path.get(..at).unwrap_or(path), path.get(at + 1..).unwrap_or("").trim_end_matches(']')),
        None => (path, ""),
    }
}

/// Whether a custom resource makes replicas of the table.
pub(super) fn has_custom_replicas(table: &Table) -> bool {
    table.extra.keys().any(|path| split(path).0 == "Custom::DynamoDBReplica")
}
