//! From pairs of items to changes: one for each table, index, column or property that differs.

mod cql;
mod dynamodb;

pub(super) use cql::{compare as cql, renamed_keys, whole_table as whole_cql_table};
pub(super) use dynamodb::{Differing, compare as dynamodb, whole_table as whole_dynamodb_table};

use super::properties::Properties;

/// A whole item as a change shows it: without the properties that are only the name it is addressed by, or bookkeeping.
fn shown(mut properties: Properties, hidden: &[&str]) -> serde_json::Value {
    properties.retain(|path, _| !hidden.contains(&path.head.as_str()));
    properties.into_iter().map(|(path, value)| (path.to_string(), value)).collect()
}
