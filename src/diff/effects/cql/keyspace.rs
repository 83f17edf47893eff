//! Keyspaces: replication and their other options.

pub(super) mod racks;

use super::{Facts, Item, managed};
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use crate::diff::{Action, Needs, Pair};
use crate::schema::{Backend, Engine, Family};
use std::collections::BTreeMap;

pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    match (draft.head(), draft.action, draft.key()) {
        ("", Action::Add, _) if managed::is_taken_in(facts, draft) => Pick::rule("ks-taken-in"),
        ("", Action::Add, _) => Pick::rule("ks-create"),
        ("", Action::Drop, _) if managed::stays(facts, draft) => Pick::rule("ks-kept"),
        ("", Action::Drop, _) => Pick::rule("ks-drop"),
        ("name", ..) => Pick::rule("ks-rename"),
        ("replication", ..) => replication(facts),
        ("durable_writes", ..) => Pick::rule("ks-durable"),
        ("options", _, "tablets") => tablets(facts, draft),
        ("options", action, "client_side_timestamps") => Pick::rule("ks-timestamps").case(Case::Removed, action == Action::Drop),
        ("options", action, name) if !takes_option(facts, name) => {
            Pick::rule(if action == Action::Drop { "opt-gone" } else { "opt-unknown" })
        }
        ("extra", _, "tags" | "Tags") => Pick::rule("opt-tags"),
        ("extra", ..) => Pick::unknown_because(
            "Functions, aggregates and triggers are carried along as text and not judged. Create, replace or drop them in a \
             migration of your own.",
        ),
        _ => Pick::unknown(),
    }
}

/// Whether a self-hosted engine may know an option of a keyspace (Cassandra `KeyspaceAttributes.java`, run; ScyllaDB
/// `ks_prop_defs.cc`, to whose later releases `consistency` came).
pub(super) fn takes_option(facts: &Facts<'_>, name: &str) -> bool {
    match facts.backend.engine().filter(|_| matches!(facts.backend, Backend::Cql(_))).map(Engine::family) {
        Some(Family::Cassandra) => false,
        Some(Family::Scylla) => ["consistency", "storage", "tablets"].contains(&name),
        _ => true,
    }
}

/// What decides about the tablets of a keyspace that says nothing of them.
const UNSAID: &str = "The keyspace says nothing of tablets, and has them with `scylla.yaml` as it is shipped \
                      (tablets_mode_for_new_keyspaces: enabled).";

fn tablets(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    let enabled = |side: &Option<serde_json::Value>| {
        side.as_ref().map(|side| side.get("enabled").is_none_or(|enabled| enabled.as_str() != Some("false")))
    };
    let pick = Pick::rule("ks-tablets");
    match (enabled(&draft.before), enabled(&draft.after)) {
        (Some(before), Some(after)) if before == after => Pick::rule("ks-tablets-initial"),
        // The keyspace has what the engine gives a new one.
        (None, Some(after)) if facts.had_tablets() => {
            pick.case(Case::TabletsByDefault, after).about(after.then(|| UNSAID.to_owned()))
        }
        (Some(_), None) if pick.effect(facts.backend, |_| None).needs == Needs::Unsupported => Pick::rule("opt-gone"),
        (Some(_), None) => pick.case(Case::Removed, true),
        _ => pick,
    }
}

