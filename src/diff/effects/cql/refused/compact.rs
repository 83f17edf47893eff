//! Tables that COMPACT STORAGE cannot hold.
//!
//! Sources: Cassandra `CreateTableStatement.java` (each rule run on 4.0.19, 4.1.10 and 5.0.9); ScyllaDB
//! `create_table_statement.cc`, `db/config.cc`.

use super::{Facts, Part};
use crate::diff::Action;
use crate::schema::cql::{OptionValue, Table, Type};
use crate::schema::{Backend, Family};

/// What is wrong with a new table of that layout.
pub(super) fn part(facts: &Facts<'_>, table: &Table) -> Option<Part> {
    let Backend::Cql(engine) = facts.backend else { return None };
    if !is_compact(table) {
        return None;
    }
    let why = match engine.family() {
        Family::Cassandra => flaw(table)?,
        Family::Scylla => "",
        // What it makes of the layout is not documented.
        Family::Keyspaces => return None,
    };
    Some(Part::new("def-compact", said(why)))
}

/// What is wrong with adding or dropping a column of a table of that layout, before the layout is given up.
pub(super) fn altered(facts: &Facts<'_>, action: Action) -> Option<Part> {
    let tables = facts.both()?;
    let is_cassandra = matches!(facts.backend, Backend::Cql(engine) if engine.family() == Family::Cassandra);
    if !is_cassandra || !is_compact(tables.previous) || !is_compact(tables.next) {
        return None;
    }
    let why = match action {
        Action::Add => "No column can be added to it.",
        // A node of 4.1.10 and of 5.0.9 ends in an IndexOutOfBoundsException.
        Action::Drop if !tables.previous.clustering.is_empty() => "Its one column beside its key cannot be dropped.",
        _ => return None,
    };
    Some(Part::new("def-compact", said(why)))
}

fn said(why: &str) -> String {
    format!("COMPACT STORAGE: {why}").trim_end().to_owned()
}

/// Whether a table is laid out that way.
pub(super) fn is_compact(table: &Table) -> bool {
    table.options.get("compact_storage") == Some(&OptionValue::Bool(true))
}

fn flaw(table: &Table) -> Option<&'static str> {
    let others = || table.columns.iter().filter(|(name, _)| !table.is_key(name)).map(|(_, column)| column);
    let has_cells = |kind: &Type| kind.is_multi_cell_collection() || matches!(kind, Type::User(_));
    if others().any(|column| column.is_static) {
        Some("It has a static column.")
    } else if others().any(|column| has_cells(&column.kind)) {
        Some("It has a collection or a user type that is not frozen.")
    } else {
        match (table.clustering.is_empty(), others().count()) {
            (true, 0) => Some("It has no column beside its key."),
            (false, 2..) => Some("It has clustering columns, and more than one column beside its key."),
            _ => None,
        }
    }
}
