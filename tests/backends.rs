//! `docs/backends.md`: what becomes of every key of the language on every backend, by experiment.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]
#![expect(clippy::needless_pass_by_value, reason = "patches are written where they are given")]

#[path = "backends/cql.rs"]
mod cql;
#[path = "backends/dynamodb.rs"]
mod dynamodb;
#[path = "backends/experiment.rs"]
mod experiment;
#[path = "backends/keys.rs"]
mod keys;
#[path = "backends/outline.rs"]
mod outline;
#[path = "backends/page.rs"]
mod page;
#[path = "backends/sample.rs"]
mod sample;
#[path = "backends/sources.rs"]
mod sources;

use cql::Elsewhere;
use experiment::{Outcome, backends, outcomes};
use nosql_gen::schema::Store;
use page::{Page, Row};
use sample::Sample;
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/backends.md");

/// Keys of change: what they do is seen between two generations, and told by plans.
const OF_CHANGE: &[&str] = &["renamed_from", "removed"];

/// What the columns of the page are.
const COLUMNS: &str = "cql.engines";

fn schema() -> Value {
    nosql_gen::validate::schema()
}

/// What becomes of each sample, on each of the backends it is for.
fn rows(samples: Vec<Sample>, cql: bool) -> Vec<Row> {
    let of_backends: Vec<Vec<Outcome>> = backends(cql).into_iter().map(|backend| outcomes(&samples, backend)).collect();
    let row = |(number, sample): (usize, Sample)| (sample, of_backends.iter().map(|outcomes| outcomes[number].clone()).collect());
    samples.into_iter().enumerate().map(row).collect()
}

/// The sections of a store: a heading each, and how its keys begin.
const DYNAMODB: &[(&str, &[&str])] = &[
    ("### Tables", &["dynamodb.tables.*.", "dynamodb.defaults."]),
    ("### Local secondary indexes", &["dynamodb.tables.*.local_secondary_indexes.*."]),
    ("### Global secondary indexes", &["dynamodb.tables.*.global_secondary_indexes.*."]),
    ("### Parameters", &["parameters.*."]),
    ("### Types, in the key of an index", &["entities.*.attributes.*."]),
];
const CQL: &[(&str, &[&str])] = &[
    ("### The keyspace", &["cql.keyspace."]),
    ("### Tables", &["cql.tables.*."]),
    ("### Indexes", &["cql.tables.*.indexes.*."]),
    ("### Views", &["cql.tables.*.views.*."]),
    ("### Parameters", &["parameters.*."]),
    ("### Types", &["entities.*.attributes.*."]),
];

fn sections(page: &mut Page, rows: &[Row], sections: &[(&str, &[&str])], cql: bool) {
    let longest = |key: &str| {
        let prefixes = sections.iter().flat_map(|(_, prefixes)| *prefixes).filter(|prefix| key.starts_with(**prefix));
        prefixes.max_by_key(|prefix| prefix.len()).copied()
    };
    for (heading, prefixes) in sections {
        let own: Vec<Row> = rows
            .iter()
            .filter(|(sample, _)| longest(sample.key).is_some_and(|prefix| prefixes.contains(&prefix)))
            .cloned()
            .collect();
        page.table(heading, &own, prefixes[0], cql);
    }
}

/// What becomes of the keys of tables in `dynamodb.defaults`, each beside the row of the table.
fn in_defaults(rows: &[Row]) -> Vec<(Row, Row)> {
    let samples: Vec<Sample> = rows.iter().map(|(sample, _)| sample.clone()).collect();
    let keys = keys::keys(&schema(), "dynamodb");
    let (numbers, moved): (Vec<usize>, Vec<Sample>) = dynamodb::in_defaults(&samples, &keys).into_iter().unzip();
    let moved = self::rows(moved, false);
    numbers.into_iter().map(|number| rows[number].clone()).zip(moved).collect()
}

/// What becomes of the options of tables elsewhere, each beside the row of the table.
fn elsewhere_in_cql(elsewhere: Elsewhere, rows: &[Row]) -> Vec<(Row, Row)> {
    let samples: Vec<Sample> = rows.iter().map(|(sample, _)| sample.clone()).collect();
    let keys = keys::keys(&schema(), "cql");
    let mut pairs: Vec<(Row, Row)> = Vec::new();
    for backend in backends(true) {
        let (numbers, moved): (Vec<usize>, Vec<Sample>) = elsewhere.samples(&samples, &keys, backend).into_iter().unzip();
        let outcomes = outcomes(&moved, backend);
        if pairs.is_empty() {
            pairs =
                numbers.iter().map(|number| rows[*number].clone()).zip(moved.into_iter().map(|one| (one, Vec::new()))).collect();
        }
        pairs.iter_mut().zip(outcomes).for_each(|((_, (_, all)), outcome)| all.push(outcome));
    }
    pairs
}

