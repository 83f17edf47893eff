//! What models come to, before anything that was there is looked at: once for all environments that differ in nothing but
//! the defaults of variables.

use super::texts::{self, Text};
use crate::cli::generate;
use crate::cli::workspace::Workspace;
use crate::config::{Environment, Targets};
use crate::design::{self, Design};
use crate::diagnostic::{Diagnostic, Sink};
use crate::model::Model;
use crate::schema::Scalar;
use crate::source::FileId;
use crate::validate::Values;
use std::collections::BTreeMap;

/// A model in an environment, and what it comes to.
#[derive(Clone)]
pub(in crate::cli) struct Designed {
    pub(in crate::cli) model: Model,
    pub(in crate::cli) design: Design,
    pub(in crate::cli) targets: Targets,
}

/// What there is to say about a model in each environment, with the model when it is good there.
pub(in crate::cli) type InEnvironment = (Option<Designed>, Vec<Diagnostic>);

/// Designs a model for each environment, and judges each design once.
pub(in crate::cli) fn design(
    workspace: &Workspace,
    text: &Text,
    environments: &[Option<&Environment>],
    judge: fn(&Model, &Design, &mut Sink),
) -> Vec<InEnvironment> {
    let Some(draft) = &text.draft else { return environments.iter().map(|_| (None, Vec::new())).collect() };
    let mut designed: Vec<InEnvironment> = Vec::new();
    let mut known: Vec<(BTreeMap<String, Option<Scalar>>, usize)> = Vec::new();
    for environment in environments {
        let values = environment.map(values).unwrap_or_default();
        let mut sink = Sink::default();
        let Some(model) = draft.resolve(&workspace.sources, &values, &mut sink) else {
            designed.push((None, sink.into_sorted()));
            continue;
        };
        let written = written(&model);
        let same = known.iter().find(|(known, _)| *known == written).and_then(|(_, place)| designed.get(*place));
        if let Some((base, findings)) = same {
            let again = base.clone().map(|base| Designed { design: with_defaults(base.design, &model), model, ..base });
            designed.push((again, findings.clone()));
            continue;
        }
        let design = design::design(&model, &mut sink);
        let targets = generate::targets(&workspace.config, &design, &mut sink);
        let good = !sink.has_errors();
        if good {
            judge(&model, &design, &mut sink);
        }
        known.push((written, designed.len()));
        designed.push((good.then_some(Designed { model, design, targets }), sink.into_sorted()));
    }
    designed
}

/// Designs the model of one text that was read already, without judging it. None when it is wrong; the sink says why.
pub(in crate::cli) fn alone(
    workspace: &mut Workspace,
    file: FileId,
    environment: Option<&Environment>,
    sink: &mut Sink,
) -> Option<Designed> {
    let text = texts::of_files(workspace, vec![file]).pop()?;
    sink.extend(text.findings.iter().cloned());
    let (designed, said) = design(workspace, &text, &[environment], |_, _, _| ()).pop()?;
    sink.extend(said);
    designed
}

/// What an environment sets, for a model.
fn values(environment: &Environment) -> Values {
    environment.set.iter().map(|(name, setting)| (name.clone(), setting.value.clone())).collect()
}

/// The values that stand in a model and its design, and not behind a variable.
fn written(model: &Model) -> BTreeMap<String, Option<Scalar>> {
    let value = |name: &String| model.parameters.get(name).and_then(|parameter| parameter.default.clone());
    model.written_parameters.iter().map(|name| (name.clone(), value(name))).collect()
}

/// A design with the defaults of a model that differs from its own in nothing else.
fn with_defaults(mut design: Design, model: &Model) -> Design {
    for (name, parameter) in design.dynamodb.iter_mut().flat_map(|schema| &mut schema.parameters) {
        parameter.default = model.parameters.get(name).and_then(|parameter| parameter.default.clone());
    }
    design
}
