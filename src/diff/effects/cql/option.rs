//! Options of a table.

use super::keyspace::racks;
use super::refused::{untold_value, value_flaw};
use super::{Facts, Item, counts};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Deploying, Needs, Pair};
use crate::schema::cql::{OptionValue, Table, default_entry, default_option};
use crate::schema::{Backend, Engine, Family};
use std::collections::BTreeMap;

/// The row of an option that differs.
pub(super) fn pick(facts: &Facts<'_>, name: &str, action: Action, pair: Pair<&Table>) -> Pick {
    // It is judged as it is written: another spelling of the same may be one that the engine does not take.
    let stated = facts.stated.table.unwrap_or(pair.next);
    // Terraform takes no time to live of 0, and statements that say so become a resource that says nothing.
    let is_left_out = name == "default_time_to_live"
        && facts.backend == Backend::KeyspacesTerraform
        && stated.managed.terraform_name.is_empty()
        && is_zero(stated.options.get(name));
    let flaw = value_flaw(facts.backend, name, &stated.options).filter(|_| !is_left_out);
    let flaw = flaw.or_else(|| half_said(facts, name, stated));
    if action == Action::Drop && is_foreign(facts, name) {
        return Pick::rule("opt-gone");
    }
    let pick = row(facts, name, action, pair, flaw.is_some()).case(Case::BadValue, flaw.is_some());
    match untold_value(facts.backend, name, &stated.options) {
        Some(why) if flaw.is_none() && pick.effect(facts.backend, |_| None).needs != Needs::Unsupported => {
            Pick::unknown_because(why)
        }
        _ => pick.about(flaw),
    }
}

/// Whether nothing on the backend can have the option. A layout is no setting: what was created with it has it.
pub(super) fn is_foreign(facts: &Facts<'_>, name: &str) -> bool {
    let none = Table::default();
    let pick = row(facts, name, Action::Drop, Pair { previous: &none, next: &none }, false);
    name != "compact_storage" && pick.effect(facts.backend, |_| None).needs == Needs::Unsupported
}

/// Whether an option would be refused as it is written, though it is the same to the engine.
pub(in crate::diff) fn is_refused(facts: &Facts<'_>, name: &str) -> bool {
    let pick = facts.both().map(|pair| pick(facts, name, Action::Modify, pair));
    pick.is_some_and(|pick| pick.effect(facts.backend, |_| None).deploying == Deploying::Refuses)
}

/// ScyllaDB's change capture of a table that is there: each ALTER says whether it is on.
fn half_said(facts: &Facts<'_>, name: &str, stated: &Table) -> Option<String> {
    let is_scylla = facts.backend.engine()?.family() == Family::Scylla;
    let map = stated.options.get(name).filter(|_| name == "cdc" && is_scylla && facts.tables.previous.is_some())?;
    let is_said = matches!(map, OptionValue::Map(map) if map.keys().any(|key| key.eq_ignore_ascii_case("enabled")));
    (!is_said).then(|| "An ALTER says `enabled`.".to_owned())
}

