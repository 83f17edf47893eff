//! The keys of section `cql`.

use crate::sample::{Sample, TYPES, user_type};
use crate::sources::Topic;
use nosql_gen::schema::Backend;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const KEY: &str = "arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-3333-4444-555555555555";

fn keyspace(patch: Value) -> Value {
    json!({ "cql": { "keyspace": patch } })
}

/// A patch on the table.
fn table(patch: Value) -> Value {
    json!({ "cql": { "tables": { "orders": patch } } })
}

fn index(patch: Value) -> Value {
    table(json!({ "indexes": { "by_status": patch } }))
}

fn view(patch: Value) -> Value {
    table(json!({ "views": { "by_status": patch } }))
}

/// A keyspace whose tables are not split, as ScyllaDB 2025.1 needs it for much.
fn whole() -> Value {
    keyspace(json!({ "tablets": false }))
}

/// A finding that is allowed.
fn allow(code: &str) -> Value {
    json!({ "allow": { (code): { "reason": "It is meant.", "until": "2999-12-31" } } })
}

/// Read and write alike.
fn both(capacity: Value) -> Value {
    json!({ "throughput": { "read": capacity.clone(), "write": capacity } })
}

fn provisioned() -> Value {
    table(json!({ "billing": "provisioned", "throughput": { "read": 5, "write": 5 } }))
}

pub(crate) fn samples() -> Vec<Sample> {
    let mut samples = keyspaces();
    samples.extend(tables());
    samples.extend(options());
    samples.extend(settings());
    samples.extend(indexes());
    samples.extend(views());
    samples.extend(TYPES.iter().map(|kind| {
        let attribute = json!({ "entities": { "Order": { "attributes": { "tried": kind } } } });
        let mut sample = Sample::new("entities.*.attributes.*.type", Topic::Types, attribute).given(user_type());
        if *kind == "counter" {
            // Counters are with keys alone, and not in tablets before 2026.1.
            let others = json!({ "status": null, "total": null, "placed_at": null, "expires_at": null });
            sample = sample.given(json!({ "entities": { "Order": { "attributes": others } } })).given_on_scylla(whole());
        }
        sample.form = Some(kind);
        sample.of_cql()
    }));
    samples
}

fn keyspaces() -> Vec<Sample> {
    let of = |key, patch: Value| Sample::new(key, Topic::Keyspace, keyspace(patch));
    let mut named = json!({ "parameters": { "stage": { "default": "dev" } } });
    crate::sample::merge(&mut named, keyspace(json!({ "name": "shop_${stage}" })));
    vec![
        of("cql.keyspace.name", json!({ "name": "store" })),
        Sample::new("parameters.*.default", Topic::Parameters, json!({ "parameters": { "stage": { "default": "prod" } } }))
            .given(named)
            .of_cql(),
        of("cql.keyspace.replication", json!({ "replication": { "dc1": 5 } })),
        of("cql.keyspace.regions", json!({ "regions": ["eu-west-1", "eu-west-3"] })),
        of("cql.keyspace.durable_writes", json!({ "durable_writes": false })),
        of("cql.keyspace.tablets", json!({ "tablets": false })),
    ]
}

fn tables() -> Vec<Sample> {
    let of = |key, patch: Value| Sample::new(key, Topic::CqlTable, table(patch));
    let bucket = |part: Value| table(json!({ "partition_key": ["customer", part] }));
    let templates = |kind: &str| {
        table(
            json!({ "holds": { "Order": { "kind": 1, "sk": "ORDER#{number}" } }, "clustering": ["kind", "sk"], "key_types": { "kind": kind } }),
        )
    };
    vec![
        of("cql.tables.*.description", json!({ "description": "Orders of a customer" })),
        of("cql.tables.*.holds", json!({ "holds": { "Order": { "sk": "ORDER#{number}" } }, "clustering": ["sk"] }))
            .form("a template"),
        of(
            "cql.tables.*.holds.*.*.{template,when,present}",
            json!({ "holds": { "Order": { "sk": { "template": "ORDER#{number}" } } } }),
        )
        .given(table(json!({ "holds": { "Order": { "sk": "ORDER#{number}" } }, "clustering": ["sk"] })))
        .for_gen("decides which rows the table has, which patterns are served and what is estimated"),
        of("cql.tables.*.static", json!({ "static": ["status"] })),
        of("cql.tables.*.columns", json!({ "columns": ["status"] })),
        of("cql.tables.*.partition_key", json!({ "partition_key": ["customer", "status"] })),
        Sample::new(
            "cql.tables.*.partition_key.{bucket,by,as,type}",
            Topic::CqlTable,
            bucket(json!({ "bucket": "placed_at", "by": "month", "as": "month", "type": "int" })),
        ),
        Sample::new("cql.tables.*.partition_key.{shard,into}", Topic::CqlTable, bucket(json!({ "shard": "number", "into": 8 }))),
        of("cql.tables.*.clustering", json!({ "clustering": ["number desc"] })),
        Sample::new("cql.tables.*.key_types", Topic::CqlTable, templates("bigint")).without(templates("int")),
        of("cql.tables.*.ttl", json!({ "ttl": "30d" })).form("a duration"),
        of("cql.tables.*.ttl", json!({ "ttl": "expires_at" })).form("an attribute"),
        of("cql.tables.*.name", json!({ "name": "orders_by_customer" })),
        of("cql.tables.*.external", json!({ "external": true })).given(json!({ "cql": { "tables": { "others": {
            "holds": "Order", "partition_key": "customer", "clustering": ["number"],
        } } } })),
        of("cql.tables.*.allow.*.{reason,until}", allow("unused-table")).for_gen("answers a finding"),
    ]
}

