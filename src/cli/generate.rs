//! From a model's text to its next generation and its files, in memory.

use super::Failure;
use super::workspace::{self, Workspace};
use crate::config::{Provider, Targets};
use crate::design::{self, Design};
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::emit::terraform::keyspaces::Beside;
use crate::emit::{self, Artifact, Project};
use crate::model::Model;
use crate::schema::{Backend, Format, Generation, Schema};
use crate::source::FileId;
use crate::validate;
use camino::Utf8Path;

/// A model and what it comes to.
pub(super) struct Designed {
    pub(super) model: Model,
    pub(super) design: Design,
}

/// Reads, checks and designs a model. None when its text is wrong; the sink says why.
pub(super) fn read(workspace: &mut Workspace, path: &Utf8Path, sink: &mut Sink) -> Result<Option<Designed>, Failure> {
    let text = workspace::read(path)?;
    let file = workspace.sources.add(path, text);
    Ok(text_of(workspace, file, sink))
}

/// The same for a text that was read already. The files it names are read with it; one that cannot be is an error of the text.
pub(super) fn text_of(workspace: &mut Workspace, file: FileId, sink: &mut Sink) -> Option<Designed> {
    for path in validate::named_files(&workspace.sources, file) {
        if let Some(text) = workspace::named(&path) {
            workspace.sources.add(path, text);
        }
    }
    let model = validate::load(&workspace.sources, file, sink)?;
    let design = design::design(&model, sink);
    (!sink.has_errors()).then_some(Designed { model, design })
}

/// What to generate for a model. Without a `gen.yaml` Terraform is for the lowest provider that can express it, which is said
/// when it is not the first.
pub(super) fn targets(workspace: &Workspace, design: &Design, sink: &mut Sink) -> Targets {
    let mut targets = workspace.config.targets.clone();
    if let (Some(target), Some(schema)) = (&mut targets.terraform, &design.dynamodb)
        && target.provider.is_none()
        && let Some(because) = emit::terraform::needs_6(schema)
    {
        target.provider = Some(Provider::Aws6);
        sink.push(because);
    }
    targets
}

/// The configured backends that a model is for.
pub(super) fn backends(targets: &Targets, model: &Model) -> Vec<Backend> {
    let engines = model.cql.iter().flat_map(|cql| &cql.engines);
    targets.dynamodb().into_iter().chain(engines.filter_map(|engine| targets.cql(engine.value))).collect()
}

/// The schema of each configured backend.
pub(super) fn generation(targets: &Targets, design: &Design) -> Generation {
    let mut generation = Generation::new();
    if let Some(schema) = &design.dynamodb {
        generation.extend(targets.dynamodb().into_iter().map(|backend| (backend, Schema::Dynamodb(schema.clone()))));
    }
    for (engine, schema) in &design.cql {
        generation.extend(targets.cql(*engine).map(|backend| (backend, Schema::Cql(schema.on(backend)))));
    }
    generation
}

/// What a generation says otherwise than the model does, as findings; what it cannot say are errors of rendering it.
pub(super) fn substitutes(generation: &Generation, sink: &mut Sink) {
    for (backend, schema) in generation {
        if let Schema::Cql(schema) = schema {
            let said = emit::keyspaces::lacks(schema, *backend).into_iter();
            sink.extend(said.filter(|problem| matches!(problem.severity, Severity::Finding(_))));
        }
    }
}

/// What templates may say about a model.
pub(super) fn project(model: &Model) -> Project {
    Project { name: model.name.value.clone(), description: model.description.clone() }
}

/// What else is in the Terraform module of a model.
fn beside<'g>(workspace: &Workspace, generation: &'g Generation) -> Beside<'g> {
    let dynamodb = generation.iter().find_map(|(backend, schema)| match schema {
        Schema::Dynamodb(schema) if backend.format() == Format::Terraform => Some(schema),
        _ => None,
    });
    let provider = workspace.config.targets.terraform.as_ref().and_then(|target| target.provider);
    dynamodb.map_or(Beside::Nothing { six: provider == Some(Provider::Aws6) }, Beside::Dynamodb)
}

/// Renders every backend of a generation; what a template loses is in the diagnostics.
pub(super) fn render(workspace: &Workspace, model: &Model, generation: &Generation) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    let project = project(model);
    let templates = &workspace.templates;
    let syntax = workspace.config.targets.cloudformation.as_ref().map(|target| target.format).unwrap_or_default();
    let mut artifacts = Vec::new();
    let mut problems = Vec::new();
    for (backend, schema) in generation {
        let rendered = match (schema, backend) {
            (Schema::Dynamodb(schema), backend) if backend.format() == Format::Terraform => {
                emit::terraform::emit(&project, schema, *backend, templates)
            }
            (Schema::Dynamodb(schema), _) => emit::cloudformation::emit(&project, schema, syntax, templates),
            (Schema::Cql(schema), Backend::Cql(engine)) => emit::cql::emit(&project, *engine, schema, templates),
            (Schema::Cql(schema), backend) if backend.format() == Format::Terraform => {
                emit::terraform::keyspaces::emit(&project, schema, beside(workspace, generation), templates)
            }
            (Schema::Cql(schema), _) => emit::cloudformation::keyspaces::emit(&project, schema, syntax, templates),
        };
        match rendered {
            Ok(files) => artifacts.extend(files),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(artifacts) } else { Err(problems) }
}
