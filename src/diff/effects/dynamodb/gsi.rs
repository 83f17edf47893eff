//! Global secondary indexes: built and deleted online, one at a time in CloudFormation.

use super::{Facts, Item, Together};
use super::{attributes, carried, settings};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{Billing, GlobalIndex, Projection, Table};

/// The service's default quota of indexes on one table.
const QUOTA: usize = 20;

pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<Option<&GlobalIndex>>) -> Pick {
    let Some(tables) = facts.both() else { return Pick::unknown() };
    let several = [pair.previous, pair.next]
        .into_iter()
        .flatten()
        .any(|index| index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1);
    match (draft.action, draft.head()) {
        (Action::Add, "") => match pair.next.and_then(|index| refused(tables.next, index)) {
            Some(refused) => Pick::rule(refused),
            None => Pick::rule(one_of_several(together, tables).unwrap_or("gsi-add")).case(Case::SeveralKeyAttributes, several),
        },
        (Action::Drop, "") => Pick::rule(one_of_several(together, tables).unwrap_or("gsi-remove")),
        (_, "name") => Pick::rule("gsi-rename"),
        (_, "partition_key" | "sort_key") if several => Pick::rule("gsi-multi-attribute-key"),
        (_, "partition_key") => Pick::rule("gsi-hash-change"),
        (Action::Add, "sort_key") => Pick::rule("gsi-range-add"),
        (Action::Drop, "sort_key") => Pick::rule("gsi-range-remove"),
        (_, "sort_key") => Pick::rule("gsi-range-change"),
        (_, "projection") => match (pair.previous.map(|index| &index.projection), pair.next.map(|index| &index.projection)) {
            (Some(Projection::Include(_)), Some(Projection::Include(_))) => Pick::rule("gsi-non-key-attributes"),
            _ => Pick::rule("gsi-projection-type"),
        },
        (_, "throughput") => settings::capacity(together, draft, tables, true),
        (_, "on_demand_maximum" | "warm_throughput") => settings::units(draft, true),
        (_, "autoscaling") => Pick::rule(settings::autoscaling(draft)),
        (_, "contributor_insights") => Pick::rule(settings::insights(draft)),
        (_, "extra") => carried::index(draft),
        _ => Pick::unknown(),
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

/// Why an index is never accepted on its table.
pub(super) fn refused(table: &Table, index: &GlobalIndex) -> Option<&'static str> {
    let provisioned = table.billing == Some(Billing::Provisioned) || (table.billing.is_none() && table.throughput.is_some());
    if index.keys().any(|key| attributes::lacks(table, key)) {
        Some("attribute-missing")
    } else if table.global_indexes.len() > QUOTA {
        Some("gsi-over-quota")
    } else if matches!(&index.projection, Projection::Include(names) if names.is_empty()) {
        Some("gsi-include-without-attrs")
    } else if provisioned && index.throughput.is_none() {
        Some("gsi-capacity-missing")
    } else {
        None
    }
}