/// The options that tables, views and engines share.
pub(crate) fn options() -> Vec<Sample> {
    let of = |key, patch: Value| Sample::new(key, Topic::Options, table(patch));
    let compaction = |name: &'static str| {
        let mut sample = of("cql.tables.*.compaction", json!({ "compaction": name }));
        sample.form = Some(name);
        sample
    };
    let compression = |name: &'static str| {
        let mut sample = of("cql.tables.*.compression.class", json!({ "compression": { "class": name } }));
        sample.form = Some(name);
        sample
    };
    vec![
        compaction("size_tiered"),
        compaction("leveled"),
        of("cql.tables.*.compaction", json!({ "compaction": { "class": "time_window", "window": "1d" } })).form("time_window"),
        compaction("unified"),
        compaction("incremental"),
        compression("lz4"),
        compression("zstd"),
        compression("snappy"),
        compression("deflate"),
        compression("none"),
        of("cql.tables.*.compression.chunk_length", json!({ "compression": { "chunk_length": "8KB" } }))
            .given(table(json!({ "compression": { "class": "zstd" } }))),
        of("cql.tables.*.compression.level", json!({ "compression": { "level": 5 } }))
            .given(table(json!({ "compression": { "class": "zstd" } }))),
        of("cql.tables.*.caching.keys", json!({ "caching": { "keys": "none" } })),
        of("cql.tables.*.caching.rows_per_partition", json!({ "caching": { "rows_per_partition": 10 } })),
        of("cql.tables.*.gc_grace", json!({ "gc_grace": "3d" })),
        of("cql.tables.*.cdc", json!({ "cdc": true })).form("`true`").given_on_scylla(whole()),
        of("cql.tables.*.cdc", json!({ "cdc": { "preimage": "full" } }))
            .without(table(json!({ "cdc": true })))
            .form("`preimage`")
            .given_on_scylla(whole()),
        of("cql.tables.*.cdc", json!({ "cdc": { "view_type": "NEW_IMAGE" } }))
            .without(table(json!({ "cdc": true })))
            .form("`view_type`")
            .given_on_scylla(whole()),
        of("cql.tables.*.bloom_filter_fp_chance", json!({ "bloom_filter_fp_chance": 0.1 })),
        of("cql.tables.*.speculative_retry", json!({ "speculative_retry": "95p" })),
        of("cql.tables.*.additional_write_policy", json!({ "additional_write_policy": "95p" })),
        of("cql.tables.*.read_repair", json!({ "read_repair": "NONE" })),
        of("cql.tables.*.memtable", json!({ "memtable": "trie" })),
        of("cql.tables.*.crc_check_chance", json!({ "crc_check_chance": 0.5 })),
        of("cql.tables.*.min_index_interval", json!({ "min_index_interval": 64 })),
        of("cql.tables.*.max_index_interval", json!({ "max_index_interval": 1024 })),
        of("cql.tables.*.memtable_flush_period", json!({ "memtable_flush_period": "1h" })),
        of("cql.tables.*.tombstone_gc", json!({ "tombstone_gc": { "mode": "timeout" } })),
        of("cql.tables.*.paxos_grace", json!({ "paxos_grace": "2d" })),
        of("cql.tables.*.per_partition_rate_limit", json!({ "per_partition_rate_limit": { "max_reads_per_second": 500 } })),
    ]
}

/// What only Amazon Keyspaces has.
fn settings() -> Vec<Sample> {
    let of = |key, patch: Value| Sample::new(key, Topic::Managed, table(patch));
    vec![
        Sample::new("cql.tables.*.billing", Topic::Managed, provisioned()).form("`provisioned`"),
        of("cql.tables.*.throughput.{read,write}", both(json!(10))).given(provisioned()).form("a number"),
        of("cql.tables.*.throughput.{read,write}.{min,max}", both(json!({ "min": 5, "max": 50 })))
            .given(table(json!({ "billing": "provisioned" })))
            .without(table(both(json!(5)))),
        of("cql.tables.*.throughput.{read,write}.target", both(json!({ "target": "60%" })))
            .given(table(json!({ "billing": "provisioned" })))
            .given(table(both(json!({ "min": 5, "max": 50 })))),
        of("cql.tables.*.point_in_time_recovery", json!({ "point_in_time_recovery": true })),
        of("cql.tables.*.encryption", json!({ "encryption": "aws_owned" })).form("`aws_owned`"),
        of("cql.tables.*.encryption.kms_key", json!({ "encryption": { "kms_key": KEY } })),
        of("cql.tables.*.tags", json!({ "tags": { "team": "orders" } })),
        of("cql.tables.*.client_side_timestamps", json!({ "client_side_timestamps": true })),
        of("cql.tables.*.terraform_name", json!({ "terraform_name": "adopted" })),
        of("cql.tables.*.logical_id", json!({ "logical_id": "Adopted" })),
    ]
}

