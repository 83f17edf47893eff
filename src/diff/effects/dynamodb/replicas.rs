//! Copies in other Regions: which come, which go, what of theirs changes, and how consistent they are.

use super::{Facts, Item, Together, blocks, carried, overlooks, settings};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{
    APART, Autoscaling, Billing, GlobalIndex, IN_MODULE, OWN_REGION, Replica, ReplicaConsistency, Stream, Table, UNSEEDED,
};
use crate::schema::{About, Backend, Format, is_computed};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};

/// Why nothing can be said of a difference between Regions that cannot be told apart: one side leaves the stack's own Region, or that
/// of a replica, to an expression.
pub(super) fn untold(draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Option<&'static str> {
    if pair.previous.own_region_named != pair.next.own_region_named && OF_A_REGION.contains(&draft.head()) {
        // Beside its own Region a stack has those that are written out.
        let is_sure = draft.head() == "replicas"
            && match draft.action {
                Action::Add => !pair.next.own_region_named,
                Action::Drop => !pair.previous.own_region_named,
                Action::Modify | Action::Rename => true,
            };
        return (!is_sure).then_some("one of the Regions that are written out is the stack's own; which one is not known here");
    }
    let whole = draft.head() == "replicas" && matches!(draft.action, Action::Add | Action::Drop);
    let gone = || pair.previous.replicas.keys().filter(|region| !pair.next.replicas.contains_key(*region));
    let new = || pair.next.replicas.keys().filter(|region| !pair.previous.replicas.contains_key(*region));
    let both = gone().next().is_some() && new().next().is_some();
    (whole && both && gone().chain(new()).any(|region| is_computed(region)))
        .then_some("a Region is an expression on one side; it may be the one that is written out on the other")
}

/// What a template says of each Region by itself, the stack's own among them.
const OF_A_REGION: [&str; 12] = [
    "replicas",
    "point_in_time_recovery",
    "deletion_protection",
    "table_class",
    "contributor_insights",
    "kinesis_stream",
    "resource_policy",
    "tags",
    "encryption",
    "throughput",
    "autoscaling",
    "on_demand_maximum",
];

/// A replica, the consistency between them, or the witness.
pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    if draft.head() == "replicas" && draft.key() == OWN_REGION {
        return Pick::rule("replica-own-region").case(Case::Removed, draft.action == Action::Drop);
    }
    let strong = |table: &Table| table.replica_consistency == ReplicaConsistency::Strong;
    match (strong(pair.previous), strong(pair.next)) {
        (false, true) if pair.previous.regions() <= 1 => Pick::rule("table-to-mrsc"),
        // All go, and the table is one of a single Region again.
        (true, false) if pair.next.regions() <= 1 && pair.previous.witness.is_some() => {
            Pick::rule("witness-change").case(Case::Removed, true)
        }
        (true, false) if pair.next.regions() <= 1 => Pick::rule("replica-remove"),
        (true, true) if pair.previous.witness.is_some() != pair.next.witness.is_some() => {
            Pick::rule("witness-change").case(Case::Removed, together.replicas_dropped > 0)
        }
        _ => match draft.head() {
            "replica_consistency" => Pick::rule("replica-consistency"),
            "witness" => Pick::rule("witness-change"),
            _ => replica(facts, together, draft, pair),
        },
    }
}

