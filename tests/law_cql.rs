//! The laws of CQL text: what is written is read back as it was, for any schema and every engine.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "support/cql_schema.rs"]
mod cql_schema;

use nosql_gen::diagnostic::Sink;
use nosql_gen::emit::{Project, Templates, Verified, cql::emit};
use nosql_gen::read::cql::read;
use nosql_gen::schema::cql::engine::{Feature, compaction_options, knows_option};
use nosql_gen::schema::cql::{OptionValue, Schema, Type};
use nosql_gen::schema::{Engine, Family};
use nosql_gen::source::SourceMap;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn parse(text: &str) -> Schema {
    let mut sources = SourceMap::default();
    let file = sources.add("schema.cql", text);
    let mut sink = Sink::default();
    let schema = read(&sources, &[file], &mut sink);
    schema.unwrap_or_else(|| panic!("{:#?}\n{text}", sink.diagnostics()))
}

/// What stands in a schema, in words.
fn forms(schema: &Schema, found: &mut BTreeSet<String>) {
    for keyspace in schema.keyspaces.values() {
        found.insert(format!("durable_writes {:?}", keyspace.durable_writes));
        found.extend(keyspace.options.keys().map(|name| format!("keyspace {name}")));
        found.extend((!keyspace.types.is_empty()).then(|| "type".to_owned()));
        for table in keyspace.tables.values() {
            for (name, value) in &table.options {
                found.insert(format!("table {name}"));
                match value {
                    OptionValue::Map(map) => {
                        let class = map.get("class").or(map.get("sstable_compression")).cloned().unwrap_or_default();
                        found.extend(map.keys().map(|key| format!("{name} {class} {key}")));
                    }
                    OptionValue::Nested(map) => found.extend(map.keys().map(|key| format!("{name} {key}"))),
                    _ => {}
                }
            }
            for column in table.columns.values() {
                let kind = column.kind.to_string();
                let outer = kind.split(['<', ' ']).next().unwrap();
                found.insert(if matches!(column.kind, Type::User(_)) {
                    "column type".to_owned()
                } else {
                    format!("column {outer}")
                });
                found.extend(column.is_static.then(|| "static".to_owned()));
                found.extend(column.extra.is_some().then(|| "mask".to_owned()));
            }
            found.extend((table.partition_key.len() > 1).then(|| "partition key of several".to_owned()));
            found.extend(table.clustering.iter().map(|key| format!("clustering {}", key.descending)));
            for index in table.indexes.values() {
                found.insert(format!("index {:?} {:?}", index.using, index.target));
                found.extend((!index.local.is_empty()).then(|| "local index".to_owned()));
            }
            for view in table.views.values() {
                found.insert(format!("view of all {}", view.columns.is_none()));
                found.extend((!view.filter.is_empty()).then(|| "view with a filter".to_owned()));
                found.extend(view.options.keys().map(|name| format!("view {name}")));
            }
        }
    }
}

/// What section 7 of the language lets a model say on an engine.
fn expected(engine: Engine) -> Vec<String> {
    let has = |feature: Feature| feature.lacking_on(engine).is_none();
    let mut all: Vec<String> =
        ["type", "static", "column type", "partition key of several", "clustering true", "clustering false"]
            .map(str::to_owned)
            .into();
    all.extend(["None", "Some(true)", "Some(false)"].map(|durable| format!("durable_writes {durable}")));
    let kinds = ["text", "int", "uuid", "timeuuid", "bigint", "timestamp", "date", "boolean", "ascii", "inet", "decimal", "blob"];
    let more = ["double", "varint", "time", "smallint", "tinyint", "float", "counter", "list", "set", "map", "tuple", "frozen"];
    all.extend(kinds.iter().chain(&more).map(|kind| format!("column {kind}")));
    all.extend(has(Feature::Vector).then(|| "column vector".to_owned()));
    all.extend(has(Feature::Duration).then(|| "column duration".to_owned()));
    all.extend(has(Feature::Tablets).then(|| "keyspace tablets".to_owned()));
    all.extend(["comment", "default_time_to_live"].map(|name| format!("table {name}")));
    for (name, engines, values) in cql_schema::OPTIONS.iter().filter(|(_, engines, _)| engines.contains(&engine)) {
        assert!(!engines.is_empty() && !values.is_empty());
        all.push(format!("table {name}"));
    }
    for class in cql_schema::strategies(engine) {
        let keys = compaction_options(class).into_iter().filter(|key| key.engines.contains(&engine));
        all.extend(keys.map(|key| format!("compaction {} {}", class.class(), key.name)));
    }
    if has(Feature::SecondaryIndex) {
        for target in ["None", "Some(\"keys\")", "Some(\"values\")", "Some(\"entries\")", "Some(\"full\")"] {
            all.push(format!("index None {target}"));
        }
    }
    all.extend(has(Feature::AttachedIndex).then(|| "index Some(\"sai\") None".to_owned()));
    all.extend(has(Feature::LocalIndex).then(|| "local index".to_owned()));
    if has(Feature::View) {
        all.extend(["view of all true", "view of all false", "view with a filter", "view comment"].map(str::to_owned));
    }
    all.extend((engine == Engine::Cassandra50).then(|| "mask".to_owned()));
    all.extend((engine.family() == Family::Scylla).then(|| "view synchronous_updates".to_owned()));
    all
}

#[test]
fn random_schemas_reach_every_form() {
    for engine in Engine::ALL {
        let mut found = BTreeSet::new();
        for seed in 0..3000 {
            forms(&cql_schema::schema(engine, &cql_schema::choices(seed)), &mut found);
        }
        let missing: Vec<String> = expected(engine).into_iter().filter(|form| !found.contains(form)).collect();
        assert_eq!(missing, Vec::<String>::new(), "{engine}");
        // What the engine table knows as an option of tables is in the list of the schemas.
        for name in [
            "additional_write_policy",
            "bloom_filter_fp_chance",
            "caching",
            "compression",
            "crc_check_chance",
            "gc_grace_seconds",
            "max_index_interval",
            "memtable",
            "memtable_flush_period_in_ms",
            "min_index_interval",
            "paxos_grace_seconds",
            "per_partition_rate_limit",
            "read_repair",
            "speculative_retry",
            "tombstone_gc",
        ] {
            assert!(!knows_option(engine, name) || found.contains(&format!("table {name}")), "{engine} {name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(choices in proptest::collection::vec(any::<u16>(), 0..400)) {
        let project = Project { name: "law".to_owned(), environment: None, description: None };
        let templates = Templates::default();
        for engine in Engine::ALL {
            let schema = cql_schema::schema(engine, &choices);
            let text = emit(&project, engine, &schema, &templates, Verified::default()).unwrap().artifacts.remove(0).text;
            let normal = schema.as_written().normalise(engine);
            prop_assert_eq!(&parse(&text).normalise(engine), &normal);
            prop_assert_eq!(&normal.normalise(engine), &normal);
        }
    }

    #[test]
    fn the_lock_keeps_a_schema(choices in proptest::collection::vec(any::<u16>(), 0..400)) {
        for engine in Engine::ALL {
            let schema = cql_schema::schema(engine, &choices);
            let json = serde_json::to_string(&schema).unwrap();
            prop_assert_eq!(serde_json::from_str::<Schema>(&json).unwrap(), schema);
        }
    }
}
