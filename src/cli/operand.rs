//! The operands of `gen diff`: a model, a lock, a directory, a native file, or one of these at a git ref.

use super::planned::{self, Place};
use super::workspace::{self, Workspace};
use super::{Failure, generate};
use crate::baseline::{Lock, Tree, git, is_model, lock, migrations};
use crate::config::Environment;
use crate::diagnostic::{Diagnostic, Sink, codes, first_in_words};
use crate::diff::{Origin, OriginKind};
use crate::emit::Verified;
use crate::read;
use crate::schema::dynamodb::{Resource, Template};
use crate::schema::{Backend, Engine, Format, Generation, NotRead, Releases, Schema, Store, cql};
use crate::source::{FileId, SourceMap, Span, normal};
use camino::{Utf8Path, Utf8PathBuf};
use std::sync::Arc;

/// Files that are named in one message; the rest is counted.
const NAMED: usize = 3;

/// One side of a diff.
pub(super) struct Operand {
    /// What it is.
    pub(super) origin: Origin,
    /// The model's name, else the file's.
    pub(super) name: String,
    content: Content,
    /// The texts that it was read from.
    files: Vec<FileId>,
    /// What of it may hold tables and was not read.
    pub(super) not_read: Vec<NotRead>,
    /// The names of the templates that it is.
    pub(super) templates: Vec<String>,
    /// The releases of the provider that a module of Terraform allows.
    pub(super) releases: Option<Releases>,
    /// Whether it is one file, which is compared as it is, whatever its place among others.
    is_alone: bool,
}

enum Content {
    /// A model or a lock: a schema for each backend it is for.
    Generation(Generation),
    /// Native files: a schema of each store in them, with the backends it may be deployed on.
    Native(Vec<(Schema, Vec<Backend>)>),
}

impl Operand {
    /// Whether it is what `gen` owns, so that dangerous changes to it block.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self.content, Content::Generation(_))
    }

    /// The backends it says of itself that it is for.
    pub(super) fn backends(&self) -> Vec<Backend> {
        match &self.content {
            Content::Generation(generation) => generation.keys().copied().collect(),
            Content::Native(schemas) => own(schemas),
        }
    }

    /// Takes over what an engine remembers of the statements that ran before.
    pub(super) fn remember(&mut self, history: &Self) -> Result<(), Failure> {
        let before = match &history.content {
            Content::Native(schemas) => schemas.iter().find_map(|(schema, _)| as_cql(schema)),
            Content::Generation(_) => None,
        };
        let Some(before) = before else {
            return Err(Failure::Other("--history takes CQL: a file of statements or a folder of migrations".to_owned()));
        };
        let schemas: Vec<&mut Schema> = match &mut self.content {
            Content::Generation(generation) => generation.values_mut().collect(),
            Content::Native(schemas) => schemas.iter_mut().map(|(schema, _)| schema).collect(),
        };
        for schema in schemas {
            if let Schema::Cql(schema) = schema {
                Arc::make_mut(schema).remember(before);
            }
        }
        Ok(())
    }

    /// Reads statements that go on where those of the other side end as what is run on what these have made.
    pub(super) fn run_on(&mut self, sources: &SourceMap, previous: &Self, engine: Option<Engine>) {
        let Content::Native(schemas) = &mut self.content else { return };
        let are_statements = previous.origin.kind == OriginKind::Cql && self.origin.kind == OriginKind::Cql;
        let own = schemas.iter_mut().find(|(schema, _)| are_statements && as_cql(schema).is_some());
        let Some((schema, _)) = own else { return };
        if let Some(run) = read::cql::run_on(sources, &previous.files, &self.files, engine) {
            *schema = run.into();
        }
    }

    /// Reads templates that name every Region again, when the other side tells which one is the stack's own.
    pub(super) fn find_own_region(&mut self, sources: &SourceMap, other: &Self) {
        let Content::Native(schemas) = &mut self.content else { return };
        let own =
            schemas.iter_mut().find_map(|(schema, _)| if let Schema::Dynamodb(schema) = schema { Some(schema) } else { None });
        let (Some(own), Some(Schema::Dynamodb(other))) = (own, other.schema(Backend::CloudformationGlobalTable)) else { return };
        if let Some(read) = read::cloudformation::read_beside(sources, &self.files, own, &other) {
            *own = Arc::new(read.schema);
            self.forget_templates();
        }
    }

    /// One template that is named alone is compared as it is.
    fn forget_templates(&mut self) {
        let Content::Native(schemas) = &mut self.content else { return };
        if !self.is_alone {
            return;
        }
        for (schema, _) in schemas {
            if let Schema::Dynamodb(schema) = schema {
                let tables = Arc::make_mut(schema).tables.values_mut();
                tables.for_each(|table| table.template = Template::default());
            }
        }
    }

    /// What it says for a backend: its own schema for it, else one of the same store.
    pub(super) fn schema(&self, backend: Backend) -> Option<Schema> {
        match &self.content {
            Content::Generation(generation) => generation.get(&backend).or_else(|| same_store(generation, backend)).cloned(),
            Content::Native(schemas) => {
                schemas.iter().map(|(schema, _)| schema).find(|schema| store(schema) == backend.store()).cloned()
            }
        }
    }
}