fn replica(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    let apart = |table: &Table| table.replicas.values().any(|replica| replica.extra.contains_key(APART));
    match draft.action {
        Action::Add if carried::is_legacy_global(pair.previous) => Pick::rule("globaltable-v1-v2"),
        // A block goes and a resource comes: in which Region that is, its provider may leave open.
        Action::Add | Action::Drop if together.replicas_dropped > 0 && !apart(pair.previous) && apart(pair.next) => {
            let mut addresses = pair.next.replicas.values().filter_map(|replica| replica.extra.get(APART).map(String::as_str));
            // Which of several it is, is not known.
            let resource = addresses.next().filter(|_| addresses.next().is_none());
            blocks::apart(facts, "replica-inline-to-resource", "replica", Pair { previous: None, next: resource })
        }
        Action::Add if together.replicas_dropped > 0 => Pick::rule("replica-region-change"),
        Action::Drop if together.replicas_added > 0 => Pick::rule("replica-region-change"),
        Action::Add if [pair.previous, pair.next].into_iter().any(|table| is_fixed(facts, table)) => {
            Pick::rule("replica-add").case(Case::FixedCapacity, true)
        }
        Action::Add if is_removed_again(facts, draft, pair.next) => Pick::rule("replica-add").case(Case::NotOverlooked, true),
        Action::Add if lacks_stream(facts, pair.next) => Pick::rule("replica-add").case(Case::NoStream, true),
        Action::Add if together.replicas_added > 1 => Pick::rule("replica-add-two"),
        Action::Add => Pick::rule("replica-add"),
        Action::Drop if together.replicas_dropped > 1 => Pick::rule("replica-add-two").case(Case::Removed, true),
        Action::Drop => Pick::rule("replica-remove"),
        Action::Modify | Action::Rename => changed(facts, draft),
    }
}

/// What differs in a replica that stays, all of it.
fn changed(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    let values = draft.values();
    let (before, after) = (fields(values.previous), fields(values.next));
    let carried = |side: &Map<String, Json>| side.get("extra").and_then(Json::as_object).cloned().unwrap_or_default();
    let own = each(&before, &after).filter(|setting| setting.name != "extra").map(|setting| modelled(facts.backend, &setting));
    let (before, after) = (carried(&before), carried(&after));
    let all: Vec<Pick> = own.chain(each(&before, &after).map(|setting| unmodelled(facts, &setting))).collect();
    Pick::all(all).unwrap_or_else(|| Pick::rule("replica-settings"))
}

/// A setting of a replica on both sides.
struct Setting<'a> {
    name: &'a str,
    before: Option<&'a Json>,
    after: Option<&'a Json>,
}

/// The settings that differ.
fn each<'a>(before: &'a Map<String, Json>, after: &'a Map<String, Json>) -> impl Iterator<Item = Setting<'a>> {
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    names
        .map(|name| Setting { name, before: before.get(name), after: after.get(name) })
        .filter(|setting| setting.before != setting.after)
}

/// A setting that the model has too. In a global table of CloudFormation it is what a table says at its top.
fn modelled(backend: Backend, Setting { name, before, after }: &Setting<'_>) -> Pick {
    let global = backend.format() == Format::Cloudformation;
    match *name {
        "kms_key" => Pick::rule("replica-kms-change"),
        "point_in_time_recovery" if global => settings::recovery(Pair { previous: *before, next: *after }),
        "point_in_time_recovery" => {
            let on = |side: Option<&Json>| side.is_some_and(|side| side.get("enabled") == Some(&Json::Bool(true)));
            Pick::rule("replica-settings").case(Case::SwitchedOff, on(*before) && !on(*after))
        }
        "deletion_protection" if global => settings::protection(*after),
        "table_class" if global => Pick::rule("table-class"),
        // Only as a resource of its own has a replica a class in Terraform.
        "table_class" => Pick::rule("replica-settings").case(Case::ClassOfReplica, true),
        _ => Pick::rule("replica-settings"),
    }
}

