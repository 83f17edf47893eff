//! Capacity that a table has to have, or must not have.

use super::carried::is_restored;
use super::refused::Refused;
use super::{Facts, replicas};
use crate::diff::rows::Case;
use crate::schema::dynamodb::{Billing, Resource, Table};
use crate::schema::{Format, Value};

/// The properties that say how a table is paid for, and for how much.
const SAID_IN: &[&str] = &["billing", "throughput", "autoscaling", "read_capacity", "write_capacity"];

/// Why the capacity of a table is never accepted.
pub(super) fn refused(facts: &Facts<'_>, table: &Table) -> Option<Refused> {
    if is_open(table) || is_restored(table) {
        return None;
    }
    let terraform = facts.backend.format() == Format::Terraform;
    let previous = facts.tables.previous;
    let was_on_demand = previous.is_some_and(|previous| previous.billing == Some(Billing::OnDemand));
    if table.billing == Some(Billing::OnDemand) {
        // The one plan of the provider that switches the mode lets it pass.
        let passes = terraform && previous.is_some() && !was_on_demand;
        return ((keeps(facts, table) || says_one(facts, table)) && !passes).then(|| Refused::new("capacity-on-demand", SAID_IN));
    }
    let lacks = match (terraform, table.resource) {
        // What is not written stays as it is; the one plan that switches the mode sends 1.
        (true, _) => !was_on_demand && (is_zero(facts, table) || (previous.is_none() && lacks_some(table))),
        // Of a capacity that goes a row of its own tells.
        (false, Resource::Table) if previous.is_some_and(|previous| previous.throughput.is_some()) => is_zero(facts, table),
        (false, Resource::Table) => table.throughput.is_none() || is_zero(facts, table),
        (false, Resource::GlobalTable) => !scales_writes(table) || replicas::lack_reads(table),
    };
    lacks.then(|| Refused::new("capacity-missing", SAID_IN).case(Case::BillingNotWritten, table.billing.is_none()))
}

/// Whether a table that goes on demand keeps capacity of its own.
pub(super) fn keeps(facts: &Facts<'_>, table: &Table) -> bool {
    written(facts, table).any(|value| value.literal().is_some_and(|units| *units > 0))
}

/// Whether only one of the two is written, and counts.
fn says_one(facts: &Facts<'_>, table: &Table) -> bool {
    let arguments = ["read_capacity", "write_capacity"].into_iter().filter(|argument| is_read(facts, argument));
    arguments.filter_map(|argument| table.extra.get(argument)?.parse::<u64>().ok()).any(|units| units > 0)
}

fn is_zero(facts: &Facts<'_>, table: &Table) -> bool {
    written(facts, table).any(|value| value.literal() == Some(&0))
}

/// The capacity that counts: not what Terraform is told to overlook of a table that is there.
fn written<'t>(facts: &'t Facts<'_>, table: &'t Table) -> impl Iterator<Item = &'t Value<u64>> {
    let both = table.throughput.iter().flat_map(|units| [("read_capacity", &units.read), ("write_capacity", &units.write)]);
    both.filter(|(argument, _)| is_read(facts, argument)).map(|(_, value)| value)
}

/// Whether Terraform is not told to overlook an argument of a table that is there.
fn is_read(facts: &Facts<'_>, argument: &str) -> bool {
    facts.tables.previous.is_none() || !facts.ignores(argument)
}

/// Whether one of the two capacities, or both, are not there.
fn lacks_some(table: &Table) -> bool {
    let carried = |argument: &str| table.extra.contains_key(argument);
    table.throughput.is_none() && !(carried("read_capacity") && carried("write_capacity"))
}

fn scales_writes(table: &Table) -> bool {
    table.autoscaling.as_ref().is_some_and(|scaling| scaling.write.is_some())
}

/// Whether the mode, or a capacity, is an expression: what it comes to is not known here.
fn is_open(table: &Table) -> bool {
    const TERRAFORM: [&str; 1] = ["billing_mode"];
    const TABLE: [&str; 2] = ["BillingMode", "ProvisionedThroughput"];
    const GLOBAL: [&str; 5] = [
        "BillingMode",
        "WriteProvisionedThroughputSettings",
        "WriteProvisionedThroughputSettings.WriteCapacityAutoScalingSettings",
        "ReadProvisionedThroughputSettings",
        "Replicas",
    ];
    let parts: &[&str] = if table.resource == Resource::GlobalTable { &GLOBAL } else { &TABLE };
    // An element of a list is `Replicas[1]`.
    let whole =
        |path: &String| path.split('[').next().is_some_and(|path| TERRAFORM.iter().chain(parts).any(|part| *part == path));
    table.extra.keys().any(whole)
}
