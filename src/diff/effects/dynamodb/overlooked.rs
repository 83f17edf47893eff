//! `ignore_changes`: what Terraform is told to overlook stays as it is, whatever the text says
//! (<https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#ignore_changes>).

use super::carried::split;
use super::{Facts, Item, attributes, gsi};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Effect, Pair};
use crate::schema::Format;
use crate::schema::dynamodb::{APART, Billing, Table};
use serde_json::Value as Json;

/// How much of a property Terraform overlooks.
enum Overlooked {
    All,
    /// A part of it, and which one is not known here.
    Part,
}

/// The effect of a change that Terraform may be told to overlook. What the change needs stays the same.
pub(super) fn overlook(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: Effect) -> Effect {
    let Some(pair) = facts.both().filter(|_| facts.backend.format() == Format::Terraform) else { return effect };
    let arguments = arguments(draft, pair);
    if let Some(rule) = ignored_definitions(facts, draft, pair) {
        return Effect { needs: effect.needs, ..Pick::rule(rule).effect(facts.backend, |_| None) };
    }
    let each: Vec<Option<Overlooked>> = arguments.iter().map(|argument| overlooked(pair.next, argument, draft.key())).collect();
    if each.iter().all(Option::is_none) {
        return effect;
    }
    if each.iter().all(|one| matches!(one, Some(Overlooked::All))) {
        // The definitions are looked at together with the keys that stay.
        if let Some(rule) =
            attributes::refused(&planned(pair)).filter(|_| arguments.iter().any(|name| KEYS.contains(&name.as_str())))
        {
            return Effect { needs: effect.needs, ..Pick::rule(rule).effect(facts.backend, |_| None) };
        }
        return Effect { needs: effect.needs, ..rule(facts, draft, pair).effect(facts.backend, |_| None) };
    }
    Pick::unknown_because("a part of it is in `ignore_changes`").effect(facts.backend, |_| None)
}

/// Why a key that changes is refused where the definitions of attributes are overlooked, and with them those that it needs or leaves.
fn ignored_definitions(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Option<&'static str> {
    let keys = matches!(draft.item, Item::Global(_)) && matches!(draft.head(), "" | "partition_key" | "sort_key");
    if !keys || !facts.ignores("attribute") {
        return None;
    }
    // What is wrong with a side as it is written is told of that.
    let fits = [pair.previous, pair.next].into_iter().all(|table| attributes::refused(table).is_none());
    fits.then(|| attributes::refused(&planned(pair))).flatten()
}

/// The rule of a change that is overlooked as a whole.
fn rule(facts: &Facts<'_>, draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Pick {
    if let Item::Global(_) = draft.item {
        let stay = pair.previous.attributes == pair.next.attributes || facts.ignores("attribute");
        return Pick::rule("gsi-ignore-changes").case(Case::AttributesIgnored, stay);
    }
    let goes_on = draft.head() == "ttl" && pair.previous.expires() && !pair.next.expires();
    Pick::rule("ignore-changes").case(Case::GoesOnExpiring, goes_on)
}

/// The arguments that attributes are defined for, beside global indexes, which have a rule of their own.
const KEYS: [&str; 4] = ["hash_key", "range_key", "local_secondary_index", "attribute"];

/// The keys, indexes and definitions that Terraform plans with: what is overlooked is as it was, the rest is the next table's.
fn planned(pair: Pair<&Table>) -> Table {
    let of = |argument: &str| {
        if matches!(overlooked(pair.next, argument, ""), Some(Overlooked::All)) { pair.previous } else { pair.next }
    };
    Table {
        partition_key: of("hash_key").partition_key.clone(),
        sort_key: of("range_key").sort_key.clone(),
        local_indexes: of("local_secondary_index").local_indexes.clone(),
        global_indexes: of("global_secondary_index").global_indexes.clone(),
        attributes: of("attribute").attributes.clone(),
        extra: pair.next.extra.clone(),
        ..Table::default()
    }
}

/// Whether an argument of the table, or the entry `key` of a map, is among those that are overlooked.
fn overlooked(table: &Table, argument: &str, key: &str) -> Option<Overlooked> {
    if table.ignore_changes.iter().any(|name| name == argument || name == "all") {
        return Some(Overlooked::All);
    }
    // Parts of arguments are carried along as they are written.
    let carried = table.extra.get("lifecycle.ignore_changes")?;
    let names = carried.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim);
    let mut part = None;
    for name in names {
        match name.strip_prefix(argument) {
            Some("") => return Some(Overlooked::All),
            Some(rest) if rest.starts_with(['[', '.']) => {
                if !key.is_empty() && rest.trim_matches(['[', ']', '.', '"']) == key {
                    return Some(Overlooked::All);
                }
                // Another entry of a map is another thing.
                part = part.or((argument != "tags").then_some(Overlooked::Part));
            }
            _ => {}
        }
    }
    part
}

/// The arguments of the resource that say a property. None for what resources beside the table say.
pub(super) fn arguments(draft: &Draft<Item<'_>>, pair: Pair<&Table>) -> Vec<String> {
    let apart = |table: &Table| table.replicas.get(draft.key()).is_some_and(|replica| replica.extra.contains_key(APART));
    let names: &[&str] = match (&draft.item, draft.head()) {
        (Item::Local(_), _) => &["local_secondary_index"],
        // What is overlooked are the blocks: an index that is a resource of its own is none, nor are its scaling and its insights.
        (Item::Global(index), _) if index.previous.into_iter().chain(index.next).any(gsi::is_apart) => &[],
        (Item::Global(_), "autoscaling" | "contributor_insights") => &[],
        (Item::Global(_), "extra") if matches!(split(draft.key()).0, "autoscaling" | "contributor_insights") => &[],
        (Item::Global(_), _) => &["global_secondary_index"],
        (Item::Table, "name") => &["name"],
        (Item::Table, "partition_key") => &["hash_key"],
        (Item::Table, "sort_key") => &["range_key"],
        (Item::Table, "attributes") => &["attribute"],
        (Item::Table, "ttl") => &["ttl"],
        (Item::Table, "stream") => &["stream_enabled", "stream_view_type"],
        (Item::Table, "billing") => &["billing_mode"],
        // On demand it says nothing.
        (Item::Table, "throughput") if pair.next.billing == Some(Billing::OnDemand) => &[],
        (Item::Table, "throughput") => {
            let of = |side: &Option<Json>, field: &str| side.as_ref().and_then(|side| side.get(field)).cloned();
            let differs = |(field, _): &(&str, &str)| of(&draft.before, field) != of(&draft.after, field);
            let both = [("read", "read_capacity"), ("write", "write_capacity")];
            return both.into_iter().filter(differs).map(|(_, argument)| argument.to_owned()).collect();
        }
        (Item::Table, "on_demand_maximum") => &["on_demand_throughput"],
        (Item::Table, "warm_throughput") => &["warm_throughput"],
        (Item::Table, "table_class") => &["table_class"],
        (Item::Table, "encryption") => &["server_side_encryption"],
        (Item::Table, "point_in_time_recovery") => &["point_in_time_recovery"],
        (Item::Table, "deletion_protection") => &["deletion_protection_enabled"],
        (Item::Table, "replicas") if !apart(pair.previous) && !apart(pair.next) => &["replica"],
        (Item::Table, "replica_consistency") => &["replica"],
        (Item::Table, "witness") => &["global_table_witness"],
        (Item::Table, "tags") => &["tags"],
        (Item::Table, "extra") if !draft.is_behind() => {
            return vec![split(draft.key()).0.to_owned()];
        }
        _ => &[],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}
