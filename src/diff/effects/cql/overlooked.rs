//! `ignore_changes` of `aws_keyspaces_keyspace` and `aws_keyspaces_table`: what Terraform is told to overlook stays as it is,
//! whatever the text says (<https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#ignore_changes>).

use super::{Facts, Item, managed, refused};
use crate::diff::draft::Draft;
use crate::diff::rows::Pick;
use crate::diff::{Deploying, Effect, Needs, When};
use crate::schema::Backend;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// How much of a property Terraform overlooks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlooked {
    All,
    /// A part of it, and what that leaves is not known here.
    Part,
}

/// The effect of a change that Terraform may be told to overlook; None where nothing of it is. What the change needs stays the
/// same.
pub(super) fn effect(facts: &Facts<'_>, draft: &Draft<Item<'_>>, effect: &Effect) -> Option<Effect> {
    if facts.backend != Backend::KeyspacesTerraform || matches!(effect.needs, Needs::Nothing | Needs::Unsupported) {
        return None;
    }
    let ignored = &managed::managed(facts, draft).next?.ignore_changes;
    let each: Vec<Option<Overlooked>> = arguments(draft).iter().map(|argument| overlooked(ignored, argument)).collect();
    if each.iter().all(Option::is_none) {
        return None;
    }
    if each.iter().any(|one| *one != Some(Overlooked::All)) {
        return Some(Pick::unknown_because("a part of it is in `ignore_changes`").effect(facts.backend, |_| None));
    }
    let ignored = Effect { needs: effect.needs, ..Pick::rule("ignore-changes").effect(facts.backend, |_| None) };
    // The provider looks at what is written before Terraform puts what it has in its place.
    let refused = refused::of(facts, draft, ignored.clone());
    let is_of_the_text = refused.deploying == Deploying::Refuses && refused.when == Some(When::Plan);
    Some(if is_of_the_text { refused } else { ignored })
}

/// Whether an argument is among those that are overlooked.
fn overlooked(ignored: &BTreeSet<String>, argument: &str) -> Option<Overlooked> {
    if ignored.contains("all") {
        return Some(Overlooked::All);
    }
    let own = steps(argument);
    let found = ignored.iter().map(|name| steps(name)).filter_map(|name| {
        if own.starts_with(&name) {
            return Some(Overlooked::All);
        }
        name.starts_with(&own).then_some(Overlooked::Part)
    });
    found.reduce(|one, other| if one == Overlooked::All { one } else { other })
}

/// The steps that lead to an argument: `tags["team"]` and `tags.team` are the same.
fn steps(argument: &str) -> Vec<&str> {
    argument.split(['.', '[', ']', '"', ' ']).filter(|step| !step.is_empty()).collect()
}

/// The arguments of the resource that say what differs. None for what resources beside it say.
fn arguments(draft: &Draft<Item<'_>>) -> Vec<String> {
    let in_schema = |name: &str| vec![format!("schema_definition[0].{name}")];
    match (&draft.item, draft.head()) {
        (Item::Keyspace, "name") => vec!["name".to_owned()],
        (Item::Keyspace, "replication") => vec!["replication_specification".to_owned()],
        (Item::Table, "name") => vec!["table_name".to_owned()],
        (Item::Table, "keyspace") => vec!["keyspace_name".to_owned()],
        (Item::Table, "partition_key") => in_schema("partition_key"),
        (Item::Table, "clustering") => in_schema("clustering_key"),
        (Item::Table, "columns") => {
            let is_static = |side: &Option<Json>| side.as_ref().is_some_and(|side| side.get("static").is_some());
            let both = [true, is_static(&draft.before) || is_static(&draft.after)];
            both.into_iter()
                .zip(["column", "static_column"])
                .filter(|(is, _)| *is)
                .flat_map(|(_, name)| in_schema(name))
                .collect()
        }
        (Item::Table, "options") if draft.key() == "tags" => differing(draft).map(|tag| format!("tags[\"{tag}\"]")).collect(),
        (Item::Table, "options") if ["comment", "default_time_to_live"].contains(&draft.key()) => vec![draft.key().to_owned()],
        (Item::Table, "custom_properties") => block(draft),
        (Item::Keyspace | Item::Table, "extra") if !draft.is_behind() => {
            steps(draft.key()).first().map(|argument| (*argument).to_owned()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The arguments of a block, by the property and the keys that statements have for it.
fn block(draft: &Draft<Item<'_>>) -> Vec<String> {
    let name = match draft.key() {
        "capacity_mode" => "capacity_specification",
        name @ ("encryption_specification" | "point_in_time_recovery" | "client_side_timestamps" | "ttl") => name,
        _ => return Vec::new(),
    };
    let argument = |key: &str| if key == "encryption_type" { "type".to_owned() } else { key.to_owned() };
    differing(draft).map(|key| format!("{name}[0].{}", argument(key))).collect()
}

/// The entries of two maps that differ.
fn differing<'a>(draft: &'a Draft<Item<'_>>) -> impl Iterator<Item = &'a str> {
    let entries = |side: &'a Option<Json>| side.as_ref().and_then(Json::as_object);
    let (before, after) = (entries(&draft.before), entries(&draft.after));
    let of = |side: Option<&'a Map<String, Json>>, key: &str| side.and_then(|side| side.get(key));
    let names: BTreeSet<&str> = before.into_iter().chain(after).flat_map(Map::keys).map(String::as_str).collect();
    names.into_iter().filter(move |key| of(before, key) != of(after, key))
}
