//! Keyspaces: replication and their other options.

use super::{Facts, Item};
use crate::diff::Action;
use crate::diff::draft::Draft;
use crate::diff::rows::{Case, Pick};
use std::collections::BTreeMap;

pub(super) fn pick(facts: &Facts<'_>, draft: &Draft<Item<'_>>) -> Pick {
    match (draft.head(), draft.action, draft.key()) {
        ("", Action::Add, _) => Pick::rule("ks-create"),
        ("", Action::Drop, _) => Pick::rule("ks-drop"),
        ("name", ..) => Pick::rule("ks-rename"),
        ("replication", ..) => replication(facts),
        ("durable_writes", ..) => Pick::rule("ks-durable"),
        ("options", _, "tablets") => tablets(draft),
        ("options", action, "client_side_timestamps") => Pick::rule("ks-timestamps").case(Case::Removed, action == Action::Drop),
        ("extra", _, "tags" | "Tags") => Pick::rule("opt-tags"),
        ("extra", ..) => Pick::unknown_because(
            "Functions, aggregates and triggers are carried along as text and not judged. Create, replace or drop them in a \
             migration of your own.",
        ),
        _ => Pick::unknown(),
    }
}

fn tablets(draft: &Draft<Item<'_>>) -> Pick {
    let enabled = |side: &Option<serde_json::Value>| {
        side.as_ref().map(|side| side.get("enabled").is_none_or(|enabled| enabled.as_str() != Some("false")))
    };
    if enabled(&draft.before) == enabled(&draft.after) { Pick::rule("ks-tablets-initial") } else { Pick::rule("ks-tablets") }
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
    let factor =
        |map: &BTreeMap<String, String>, centre: &str| map.get(centre).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    let steps: Vec<(u32, u32)> = previous
        .keys()
        .chain(next.keys().filter(|centre| !previous.contains_key(*centre)))
        .map(|centre| (factor(&previous, centre), factor(&next, centre)))
        .filter(|(before, after)| before != after)
        .collect();
    let large = steps.len() > 1 || steps.iter().any(|(before, after)| before.abs_diff(*after) > 1);
    let rule = if previous.keys().any(|centre| !next.contains_key(centre)) {
        "ks-dc-remove"
    } else if next.keys().any(|centre| !previous.contains_key(centre)) {
        "ks-dc-add"
    } else if steps.iter().any(|(before, after)| after < before) {
        "ks-rf-down"
    } else {
        "ks-rf-up"
    };
    let written = facts.stated.keyspace.map(|keyspace| &keyspace.replication);
    let is_written = |centre: &String| written.is_none_or(|written| written.contains_key(centre));
    Pick::rule(rule)
        .case(Case::TabletsStep, tablets && large)
        .case(Case::Shorthand, tablets && next.contains_key("replication_factor"))
        .case(Case::LeftOut, tablets && !previous.keys().all(is_written))
}
