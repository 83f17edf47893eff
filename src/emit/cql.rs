//! CQL: one file an engine, `schema.cql`, the whole schema for an empty cluster.
//!
//! Statements say `CREATE`, never `CREATE … IF NOT EXISTS`: on a cluster that already has a table of the name, perhaps with
//! other columns, that would pass over it in silence and leave the schema another than this file. What brings an existing
//! cluster forward are the migrations.
//!
//! Types stand before what uses them, an index or a view behind its table, kept tables last.

mod context;
pub mod migration;
#[cfg(test)]
mod tests;

pub(crate) use context::{in_order, property, qualified, replication};

use super::engine::Templates;
use super::{Artifact, Project, Rendered, Verified, verify};
use crate::diagnostic::Diagnostic;
use crate::read;
use crate::schema::cql::Schema;
use crate::schema::{Address, Backend, Difference, Engine};

const ROOT: &str = "cql/schema.cql.j2";

/// Renders the schema, reads it back and compares.
pub fn emit(
    project: &Project,
    engine: Engine,
    schema: &Schema,
    templates: &Templates,
    verified: Verified<'_>,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    if schema.keyspaces.is_empty() && schema.extra.is_empty() {
        return Ok(Rendered::default());
    }
    let context = context::Document::new(project, engine, schema);
    let text = templates.render(ROOT, &context).map_err(|problem| vec![*problem])?;
    let path = format!("cql/{engine}/schema.cql").into();
    let artifact = Artifact { path, text, backend: Backend::Cql(engine) };
    let stands = verified.keyspaces(artifact.backend, schema, &artifact);
    let artifacts = vec![artifact];
    if stands {
        return Ok(Rendered { artifacts, completed: None });
    }
    let found = verify::read_back(&artifacts, read::cql::read)?;
    let normal = |written: &Schema| written.as_written().normalise(engine);
    let (expected, found) = (normal(schema), normal(&found));
    let words = |written: Schema| written.in_words_of(schema);
    let completed = verify::compare(schema, &words(expected), &words(found), templates, template)?;
    Ok(Rendered { artifacts, completed })
}

/// The template that prints an item.
fn template(difference: &Difference) -> &'static str {
    match &difference.address {
        Some(Address::Keyspace(_)) => "cql/keyspace.cql.j2",
        Some(Address::UserType(_)) => "cql/type.cql.j2",
        Some(Address::CqlTable(..)) => "cql/table.cql.j2",
        Some(Address::CqlIndex(..)) => "cql/index.cql.j2",
        Some(Address::View(..)) => "cql/view.cql.j2",
        _ => ROOT,
    }
}
