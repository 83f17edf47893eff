//! Terraform modules: versions, variables, outputs, and one file a table.
//!
//! Everything is written out, also what is off: for some arguments of the provider "absent" means "as it was", for others
//! "off": without a `ttl` block provider 5.100.0 leaves the TTL on (`gen explain ttl-block-removed` and its like).

mod context;

use super::engine::Templates;
use super::terraform_fmt;
use super::{Artifact, Project, verify};
use crate::diagnostic::{Diagnostic, Label, codes};
use crate::schema::dynamodb::{GlobalIndex, Schema};
use crate::schema::{Address, Backend};
use serde::Serialize;

/// Renders the module, reads it back and compares it with the schema.
pub fn emit(
    project: &Project,
    schema: &Schema,
    backend: Backend,
    templates: &Templates,
) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    let provider = provider(schema, backend)?;
    let mut files = Files { backend, templates, artifacts: Vec::new(), problems: Vec::new() };
    let module = context::Module { header: &project.header(), project };
    files.add("versions", "versions", &module.versions(provider));
    if !schema.parameters.is_empty() {
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
    if !schema.kept.is_empty() {
        files.add("removed", "removed", &module.removed(schema));
    }
    if !files.problems.is_empty() {
        return Err(files.problems);
    }
    verify::terraform(schema, backend, &files.artifacts, templates)?;
    Ok(files.artifacts)
}

/// The provider versions that know all that the schema needs: 5.100 is the last minor version of 5 and the one all is run
/// against; `key_schema` came with 6.29.
fn provider(schema: &Schema, backend: Backend) -> Result<&'static str, Vec<Diagnostic>> {
    let compound = |index: &GlobalIndex| index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1;
    let with_compound_keys: Vec<(Address, &GlobalIndex)> = schema
        .tables
        .iter()
        .flat_map(|(key, table)| {
            table.global_indexes.iter().map(move |(name, index)| (Address::GlobalIndex(key.clone(), name.clone()), index))
        })
        .filter(|(_, index)| compound(index))
        .collect();
    match (backend, with_compound_keys.is_empty()) {
        (Backend::TerraformAws6, true) => Ok("~> 6.0"),
        (Backend::TerraformAws6, false) => Ok("~> 6.29"),
        (_, true) => Ok("~> 5.100"),
        (_, false) => Err(with_compound_keys
            .into_iter()
            .map(|(address, index)| {
                let message = format!("`{address}` has a key of several attributes, which provider 5 cannot write");
                let mut problem = Diagnostic::nowhere(codes::NOT_ON_PROVIDER, message).at(address.to_string());
                if let Some(span) = index.about.span {
                    problem.primary = Some(Label { span, text: String::new() });
                }
                problem.help("use `provider: aws-6`")
            })
            .collect()),
    }
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
