//! What format 1 leaves out on purpose, and the way round it (section 13).

use crate::diagnostic::{Diagnostic, codes};
use crate::source::Entry;

/// The section, the keys people try there, and the way round.
const KEYS: &[(&str, &[&str], &str)] = &[
    (
        "dynamodb",
        &["vector_indexes", "vector_secondary_indexes", "vector_index"],
        "keep vectors in a store that searches them, fed by the table's stream",
    ),
    (
        "dynamodb",
        &["import", "import_table", "import_source"],
        "import once with the AWS command line, then adopt the table with `terraform_name` or `logical_id`",
    ),
    ("dynamodb", &["export", "export_to_s3"], "export with the AWS command line; it needs `point_in_time_recovery`"),
    (
        "dynamodb",
        &[
            "restore",
            "restore_source",
            "restore_source_name",
            "restore_source_table_arn",
            "restore_to_latest_time",
            "restore_date_time",
        ],
        "restore with the AWS command line, then adopt the table",
    ),
    ("cql", &["functions", "function"], "keep `CREATE FUNCTION` in a file of your own"),
    ("cql", &["aggregates", "aggregate"], "keep `CREATE AGGREGATE` in a file of your own"),
    ("cql", &["roles", "role", "users"], "keep `CREATE ROLE` in a file of your own"),
    ("cql", &["permissions", "permission", "grants", "grant"], "keep `GRANT` in a file of your own"),
    ("cql", &["keyspaces"], "one model is one keyspace: put the other tables into a model of their own"),
];

/// The diagnostic for a key that format 1 has no word for.
pub(super) fn unknown_key(path: &[String], entry: &Entry) -> Option<Diagnostic> {
    let section = path.first()?;
    let (.., way) = KEYS.iter().find(|(owner, keys, _)| owner == section && keys.contains(&entry.key.as_str()))?;
    Some(Diagnostic::new(codes::NOT_IN_FORMAT, entry.key_span, format!("`{}` is not in format 1", entry.key)).help(*way))
}
