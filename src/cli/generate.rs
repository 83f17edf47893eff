//! From a design to its generation and its files, in memory.

use super::workspace::Workspace;
use crate::config::{Config, Provider, Targets};
use crate::design::Design;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::emit::terraform::keyspaces::Beside;
use crate::emit::{self, Artifact, Project, Rendered, Verified};
use crate::model::Model;
use crate::schema::dynamodb::{Resource, Template};
use crate::schema::{Backend, Engine, Format, Generation, Schema, cql, dynamodb};

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

/// The schema of each configured backend, and of those that are not configured any more and keep what they have: `deployed`.
pub(super) fn generation(targets: &Targets, design: Design, deployed: &[Backend]) -> Generation {
    let mut generation = Generation::new();
    if let Some(schema) = design.dynamodb {
        // The formats have one schema: what a table is as a resource, another format passes over.
        let schema = Schema::from(as_resources(targets, schema));
        generation.extend(targets.dynamodb().into_iter().map(|backend| (backend, schema.clone())));
    }
    for (engine, schema) in design.cql.into_iter().filter(|(_, schema)| !schema.keyspaces.is_empty()) {
        let left = || deployed.iter().copied().find(|backend| backend.engine() == Some(engine));
        generation.extend(targets.cql(engine).or_else(left).map(|backend| {
            let own = if engine == Engine::Keyspaces { schema.on(backend) } else { schema };
            (backend, own.into())
        }));
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

/// Gives each new table the CloudFormation template that it stays in.
pub(super) fn divide(workspace: &Workspace, project: &Project, targets: &Targets, schema: &mut dynamodb::Schema) {
    let Some(target) = &targets.cloudformation else {
        schema.tables.values_mut().for_each(|table| table.template = Template::FIRST);
        return;
    };
    if schema.tables.values().all(|table| table.template.is_known()) {
        return;
    }
    let mut made = as_resources(targets, schema.clone());
    emit::cloudformation::divide(project, &mut made, target.format, &workspace.templates);
    for (table, made) in schema.tables.values_mut().zip(made.tables.values()) {
        table.template = made.template;
    }
}

/// A schema with its tables as the CloudFormation resources that are asked for.
fn as_resources(targets: &Targets, mut schema: dynamodb::Schema) -> dynamodb::Schema {
    if targets.cloudformation.as_ref().is_some_and(|target| target.resource == Resource::GlobalTable) {
        schema.tables.values_mut().for_each(|table| table.resource = Resource::GlobalTable);
    }
    schema
}

/// What templates may say about a model.
pub(super) fn project(model: &Model, environment: Option<&str>) -> Project {
    Project {
        name: model.name.value.clone(),
        environment: environment.map(str::to_owned),
        description: model.description.clone(),
    }
}

/// The files of a generation, and what the templates made of it.
pub(super) struct Output {
    pub(super) artifacts: Vec<Artifact>,
    /// The backends whose schema the templates added to, with the whole.
    pub(super) completed: Generation,
}

impl Output {
    /// The schema of each backend, with what templates added.
    pub(super) fn in_force(&self, generation: &Generation) -> Generation {
        generation.clone().into_iter().chain(self.completed.clone()).collect()
    }
}

/// What else is in the Terraform module of a model.
fn beside<'g>(workspace: &Workspace, generation: &'g Generation) -> Beside<'g> {
    let dynamodb = generation.iter().find_map(|(backend, schema)| match schema {
        Schema::Dynamodb(schema) if backend.format() == Format::Terraform => Some(schema.as_ref()),
        _ => None,
    });
    let provider = workspace.config.targets.terraform.as_ref().and_then(|target| target.provider);
    dynamodb.map_or(Beside::Nothing { six: provider == Some(Provider::Aws6) }, Beside::Dynamodb)
}

/// Renders every backend of a generation; what a template loses is in the diagnostics.
pub(super) fn render(
    workspace: &Workspace,
    project: &Project,
    generation: &Generation,
    verified: Verified<'_>,
) -> Result<Output, Vec<Diagnostic>> {
    let templates = &workspace.templates;
    let syntax = workspace.config.targets.cloudformation.as_ref().map(|target| target.format).unwrap_or_default();
    let tables = |rendered: Rendered<dynamodb::Schema>| (rendered.artifacts, rendered.completed.map(Schema::from));
    let keyspaces = |rendered: Rendered<cql::Schema>| (rendered.artifacts, rendered.completed.map(Schema::from));
    let mut output = Output { artifacts: Vec::new(), completed: Generation::new() };
    let mut problems = Vec::new();
    for (backend, schema) in generation {
        let rendered = match (schema, backend) {
            (Schema::Dynamodb(schema), backend) if backend.format() == Format::Terraform => {
                emit::terraform::emit(project, schema, *backend, templates, verified).map(tables)
            }
            (Schema::Dynamodb(schema), _) => emit::cloudformation::emit(project, schema, syntax, templates, verified).map(tables),
            (Schema::Cql(schema), Backend::Cql(engine)) => {
                emit::cql::emit(project, *engine, schema, templates, verified).map(keyspaces)
            }
            (Schema::Cql(schema), backend) if backend.format() == Format::Terraform => {
                emit::terraform::keyspaces::emit(project, schema, beside(workspace, generation), templates).map(keyspaces)
            }
            (Schema::Cql(schema), _) => emit::cloudformation::keyspaces::emit(project, schema, syntax, templates).map(keyspaces),
        };
        match rendered {
            Ok((artifacts, completed)) => {
                output.artifacts.extend(artifacts);
                output.completed.extend(completed.map(|schema| (*backend, schema)));
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(output) } else { Err(problems) }
}
