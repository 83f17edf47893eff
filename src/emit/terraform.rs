//! Terraform modules: versions, variables, outputs, and one file a table.
//!
//! Everything is written out, also what is off: for some arguments of the provider "absent" means "as it was", for others
//! "off": without a `ttl` block provider 5.100.0 leaves the TTL on (`gen explain ttl-block-removed` and its like).

mod companion;
mod context;
pub mod keyspaces;
mod provider;

pub use provider::needs_6;

use super::engine::Templates;
use super::terraform_fmt;
use super::{Artifact, Project, Rendered, Verified, verify};
use crate::diagnostic::Diagnostic;
use crate::schema::Backend;
use crate::schema::dynamodb::Schema;
use serde::Serialize;

/// Renders the module, reads it back and compares it with the schema.
pub fn emit(
    project: &Project,
    schema: &Schema,
    backend: Backend,
    templates: &Templates,
    verified: Verified<'_>,
) -> Result<Rendered<Schema>, Vec<Diagnostic>> {
    let versions = provider::versions(schema, backend)?;
    let verified = verified.tables(backend, schema);
    let schema = &provider::as_written(schema, backend);
    let mut files = Files { backend, templates, artifacts: Vec::new(), problems: Vec::new() };
    let module = context::Module { header: &project.header(), project };
    files.add("versions", "versions", &module.versions(versions));
    // A team may have variables of its own.
    if !schema.parameters.is_empty() || templates.replaced("terraform/variables.tf.j2").is_some() {
        files.add("variables", "variables", &module.variables(schema));
    }
    if !schema.tables.is_empty() {
        files.add("outputs", "outputs", &module.outputs(schema));
    }
    for table in schema.tables.values() {
        files.add("table", &format!("table_{}", table.terraform_name), &module.table(table));
    }
    if !schema.moved.is_empty() {
        files.add("moved", "moved", &module.moved(schema));
    }
    if !schema.imported.is_empty() {
        files.add("imports", "imports", &module.imports(schema));
    }
    if !schema.kept.is_empty() || !schema.removed.is_empty() {
        files.add("removed", "removed", &module.removed(schema));
    }
    if !files.problems.is_empty() {
        return Err(files.problems);
    }
    let completed = verify::terraform(schema, backend, &files.artifacts, templates, verified)?;
    Ok(Rendered { artifacts: files.artifacts, completed })
}

/// Where the files of one module gather.
struct Files<'a> {
    backend: Backend,
    templates: &'a Templates,
    artifacts: Vec<Artifact>,
    problems: Vec<Diagnostic>,
}

impl Files<'_> {
    fn add(&mut self, template: &str, file: &str, context: &impl Serialize) {
        match self.templates.render(&format!("terraform/{template}.tf.j2"), context) {
            Ok(text) => self.artifacts.push(Artifact {
                path: format!("terraform/{file}.tf").into(),
                text: terraform_fmt::format(&text),
                backend: self.backend,
            }),
            Err(problem) => self.problems.push(*problem),
        }
    }
}

#[cfg(test)]
mod tests;