fn row(facts: &Facts<'_>, name: &str, action: Action, pair: Pair<&Table>, is_bad: bool) -> Pick {
    let (previous, next) = (pair.previous.options.get(name), pair.next.options.get(name));
    match name {
        "comment" => Pick::rule("opt-comment"),
        "default_time_to_live" if seconds(pair.next) == 0 && !is_bad => Pick::rule("opt-ttl-clear"),
        "default_time_to_live" => {
            Pick::rule("opt-ttl-set").case(Case::CounterTable, counts(pair.next)).case(Case::ManyWindows, many_windows(pair.next))
        }
        "gc_grace_seconds" => Pick::rule("opt-gc-grace").case(Case::ZeroUnderView, is_zero(next) && !pair.next.views.is_empty()),
        "compaction" => {
            Pick::rule(compaction(facts, &map(previous), &map(next))).case(Case::ManyWindows, many_windows(pair.next))
        }
        "compression" => Pick::rule(if is_off(&map(next)) { "opt-compression-off" } else { "opt-compression" }),
        "caching" => Pick::rule("opt-caching"),
        "bloom_filter_fp_chance" => Pick::rule("opt-bloom"),
        "speculative_retry" => Pick::rule("opt-spec-retry"),
        "additional_write_policy" => Pick::rule("opt-add-write"),
        "read_repair" => Pick::rule("opt-read-repair"),
        "crc_check_chance" => Pick::rule("opt-crc"),
        "min_index_interval" | "max_index_interval" => Pick::rule("opt-index-interval"),
        "memtable_flush_period_in_ms" => Pick::rule("opt-flush"),
        "memtable" => Pick::rule("opt-memtable"),
        "cdc" if captures(next) => {
            // As of views, it depends on the node's setting where nothing says so; where it is on, it may be.
            let tablets = facts.tablets() && facts.says_tablets() && !captures(previous);
            Pick::rule("opt-cdc-on").case(Case::CounterTable, counts(pair.next)).case(Case::Tablets, tablets)
        }
        "cdc" => Pick::rule("opt-cdc-off"),
        "allow_auto_snapshot" | "incremental_backups" => Pick::rule("opt-c5-backup"),
        "extensions" => Pick::rule("opt-extensions"),
        "id" => Pick::rule("tbl-id"),
        "compact_storage" if action == Action::Drop || is_false(next) => Pick::rule("pk-compact"),
        "compact_storage" => Pick::rule("opt-order-in-alter"),
        "tombstone_gc" => Pick::rule("opt-tombstone-gc"),
        "paxos_grace_seconds" => Pick::rule("opt-paxos-grace"),
        "per_partition_rate_limit" => Pick::rule("opt-rate-limit"),
        "synchronous_updates" => Pick::rule("opt-sync-updates").case(Case::BaseTable, true),
        "tablets" => Pick::rule("opt-tablets-table").case(Case::NoTablets, !facts.tablets()),
        "scylla_encryption_options" if facts.backend.engine() == Some(Engine::Keyspaces) => Pick::rule("opt-unknown"),
        "scylla_encryption_options" => Pick::rule("opt-encryption"),
        "ttl" => Pick::rule("opt-row-ttl"),
        "autoscaling_settings" => Pick::rule("opt-autoscaling").case(Case::Removed, next.is_none()),
        "tags" => Pick::rule("opt-tags"),
        "dclocal_read_repair_chance"
        | "index_interval"
        | "populate_io_cache_on_flush"
        | "read_repair_chance"
        | "replicate_on_write" => Pick::rule("opt-removed"),
        _ => Pick::rule("opt-unknown"),
    }
}

