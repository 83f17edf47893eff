//! Properties that are carried along unmodelled, by their paths in their format. What a row knows of them is told all the same.

use super::{Facts, Item, blocks, scaling};
use crate::diff::draft::Draft;
use crate::diff::effects::{BEHIND, COMPUTED};
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::Value;
use crate::schema::dynamodb::{APART, GlobalIndex, IN_MODULE, LEGACY_GLOBAL, Stream, Table, terraform_region};
use serde_json::{Value as Json, json};

/// Of a table that another provider looks after.
const ALIAS: &str =
    "whether the two providers look in the same place is not known here; in the same Region and account nothing changes";

/// Whether the providers of a table surely look for it in two Regions.
fn is_elsewhere(pair: Pair<&Table>) -> bool {
    let [previous, next] = [pair.previous, pair.next].map(|table| terraform_region(table, false));
    previous.zip(next).is_some_and(|(previous, next)| previous != next)
}

/// A property of a table.
pub(super) fn table(draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let (head, rest) = split(draft.key());
    // What only a global table has comes and goes with the type of the resource.
    if pair.previous.resource != pair.next.resource {
        return of_other_type(pair);
    }
    match (head, draft.action) {
        _ if draft.is_behind() => Pick::unknown_because(BEHIND),
        ("Custom::DynamoDBReplica", Action::Drop) => Pick::rule("custom-replica-drop"),
        ("ContributorInsightsSpecification", _) => Pick::rule("contributor-insights"),
        ("ImportSourceSpecification", _) => Pick::rule("import-source-change"),
        ("import_table", _) => imported(rest, pair),
        ("restore_date_time" | "restore_to_latest_time", _) => restored(draft, true),
        ("restore_source_name" | "restore_source_table_arn" | "restore_backup_arn", _) => restored(draft, false),
        ("autoscaling", _) => {
            let [previous, next] = [pair.previous, pair.next].map(|table| (table.autoscaling.as_ref(), Some(&table.extra)));
            scaling::carried(draft, rest, Pair { previous, next })
        }
        // As many as are written; others than none and one are several tables of one name.
        ("count", _) if draft.after == Some(json!("0")) => Pick::rule("table-drop"),
        ("count", _) if draft.before == Some(json!("0")) => Pick::rule("table-add"),
        ("provider", _) if rest.is_empty() && !is_elsewhere(pair) => Pick::unknown_because(ALIAS),
        // What else a provider says may be of tags alone.
        ("region" | "provider", _) if rest != "settings" => Pick::rule("region-change"),
        (LEGACY_GLOBAL, Action::Drop) if !pair.next.replicas.is_empty() => Pick::rule("globaltable-v1-v2"),
        // An expression for all of it may come to what is there, or to nothing.
        ("KinesisStreamSpecification", _) if rest.is_empty() => Pick::unknown(),
        ("kinesis_stream" | "KinesisStreamSpecification", _) => kinesis(pair),
        ("resource_policy" | "ResourcePolicy", _) => Pick::rule("resource-policy"),
        ("StreamSpecification", _) if rest.starts_with("ResourcePolicy") => Pick::rule("resource-policy"),
        ("VectorIndexes", Action::Add) => Pick::rule("vector-add"),
        ("VectorIndexes", Action::Drop) => Pick::rule("vector-remove"),
        ("VectorIndexes", _) => Pick::rule("vector-change"),
        ("lifecycle", _) if rest == "create_before_destroy" => Pick::rule("guard-change"),
        // No stream is on, so that it says nothing; later providers refuse it.
        ("stream_view_type", _) if draft.after.is_none() || pair.next.stream.is_none_or(|stream| stream == Stream::Off) => {
            Pick::rule("stream-view-without-stream")
        }
        // The other one of the two is no longer written.
        ("read_capacity" | "write_capacity", Action::Add) if is_left(head, draft, pair.previous) => {
            Pick::rule("capacity-removed")
        }
        ("tags" | "Tags", _) => Pick::rule("tags"),
        _ => Pick::unknown(),
    }
}