#[test]
fn the_page_is_what_the_backends_do() {
    let dynamodb = rows(dynamodb::samples(), false);
    let cql = rows(cql::samples(), true);
    for (sample, outcomes) in dynamodb.iter().chain(&cql) {
        let reaches = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Reaches(_)));
        let key = (sample.key, sample.form);
        assert!(sample.for_gen.is_none() || !reaches, "{key:?} is not for gen alone: {outcomes:?}");
        assert!(
            sample.for_gen.is_some() || reaches || outcomes.iter().all(|one| matches!(one, Outcome::Refused(_))),
            "{key:?}: {outcomes:?}"
        );
    }
    let mut page = Page::new();
    page.text("## DynamoDB");
    sections(&mut page, &dynamodb, DYNAMODB, false);
    page.elsewhere("`dynamodb.defaults`", &in_defaults(&dynamodb));
    page.text("## CQL");
    sections(&mut page, &cql, CQL, true);
    for (elsewhere, place) in Elsewhere::ALL {
        page.elsewhere(&format!("`{}`", place.trim_end_matches('.')), &elsewhere_in_cql(elsewhere, &cql));
    }
    let page = page.finish();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    assert!(std::fs::read_to_string(PAGE).unwrap_or_default() == page, "run with BLESS=1 to rewrite docs/backends.md");
}

#[test]
fn every_key_has_a_sample() {
    let schema = schema();
    let in_dynamodb = dynamodb::samples();
    let in_cql = cql::samples();
    let tried = |samples: &[Sample]| -> BTreeSet<String> { samples.iter().flat_map(|sample| expand(sample.key)).collect() };
    let mut all: BTreeSet<String> = tried(&in_dynamodb).into_iter().chain(tried(&in_cql)).collect();
    let keys: BTreeSet<String> =
        ["dynamodb", "cql", "parameters"].iter().flat_map(|section| keys::keys(&schema, section)).collect();
    let mut add = |place: &str, of: &str, moved: Vec<(usize, Sample)>| {
        for (_, sample) in moved {
            all.extend(expand(sample.key).iter().filter_map(|key| Some(format!("{place}{}", key.strip_prefix(of)?))));
        }
    };
    add("dynamodb.defaults.", "dynamodb.tables.*.", dynamodb::in_defaults(&in_dynamodb, &keys));
    for (elsewhere, place) in Elsewhere::ALL {
        add(place, "cql.tables.*.", elsewhere.samples(&in_cql, &keys, backends(true)[0]));
    }
    // What `for_engine` takes is one type of the schema wherever it stands.
    let place = "cql.tables.*.for_engine.*.";
    let options: Vec<String> = all.iter().filter_map(|key| key.strip_prefix(place)).map(str::to_owned).collect();
    for other in ["cql.defaults.for_engine.*.", "cql.tables.*.views.*.for_engine.*."] {
        all.extend(options.iter().map(|option| format!("{other}{option}")));
    }
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| {
            let inner = format!("{key}.");
            let of_change = OF_CHANGE.contains(&key.rsplit('.').next().unwrap());
            !of_change && **key != COLUMNS && !all.contains(*key) && !all.iter().any(|tried| tried.starts_with(&inner))
        })
        .collect();
    assert!(missing.is_empty(), "no sample in tests/backends for {missing:#?}");
}

/// `a.{b,c}` is `a.b` and `a.c`.
fn expand(key: &str) -> Vec<String> {
    let Some((before, rest)) = key.split_once('{') else { return vec![key.to_owned()] };
    let (names, after) = rest.split_once('}').unwrap();
    names.split(',').flat_map(|name| expand(&format!("{before}{name}{after}"))).collect()
}

#[test]
fn samples_are_of_their_store() {
    assert!(dynamodb::samples().iter().all(|sample| sample.store() == Store::Dynamodb));
    assert!(cql::samples().iter().all(|sample| sample.store() == Store::Cql));
}
