//! What models come to, before anything that was there is looked at: once for all environments that differ in nothing but
//! the defaults of variables.

use super::groups::{self, Group};
use super::neighbours::Place;
use super::sharing;
use super::texts::Text;
use crate::cli::generate;
use crate::cli::workspace::Workspace;
use crate::config::{Environment, Targets};
use crate::design::{self, Design};
use crate::diagnostic::{Diagnostic, Sink};
use crate::model::Model;
use crate::schema::Scalar;
use crate::source::FileId;
use crate::validate::{self, Together, Values};
use std::collections::BTreeMap;

/// A model in an environment, and what it comes to.
#[derive(Clone)]
pub(in crate::cli) struct Designed {
    pub(in crate::cli) model: Model,
    pub(in crate::cli) design: Design,
    pub(in crate::cli) targets: Targets,
    /// Tables of it that other models share, each with the name of one of them.
    pub(in crate::cli) sharers: Vec<(String, String)>,
}

/// What there is to say about a model in each environment, with the model when it is good there.
pub(in crate::cli) type InEnvironment = (Option<Designed>, Vec<Diagnostic>);

/// Designs the models of a group for each environment, and judges each design once. Gives those that the run is about, each with
/// its text.
pub(in crate::cli) fn design(
    workspace: &Workspace,
    mut group: Group,
    environments: &[Option<&Environment>],
    judge: &impl Fn(&Model, &Design, &mut Sink),
) -> Vec<(Text, Vec<InEnvironment>)> {
    let members = group.members();
    let values = environments.iter().map(|environment| environment.map(values).unwrap_or_default());
    let resolved: Vec<Together> = values.map(|values| validate::resolve_all(&workspace.sources, &members, &values)).collect();
    group.forget_drafts();
    let mut designed: Vec<Vec<InEnvironment>> = Vec::new();
    let mut known: Vec<(Vec<Written>, usize)> = Vec::new();
    for together in resolved {
        let written: Option<Vec<_>> = together.models.iter().map(|(model, _)| model.as_ref().map(written)).collect();
        let same = known.iter().find(|(known, _)| Some(known) == written.as_ref()).and_then(|(_, place)| designed.get(*place));
        if let Some(same) = same {
            let again = |((base, findings), (model, _)): (&InEnvironment, (Option<Model>, Sink))| {
                let designed = base.clone().zip(model);
                let designed =
                    designed.map(|(base, model)| Designed { design: with_defaults(base.design, &model), model, ..base });
                (designed, findings.clone())
            };
            designed.push(same.iter().zip(together.models).map(again).collect());
            continue;
        }
        known.extend(written.map(|written| (written, designed.len())));
        designed.push(one(workspace, &group, together, judge));
    }
    let mut of_members: Vec<Vec<InEnvironment>> = group.0.iter().map(|_| Vec::new()).collect();
    for (of, said) in designed.into_iter().flat_map(|members| members.into_iter().enumerate()) {
        if let Some(member) = of_members.get_mut(of) {
            member.push(said);
        }
    }
    let asked = group.0.into_iter().zip(of_members).filter(|(member, _)| member.is_asked);
    asked.map(|(member, designed)| (member.text, designed)).collect()
}

/// Designs the models of a group in one environment.
fn one(
    workspace: &Workspace,
    group: &Group,
    together: Together,
    judge: &impl Fn(&Model, &Design, &mut Sink),
) -> Vec<InEnvironment> {
    let mut all: Vec<(Option<Designed>, Sink)> = Vec::new();
    for (model, mut sink) in together.models {
        let designed = model.map(|model| {
            let design = design::design(&model, design::Operations::LeftOut, &mut sink);
            let targets = generate::targets(&workspace.config, &design, &mut sink);
            Designed { model, design, targets, sharers: Vec::new() }
        });
        all.push((designed, sink));
    }
    sharing::note_uses(&together.tables, &mut all);
    sharing::spread_errors(&workspace.sources, group, &together.tables, &mut all);
    let judged = all.into_iter().map(|(designed, mut sink)| {
        let designed = designed.filter(|_| !sink.has_errors());
        if let Some(Designed { model, design, .. }) = &designed {
            judge(model, design, &mut sink);
        }
        (designed, sink.into_sorted())
    });
    judged.collect()
}

/// Designs the model of one text that was read already, without judging it. None when it is wrong; the sink says why.
pub(in crate::cli) fn alone(
    workspace: &mut Workspace,
    place: Place<'_>,
    file: FileId,
    environment: Option<(&str, &Environment)>,
    sink: &mut Sink,
) -> Option<Designed> {
    let group = groups::gather(workspace, place, &[file]).pop()?;
    let (name, environment) = environment.unzip();
    let (text, mut designed) = design(workspace, group, &[environment], &|_: &Model, _: &Design, _: &mut Sink| ()).pop()?;
    sink.extend(text.findings);
    let (designed, said) = designed.pop()?;
    sink.extend(said.into_iter().map(|diagnostic| diagnostic.in_environments(name)));
    designed
}

/// What an environment sets, for a model.
fn values(environment: &Environment) -> Values {
    environment.set.iter().map(|(name, setting)| (name.clone(), setting.value.clone())).collect()
}

/// The values that stand in a model and its design, and not behind a variable.
type Written = BTreeMap<String, Option<Scalar>>;

fn written(model: &Model) -> Written {
    let value = |name: &String| model.parameters.get(name).and_then(|parameter| parameter.default.clone());
    model.written_parameters.iter().map(|name| (name.clone(), value(name))).collect()
}

/// A design with the defaults of a model that differs from its own in nothing else.
fn with_defaults(mut design: Design, model: &Model) -> Design {
    let schemas = design.dynamodb.iter_mut().chain(&mut design.external);
    for (name, parameter) in schemas.flat_map(|schema| &mut schema.parameters) {
        parameter.default = model.parameters.get(name).and_then(|parameter| parameter.default.clone());
    }
    design
}
