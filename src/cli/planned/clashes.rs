//! Output folders that are not a model's alone.

use super::Draft;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{Span, normal};
use std::collections::BTreeMap;

/// Models of one name, whose output would be one folder.
pub(super) fn of_names(drafts: &[Draft]) -> Vec<Diagnostic> {
    let mut known: BTreeMap<&str, &Draft> = BTreeMap::new();
    let mut clashes = Vec::new();
    for draft in drafts {
        let Some(name) = draft.name() else { continue };
        match known.get(name) {
            Some(first) => {
                let message = format!("two models are called `{name}`; their output would be one folder");
                let diagnostic = name_span(draft).map(|span| Diagnostic::new(codes::DUPLICATE_NAME, span, message.clone()));
                let diagnostic = diagnostic.unwrap_or_else(|| Diagnostic::nowhere(codes::DUPLICATE_NAME, message));
                let diagnostic = diagnostic.help("give one of them another name");
                clashes.push(match name_span(first) {
                    Some(span) => diagnostic.context(span, "the other one"),
                    None => diagnostic,
                });
            }
            None => _ = known.insert(name, draft),
        }
    }
    clashes
}

/// Models that would be written to a folder which is searched for models. That the whole output is one is told in `gen.yaml`.
pub(super) fn with_models(drafts: &[Draft], config: &Config) -> Vec<Diagnostic> {
    let searched: Vec<_> = config.models.iter().map(|path| normal(path)).collect();
    let named = drafts.iter().filter_map(|draft| Some((draft.name()?, name_span(draft)?)));
    let clash = |(name, span)| {
        let folder = config.output.join(name);
        let of_environments = config.environments.keys().map(|environment| folder.join(environment));
        let mut written = of_environments.chain([folder.clone()]).map(|folder| normal(&folder));
        let there = written.find(|folder| searched.contains(folder))?;
        let message = format!("the output of `{name}` would be in `{there}`, which is searched for models");
        let help = "what is written there would be read as models: let `output` of gen.yaml name another folder, or give the \
                    model another name";
        Some(Diagnostic::new(codes::BAD_CONFIG, span, message).help(help))
    };
    named.filter_map(clash).collect()
}

fn name_span(draft: &Draft) -> Option<Span> {
    draft.designed.iter().flat_map(|(designed, _)| designed).map(|of| of.model.name.span).next()
}