/// The value of an option as a statement writes it: the next one, else what the engine takes for granted.
pub(super) fn value(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Option<String> {
    let value = match (draft.head(), &draft.after) {
        // A new keyspace is shown as a whole, with its replication inside.
        ("", Some(keyspace)) => read(keyspace.get("replication")),
        ("durable_writes", None) => Some(OptionValue::Bool(true)),
        ("options", None) => default_option(facts.backend.engine()?, draft.key(), false),
        ("custom_properties", after) => {
            let value = read(after.as_ref()).or_else(|| default_entry(facts.backend.engine()?, "custom_properties", draft.key()));
            return value.map(|value| value.with_numbers());
        }
        (_, after) => read(after.as_ref()),
    };
    value.map(|value| racks::written(&value).unwrap_or_else(|| value.to_string()))
}

fn map(value: Option<&OptionValue>) -> BTreeMap<String, String> {
    if let Some(OptionValue::Map(map)) = value { map.clone() } else { BTreeMap::new() }
}

pub(super) fn is_zero(value: Option<&OptionValue>) -> bool {
    value
        .and_then(OptionValue::scalar)
        .and_then(|text| text.parse::<f64>().ok())
        .is_some_and(|number| number.total_cmp(&0.0).is_eq())
}

fn is_false(value: Option<&OptionValue>) -> bool {
    value.and_then(OptionValue::scalar).is_some_and(|text| text == "false")
}

fn is_off(compression: &BTreeMap<String, String>) -> bool {
    let has = |key: &str, text: &str| compression.get(key).is_some_and(|value| value == text);
    has("enabled", "false") || has("sstable_compression", "")
}

/// Whether change capture is on.
pub(super) fn captures(value: Option<&OptionValue>) -> bool {
    match value {
        None => false,
        Some(OptionValue::Map(map)) => map.get("enabled").is_some_and(|enabled| enabled == "true"),
        other => !is_false(other),
    }
}

/// The default time to live.
fn seconds(table: &Table) -> u64 {
    let value = table.options.get("default_time_to_live").and_then(OptionValue::scalar);
    value.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// ScyllaDB's `twcs_max_window_count`.
const MOST_WINDOWS: u64 = 50;

/// Whether rows live through more compaction windows than ScyllaDB takes.
fn many_windows(table: &Table) -> bool {
    let window = window(&map(table.options.get("compaction")));
    window.is_some_and(|window| seconds(table).div_ceil(window) > MOST_WINDOWS)
}

/// The length of a compaction window in seconds, for the strategy that has them.
fn window(compaction: &BTreeMap<String, String>) -> Option<u64> {
    compaction.get("class").filter(|class| *class == "TimeWindowCompactionStrategy")?;
    let unit = match compaction.get("compaction_window_unit").map_or("DAYS", String::as_str) {
        "MINUTES" => 60,
        "HOURS" => 3_600,
        "DAYS" => 86_400,
        _ => return None,
    };
    let size: u64 = compaction.get("compaction_window_size").map_or("1", String::as_str).parse().ok()?;
    Some(unit * size).filter(|window| *window > 0)
}

fn compaction(facts: &Facts<'_>, previous: &BTreeMap<String, String>, next: &BTreeMap<String, String>) -> &'static str {
    // Without a word the engine takes a class of its own.
    let granted = map(facts.backend.engine().and_then(|engine| default_option(engine, "compaction", false)).as_ref());
    let class = |of: &BTreeMap<String, String>| of.get("class").or_else(|| granted.get("class")).cloned();
    if class(previous) != class(next) {
        "opt-compaction-class"
    } else if window(previous) != window(next) {
        "opt-twcs-window"
    } else {
        "opt-compaction-sub"
    }
}

/// One of Keyspaces' own properties; other engines have none.
pub(super) fn custom(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    let removed = draft.after.is_none();
    if facts.backend.engine().is_some_and(|engine| engine.family() != Family::Keyspaces) {
        return Pick::rule(if removed { "opt-gone" } else { "opt-unknown" });
    }
    let (previous, next) = (read(draft.before.as_ref()), read(draft.after.as_ref()));
    let entry = |side: Option<&OptionValue>, key: &str| map(side).get(key).cloned();
    let is_off = |side: Option<&OptionValue>| {
        side.is_none() || entry(side, "status").is_some_and(|status| status.eq_ignore_ascii_case("disabled"))
    };
    let (previous, next) = (previous.as_ref(), next.as_ref());
    let off = is_off(next);
    let other_view = !off && !is_off(previous) && entry(previous, "view_type") != entry(next, "view_type");
    let pick = match draft.key() {
        "cdc" | "cdc_specification" if other_view => Pick::rule("opt-cdc-view"),
        "capacity_mode" => Pick::rule("opt-capacity"),
        "point_in_time_recovery" => Pick::rule("opt-pitr"),
        "client_side_timestamps" => Pick::rule("opt-client-ts"),
        "ttl" => Pick::rule("opt-ttl-status"),
        "encryption_specification" => Pick::rule("opt-encryption"),
        "cdc" | "cdc_specification" => Pick::rule(if off { "opt-cdc-off" } else { "opt-cdc-on" }),
        _ => Pick::unknown(),
    };
    pick.case(Case::Removed, removed).case(Case::SwitchedOff, off)
}

/// The value of an option out of a change.
pub(super) fn read(json: Option<&serde_json::Value>) -> Option<OptionValue> {
    serde_json::from_value(json?.clone()).ok()
}
