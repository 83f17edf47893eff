//! What tools and the service check of a definition, beside its keys and its capacity.

use super::Facts;
use super::refused::Refused;
use crate::diff::rows::Case;
use crate::schema::dynamodb::{
    Autoscaling, Billing, Encryption, GlobalIndex, KEY_NOT_SORTED, KEY_TWICE, LocalIndex, NO_PROJECTION, Projection, Range,
    Resource, STEP_SCALING, Stream, Table, Units,
};
use crate::schema::{Backend, Format, Text, Value, is_computed};
use std::collections::{BTreeMap, BTreeSet};

/// Where a projection stands: what the model knows of it, and what is carried along.
const PROJECTION: &[&str] = &["projection", "projection_type"];

/// Why the settings of a table are never accepted.
pub(super) fn table(facts: &Facts<'_>, table: &Table) -> impl Iterator<Item = Refused> {
    let terraform = facts.backend.format() == Format::Terraform;
    let template = !terraform;
    let recovery = table.point_in_time_recovery.as_ref();
    let days = recovery.and_then(|recovery| recovery.days);
    let off = recovery.is_some_and(|recovery| recovery.enabled == Value::Literal(false));
    let expiry = table.ttl.as_ref().is_some_and(|ttl| ttl.enabled && ttl.attribute.is_empty());
    let name = table.name.as_ref().and_then(Text::as_literal).is_some_and(|name| !is_name(name));
    let maximum = table.on_demand_maximum.as_ref().is_some_and(|units| terraform || units.values().next().is_some());
    let found = [
        (
            maximum && conflicts(terraform, table),
            Refused::new("ondemand-max-on-provisioned", &["on_demand_maximum", "throughput", "billing"]),
        ),
        (terraform && expiry, Refused::new("ttl-attribute-missing", &["ttl"])),
        (
            terraform && days.is_some_and(|days| !(1..=35).contains(&days)) || template && off && days.is_some(),
            Refused::new("pitr-period-refused", &["point_in_time_recovery"]),
        ),
        (
            facts.backend == Backend::TerraformAws6 && is_below(table.warm_throughput.as_ref()),
            Refused::new("warm-below-minimum", &["warm_throughput"]),
        ),
        (terraform && lacks_view(table), Refused::new("stream-without-view", &["stream", "stream_enabled", "stream_view_type"])),
        (
            facts.backend == Backend::TerraformAws6 && has_view_alone(table),
            Refused::new("stream-view-without-stream", &["stream", "stream_enabled", "stream_view_type"]),
        ),
        (table.tags.len() > 50, Refused::new("tags-over-limit", &["tags"])),
        (name, Refused::new("name-refused", &["name"])),
        (
            table.sort_key.as_ref() == Some(&table.partition_key) && !is_computed(&table.partition_key),
            Refused::new("key-attribute-twice", &["partition_key", "sort_key"]),
        ),
        (projected(table) > 100, Refused::new("projected-over-limit", &[])),
        (mixes_keys(facts, table), Refused::new("sse-key-mixed", &["encryption", "replicas"])),
        (terraform && has_bare_key(table), Refused::new("sse-key-no-arn", &["encryption", "replicas"])),
        (template && is_miswritten(&table.extra), Refused::new("key-unsorted", &["partition_key", "sort_key", "KeySchema"])),
        (scales_in_steps(table), Refused::new("autoscaling-policy-type", &[])),
        (is_out_of_range(table.autoscaling.as_ref()), Refused::new("autoscaling-range-refused", &["autoscaling"])),
    ];
    found.into_iter().filter_map(|(holds, refused)| holds.then_some(refused))
}

/// Why an index is never accepted.
pub(super) fn index(backend: Backend, table: &Table, index: &GlobalIndex) -> impl Iterator<Item = Refused> {
    const KEY: &[&str] = &["partition_key", "sort_key", "key_schema", "KeySchema"];
    let keys: BTreeSet<&String> = index.keys().collect();
    let twice = keys.len() < index.keys().count();
    let many = index.partition_key.0.len() > 4 || index.sort_key.0.len() > 4;
    let of_one = matches!(&index.projection, Projection::Include(names) if names.len() > 20);
    let global = backend == Backend::CloudformationGlobalTable;
    let found = [
        (many || lacks_partition(index) || is_miswritten(&index.extra), Refused::new("gsi-key-refused", KEY)),
        (has_no_projection(&index.extra), Refused::new("projection-refused", PROJECTION)),
        (twice, Refused::new("key-attribute-twice", KEY)),
        (!is_computed(&index.name) && !is_name(&index.name), Refused::new("name-refused", &["name"])),
        (projected(table) > 100, Refused::new("projected-over-limit", PROJECTION)),
        (global && of_one, Refused::new("projected-over-limit", PROJECTION).case(Case::OfOneIndex, true)),
        (
            backend == Backend::TerraformAws6 && is_below(index.warm_throughput.as_ref()),
            Refused::new("warm-below-minimum", &["warm_throughput"]),
        ),
        (is_out_of_range(index.autoscaling.as_ref()), Refused::new("autoscaling-range-refused", &["autoscaling"])),
    ];
    found.into_iter().filter_map(|(holds, refused)| holds.then_some(refused))
}

/// Why a local index is never accepted.
pub(super) fn local(index: &LocalIndex) -> Option<Refused> {
    has_no_projection(&index.extra).then(|| Refused::new("projection-refused", PROJECTION))
}

