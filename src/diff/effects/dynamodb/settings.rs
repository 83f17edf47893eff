//! Billing, TTL, streams, encryption, recovery, protection, tags, and what is carried along unmodelled.

use super::{Facts, Item, Together};
use super::{capacity, carried, gsi, replicas, scaling};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Pair};
use crate::schema::dynamodb::{Billing, Encryption, IN_MODULE, Stream, Table, Throughput, Ttl};
use crate::schema::{Backend, Format, Value, is_computed};
use serde_json::{Map, Value as Json};

pub(super) fn pick(facts: &Facts<'_>, together: &Together, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    match draft.head() {
        "ttl" => ttl(pair),
        "stream" => stream(facts.backend, pair),
        "billing" => billing(facts, together, pair),
        "throughput" => throughput(facts, together, draft, pair, false),
        "on_demand_maximum" if goes_provisioned(draft, pair) => to_provisioned(facts, pair.next),
        "on_demand_maximum" | "warm_throughput" => units(draft, false),
        "table_class" => Pick::rule("table-class"),
        "autoscaling" => Pick::rule(scaling::scaled(draft)),
        "contributor_insights" => Pick::rule(insights(draft)),
        "kinesis_stream" if draft.action == Action::Modify => Pick::rule("kinesis-change"),
        "kinesis_stream" => Pick::rule("kinesis-add-remove").case(Case::Removed, draft.action == Action::Drop),
        "resource_policy" => Pick::rule("resource-policy"),
        "encryption" => encryption(pair.previous.encryption.as_ref(), pair.next.encryption.as_ref()),
        "point_in_time_recovery" => {
            let days = |side: Option<&Json>| side.is_some_and(|side| side.get("days").is_some());
            let Pair { previous, next } = draft.values();
            let unwritten = facts.backend.format() == Format::Terraform && days(previous) && !days(next);
            recovery(draft.values()).case(Case::NotWritten, unwritten)
        }
        "deletion_protection" => protection(draft.values().next),
        "tags" => Pick::rule("tags"),
        "extra" => carried::table(draft, pair),
        _ => Pick::unknown(),
    }
}

fn ttl(pair: Pair<&Table>) -> Pick {
    let (previous, next) = (pair.previous.ttl.as_ref(), pair.next.ttl.as_ref());
    let on = |ttl: Option<&Ttl>| ttl.is_some_and(|ttl| ttl.enabled);
    match (on(previous), on(next)) {
        (true, true) => Pick::rule("ttl-attribute-change"),
        (false, true) => Pick::rule("ttl-enable"),
        // The table module writes a block that is off, and names what it is given.
        (true, false) if next.is_none() && !pair.next.terraform_name.starts_with(IN_MODULE) => Pick::rule("ttl-block-removed"),
        (true, false) => {
            let name = |ttl: Option<&Ttl>| ttl.map(|ttl| ttl.attribute.clone()).unwrap_or_default();
            let (before, after) = (name(previous), name(next));
            let unnamed = after.is_empty();
            let other = !after.is_empty() && after != before && ![&before, &after].into_iter().any(|name| is_computed(name));
            Pick::rule("ttl-disable").case(Case::NoName, unnamed).case(Case::OtherName, other)
        }
        (false, false) => Pick::rule("ttl-off-declared"),
    }
}

/// The stream of a table.
pub(super) fn stream(backend: Backend, pair: Pair<&Table>) -> Pick {
    let on = |table: &Table| table.stream.is_some_and(|stream| stream != Stream::Off);
    let held = replicas::hold_stream(backend, pair);
    match (on(pair.previous), on(pair.next)) {
        (true, true) => Pick::rule("stream-view-type").case(Case::Replicated, held),
        (true, false) => Pick::rule("stream-disable").case(Case::Replicated, held),
        _ => Pick::rule("stream-enable"),
    }
}

pub(super) fn billing(facts: &Facts<'_>, together: &Together, pair: Pair<&Table>) -> Pick {
    match (pair.previous.billing, pair.next.billing) {
        (_, Some(Billing::OnDemand)) => to_on_demand(facts, together, pair.next),
        (_, Some(Billing::Provisioned) | None) if pair.next.global_indexes.values().any(gsi::lacks_capacity) => {
            Pick::rule("gsi-capacity-missing")
        }
        (_, Some(Billing::Provisioned)) => to_provisioned(facts, pair.next),
        (_, None) => Pick::rule("billing-line-removed"),
    }
}

fn to_on_demand(facts: &Facts<'_>, together: &Together, next: &Table) -> Pick {
    Pick::rule("billing-to-ondemand")
        .case(Case::IndexKeepsCapacity, together.index_keeps_capacity)
        .case(Case::TableKeepsCapacity, capacity::keeps(facts, next))
}

fn to_provisioned(facts: &Facts<'_>, next: &Table) -> Pick {
    let lacks = facts.backend == Backend::CloudformationGlobalTable && replicas::lack_settings(next);
    Pick::rule("billing-to-provisioned").case(Case::LacksSettings, lacks)
}

