//! Output of models, and of environments, that are no more: a model that is deleted, or gets another name, leaves what was
//! generated from it, and what was deployed from that. Nothing of it is touched, and all of it is told.

use super::folders::Layout;
use super::groups::Group;
use super::texts::Text;
use crate::baseline::git::Commit;
use crate::baseline::{Lock, Tree, lock};
use crate::cli::Failure;
use crate::cli::workspace::Workspace;
use crate::diagnostic::{Diagnostic, Sink, codes, first_in_words, in_words};
use crate::schema::{Address, Described, Schema};
use crate::source::FileId;
use crate::validate::Draft;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

/// Tables that are named in one message; the rest is counted.
const NAMED: usize = 5;

/// The names of the models of a run; None when one of them cannot be read, since nobody knows then whose a folder is.
pub(super) fn names(groups: &[Group]) -> Option<BTreeSet<String>> {
    let texts = groups.iter().flat_map(|group| &group.0).map(|member| &member.text);
    texts.map(|Text { draft, .. }| draft.as_ref().and_then(Draft::name).map(str::to_owned)).collect()
}

/// What lies in the output folder of all models and is of none of them.
pub(super) fn output(workspace: &mut Workspace, root: &Utf8Path, models: &BTreeSet<String>) -> Result<Vec<Diagnostic>, Failure> {
    let mut told = Vec::new();
    for (model, locks) in folders(root, models)? {
        let mut trees = Vec::new();
        for folder in locks {
            trees.push(Tree::read(&mut workspace.sources, &root.join(folder))?);
        }
        let Some(tables) = tables(workspace, &model, &trees)? else { continue };
        let folder = root.join(&model);
        let message = format!("no model is called `{model}` any more; its output stays as it is: `{folder}`");
        let diagnostic = Diagnostic::nowhere(codes::MODEL_LEFT, message).note(tables);
        told.push(diagnostic.help(
            "delete the folder when nothing of it is deployed any more; until then put the model back, or, if it has another name \
             now, rename the folder too",
        ));
    }
    Ok(told)
}

/// What lay there at the commit that is compared with, and does not any more.
pub(super) fn at_commit(
    workspace: &mut Workspace,
    root: &Utf8Path,
    models: &BTreeSet<String>,
    commit: &mut Commit,
) -> Result<Vec<Diagnostic>, Failure> {
    let mut told = Vec::new();
    // By the model, and by the environment where it is not the model that left.
    let mut gone: BTreeMap<(String, Option<String>), Vec<Utf8PathBuf>> = BTreeMap::new();
    let output = workspace.config.output.clone();
    for folder in commit.locks(&output) {
        let parts: Vec<&str> = folder.components().map(|part| part.as_str()).collect();
        let left = match parts[..] {
            [model] | [model, _] if !models.contains(model) => (model.to_owned(), None),
            [model, environment] if !workspace.config.environments.contains_key(environment) => {
                (model.to_owned(), Some(environment.to_owned()))
            }
            _ => continue,
        };
        let is_there = root.join(&folder).join(lock::NAME).exists();
        if !is_there && !commit.moved()?.values().any(|moved| *moved == output.join(&folder)) {
            gone.entry(left).or_default().push(folder);
        }
    }
    for ((model, environment), folders) in gone {
        let mut trees = Vec::new();
        for folder in folders {
            trees.push(commit.tree(&mut workspace.sources, &output.join(folder))?);
        }
        let Some(tables) = tables(workspace, &model, &trees)? else { continue };
        let reference = commit.reference();
        let of_model = root.join(&model);
        let folder = environment.as_ref().map_or(of_model.clone(), |environment| of_model.join(environment));
        let gone = format!("and its output is gone; at {reference} it was `{folder}`");
        let diagnostic = match environment {
            None => Diagnostic::nowhere(codes::MODEL_LEFT, format!("no model is called `{model}` any more, {gone}")),
            Some(environment) => {
                let message = format!("`{environment}` is no environment of gen.yaml any more, {gone}");
                Diagnostic::somewhere(codes::ENVIRONMENT_LEFT, workspace.config.environments_at, message)
            }
        };
        let help = format!("if something of it is deployed still, take the folder back: `git checkout {reference} -- {folder}`");
        told.push(diagnostic.note(tables).help(help));
    }
    Ok(told)
}

/// Why there are no models to plan, with what those that were there have left when none is left at all.
pub(super) fn without_models(failure: Failure, workspace: &Workspace, root: &Utf8Path, named: &[Utf8PathBuf]) -> Failure {
    let mut all = workspace.config.models.iter().map(|path| workspace.root.join(path));
    if !named.is_empty() || all.any(|path| workspace.models(&[path]).is_ok()) {
        return failure;
    }
    match folders(root, &BTreeSet::new()) {
        Ok(left) if !left.is_empty() => {
            let left = in_words(left.keys().map(|model| root.join(model).into_string()));
            Failure::Other(format!("{failure}; what came of earlier models is still there: {left}"))
        }
        _ => failure,
    }
}

/// The folders with a lock that are of no model, by the folder of the model they were of; relative to the output folder.
fn folders(root: &Utf8Path, models: &BTreeSet<String>) -> Result<BTreeMap<String, Vec<Utf8PathBuf>>, Failure> {
    let mut found: BTreeMap<String, Vec<Utf8PathBuf>> = BTreeMap::new();
    for model in list(root)?.into_iter().filter(|name| !models.contains(name)) {
        let own = Utf8PathBuf::from(&model);
        let Layout { without, environments } = Layout::find(&root.join(&own))?;
        let environments = environments.into_iter().map(|environment| own.join(environment));
        let locks: Vec<_> = without.then(|| own.clone()).into_iter().chain(environments).collect();
        if !locks.is_empty() {
            found.insert(model, locks);
        }
    }
    Ok(found)
}

/// The folders in a folder, in order.
fn list(folder: &Utf8Path) -> Result<BTreeSet<String>, Failure> {
    let failed = |source| Failure::File { action: "list", path: folder.to_owned(), source };
    let entries = match folder.read_dir_utf8() {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(BTreeSet::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            names.insert(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

/// What the locks of a model say of its tables. None when they are another model's: the folder is one of somebody else.
fn tables(workspace: &Workspace, model: &str, trees: &[Tree]) -> Result<Option<String>, Failure> {
    let mut known = true;
    let mut is_own = false;
    let mut tables = BTreeSet::new();
    for tree in trees {
        let file: Option<FileId> = tree.text(Utf8Path::new(lock::NAME))?;
        match file.and_then(|file| Lock::read(&workspace.sources, file, &mut Sink::default())) {
            Some(lock) if lock.model == model => {
                is_own = true;
                tables.extend(lock.in_force().values().flat_map(of_schema));
            }
            Some(_) => {}
            None => (is_own, known) = (true, false),
        }
    }
    if !is_own {
        return Ok(None);
    }
    let named = first_in_words(&tables, NAMED);
    Ok(Some(match (known, tables.len()) {
        (true, 0) => "by its lock it has no tables".to_owned(),
        (true, _) => format!("what is deployed of it is still there; by its lock, {named}"),
        (false, _) => "what is deployed of it is still there; its lock, which would say what, cannot be read".to_owned(),
    }))
}

fn of_schema(schema: &Schema) -> Vec<String> {
    let addresses = match schema {
        Schema::Dynamodb(schema) => schema.addresses(),
        Schema::Cql(schema) => schema.addresses(),
    };
    let is_table = |address: &Address| matches!(address, Address::DynamodbTable(_) | Address::CqlTable(..));
    addresses.into_iter().filter(is_table).map(|address| address.to_string()).collect()
}