fn replication(facts: &Facts<'_>) -> Pick {
    let side = |schema: &'_ crate::schema::cql::Schema, name: Option<&str>| -> BTreeMap<String, String> {
        name.and_then(|name| schema.keyspaces.get(name)).map(|keyspace| keyspace.replication.clone()).unwrap_or_default()
    };
    let mut previous = side(facts.schemas.previous, facts.keyspace.previous);
    let mut next = side(facts.schemas.next, facts.keyspace.next);
    // What the keyspace has is settled when it is made.
    let tablets = facts.had_tablets();
    match (previous.remove("class").as_deref(), next.remove("class").as_deref()) {
        // A keyspace of the simple strategy never had tablets, whatever the engine would give a new one.
        (Some("SimpleStrategy"), Some("NetworkTopologyStrategy")) => {
            return Pick::rule("ks-class-simple-nts").case(Case::Tablets, facts.tablets() && facts.says_tablets());
        }
        (Some("NetworkTopologyStrategy"), Some("SimpleStrategy")) => {
            return Pick::rule("ks-class-nts-simple").case(Case::Tablets, tablets);
        }
        // Amazon Keyspaces: one Region, and several.
        (Some("SingleRegionStrategy"), Some("NetworkTopologyStrategy")) => return Pick::rule("ks-dc-add"),
        (Some("NetworkTopologyStrategy"), Some("SingleRegionStrategy")) => {
            return Pick::rule("ks-dc-remove").case(Case::Removed, true);
        }
        (before, after) if before != after => return Pick::unknown(),
        _ => {}
    }
    if let Some(pick) = racks::pick(facts, &previous, &next) {
        return pick;
    }
    let shorthand = if is_expanding(facts) { expand(facts, &mut previous, &mut next) } else { Pair::default() };
    if let Some(all) = shorthand.next.filter(|_| !tablets && previous == next) {
        let is_other = all != DEFAULT && previous.values().chain(&shorthand.previous).any(|factor| *factor != all);
        return Pick::rule("ks-rf-expand").case(Case::FactorStays, is_other).case(Case::FactorUnsaid, all == DEFAULT);
    }
    let factor = |map: &BTreeMap<String, String>, centre: &str| map.get(centre).map_or(0, |text| racks::factor(text));
    let written = facts.stated.keyspace.map(|keyspace| &keyspace.replication);
    let steps: Vec<(u32, u32)> = previous
        .keys()
        .chain(next.keys().filter(|centre| !previous.contains_key(*centre)))
        .map(|centre| (factor(&previous, centre), factor(&next, centre)))
        .filter(|(before, after)| before != after)
        .collect();
    let is_short = written.is_some_and(|written| written.contains_key(SHORTHAND));
    let large = steps.len() > 1 || steps.iter().any(|(before, after)| before.abs_diff(*after) > 1);
    // Data centres that the shorthand stood for, and that are not named, go.
    let is_gone = shorthand.previous.is_some() && !is_short && steps.is_empty();
    let goes = is_gone || previous.keys().any(|centre| !next.contains_key(centre));
    let comes = next.keys().any(|centre| !previous.contains_key(centre));
    let stays = previous.is_empty() || previous.keys().any(|centre| next.contains_key(centre));
    let rule = if !stays {
        "ks-dc-move"
    } else if goes {
        "ks-dc-remove"
    } else if comes {
        "ks-dc-add"
    } else if steps.iter().any(|(before, after)| after < before) {
        "ks-rf-down"
    } else {
        "ks-rf-up"
    };
    let is_written = |centre: &String| written.is_none_or(|written| written.contains_key(centre));
    // With tablets the shorthand is refused whatever it would come to.
    let rule = if tablets && is_short && rule == "ks-dc-remove" { "ks-rf-up" } else { rule };
    // What comes beside what goes has to be filled, too.
    let added = (stays && goes && comes).then(|| Pick::rule("ks-dc-add"));
    Pick::all(std::iter::once(Pick::rule(rule)).chain(added))
        .unwrap_or_default()
        .case(Case::TabletsStep, tablets && large && !is_short)
        .case(Case::Shorthand, tablets && is_short)
        .case(Case::LeftOut, tablets && !previous.keys().all(is_written))
        .about((tablets && !facts.said_tablets()).then(|| UNSAID.to_owned()))
}

/// One factor for all data centres.
const SHORTHAND: &str = "replication_factor";

/// What stands for the factor of a strategy that says none.
const DEFAULT: &str = "default_keyspace_rf";

/// Whether the shorthand stands for data centres that are stored by name.
fn is_expanding(facts: &Facts<'_>) -> bool {
    let class = facts.next_space().and_then(|space| space.replication.get("class"));
    let is_by_centre = class.is_some_and(|class| class == "NetworkTopologyStrategy");
    is_by_centre && facts.backend.engine().is_some_and(|engine| engine.family() != Family::Keyspaces)
}

/// Both sides by the data centres that are known by name, and their shorthands: that of previous is the factor of each that next
/// names; that of next leaves those that are there as they are (Cassandra `NetworkTopologyStrategy.prepareOptions`; ScyllaDB
/// `ks_prop_defs.cc`). A map of Cassandra from 4.1 on that has nothing but its class is one with the shorthand (run).
fn expand(
    facts: &Facts<'_>,
    previous: &mut BTreeMap<String, String>,
    next: &mut BTreeMap<String, String>,
) -> Pair<Option<String>> {
    let is_bare = next.is_empty() && matches!(facts.backend.engine(), Some(Engine::Cassandra41 | Engine::Cassandra50));
    let shorthand = Pair {
        previous: previous.remove(SHORTHAND),
        next: next.remove(SHORTHAND).or_else(|| is_bare.then(|| DEFAULT.to_owned())),
    };
    if let Some(all) = &shorthand.previous {
        for centre in next.keys() {
            previous.entry(centre.clone()).or_insert_with(|| all.clone());
        }
    }
    if shorthand.next.is_some() {
        // 0 takes a data centre away, and the normal form has none of it.
        let stated = facts.stated.keyspace.map(|keyspace| &keyspace.replication);
        let is_taken_away = |centre: &str| stated.is_some_and(|stated| stated.get(centre).is_some_and(|factor| factor == "0"));
        for (centre, factor) in previous.iter().filter(|(centre, _)| !is_taken_away(centre)) {
            next.entry(centre.clone()).or_insert_with(|| factor.clone());
        }
    }
    shorthand
}
