//! Global secondary indexes: built and deleted online, one at a time in CloudFormation.

use super::refused::Refused;
use super::{Facts, Item, Together, changes_billing};
use super::{attributes, carried, scaling, settings};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{APART, Billing, GlobalIndex, Projection, Table};
use crate::schema::{Backend, Value};
use std::collections::BTreeMap;

/// The service's default quota of indexes on one table.
const QUOTA: usize = 20;

pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<Option<&GlobalIndex>>) -> Pick {
    let Some(tables) = facts.both() else { return Pick::unknown() };
    let several = [pair.previous, pair.next]
        .into_iter()
        .flatten()
        .any(|index| index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1);
    match (draft.action, draft.head()) {
        (Action::Add, "") => {
            Pick::rule(one_of_several(together, tables).unwrap_or("gsi-add")).case(Case::SeveralKeyAttributes, several)
        }
        (Action::Drop, "") => Pick::rule(one_of_several(together, tables).unwrap_or("gsi-remove")),
        (_, "name") => Pick::rule("gsi-rename"),
        (_, "partition_key" | "sort_key" | "projection") => {
            Pick::rule(shape(draft, pair, several)).case(Case::OwnResource, pair.next.is_some_and(is_apart))
        }
        (_, "throughput") => settings::throughput(facts, together, draft, tables, true),
        (_, "on_demand_maximum") if settings::goes_provisioned(draft, tables) => settings::billing(facts, together, tables),
        (_, "on_demand_maximum" | "warm_throughput") => settings::units(draft, true),
        (_, "autoscaling") if facts.backend == Backend::CloudformationGlobalTable && changes_billing(tables) => {
            settings::billing(facts, together, tables)
        }
        (_, "autoscaling") => Pick::rule(scaling::scaled(draft)),
        (_, "contributor_insights") => Pick::rule(settings::insights(draft)),
        (_, "extra") => carried::index(facts, draft, pair),
        _ => Pick::unknown(),
    }
}

/// The row for a key or a projection that changes.
fn shape(draft: &Draft<Item<'_>>, pair: Pair<Option<&GlobalIndex>>, several: bool) -> &'static str {
    let includes = |index: Option<&GlobalIndex>| index.is_some_and(|index| matches!(index.projection, Projection::Include(_)));
    match (draft.head(), draft.action) {
        ("projection", _) if includes(pair.previous) && includes(pair.next) => "gsi-non-key-attributes",
        ("projection", _) => "gsi-projection-type",
        _ if several => "gsi-multi-attribute-key",
        ("partition_key", _) => "gsi-hash-change",
        (_, Action::Add) => "gsi-range-add",
        (_, Action::Drop) => "gsi-range-remove",
        _ => "gsi-range-change",
    }
}

/// The row for an index that is not the only one to come or go.
fn one_of_several(together: &Together, tables: Pair<&Table>) -> Option<&'static str> {
    match (together.global_added, together.global_dropped) {
        (0, 0 | 1) | (1, 0) => None,
        (_, 0) => Some("gsi-add-two"),
        (0, _) => Some("gsi-remove-two"),
        _ if tables.previous.global_indexes.len() >= QUOTA => Some("gsi-swap-at-quota"),
        _ => Some("gsi-add-and-remove"),
    }
}

/// Whether an index is a resource of its own.
pub(super) fn is_apart(index: &GlobalIndex) -> bool {
    index.extra.contains_key(APART)
}

/// The paths under which names that are no part of a projection, or that only the tool knows, are carried along.
const NAMES: [&str; 2] = ["non_key_attributes", "Projection.NonKeyAttributes"];

/// Whether something under one of these paths is carried along.
fn carries(extra: &BTreeMap<String, String>, paths: &[&str]) -> bool {
    extra.keys().any(|key| paths.iter().any(|path| key.starts_with(path)))
}

/// Whether attributes are projected by name on both sides of an index, and only the tool knows by which on one of them.
pub(super) fn names_are_open(item: &Item<'_>) -> bool {
    let of = |projection: &Projection, extra: &BTreeMap<String, String>| {
        (matches!(projection, Projection::Include(_)), carries(extra, &NAMES))
    };
    let sides = match item {
        Item::Local(pair) => [pair.previous, pair.next].map(|index| index.map(|index| of(&index.projection, &index.extra))),
        Item::Global(pair) => [pair.previous, pair.next].map(|index| index.map(|index| of(&index.projection, &index.extra))),
        _ => return false,
    };
    let [Some(previous), Some(next)] = sides else { return false };
    previous.0 && next.0 && (previous.1 || next.1)
}

/// Whether a projection names no attributes and has to, or names some and must not.
fn contradicts(index: &GlobalIndex) -> bool {
    let carried = |paths: &[&str]| carries(&index.extra, paths);
    match &index.projection {
        Projection::Include(names) => names.is_empty() && !carried(&NAMES),
        // What kind it is may be known to the tool alone.
        Projection::All | Projection::KeysOnly => carried(&NAMES) && !carried(&["projection_type", "Projection.ProjectionType"]),
    }
}

/// Whether an index says nothing of its capacity, which every index of a provisioned table has to.
pub(super) fn lacks_capacity(index: &GlobalIndex) -> bool {
    let one_alone = |path: &String| path.ends_with("_capacity") || path.contains("ProvisionedThroughput");
    index.throughput.is_none() && index.autoscaling.is_none() && !index.extra.keys().any(one_alone)
}

/// Whether one of the capacities that an index says is such a one.
fn says(index: &GlobalIndex, of: impl Fn(u64) -> bool) -> bool {
    let written = index.throughput.iter().flat_map(|units| [&units.read, &units.write]);
    written.filter_map(Value::literal).any(|units| of(*units))
}

/// Why an index is never accepted on its table.
pub(super) fn refused(backend: Backend, table: &Table, index: &GlobalIndex) -> Option<Refused> {
    let provisioned = table.billing == Some(Billing::Provisioned) || (table.billing.is_none() && table.throughput.is_some());
    if index.keys().any(|key| attributes::lacks(table, key)) {
        Some(Refused::new("attribute-missing", &[]))
    } else if table.global_indexes.len() > QUOTA {
        Some(Refused::new("gsi-over-quota", &[]))
    } else if contradicts(index) {
        Some(Refused::new("gsi-include-without-attrs", &["projection", "non_key_attributes", "Projection"]))
    } else if provisioned && lacks_capacity(index) {
        Some(Refused::new("gsi-capacity-missing", &[]))
    } else if provisioned && says(index, |units| units == 0) {
        Some(Refused::new("gsi-capacity-missing", &["throughput"]))
    } else if backend == Backend::CloudformationTable
        && table.billing == Some(Billing::OnDemand)
        && says(index, |units| units > 0)
    {
        Some(Refused::new("capacity-on-demand", &["throughput"]))
    } else {
        None
    }
}