/// All backends that native files are for.
fn own(schemas: &[(Schema, Vec<Backend>)]) -> Vec<Backend> {
    schemas.iter().flat_map(|(_, backends)| backends).copied().collect()
}

fn as_cql(schema: &Schema) -> Option<&cql::Schema> {
    if let Schema::Cql(schema) = schema { Some(schema) } else { None }
}

fn same_store(generation: &Generation, backend: Backend) -> Option<&Schema> {
    let formats = generation.iter().filter(|(own, _)| own.format() == backend.format());
    let stores = generation.iter().filter(|(own, _)| own.store() == backend.store());
    formats.chain(stores).map(|(_, schema)| schema).next()
}

fn store(schema: &Schema) -> Store {
    match schema {
        Schema::Dynamodb(_) => Store::Dynamodb,
        Schema::Cql(_) => Store::Cql,
    }
}

/// As what operands are read.
#[derive(Clone, Copy, Default)]
pub(super) struct As<'a> {
    /// A model as it is in an environment.
    pub(super) environment: Option<(&'a str, &'a Environment)>,
    /// Statements as what an engine makes of them.
    pub(super) engine: Option<Engine>,
}

/// Reads an operand. None when its text is wrong; the sink says why.
pub(super) fn read(workspace: &mut Workspace, text: &str, as_of: As<'_>, sink: &mut Sink) -> Result<Option<Operand>, Failure> {
    let mut reference = None;
    let mut path = Utf8Path::new(text).to_owned();
    let mut tree = None;
    if path.is_dir() {
        tree = Some(Tree::read(&mut workspace.sources, &path)?);
    } else if let (false, Some((at, named))) = (path.exists(), text.split_once(':')) {
        path = normal(Utf8Path::new(named));
        tree = git::folder(&mut workspace.sources, at, &path)?;
        reference = Some(at.to_owned());
    }
    let (first, files) = match (&tree, &reference) {
        (Some(tree), _) => in_folder(workspace, tree, text, sink)?,
        (None, Some(at)) => (path.clone(), vec![workspace.sources.add(text, git::show(at, &path)?)]),
        (None, None) => (path.clone(), vec![workspace.sources.add(&path, workspace::read(&path)?)]),
    };
    let named = if tree.is_some() { path.join(&first) } else { first };
    let place = reference.as_deref().map_or(Place::Here, Place::At);
    let Some(mut operand) = texts(workspace, place, &named, &files, as_of, sink) else { return Ok(None) };
    operand.origin.reference = reference;
    operand.is_alone = tree.is_none();
    operand.forget_templates();
    if tree.is_some() && operand.origin.kind != OriginKind::Lock {
        operand.origin.path = Some(path);
    }
    Ok(Some(operand))
}

/// The languages of native files, the one that a folder is most surely of first: a module or a schema may have templates and
/// statements beside it that something else runs.
const FORMATS: [(Format, &str); 3] =
    [(Format::Terraform, "Terraform"), (Format::Cql, "CQL"), (Format::Cloudformation, "CloudFormation")];

/// What is in a folder: its lock, else its native files of one format, else its one model. With the path of the first one.
fn in_folder(workspace: &Workspace, tree: &Tree, named: &str, sink: &mut Sink) -> Result<(Utf8PathBuf, Vec<FileId>), Failure> {
    let lock = Utf8Path::new(lock::NAME);
    if let Some(file) = tree.text(lock)? {
        return Ok((lock.to_owned(), vec![file]));
    }
    let native = |(format, name)| -> (&str, Vec<Utf8PathBuf>) {
        (name, tree.native(&workspace.sources, format).map(Utf8Path::to_owned).collect())
    };
    let mut found = FORMATS.into_iter().map(native).filter(|(_, files)| !files.is_empty());
    let Some((name, mut chosen)) = found.next() else { return only_model(workspace, tree, named) };
    for (other, files) in found {
        let Some(first) = files.first().map(|first| tree.text(first)).transpose()?.flatten() else { continue };
        let names = first_in_words(files.iter().map(|path| tree.shown(path)), NAMED);
        let message = format!("{named} is read as {name}; its {other} is not: {names}");
        let finding = Diagnostic::new(codes::NOT_READ, Span::new(first, 0, 0), message);
        sink.push(finding.help("compare it by itself, where it makes tables"));
    }
    migrations::forward(&mut chosen);
    migrations::in_order(&mut chosen);
    let mut files = Vec::new();
    for path in &chosen {
        files.extend(tree.text(path)?);
    }
    Ok((chosen.into_iter().next().unwrap_or_default(), files))
}

