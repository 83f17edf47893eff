//! What a user names to compare with instead of the lock: a git ref, a folder, a lock or a native file.

use super::git::{self, Commit};
use super::tree::{Error, Tree, join};
use super::{acknowledgements, lock};
use crate::source::{FileId, SourceMap};
use camino::{Utf8Path, Utf8PathBuf};

/// What was named, found once for all models of a run.
#[derive(Debug)]
pub enum Basis {
    /// A git ref.
    Commit(Commit),
    /// A folder: that of a model, of all models, or of a whole repository; else one that somebody else laid out.
    Folder(Utf8PathBuf),
    /// A lock or a native file.
    File(Utf8PathBuf),
}

/// The output folder of a model, in an environment where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The output folder of all models, relative to the folder of `gen.yaml`.
    pub output: Utf8PathBuf,
    /// The model.
    pub model: String,
    /// The environment.
    pub environment: Option<String>,
}

impl Place {
    /// The model's folder below that of all models; its acknowledgements are there.
    #[must_use]
    pub fn of_model(&self) -> Utf8PathBuf {
        self.model.clone().into()
    }

    /// The folder of the files, below that of all models.
    #[must_use]
    pub fn folder(&self) -> Utf8PathBuf {
        self.environment.as_ref().map_or_else(|| self.of_model(), |environment| self.of_model().join(environment))
    }
}

impl Basis {
    /// Finds what was named. `base` is the folder of `gen.yaml`, where git is started, and `output` the output folder of all
    /// models, relative to it.
    pub fn find(base: &Utf8Path, output: &Utf8Path, named: &str) -> Result<Self, Error> {
        let path = Utf8Path::new(named);
        let exists = path.symlink_metadata().is_ok();
        let is_plain = !named.starts_with(['.', '/']);
        match (exists, is_plain) {
            (true, true) if git::commit(base, named).ok().flatten().is_some() => Err(Error::Ambiguous { name: named.to_owned() }),
            (true, _) if path.is_dir() => Ok(Self::Folder(path.to_owned())),
            (true, _) => Ok(Self::File(path.to_owned())),
            (false, _) => {
                let unknown = || Error::UnknownRef { reference: named.to_owned() };
                Commit::open(base, named, output)?.map(Self::Commit).ok_or_else(unknown)
            }
        }
    }

    /// What it holds of a model. One that has environments by now and had none there has what it had then.
    pub fn tree(&mut self, sources: &mut SourceMap, place: &Place) -> Result<Given, Error> {
        let mut folders = vec![place.folder()];
        folders.extend(place.environment.is_some().then(|| place.of_model()));
        let mut laid = Laid::Here;
        let tree = match self {
            Self::File(path) => Tree::file(sources, path),
            Self::Folder(path) => {
                let within = folders.iter().flat_map(|folder| [folder.clone(), place.output.join(folder)]);
                let own = Utf8PathBuf::from(place.environment.as_deref().unwrap_or_default());
                let mut candidates = [Utf8PathBuf::new(), own].into_iter().chain(within).map(|below| join(path, &below));
                let found = candidates.find(|folder| folder.join(lock::NAME).is_file());
                Tree::read(sources, found.as_deref().unwrap_or(path))
            }
            Self::Commit(commit) => {
                let all: Vec<Utf8PathBuf> = folders.iter().map(|folder| place.output.join(folder)).collect();
                let own = all.first().map_or(Utf8Path::new(""), |folder| folder);
                let moved = if commit.has_lock(own) { None } else { commit.moved()?.get(own).cloned() };
                if let Some(moved) = moved {
                    laid = Laid::Elsewhere;
                    commit.locked(sources, &moved)
                } else {
                    let found = all.iter().find(|folder| commit.has_lock(folder)).map_or(own, |folder| folder);
                    laid = if found == own { Laid::Here } else { Laid::OfNone };
                    commit.tree(sources, found)
                }
            }
        }?;
        Ok(Given { tree, laid })
    }

    /// The acknowledgements of a model at a commit; None when there were none, or it is no commit. Where its folder was moved, they were
    /// beside the lock, or one folder above that of an environment.
    pub fn acknowledgements(&mut self, sources: &mut SourceMap, place: &Place) -> Result<Option<FileId>, Error> {
        let Self::Commit(commit) = self else { return Ok(None) };
        let own = commit.text(sources, &place.output.join(place.of_model()).join(acknowledgements::NAME))?;
        if own.is_some() {
            return Ok(own);
        }
        let moved = commit.moved()?.get(&place.output.join(place.folder())).cloned();
        for folder in moved.iter().flat_map(|moved| moved.ancestors().take(2)) {
            let found = commit.text(sources, &folder.join(acknowledgements::NAME))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// What was found of a model.
#[derive(Debug)]
pub struct Given {
    /// The files.
    pub tree: Tree,
    /// Where they lay.
    pub laid: Laid,
}

/// Where the files of a model lay at the commit that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    /// In its folder.
    Here,
    /// In a folder of no environment, although there are environments by now: they may be those of another one.
    OfNone,
    /// In a folder that was moved to where they are by now.
    Elsewhere,
}
