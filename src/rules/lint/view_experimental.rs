//! Materialized views of Cassandra, which its own documentation does not recommend.
//!
//! Sources: `cassandra.yaml` of 4.0 to 5.0 (`materialized_views_enabled: false`), and the warning that a node gives:
//! "Materialized views are experimental and are not recommended for production use."

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::{Address, Family};

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let Some(cql) = &facts.model.cql else { return };
    let Some(engine) = cql.engines.iter().find(|engine| engine.value.family() == Family::Cassandra) else { return };
    for (key, table) in cql.tables.iter().filter(|(_, table)| !table.external) {
        for (name, view) in &table.views {
            sink.push(
                Diagnostic::new(
                    codes::VIEW_EXPERIMENTAL,
                    view.span,
                    format!("view `{name}` is experimental on `{}`, and off unless cassandra.yaml says otherwise", engine.value),
                )
                .note("table and view can drift apart, and nothing repairs that")
                .help("write a table of its own for these reads")
                .at(Address::View(None, key.clone(), name.clone())),
            );
        }
    }
}
