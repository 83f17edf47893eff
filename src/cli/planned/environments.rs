//! The environments of `gen.yaml` beside the models and the output: what does not fit is said, and nothing is lost in silence.

use super::folders::Folder;
use super::groups::Group;
use super::texts::{self, Text};
use crate::baseline::{FOLDERS, lock};
use crate::cli::Failure;
use crate::cli::workspace::{self, Workspace};
use crate::config::{Config, Environment};
use crate::diagnostic::{Diagnostic, codes, first_in_words, in_words, listed, nearest};
use crate::validate::Draft;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Folders that are named in one message; the rest is counted.
const NAMED: usize = 3;

/// The environments of a run, in order of their names; one without a name where there are none.
pub(super) fn chosen<'c>(config: &'c Config, named: &[String]) -> Result<Vec<Option<(&'c str, &'c Environment)>>, Failure> {
    let all = &config.environments;
    if let Some(name) = named.iter().find(|name| !all.contains_key(*name)) {
        return Err(workspace::unknown_environment(name, all));
    }
    if all.is_empty() {
        return Ok(vec![None]);
    }
    let chosen = all.iter().filter(|(name, _)| named.is_empty() || named.contains(name));
    Ok(chosen.map(|(name, environment)| Some((name.as_str(), environment))).collect())
}

/// Settings of which no model has the parameter. Where a model cannot be read nobody knows.
pub(super) fn unknown_settings(workspace: &mut Workspace, groups: &[Group]) -> Vec<Diagnostic> {
    let config = workspace.config.clone();
    let settings = || config.environments.values().flat_map(|environment| &environment.set);
    let texts = || groups.iter().flat_map(|group| &group.0).map(|member| &member.text);
    let mut known = BTreeSet::new();
    let mut complete = take_parameters(texts(), &mut known);
    if complete && settings().any(|(name, _)| !known.contains(name)) {
        let paths: BTreeSet<Utf8PathBuf> = texts().map(|text| workspace.sources.path(text.file).to_owned()).collect();
        let mut files = Vec::new();
        for path in workspace.models(&[]).unwrap_or_default().into_iter().filter(|path| !paths.contains(path)) {
            match workspace::read(&path) {
                Ok(text) => files.push(workspace.sources.add(path, text)),
                Err(_) => complete = false,
            }
        }
        let others = texts::of_files(workspace, files);
        complete &= take_parameters(&others, &mut known);
    }
    let unknown = settings().filter(|(name, _)| complete && !known.contains(*name));
    let told = unknown.map(|(name, setting)| {
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_PARAMETER, setting.name, format!("no model has a parameter called `{name}`"));
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), setting.name, near),
            None if known.is_empty() => diagnostic.help(format!("define it in a model: `parameters: {{ {name}: {{}} }}`")),
            None => diagnostic.help(format!("the models have {}", listed(&known))),
        }
    });
    told.collect()
}

/// Whether all of the texts could be read.
fn take_parameters<'t>(texts: impl IntoIterator<Item = &'t Text>, known: &mut BTreeSet<String>) -> bool {
    let mut complete = true;
    for text in texts {
        complete &= text.draft.is_some();
        known.extend(text.draft.iter().flat_map(Draft::parameters).map(str::to_owned));
    }
    complete
}

/// What lies in the output folders and is of no environment of `gen.yaml`, or of some where it has none.
pub(super) fn layout<'f>(config: &Config, folders: impl Iterator<Item = &'f Folder>) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    let mut left: BTreeMap<&str, Vec<Utf8PathBuf>> = BTreeMap::new();
    for folder in folders {
        let Folder { shown, layout, .. } = folder;
        if layout.without && !config.environments.is_empty() {
            told.push(moved_in(config, shown));
        } else if !layout.without && !layout.environments.is_empty() && config.environments.is_empty() {
            let message = format!("`{shown}` has {}, and gen.yaml has no environments", environments(&layout.environments));
            let help = format!(
                "put `environments` back; or, to go on without, move up what is deployed: `git mv {shown}/NAME/* {shown}`, and \
                 delete the rest"
            );
            told.push(Diagnostic::nowhere(codes::ENVIRONMENT_LAYOUT, message).help(help));
        } else {
            for name in layout.environments.iter().filter(|name| !config.environments.contains_key(*name)) {
                left.entry(name).or_default().push(shown.join(name));
            }
        }
    }
    told.extend(left.into_iter().map(|(name, folders)| {
        let message =
            format!("`{name}` is no environment of gen.yaml; its files stay as they are: {}", first_in_words(&folders, NAMED));
        let diagnostic = Diagnostic::somewhere(codes::ENVIRONMENT_LEFT, config.environments_at, message);
        diagnostic.help("delete them when nothing of them is deployed any more, or put the environment back")
    }));
    told
}

/// A generation of no environment, where there are some by now: it belongs to one of them.
fn moved_in(config: &Config, shown: &Utf8Path) -> Diagnostic {
    let names: BTreeSet<String> = config.environments.keys().cloned().collect();
    let message = format!("`{shown}` holds files from before gen.yaml had environments");
    let diagnostic = Diagnostic::somewhere(codes::ENVIRONMENT_LAYOUT, config.environments_at, message);
    let there = FOLDERS.iter().map(|folder| shown.join(folder)).filter(|path| path.is_dir()).map(Utf8PathBuf::into_string);
    let moved: Vec<String> = std::iter::once(shown.join(lock::NAME).into_string()).chain(there).collect();
    diagnostic.note(format!("gen would take all tables for new in {}", environments(&names))).help(format!(
        "move them to the environment that is deployed from them: `mkdir {shown}/NAME && git mv {} {shown}/NAME`",
        moved.join(" ")
    ))
}

fn environments(names: &BTreeSet<String>) -> String {
    let noun = if names.len() == 1 { "the environment" } else { "the environments" };
    format!("{noun} {}", in_words(names.iter().map(|name| format!("`{name}`"))))
}