/// A setting that is carried along.
fn unmodelled(facts: &Facts<'_>, setting: &Setting<'_>) -> Pick {
    let removed = setting.after.is_none();
    let stays = setting.before.is_some() && !removed;
    let counts = |side: Option<&Json>| side.and_then(Json::as_str).is_some_and(|text| text.contains("\"Enabled\":true"));
    match carried::split(setting.name).0 {
        APART if !stays => {
            let [previous, next] = [setting.before, setting.after].map(|side| side.and_then(Json::as_str));
            blocks::apart(facts, "replica-inline-to-resource", "replica", Pair { previous, next })
        }
        "consistency_mode" => Pick::rule("replica-consistency"),
        "Tags" | "tags" => Pick::rule("tags"),
        "ReadOnDemandThroughputSettings" if removed => Pick::rule("ondemand-max-remove"),
        "ReadOnDemandThroughputSettings" => Pick::rule("ondemand-max-set"),
        "ReadProvisionedThroughputSettings" => Pick::rule("autoscaling-limits"),
        "GlobalSecondaryIndexes" => match setting.name.split_once("].") {
            Some((_, path)) => of_index(&Setting { name: carried::split(path).0, ..*setting }),
            None => of_indexes(setting),
        },
        "ContributorInsightsSpecification" if counts(setting.before) && counts(setting.after) => {
            Pick::rule("contributor-insights-mode")
        }
        "ContributorInsightsSpecification" => Pick::rule("contributor-insights"),
        "KinesisStreamSpecification" if stays => Pick::rule("kinesis-change"),
        "KinesisStreamSpecification" => Pick::rule("kinesis-add-remove").case(Case::Removed, removed),
        "ResourcePolicy" | "ReplicaStreamSpecification" => Pick::rule("resource-policy"),
        _ => Pick::unknown(),
    }
}

/// What differs in the indexes of a replica, all of it.
fn of_indexes(setting: &Setting<'_>) -> Pick {
    let read = |side: Option<&Json>| -> Option<BTreeMap<String, Json>> {
        let Some(text) = side.and_then(Json::as_str) else { return Some(BTreeMap::new()) };
        let indexes: Vec<Map<String, Json>> = serde_json::from_str(text).ok()?;
        let named = |index: Map<String, Json>| Some((index.get("IndexName")?.as_str()?.to_owned(), Json::Object(index)));
        indexes.into_iter().map(named).collect()
    };
    let Some((before, after)) = read(setting.before).zip(read(setting.after)) else { return Pick::unknown() };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let picks = names.into_iter().flat_map(|name| {
        let (before, after) = (fields(before.get(name)), fields(after.get(name)));
        each(&before, &after).filter(|setting| setting.name != "IndexName").map(|setting| of_index(&setting)).collect::<Vec<_>>()
    });
    Pick::all(picks).unwrap_or_else(Pick::unknown)
}

/// What a replica says of one index.
fn of_index(setting: &Setting<'_>) -> Pick {
    match setting.name {
        "ReadProvisionedThroughputSettings" => Pick::rule("autoscaling-limits"),
        "ReadOnDemandThroughputSettings" if setting.after.is_none() => Pick::rule("gsi-ondemand-max-remove"),
        "ReadOnDemandThroughputSettings" => Pick::rule("gsi-ondemand-max-set"),
        "ContributorInsightsSpecification" => Pick::rule("contributor-insights"),
        _ => Pick::unknown(),
    }
}

/// A replica's fields.
fn fields(side: Option<&Json>) -> Map<String, Json> {
    side.and_then(Json::as_object).cloned().unwrap_or_default()
}

/// Whether a definition gives a table replicas and no stream: CloudFormation asks for one unless they are consistent, and Terraform
/// switches off what the service has switched on.
fn lacks_stream(facts: &Facts<'_>, table: &Table) -> bool {
    if table.replica_consistency == ReplicaConsistency::Strong {
        return false;
    }
    if facts.backend.format() == Format::Terraform {
        let off = table.stream.is_none_or(|stream| stream == Stream::Off) && !table.extra.contains_key("stream_enabled");
        return off && !facts.ignores("stream_enabled");
    }
    table.stream.is_none() && !table.extra.keys().any(|path| path.starts_with("StreamSpecification"))
}

/// Whether a new global table is in several Regions from the start, and has no stream.
pub(super) fn starts_without_stream(facts: &Facts<'_>, table: &Table) -> bool {
    facts.backend == Backend::CloudformationGlobalTable && table.regions() > 1 && lacks_stream(facts, table)
}