/// The model in a folder that holds nothing else to compare.
fn only_model(workspace: &Workspace, tree: &Tree, named: &str) -> Result<(Utf8PathBuf, Vec<FileId>), Failure> {
    let mut models = Vec::new();
    for path in tree.paths().filter(|path| path.components().count() == 1) {
        models.extend(tree.text(path)?.filter(|file| is_model(&workspace.sources, *file)).map(|file| (path, file)));
    }
    match models.as_slice() {
        [] => Err(Failure::Other(format!("{named} holds no lock and no Terraform, CloudFormation or CQL file"))),
        [(path, file)] => Ok(((*path).to_owned(), vec![*file])),
        _ => {
            let names = first_in_words(models.iter().map(|(path, _)| tree.shown(path)), NAMED);
            Err(Failure::Other(format!("{named} holds several models, {names}: name the one that is meant")))
        }
    }
}

/// Reads texts of one kind: told by the name, and for YAML and JSON by what is in it.
fn texts(
    workspace: &mut Workspace,
    place: Place<'_>,
    path: &Utf8Path,
    files: &[FileId],
    as_of: As<'_>,
    sink: &mut Sink,
) -> Option<Operand> {
    let sources = &workspace.sources;
    let first = *files.first()?;
    let name = path.file_stem().unwrap_or(path.as_str()).to_owned();
    let operand = |kind, name, content| {
        let origin = Origin { kind, path: Some(path.to_owned()), reference: None };
        Operand {
            origin,
            name,
            content,
            files: files.to_vec(),
            not_read: Vec::new(),
            releases: None,
            templates: Vec::new(),
            is_alone: false,
        }
    };
    if lock::is_lock(path, sources.text(first)) {
        let lock = Lock::read(sources, first, sink)?;
        return Some(operand(OriginKind::Lock, lock.model.clone(), Content::Generation(lock.in_force())));
    }
    match Format::of(path) {
        Some(Format::Terraform) => {
            let module = read::terraform::read(sources, files, sink)?;
            let both = vec![Backend::TerraformAws5, Backend::TerraformAws6];
            let backends = module.backend.map_or(both, |backend| vec![backend]);
            let schemas = both_stores((module.schema, backends), (module.keyspaces, Backend::KeyspacesTerraform));
            let operand = operand(OriginKind::Terraform, name, Content::Native(schemas));
            Some(Operand { not_read: module.not_read, releases: module.releases, ..operand })
        }
        Some(Format::Cql) => {
            let schema = read::cql::apply(sources, files, as_of.engine, cql::Schema::default(), sink)?;
            let backends = vec![Backend::Cql(as_of.engine.unwrap_or(Engine::Cassandra50))];
            Some(operand(OriginKind::Cql, name, Content::Native(vec![(schema.into(), backends)])))
        }
        Some(Format::Cloudformation) if files.len() > 1 || !is_model(sources, first) => {
            let template = read::cloudformation::read_all(sources, files, sink)?;
            let backends = vec![resource_backend(&template.schema)];
            let schemas = both_stores((template.schema, backends), (template.keyspaces, Backend::KeyspacesCloudformation));
            let operand = operand(OriginKind::Cloudformation, name, Content::Native(schemas));
            let names = files.iter().filter_map(|file| sources.path(*file).file_name());
            let templates = names.map(str::to_owned).collect();
            Some(Operand { not_read: template.not_read, templates, ..operand })
        }
        _ => {
            let designed = planned::alone(workspace, place, first, as_of.environment, sink)?;
            let mut generation = generate::generation(&designed.targets, designed.design, &[]);
            // What templates add is a part of what the model comes to.
            if workspace.templates.own().next().is_some() {
                let project = generate::project(&designed.model, as_of.environment.map(|(name, _)| name));
                match generate::render(workspace, &project, &generation, Verified::default()) {
                    Ok(output) => generation = output.in_force(&generation),
                    Err(problems) => {
                        sink.extend(problems);
                        return None;
                    }
                }
            }
            Some(operand(OriginKind::Model, designed.model.name.value, Content::Generation(generation)))
        }
    }
}

/// What infrastructure code holds of each store: DynamoDB, unless all of it is Amazon Keyspaces.
fn both_stores(
    (dynamodb, backends): (crate::schema::dynamodb::Schema, Vec<Backend>),
    (keyspaces, backend): (cql::Schema, Backend),
) -> Vec<(Schema, Vec<Backend>)> {
    let mut schemas = Vec::new();
    let any = keyspaces != cql::Schema::default();
    if !any || dynamodb != crate::schema::dynamodb::Schema::default() {
        schemas.push((dynamodb.into(), backends));
    }
    if any {
        schemas.push((keyspaces.into(), vec![backend]));
    }
    schemas
}

/// A template's backend, by the resource types in it. Of one with both types each table has its own.
fn resource_backend(schema: &crate::schema::dynamodb::Schema) -> Backend {
    let mut tables = schema.tables.values();
    let global = !schema.tables.is_empty() && tables.all(|table| table.resource == Resource::GlobalTable);
    if global { Backend::CloudformationGlobalTable } else { Backend::CloudformationTable }
}