fn indexes() -> Vec<Sample> {
    let of = |key, patch: Value| {
        Sample::new(key, Topic::Index, index(patch)).given(index(json!({ "column": "status" }))).given_on_scylla(whole())
    };
    let of_map = |target: &'static str| {
        let mut sample = of("cql.tables.*.indexes.*.target", json!({ "column": "labels", "target": target }))
            .given(json!({ "entities": { "Order": { "attributes": { "labels": "map<text, text>" } } } }))
            .given(index(json!({ "column": "status" })));
        sample.form = Some(target);
        sample
    };
    vec![
        Sample::new("cql.tables.*.indexes.*.column", Topic::Index, index(json!({ "column": "status" }))).given_on_scylla(whole()),
        of("cql.tables.*.indexes.*.description", json!({ "description": "By what became of them" })),
        of("cql.tables.*.indexes.*.using", json!({ "using": "sai" })).form("`sai`"),
        of_map("keys"),
        of_map("values"),
        of_map("entries"),
        of("cql.tables.*.indexes.*.target", json!({ "column": "frozen_labels", "target": "full" }))
            .given(json!({ "entities": { "Order": { "attributes": { "frozen_labels": "frozen<map<text, text>>" } } } }))
            .form("full"),
        of("cql.tables.*.indexes.*.local", json!({ "local": true })),
        of("cql.tables.*.indexes.*.options", json!({ "options": { "case_sensitive": false } }))
            .given(index(json!({ "using": "sai" }))),
        of("cql.tables.*.indexes.*.allow.*.{reason,until}", allow("unused-index")).for_gen("answers a finding"),
    ]
}

fn views() -> Vec<Sample> {
    let given = || view(json!({ "partition_key": "status", "clustering": ["customer", "number"] }));
    let of = |key, patch: Value| Sample::new(key, Topic::View, view(patch)).given(given()).given_on_scylla(whole());
    vec![
        Sample::new("cql.tables.*.views.*.{partition_key,clustering}", Topic::View, given()).given_on_scylla(whole()),
        of("cql.tables.*.views.*.description", json!({ "description": "By what became of them" })),
        of("cql.tables.*.views.*.columns", json!({ "columns": ["total"] })),
        of("cql.tables.*.views.*.allow.*.{reason,until}", allow("view-experimental")).for_gen("answers a finding"),
    ]
}

/// Where options may stand beside a table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elsewhere {
    /// `cql.defaults`
    Defaults,
    /// `for_engine` of a table.
    ForEngine,
    /// A view.
    View,
}

impl Elsewhere {
    /// All of them, each as its keys begin.
    pub(crate) const ALL: [(Self, &'static str); 3] = [
        (Self::Defaults, "cql.defaults."),
        (Self::ForEngine, "cql.tables.*.for_engine.*."),
        (Self::View, "cql.tables.*.views.*."),
    ];

    /// The same keys there, as far as they may stand there: each with the place of the one it must equal.
    pub(crate) fn samples(self, samples: &[Sample], keys: &BTreeSet<String>, backend: Backend) -> Vec<(usize, Sample)> {
        let engine = backend.engine().map_or("", nosql_gen::schema::Engine::name);
        let (prefix, to): (_, &[&str]) = match self {
            Self::Defaults => ("cql.defaults.", &["cql", "defaults"]),
            Self::ForEngine => ("cql.tables.*.for_engine.*.", &["cql", "tables", "orders", "for_engine", engine]),
            Self::View => ("cql.tables.*.views.*.", &["cql", "tables", "orders", "views", "by_status"]),
        };
        // What they have in common with tables beside the options is tried by samples of their own.
        let own = ["description", "partition_key", "clustering", "columns", "allow", "for_engine"];
        let fits = |key: &str| keys.contains(&format!("{prefix}{key}")) && !own.contains(&key);
        let moved = |sample: &Sample| {
            let of_table = sample.key.strip_prefix("cql.tables.*.").and_then(|key| key.split('.').next());
            of_table.filter(|key| fits(key))?;
            let moved = sample.moved(&["cql", "tables", "orders"], to, fits);
            Some(match self {
                Self::View => moved
                    .given(view(json!({ "partition_key": "status", "clustering": ["customer", "number"] })))
                    .given_on_scylla(whole()),
                _ => moved,
            })
        };
        samples.iter().enumerate().filter_map(|(number, sample)| Some((number, moved(sample)?))).collect()
    }
}