/// Whether a key is carried along as one that is written wrongly: a sort attribute before a partition attribute, or in two ways.
fn is_miswritten(extra: &BTreeMap<String, String>) -> bool {
    extra.values().any(|said| said.ends_with(KEY_NOT_SORTED) || said.ends_with(KEY_TWICE))
}

/// Whether no attribute is surely the first of an index's key.
fn lacks_partition(index: &GlobalIndex) -> bool {
    index.partition_key.0.is_empty() && !index.extra.keys().any(|path| path.contains("key_schema") || path.contains("KeySchema"))
}

fn has_no_projection(extra: &BTreeMap<String, String>) -> bool {
    extra.get("projection_type").is_some_and(|said| said.ends_with(NO_PROJECTION))
}

/// Whether a customer's key is named by its alias or its ID, where the provider takes an ARN.
fn has_bare_key(table: &Table) -> bool {
    let own = if let Some(Encryption::KmsKey(key)) = &table.encryption { Some(key) } else { None };
    let keys = table.replicas.values().filter_map(|replica| replica.kms_key.as_ref()).chain(own);
    keys.filter_map(Text::as_literal).any(|key| !key.is_empty() && !key.starts_with("arn:"))
}

/// Whether capacity is scaled to a least above the most, or to a utilisation that DynamoDB does not take.
fn is_out_of_range(scaling: Option<&Autoscaling>) -> bool {
    let ranges = scaling.into_iter().flat_map(|scaling| scaling.read.iter().chain(&scaling.write));
    let crossed = |range: &Range| range.min.literal().zip(range.max.literal()).is_some_and(|(min, max)| min > max);
    let strays = |range: &Range| range.target.literal().is_some_and(|target| !Range::TARGETS.contains(target));
    ranges.into_iter().any(|range| crossed(range) || strays(range))
}

/// Whether the service takes a name for a table or an index.
fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    (3..=255).contains(&name.len()) && name.chars().all(fits)
}

/// Whether a maximum stands beside capacity, which the provider refuses, or on a table that is not on demand, which the service does.
fn conflicts(terraform: bool, table: &Table) -> bool {
    if terraform {
        return table.throughput.is_some()
            || ["read_capacity", "write_capacity"].iter().any(|path| table.extra.contains_key(*path));
    }
    table.billing != Some(Billing::OnDemand) && !table.extra.contains_key("BillingMode")
}

/// Whether the provider takes no so little warm throughput.
fn is_below(units: Option<&Units>) -> bool {
    let Some(units) = units else { return false };
    let below = |(value, least): (&Option<Value<u64>>, u64)| matches!(value, Some(Value::Literal(units)) if *units < least);
    [&units.read, &units.write].into_iter().zip(Units::LEAST_WARM).any(below)
}

/// Whether a stream is on and nothing says what it shows.
fn lacks_view(table: &Table) -> bool {
    table.extra.get("stream_enabled").is_some_and(|on| on == "true") && !table.extra.contains_key("stream_view_type")
}

/// Whether something says what a stream shows, and none is on.
fn has_view_alone(table: &Table) -> bool {
    let off = table.stream.is_none_or(|stream| stream == Stream::Off) && !table.extra.contains_key("stream_enabled");
    off && table.extra.get("stream_view_type").is_some_and(|view| view.starts_with('"') && !is_computed(view))
}

/// How many attributes the indexes of a table project by name, one in two indexes twice.
fn projected(table: &Table) -> usize {
    let local = table.local_indexes.values().map(|index| &index.projection);
    let of = |projection: &Projection| if let Projection::Include(names) = projection { names.len() } else { 0 };
    local.chain(table.global_indexes.values().map(|index| &index.projection)).map(of).sum()
}

/// Whether some Regions of a replicated table have a customer's key and others have none, as far as the definition says it.
fn mixes_keys(facts: &Facts<'_>, table: &Table) -> bool {
    if facts.backend.format() == Format::Terraform {
        // Terraform keeps the key of a replica that is there where none is written: what stood mixed before is not.
        return mixed(table) && !facts.tables.previous.is_some_and(mixed);
    }
    table.resource == Resource::GlobalTable && mixed(table)
}

fn mixed(table: &Table) -> bool {
    let carried = ["SSESpecification", "server_side_encryption", "dynamic.server_side_encryption", "dynamic.replica"];
    if table.replicas.is_empty() || table.extra.keys().any(|path| carried.iter().any(|part| path.starts_with(part))) {
        return false;
    }
    let is_open = |path: &String| path.starts_with("SSESpecification") || path.starts_with("kms_key_arn");
    let is_open = table.replicas.values().any(|replica| replica.extra.keys().any(is_open));
    let own = (!table.own_region_named).then_some(matches!(table.encryption, Some(Encryption::KmsKey(_))));
    let keys: BTreeSet<bool> = table.replicas.values().map(|replica| replica.kms_key.is_some()).chain(own).collect();
    !is_open && keys.len() > 1
}

/// Whether a policy scales a capacity in steps.
fn scales_in_steps(table: &Table) -> bool {
    table.extra.iter().any(|(path, kind)| is_step(path, kind))
}

/// Whether what is carried along of a policy says that it scales in steps.
pub(super) fn is_step(path: &str, kind: &str) -> bool {
    let of_a_policy = path.starts_with("autoscaling.") && (path.ends_with(".policy_type") || path.ends_with(".PolicyType"));
    of_a_policy && kind.trim_matches('"') == STEP_SCALING
}
