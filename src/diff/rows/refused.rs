//! Every row that says an Apache Cassandra refuses is proved by that engine's own words: a case of `golden/refused`, which
//! `tests/judge_cassandra.rs` tries on a node. A case is named after the row, or `row.case` after a variant of it, and holds a
//! file of words for each engine.

use super::{Case, Deploying, Row, Variant, table};
use crate::schema::{Backend, Engine, Family, Store};
use camino::Utf8Path;
use std::collections::BTreeSet;

/// Conditions that no case can bring about, and why. The sources are those of the row.
const NOT_TRIED: [(&str, &str, &str); 3] = [
    ("pk-compact", "drop_compact_storage_enabled is off (the default)", SETTING),
    ("idx-add-sasi", "sasi_indexes_enabled is off (the default)", SETTING),
    ("mv-create", "materialized_views_enabled is off (the default)", SETTING),
];

const SETTING: &str = "a node reads the setting when it starts, and the judge's nodes have it on for the other cases";

/// The name that serde reads a case by.
fn name(case: Case) -> String {
    let debug = format!("{case:?}");
    let mut name = String::new();
    for letter in debug.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// The cases that a row asks for on an engine.
fn asked(row: &Row, engine: Engine) -> Vec<String> {
    let Some(entry) = row.backends.get(Backend::Cql(engine).name()) else { return Vec::new() };
    let own = (entry.deploying == Deploying::Refuses).then(|| row.id.clone());
    let is_tried = |variant: &&Variant| {
        let not_tried = |(rule, condition, why): &(&str, &str, &str)| {
            assert!(!why.is_empty());
            *rule == row.id && Some(*condition) == variant.condition.as_deref()
        };
        variant.deploying == Deploying::Refuses && !NOT_TRIED.iter().any(not_tried)
    };
    let variants = entry.variants.iter().chain(&entry.versions).filter(is_tried);
    own.into_iter().chain(variants.map(|variant| format!("{}.{}", row.id, variant.case.map_or_else(String::new, name)))).collect()
}

#[test]
fn each_row_that_says_refused_is_tried() {
    let golden = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/refused");
    let rows = &table(Store::Cql).rows;
    let engines: Vec<Engine> = Engine::ALL.into_iter().filter(|engine| engine.family() == Family::Cassandra).collect();
    let mut wrong = Vec::new();
    let mut tried: BTreeSet<String> = BTreeSet::new();
    for engine in engines {
        for row in rows {
            let asked = asked(row, engine);
            for case in &asked {
                if !golden.join(case).join(format!("{engine}.txt")).exists() {
                    wrong.push(format!("{case} says refused on {engine}: golden/refused/{case}/{engine}.txt is missing"));
                }
            }
            if !asked.contains(&row.id) && golden.join(&row.id).join(format!("{engine}.txt")).exists() {
                tried.insert(format!("{} {engine}", row.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Refused as it stands, and the row says what to do first: the plan's statements are taken.
    let first: Vec<String> = ["4.0", "4.1", "5.0"].map(|release| format!("col-drop-indexed cassandra-{release}")).into();
    assert_eq!(tried.into_iter().collect::<Vec<_>>(), first, "refused by the engine, and the row does not say so");
}

#[test]
fn what_is_not_tried_is_there() {
    let rows = &table(Store::Cql).rows;
    for (rule, condition, _) in NOT_TRIED {
        let row = rows.iter().find(|row| row.id == rule).unwrap();
        assert!(!row.evidence.is_empty());
        let variants = row.backends.values().flat_map(|entry| &entry.variants);
        assert!(variants.into_iter().any(|variant| variant.condition.as_deref() == Some(condition)), "{rule}: {condition}");
    }
}
