//! Replication by racks: a list of them in place of a number, in ScyllaDB from 2026.1 on.
//!
//! Sources: ScyllaDB docs/cql/ddl.rst, "Rack-list replication factor", and `ks_prop_defs.cc`, branch 2026.1.

use super::super::Facts;
use crate::diff::rows::{Case, Pick};
use crate::schema::Engine;
use crate::schema::cql::{OptionValue, string};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a factor is a list of racks.
pub(in crate::diff::effects::cql) fn is_list(factor: &str) -> bool {
    factor.trim_start().starts_with('[')
}

/// How many replicas a factor stands for; 0 where it is no number.
pub(super) fn factor(text: &str) -> u32 {
    if is_list(text) { u32::try_from(racks(text).len()).unwrap_or(u32::MAX) } else { text.parse().unwrap_or(0) }
}

fn racks(text: &str) -> BTreeSet<&str> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    inner.split(',').map(str::trim).filter(|rack| !rack.is_empty()).collect()
}

/// The row of a replication in which racks are named, or no longer; None where only factors differ.
pub(super) fn pick(facts: &Facts<'_>, previous: &BTreeMap<String, String>, next: &BTreeMap<String, String>) -> Option<Pick> {
    let both = || next.iter().filter_map(|(centre, after)| Some((previous.get(centre)?.as_str(), after.as_str())));
    let named = both().any(|(before, after)| !is_list(before) && is_list(after));
    let given_up: Vec<_> = both().filter(|(before, after)| is_list(before) && !is_list(after)).collect();
    // One rack comes or goes in a statement, and none is exchanged.
    let exchanged = both().any(|(before, after)| {
        is_list(before) && is_list(after) && racks(before).symmetric_difference(&racks(after)).count() > 1
    });
    let is_new = next.iter().any(|(centre, after)| is_list(after) && !previous.contains_key(centre));
    if !named && !exchanged && !is_new && given_up.is_empty() {
        return None;
    }
    let others = previous.keys().chain(next.keys()).any(|centre| {
        let of = |map: &BTreeMap<String, String>| map.get(centre).map_or(0, |text| factor(text));
        of(previous) != of(next)
    });
    if is_new
        && !named
        && !exchanged
        && given_up.is_empty()
        && facts.tablets()
        && facts.backend.engine() != Some(Engine::Scylla20251)
    {
        return None;
    }
    let kept = !named && !exchanged && !others;
    let pick = Pick::rule("ks-racks")
        .case(Case::NoTablets, !facts.tablets())
        .case(Case::RacksGivenUp, given_up.iter().any(|(before, after)| factor(before) != factor(after)))
        .case(Case::RacksAndFactor, named && others)
        .case(Case::TabletsStep, exchanged)
        .case(Case::Removed, kept && !given_up.is_empty());
    Some(pick.or("ks-rf-up"))
}

/// A map of replication as a statement writes it: lists of racks stand without quotes around them.
pub(in crate::diff::effects::cql) fn written(value: &OptionValue) -> Option<String> {
    let OptionValue::Map(map) = value else { return None };
    if !map.values().any(|factor| is_list(factor)) {
        return None;
    }
    let (class, rest): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| *key == "class");
    let text = |text: &str| if is_list(text) { text.to_owned() } else { string(text) };
    let entries = class.into_iter().chain(rest).map(|(key, value)| format!("{}: {}", string(key), text(value)));
    Some(format!("{{{}}}", entries.collect::<Vec<_>>().join(", ")))
}