/// Whether a capacity is as it was, when both were written.
fn is_left(argument: &str, draft: &Draft<Item<'_>>, previous: &Table) -> bool {
    let units = previous.throughput.as_ref();
    let was = units.map(|units| if argument == "read_capacity" { &units.read } else { &units.write });
    was.and_then(Value::literal).is_some_and(|units| draft.after == Some(json!(units.to_string())))
}

/// A table whose resource gets another type. Under another logical ID it is another resource, made before the previous one goes.
pub(super) fn of_other_type(pair: Pair<&Table>) -> Pick {
    let stays = pair.previous.logical_id == pair.next.logical_id;
    Pick::rule(if stays { "table-to-globaltable" } else { "address-rename" })
}

/// Whether Terraform makes a table from another one: keys and capacity that are not written are taken from that, and the provider
/// judges neither (`CustomizeDiff` in `internal/service/dynamodb/table.go`).
pub(super) fn is_restored(table: &Table) -> bool {
    ["restore_source_name", "restore_source_table_arn", "restore_backup_arn"].iter().any(|from| table.extra.contains_key(*from))
}

/// What a table was imported from. In the table module it can be given by an expression, which may come to the same, or to none.
fn imported(path: &str, pair: Pair<&Table>) -> Pick {
    let is_said = |table: &Table| table.extra.keys().any(|path| split(path).0 == "import_table");
    let is_open = |table: &Table| table.extra.contains_key("import_table");
    if is_open(pair.previous) || is_open(pair.next) {
        Pick::unknown_because(COMPUTED)
    } else if pair.next.terraform_name.starts_with(IN_MODULE) && !is_said(pair.next) {
        Pick::unknown_because("no source says what becomes of a table whose module gives up its import")
    } else if path.starts_with("s3_bucket_source") {
        Pick::rule("import-source-change")
    } else {
        Pick::rule("import-format-change")
    }
}

/// What a table was made from. The source may be forgotten afterwards, which moment of it was taken may not.
fn restored(draft: &Draft<Item<'_>>, moment: bool) -> Pick {
    let says = |side: &Option<Json>| side.as_ref().is_some_and(|text| *text != "\"\"" && *text != "false");
    match (says(&draft.before), says(&draft.after)) {
        (_, true) => Pick::rule("restore-source-set"),
        (was_said, false) => Pick::rule("restore-source-cleared").case(Case::Forces, moment && was_said),
    }
}

/// What is set of a Kinesis destination beside its stream; it comes and goes with the stream.
fn kinesis(pair: Pair<&Table>) -> Pick {
    match (&pair.previous.kinesis_stream, &pair.next.kinesis_stream) {
        (Some(_), Some(_)) => Pick::rule("kinesis-change"),
        (previous, _) => Pick::rule("kinesis-add-remove").case(Case::Removed, previous.is_some()),
    }
}

/// A property of a global index.
pub(super) fn index(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<Option<&GlobalIndex>>) -> Pick {
    let (head, rest) = split(draft.key());
    match (head, draft.action) {
        ("autoscaling", _) => {
            let [previous, next] = [pair.previous, pair.next]
                .map(|index| (index.and_then(|index| index.autoscaling.as_ref()), index.map(|index| &index.extra)));
            scaling::carried(draft, rest, Pair { previous, next })
        }
        ("key_schema", _) => Pick::rule("gsi-syntax-key-schema"),
        (APART, Action::Add | Action::Drop) => {
            let [previous, next] = [&draft.before, &draft.after].map(|side| side.as_ref().and_then(Json::as_str));
            blocks::apart(facts, "gsi-inline-to-resource", "global_secondary_index", Pair { previous, next })
        }
        ("ContributorInsightsSpecification", _) => Pick::rule("contributor-insights"),
        _ => Pick::unknown(),
    }
}

/// The first name of a path and the rest: `import_table.input_format`, `Replicas[1]`.
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

/// Whether it is part of a global table of the version of 2017.
pub(super) fn is_legacy_global(table: &Table) -> bool {
    table.extra.keys().any(|path| split(path).0 == LEGACY_GLOBAL)
}
