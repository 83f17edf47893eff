//! What lies in the output folders: read at once, judged later.

use crate::baseline::{Basis, Digest, Given, Place, Tree, acknowledgements, lock};
use crate::cli::Failure;
use crate::cli::workspace::Workspace;
use crate::output::Expected;
use crate::source::{self, FileId, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

/// What lies in the output folder of a model.
pub(super) struct Folder {
    /// The model.
    pub(super) model: String,
    /// The folder, as it is shown.
    pub(super) shown: Utf8PathBuf,
    /// Who meant what.
    pub(super) acknowledgements: Option<FileId>,
    /// What may be in the place of that file when it is written.
    pub(super) acknowledged: Expected,
    /// The same at the commit that is compared with.
    pub(super) earlier: Option<FileId>,
    /// The generations that lie in it.
    pub(super) layout: Layout,
}

/// The generations in the output folder of a model.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// Whether there is one of no environment.
    pub(super) without: bool,
    /// The environments that have one.
    pub(super) environments: BTreeSet<String>,
}

impl Layout {
    /// Looks for locks.
    pub(super) fn find(folder: &Utf8Path) -> Result<Self, Failure> {
        let failed = |source| Failure::File { action: "list", path: folder.to_owned(), source };
        let entries = match folder.read_dir_utf8() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Self::default()),
            entries => entries.map_err(failed)?,
        };
        let mut layout = Self { without: folder.join(lock::NAME).is_file(), environments: BTreeSet::new() };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if entry.path().join(lock::NAME).is_file() {
                layout.environments.insert(entry.file_name().to_owned());
            }
        }
        Ok(layout)
    }
}

/// What lies in the output folder of a model in one environment, or of a model without any.
pub(super) struct Environment {
    pub(super) place: Place,
    pub(super) tree: Tree,
    /// What it is compared with, when that was named.
    pub(super) against: Option<Given>,
    /// The locks of models that share its tables, by their names.
    pub(super) fellows: BTreeMap<String, FileId>,
}

impl Environment {
    /// Reads the locks of models that share tables with this one. One that cannot be read says so where its model is planned.
    pub(super) fn meet<'n>(&mut self, sources: &mut SourceMap, root: &Utf8Path, fellows: impl Iterator<Item = &'n String>) {
        for name in fellows {
            let place = Place { model: name.clone(), ..self.place.clone() };
            let path = root.join(place.folder()).join(lock::NAME);
            if !self.fellows.contains_key(name)
                && let Ok(text) = source::read_text(&path)
            {
                self.fellows.insert(name.clone(), sources.add(path, text));
            }
        }
    }
}

/// Reads the folder of one model, and that of each environment.
pub(super) fn read(
    workspace: &mut Workspace,
    root: &Utf8Path,
    model: &str,
    environments: &[Option<&str>],
    basis: Option<&mut Basis>,
) -> Result<(Folder, Vec<Environment>), Failure> {
    let shown = root.join(model);
    let path = shown.join(acknowledgements::NAME);
    let (acknowledgements, acknowledged) = match source::read_bytes(&path) {
        Ok(bytes) => {
            let expected = Expected::File(Digest::of(&bytes));
            let text = String::from_utf8(bytes).map_err(|_| Failure::Other(format!("{path} is not UTF-8")))?;
            (Some(workspace.sources.add(path, text)), expected)
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => (None, Expected::Nothing),
        Err(source) => return Err(Failure::File { action: "read", path, source }),
    };
    let mut basis = basis;
    let mut found = Vec::new();
    for environment in environments {
        let place = Place {
            output: workspace.config.output.clone(),
            model: model.to_owned(),
            environment: environment.map(str::to_owned),
        };
        let tree = Tree::read(&mut workspace.sources, &root.join(place.folder()))?;
        let against = basis.as_mut().map(|basis| basis.tree(&mut workspace.sources, &place)).transpose()?;
        found.push(Environment { place, tree, against, fellows: BTreeMap::new() });
    }
    let earlier = match (basis, found.first()) {
        (Some(basis), Some(first)) => basis.acknowledgements(&mut workspace.sources, &first.place)?,
        _ => None,
    };
    let layout = Layout::find(&shown)?;
    Ok((Folder { model: model.to_owned(), shown, acknowledgements, acknowledged, earlier, layout }, found))
}
