//! What the language has and `gen` does not make yet. One row for each; a row goes when its part is built.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{AttributeType, Model};
use crate::source::{Entry, Kind, Node};

struct Row {
    /// Keys from the root. `*` is any key; `<table>` is `defaults` and any table.
    path: &'static str,
    /// Which values are not built.
    when: fn(&Node) -> bool,
    what: &'static str,
}

const ROWS: &[Row] = &[
    Row { path: "dynamodb.<table>.replicas", when: any, what: "replicas are" },
    Row { path: "dynamodb.<table>.replica_consistency", when: any, what: "the consistency of replicas is" },
    Row { path: "dynamodb.<table>.witness", when: any, what: "a witness Region is" },
    Row { path: "dynamodb.tables.*.owner", when: any, what: "tables of another model are" },
    Row { path: "dynamodb.tables.*.external", when: |node| node.kind != Kind::Bool(false), what: "external tables are" },
    Row {
        path: "cql.engines",
        when: |node| node.items().iter().any(|engine| engine.as_str() != Some("cassandra-5.0")),
        what: "engines other than `cassandra-5.0` are",
    },
    Row { path: "cql.keyspace.regions", when: any, what: "Regions of a keyspace are" },
    Row { path: "cql.keyspace.tablets", when: any, what: "tablets are" },
    Row { path: "cql.tables.*.static", when: any, what: "static columns are" },
    Row { path: "cql.tables.*.indexes", when: any, what: "indexes in CQL are" },
    Row { path: "cql.tables.*.views", when: any, what: "materialized views are" },
    Row { path: "cql.<table>.compaction", when: any, what: "compaction is" },
    Row { path: "cql.<table>.compression", when: any, what: "compression is" },
    Row { path: "cql.<table>.caching", when: any, what: "caching is" },
    Row { path: "cql.<table>.gc_grace", when: any, what: "`gc_grace` is" },
    Row { path: "cql.<table>.cdc", when: any, what: "change data capture is" },
    Row { path: "cql.<table>.bloom_filter_fp_chance", when: any, what: "`bloom_filter_fp_chance` is" },
    Row { path: "cql.<table>.speculative_retry", when: any, what: "`speculative_retry` is" },
    Row { path: "cql.<table>.additional_write_policy", when: any, what: "`additional_write_policy` is" },
    Row { path: "cql.<table>.read_repair", when: any, what: "`read_repair` is" },
    Row { path: "cql.<table>.memtable", when: any, what: "`memtable` is" },
    Row { path: "cql.<table>.crc_check_chance", when: any, what: "`crc_check_chance` is" },
    Row { path: "cql.<table>.min_index_interval", when: any, what: "`min_index_interval` is" },
    Row { path: "cql.<table>.max_index_interval", when: any, what: "`max_index_interval` is" },
    Row { path: "cql.<table>.memtable_flush_period", when: any, what: "`memtable_flush_period` is" },
    Row { path: "cql.<table>.tombstone_gc", when: any, what: "`tombstone_gc` is" },
    Row { path: "cql.<table>.paxos_grace", when: any, what: "`paxos_grace` is" },
    Row { path: "cql.<table>.per_partition_rate_limit", when: any, what: "`per_partition_rate_limit` is" },
    Row { path: "cql.<table>.for_engine", when: any, what: "options for one engine are" },
    Row { path: "cql.<table>.billing", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.<table>.throughput", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.<table>.point_in_time_recovery", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.<table>.encryption", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.<table>.tags", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.tables.*.client_side_timestamps", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.tables.*.terraform_name", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.tables.*.logical_id", when: any, what: "settings of Amazon Keyspaces are" },
    Row { path: "cql.tables.*.external", when: |node| node.kind != Kind::Bool(false), what: "external tables are" },
];

/// The types that CQL columns cannot have yet.
fn column_type(kind: &AttributeType) -> Option<&'static str> {
    match kind {
        AttributeType::Tuple(_) => Some("tuples in CQL are"),
        AttributeType::Vector(..) => Some("vectors are"),
        AttributeType::User(_) => Some("user types in CQL are"),
        AttributeType::List(of) | AttributeType::Set(of) | AttributeType::Frozen(of) => column_type(of),
        AttributeType::Map(key, value) => column_type(key).or_else(|| column_type(value)),
        _ => None,
    }
}

fn any(_: &Node) -> bool {
    true
}

/// Reports what of a document is not built yet. Null stands for what is wrong anyway.
pub(super) fn check(root: &Node, sink: &mut Sink) {
    for row in ROWS {
        for path in [row.path.replace("<table>", "defaults"), row.path.replace("<table>", "tables.*")] {
            let segments: Vec<&str> = path.split('.').collect();
            visit(root, &segments, &mut |entry| {
                if entry.value.kind != Kind::Null && (row.when)(&entry.value) {
                    sink.push(Diagnostic::new(codes::NOT_YET, entry.key_span, format!("{} not built yet", row.what)));
                }
            });
            if !row.path.contains('<') {
                break;
            }
        }
    }
}

fn visit<'n>(node: &'n Node, path: &[&str], found: &mut dyn FnMut(&'n Entry)) {
    let Some((first, rest)) = path.split_first() else { return };
    for entry in node.entries().iter().filter(|entry| *first == "*" || entry.key == *first) {
        if rest.is_empty() {
            found(entry);
        } else {
            visit(&entry.value, rest, found);
        }
    }
}

/// Reports the columns whose type is not built yet.
pub(super) fn check_columns(model: &Model, sink: &mut Sink) {
    for table in model.cql.iter().flat_map(|section| section.tables.values()) {
        for entity in table.holds.iter().filter_map(|holding| model.entities.get(&holding.entity.value)) {
            let stored =
                |name: &str| table.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column.value == name));
            for (_, attribute) in entity.attributes.iter().filter(|(name, _)| stored(name)) {
                if let Some(what) = column_type(&attribute.kind) {
                    sink.push(
                        Diagnostic::new(codes::NOT_YET, attribute.span, format!("{what} not built yet"))
                            .context(table.span, "the table"),
                    );
                }
            }
        }
    }
}
