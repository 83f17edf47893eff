//! From a design to its generation and its files, in memory.

use super::workspace::Workspace;
use crate::config::{Config, Provider, Targets};
use crate::design::Design;
use crate::diagnostic::{Diagnostic, Sink};
use crate::emit::{self, Artifact, Project};
use crate::model::Model;
use crate::schema::{Backend, Engine, Format, Generation, Schema};

/// What to generate for a model. Without a `gen.yaml` Terraform is for the lowest provider that can express it, which is said
/// when it is not the first.
pub(super) fn targets(config: &Config, design: &Design, sink: &mut Sink) -> Targets {
    let mut targets = config.targets.clone();
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
        let schema = Schema::from(schema.clone());
        generation.extend(targets.dynamodb().into_iter().map(|backend| (backend, schema.clone())));
    }
    for (engine, schema) in design.cql.iter().filter(|(_, schema)| !schema.keyspaces.is_empty()) {
        generation.extend(targets.cql(*engine).map(|backend| (backend, schema.clone().into())));
    }
    generation
}

/// What templates may say about a model.
pub(super) fn project(model: &Model, environment: Option<&str>) -> Project {
    Project {
        name: model.name.value.clone(),
        environment: environment.map(str::to_owned),
        description: model.description.clone(),
    }
}

/// Renders every backend of a generation; what a template loses is in the diagnostics.
pub(super) fn render(
    workspace: &Workspace,
    project: &Project,
    generation: &Generation,
) -> Result<Vec<Artifact>, Vec<Diagnostic>> {
    let templates = &workspace.templates;
    let syntax = workspace.config.targets.cloudformation.as_ref().map(|target| target.format).unwrap_or_default();
    let mut artifacts = Vec::new();
    let mut problems = Vec::new();
    for (backend, schema) in generation {
        let rendered = match (schema, backend) {
            (Schema::Dynamodb(schema), backend) if backend.format() == Format::Terraform => {
                emit::terraform::emit(project, schema, *backend, templates)
            }
            (Schema::Dynamodb(schema), _) => emit::cloudformation::emit(project, schema, syntax, templates),
            (Schema::Cql(schema), Backend::Cql(engine)) => emit::cql::emit(project, *engine, schema, templates),
            (Schema::Cql(schema), _) => emit::cql::emit(project, Engine::Keyspaces, schema, templates),
        };
        match rendered {
            Ok(files) => artifacts.extend(files),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(artifacts) } else { Err(problems) }
}