/// Whether a maximum goes with the mode that it is for: a table that goes provisioned drops it (the service's model in botocore,
/// `OnDemandThroughput`).
pub(super) fn goes_provisioned(draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> bool {
    let mode = (pair.previous.billing, pair.next.billing);
    draft.after.is_none() && mode == (Some(Billing::OnDemand), Some(Billing::Provisioned))
}

/// Whether capacity is written; zero is how an on-demand index says that it has none.
pub(super) fn has_capacity(throughput: Option<&Throughput>) -> bool {
    let zero = |value: &Value<u64>| value.literal() == Some(&0);
    throughput.is_some_and(|throughput| !(zero(&throughput.read) && zero(&throughput.write)))
}

/// The capacity of a table or of one of its indexes.
pub(super) fn throughput(
    facts: &Facts<'_>,
    together: &Together,
    draft: &Draft<Item<'_>>,
    tables: Pair<&Table>,
    index: bool,
) -> Pick {
    let on_demand = |table: &Table| table.billing == Some(Billing::OnDemand);
    match (on_demand(tables.previous), on_demand(tables.next)) {
        // It comes or goes with the mode.
        (false, true) => return to_on_demand(facts, together, tables.next),
        (true, false) => return to_provisioned(facts, tables.next),
        (_, true) if index && together.index_keeps_capacity => {
            return Pick::rule("billing-to-ondemand").case(Case::IndexKeepsCapacity, true);
        }
        _ => {}
    }
    match (draft.action, index) {
        (Action::Drop, true) => Pick::rule("gsi-capacity-missing"),
        (Action::Drop, false) => Pick::rule("capacity-removed"),
        (_, true) => Pick::rule("gsi-capacity-change"),
        (_, false) if lowered(draft) => Pick::rule("capacity-decrease"),
        (_, false) => Pick::rule("capacity-increase"),
    }
}

/// Contributor insights of the table or of one of its indexes.
pub(super) fn insights(draft: &Draft<Item<'_>>) -> &'static str {
    let on = |side: &Option<Json>| side.as_ref().is_some_and(|side| *side != "off");
    if on(&draft.before) && on(&draft.after) { "contributor-insights-mode" } else { "contributor-insights" }
}

/// The most that is served on demand, and what is warmed up, of the table or of one of its indexes.
pub(super) fn units(draft: &Draft<Item<'_>>, index: bool) -> Pick {
    let empty = |side: Option<&Json>| side.is_none_or(|side| side.as_object().is_some_and(Map::is_empty));
    // A block that is there and sets no maximum holds -1.
    let lifted = draft.after.is_some();
    match (draft.head(), empty(draft.values().next), index) {
        ("on_demand_maximum", false, false) => Pick::rule("ondemand-max-set"),
        ("on_demand_maximum", true, false) => Pick::rule("ondemand-max-remove").case(Case::Lifted, lifted),
        ("on_demand_maximum", false, true) => Pick::rule("gsi-ondemand-max-set"),
        ("on_demand_maximum", true, true) => Pick::rule("gsi-ondemand-max-remove").case(Case::Lifted, lifted),
        (_, true, false) => Pick::rule("warm-block-removed"),
        (_, true, true) => Pick::unknown(),
        (_, false, false) => Pick::rule(if lowered(draft) { "warm-decrease" } else { "warm-increase" }),
        (_, false, true) => Pick::rule(if lowered(draft) { "gsi-warm-decrease" } else { "gsi-warm-increase" }),
    }
}

/// Whether a number of the draft is lower in next.
fn lowered(draft: &Draft<Item<'_>>) -> bool {
    let Pair { previous, next } = draft.values();
    let number = |side: Option<&Json>, field: &str| side?.get(field)?.as_u64();
    ["read", "write"]
        .into_iter()
        .any(|field| matches!((number(previous, field), number(next, field)), (Some(before), Some(after)) if after < before))
}

fn encryption(previous: Option<&Encryption>, next: Option<&Encryption>) -> Pick {
    Pick::rule(match (previous, next) {
        (_, None) | (Some(Encryption::KmsKey(_)), Some(Encryption::AwsManaged)) => "sse-block-removed",
        (None, Some(Encryption::AwsOwned)) => "sse-off-declared",
        (_, Some(Encryption::AwsOwned)) => "sse-disable",
        (_, Some(Encryption::AwsManaged)) => "sse-enable-managed",
        (Some(Encryption::KmsKey(_)), Some(Encryption::KmsKey(_))) => "sse-key-change",
        (_, Some(Encryption::KmsKey(_))) => "sse-cmk",
    })
}

/// Recovery of the table, or of one of its replicas.
pub(super) fn recovery(Pair { previous, next }: Pair<Option<&Json>>) -> Pick {
    /// The service's own period, in days.
    const DAYS: u64 = 35;
    // None: it hangs on a value that is not known here.
    let on = |side: Option<&Json>| side.map_or(Some(false), |side| bool(side.get("enabled")?));
    let days = |side: Option<&Json>| side.and_then(|side| side.get("days")?.as_u64()).unwrap_or(DAYS);
    let Some((was_on, is_on)) = on(previous).zip(on(next)) else { return Pick::unknown() };
    match (was_on, is_on) {
        (true, true) => Pick::rule("pitr-period").case(Case::Shorter, days(next) < days(previous)),
        (true, false) if next.is_none() => Pick::rule("pitr-block-removed"),
        (true, false) => Pick::rule("pitr-disable"),
        (false, true) => Pick::rule("pitr-enable"),
        (false, false) => Pick::rule("pitr-off-declared"),
    }
}

/// Deletion protection of the table, or of one of its replicas.
pub(super) fn protection(next: Option<&Json>) -> Pick {
    match next.map_or(Some(false), bool) {
        Some(true) => Pick::rule("deletion-protection-on"),
        Some(false) => Pick::rule("deletion-protection-off"),
        None => Pick::unknown(),
    }
}

/// A bool; a parameter of CloudFormation has it as text.
fn bool(value: &Json) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.parse().ok())
}