/// Whether the stream of a table cannot change: it has replicas, which hear of one another by it.
pub(super) fn hold_stream(backend: Backend, pair: Pair<&Table>) -> bool {
    let replicas = &pair.previous.replicas;
    // What becomes of one that is a resource of its own and goes, Terraform does not order.
    let counts =
        |(region, replica): (&String, &Replica)| !replica.extra.contains_key(APART) || pair.next.replicas.contains_key(region);
    match backend {
        _ if pair.previous.replica_consistency == ReplicaConsistency::Strong => false,
        Backend::CloudformationTable => carried::has_custom_replicas(pair.previous),
        _ => backend.format() == Format::Terraform && replicas.iter().any(counts),
    }
}

/// Whether the table removes a replica that another resource makes.
fn is_removed_again(facts: &Facts<'_>, draft: &Draft<Item<'_>>, table: &Table) -> bool {
    let is_apart = table.replicas.get(draft.key()).is_some_and(|replica| replica.extra.contains_key(APART));
    is_apart && !facts.ignores("replica") && !table.terraform_name.starts_with(IN_MODULE)
}

/// Whether a table stops overlooking the replicas that other resources make.
pub(super) fn are_uncovered(pair: Pair<&Table>) -> bool {
    let stays =
        |(region, replica): (&String, &Replica)| replica.extra.contains_key(APART) && pair.previous.replicas.contains_key(region);
    let stops = overlooks(pair.previous, "replica") && !overlooks(pair.next, "replica");
    stops && pair.next.replicas.iter().any(stays)
}

/// Whether write capacity of a table or of one of its indexes is fixed: written, and nothing says that something else scales it.
fn is_fixed(facts: &Facts<'_>, table: &Table) -> bool {
    let scaled = |scaling: &Option<Autoscaling>| scaling.as_ref().is_some_and(|it| it.write.is_some());
    let own = table.throughput.is_some() && !table.ignore_changes.contains("write_capacity") && !scaled(&table.autoscaling);
    let of_index = |index: &GlobalIndex| index.throughput.is_some() && !scaled(&index.autoscaling);
    let indexes = !facts.ignores("global_secondary_index") && table.global_indexes.values().any(of_index);
    table.billing != Some(Billing::OnDemand) && (own || indexes)
}

/// Whether a new table has replicas in its own block and scaled capacity, of which Terraform makes the replicas first.
pub(super) fn before_scaling(backend: Backend, table: &Table) -> bool {
    let provisioned = table.billing != Some(Billing::OnDemand) && table.throughput.is_some();
    let inline = table.replicas.values().any(|replica| !replica.extra.contains_key(APART));
    backend.format() == Format::Terraform && provisioned && inline
}

/// Whether a global table that gets provisioned does not say where writes start, or how much may be read of an index in a Region.
pub(super) fn lack_settings(table: &Table) -> bool {
    let is_unseeded = |about: &About| about.manner.contains(UNSEEDED);
    let lacks_reads = |index: &GlobalIndex| {
        if table.own_region_named {
            return !table.replicas.values().all(|replica| says_reads(replica, &index.name));
        }
        index.throughput.is_none() && !index.extra.keys().any(|path| path.contains("ReadProvisionedThroughputSettings"))
    };
    is_unseeded(&table.about) || table.global_indexes.values().any(|index| is_unseeded(&index.about) || lacks_reads(index))
}

/// Whether a Region says how much may be read of an index there, or may say so by an expression.
fn says_reads(replica: &Replica, name: &str) -> bool {
    let mut paths = replica.extra.iter().filter(|(path, _)| carried::split(path).0 == "GlobalSecondaryIndexes");
    paths.any(|(path, text)| {
        let Ok(indexes) = serde_json::from_str::<Vec<Map<String, Json>>>(text) else { return path == "GlobalSecondaryIndexes" };
        let is_it = |index: &Map<String, Json>| index.get("IndexName").and_then(Json::as_str).is_none_or(|it| it == name);
        indexes.iter().any(|index| is_it(index) && index.contains_key("ReadProvisionedThroughputSettings"))
    })
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
