//! Terraform modules: `aws_dynamodb_table` with variables, `moved`, `import` and `removed` blocks.
//!
//! Literals, variables and expressions become [`Text`](crate::schema::Text) and [`Value`](crate::schema::Value). Local values
//! and the defaults of variables are followed where they are literal. What is not modelled, or only Terraform can compute, is
//! carried along as source text under its path (`import_table.input_format`).

mod apart;
mod behind;
mod capacity;
mod companion;
mod elsewhere;
mod fields;
mod function;
mod index;
mod json;
mod keyspaces;
mod module;
mod place;
mod provider;
mod refactoring;
mod replica;
mod scope;
mod syntax;
mod table;
mod variable;

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::schema::dynamodb::{self, Schema, Table};
use crate::schema::{Backend, NotRead, Releases, cql};
use crate::source::{FileId, SourceMap, Span};
use camino::Utf8Path;
use companion::Companions;
use fields::Source;
use keyspaces::Keyspaces;
use scope::Scope;
use syntax::{Block, Body, Name};

/// What the files of one module say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Its tables of DynamoDB, by label.
    pub schema: Schema,
    /// Its keyspaces of Amazon Keyspaces, by name, their tables by label.
    pub keyspaces: cql::Schema,
    /// The provider profile its version constraint asks for; None when it says nothing.
    pub backend: Option<Backend>,
    /// The releases of the provider that the constraint allows.
    pub releases: Option<Releases>,
    /// What may hold tables of it and was not read.
    pub not_read: Vec<NotRead>,
}

/// Reads the files of one module. Other resources are passed over.
/// None, after at least one error, when a text is not Terraform or contradicts itself.
pub fn read(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<Module> {
    let mut bodies: Vec<Parsed<'_>> = Vec::new();
    let (in_json, files): (Vec<FileId>, Vec<FileId>) =
        files.iter().copied().partition(|file| has_extension(sources.path(*file), "json"));
    let (overrides, files): (Vec<FileId>, Vec<FileId>) =
        files.into_iter().partition(|file| elsewhere::is_override(sources.path(*file)));
    let mut failed = files.is_empty() && !(in_json.is_empty() && overrides.is_empty());
    sink.extend(elsewhere::json_not_read(sources, &in_json, failed));
    sink.extend(elsewhere::overrides_not_read(sources, &overrides, failed));
    for file in files {
        let source = Source { file, text: sources.text(file) };
        match syntax::parse(source) {
            Ok(body) => bodies.push((source, body)),
            Err(problems) => {
                failed = true;
                for problem in problems {
                    sink.push(problem);
                }
            }
        }
    }
    let (values, bodies) = values_apart(sources, bodies);
    let blocks: Vec<(Source<'_>, &Block<'_>)> =
        bodies.iter().flat_map(|(source, body)| body.blocks().map(move |block| (*source, block))).collect();
    let scope = Scope::new(&blocks, &values);
    let mut reader = Reader { sources, scope, sink, failed, not_placed: Vec::new(), module: Module::default() };
    let mut modules = Vec::new();
    let mut companions = Companions::default();
    let mut keyspaces = Keyspaces::default();
    for &(source, block) in &blocks {
        reader.block(source, block);
        match (block.ident.as_str(), block.labels.first()) {
            ("resource", Some(kind)) => {
                companions.take(source, block, kind.as_str());
                keyspaces.take(source, block, kind.as_str());
            }
            ("module", Some(_)) if !module::makes_a_table(block) => modules.push((source, block)),
            _ => {}
        }
    }
    reader.companions(&companions);
    reader.keyspaces(&keyspaces);
    reader.forget_other_modules();
    for (source, block) in blocks {
        reader.still_there(source, block);
    }
    reader.carry_what_stands_behind();
    reader.modules_not_read(&modules);
    let is_configuration = |file: &FileId| sources.path(*file).as_str().ends_with(".tf.json");
    reader.module.not_read.extend(in_json.iter().any(is_configuration).then_some(NotRead::Anything));
    reader.resources_not_placed();
    (!reader.failed).then_some(reader.module)
}

/// A file that was parsed.
type Parsed<'a> = (Source<'a>, Body<'a>);

/// The files of values, in the order in which one replaces another, and the files of the module.
fn values_apart<'a>(sources: &SourceMap, bodies: Vec<Parsed<'a>>) -> (Vec<Parsed<'a>>, Vec<Parsed<'a>>) {
    let path = |source: Source<'_>| sources.path(source.file);
    let (mut values, bodies): (Vec<_>, Vec<_>) =
        bodies.into_iter().partition(|(source, _)| has_extension(path(*source), "tfvars"));
    values.sort_by_key(|(source, _)| (path(*source).as_str().ends_with(".auto.tfvars"), path(*source)));
    (values, bodies)
}

/// Whether a path has an extension. To take it apart is much for each file of a module, and most do not end so.
fn has_extension(path: &Utf8Path, extension: &str) -> bool {
    path.as_str().ends_with(extension) && path.extension() == Some(extension)
}

/// What the reading of one module needs everywhere.
struct Reader<'a> {
    sources: &'a SourceMap,
    scope: Scope<'a>,
    sink: &'a mut Sink,
    failed: bool,
    /// The resources of which it is not known what they belong to.
    not_placed: Vec<(Span, String)>,
    module: Module,
}

impl<'a> Reader<'a> {
    fn block(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let labels: Vec<&str> = block.labels.iter().map(Name::as_str).collect();
        match (block.ident.as_str(), labels.as_slice()) {
            ("module", [name]) if module::makes_a_table(block) => {
                if let Some(table) = self.table_of_module(source, block, name) {
                    self.take(source, block, table);
                }
            }
            ("resource", ["aws_dynamodb_table", label]) => {
                let table = self.table(source, block, label);
                self.take(source, block, table);
            }
            ("variable", [name]) => {
                if let Some(parameter) = self.parameter(source, block, name) {
                    self.module.schema.parameters.insert((*name).to_owned(), parameter);
                }
            }
            ("terraform", []) => {
                if let Some(releases) = provider::releases(block) {
                    self.module.releases = Some(releases);
                    self.module.backend = provider::backend(releases).or(self.module.backend);
                }
            }
            ("moved", []) => self.moved(source, block),
            ("import", []) => self.import(source, block),
            ("removed", []) => self.removed(source, block),
            _ => {}
        }
    }

    fn take(&mut self, source: Source<'a>, block: &'a Block<'a>, table: Table) {
        let label = table.terraform_name.clone();
        if let Some(previous) = self.module.schema.tables.get(&label) {
            let message = format!("`{}` is defined twice", dynamodb::terraform_address(&label));
            let mut problem = Diagnostic::new(codes::DUPLICATE_NAME, source.span(&block.ident), message);
            if let Some(span) = previous.about.span {
                problem = problem.context(span, "the first one");
            }
            self.fail(problem);
        } else {
            self.module.schema.tables.insert(label, table);
        }
    }

    /// An error of the text at a place.
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.fail(Diagnostic::new(codes::BAD_TERRAFORM, span, message));
    }

    fn fail(&mut self, problem: Diagnostic) {
        self.failed = true;
        self.sink.push(problem);
    }

    /// Says that something is known only to Terraform.
    fn not_evaluated(&mut self, span: Span, what: &str) {
        let message = format!("`{what}` is computed by Terraform and not evaluated here; it is kept as text");
        self.sink.push(Diagnostic::new(codes::NOT_EVALUATED, span, message));
    }
}

#[cfg(test)]
mod tests;
