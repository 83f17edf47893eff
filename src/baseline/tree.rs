//! Where files of an earlier generation lie: in a folder, or in git at some commit.

use crate::source::read_bytes;
use camino::{Utf8Path, Utf8PathBuf};
use std::io;

/// Why an earlier generation could not be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system said no.
    #[error("cannot read {path}: {source}")]
    Io {
        /// What.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no text.
    #[error("cannot read {path}: it is not UTF-8")]
    NotText {
        /// Which.
        path: Utf8PathBuf,
    },
    /// Git could not be started.
    #[error("cannot start git: {0}")]
    NoGit(io::Error),
    /// A ref that git does not know.
    #[error(
        "`{reference}` is no file, no folder and no commit of a repository here; a shallow clone may lack it: fetch it first"
    )]
    UnknownRef {
        /// As it was given.
        reference: String,
    },
    /// Git did not do as it was told.
    #[error("git cannot read {path}: {why}")]
    Git {
        /// What was read.
        path: String,
        /// What git said.
        why: String,
    },
    /// A name that is both.
    #[error("`{name}` is a file or folder and a git ref; write `./{name}` or `refs/heads/{name}`")]
    Ambiguous {
        /// The name.
        name: String,
    },
    /// A file of a kind that holds no generation.
    #[error("{path} is no lock and no Terraform, CloudFormation or CQL file")]
    UnknownKind {
        /// Which.
        path: Utf8PathBuf,
    },
}

/// A folder with its files.
pub(super) trait Tree {
    /// A file, by its path below the folder; None when there is none.
    fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>, Error>;

    /// The files in the folder and below, sorted, without those that are hidden.
    fn files(&self) -> Result<Vec<Utf8PathBuf>, Error>;

    /// A path as it is shown.
    fn shown(&self, path: &Utf8Path) -> Utf8PathBuf;

    /// A file's text.
    fn text(&self, path: &Utf8Path) -> Result<Option<String>, Error> {
        let text = |bytes| String::from_utf8(bytes).map_err(|_| Error::NotText { path: self.shown(path) });
        self.read(path)?.map(text).transpose()
    }
}

/// A folder on the disk.
pub(super) struct Folder<'a>(pub(super) &'a Utf8Path);

impl Tree for Folder<'_> {
    fn read(&self, path: &Utf8Path) -> Result<Option<Vec<u8>>, Error> {
        let path = self.shown(path);
        match read_bytes(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(source) => Err(Error::Io { path, source }),
        }
    }

    fn files(&self) -> Result<Vec<Utf8PathBuf>, Error> {
        let mut found = Vec::new();
        let mut folders = vec![Utf8PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let path = self.shown(&folder);
            let failed = |source| Error::Io { path: path.clone(), source };
            let entries = match path.read_dir_utf8() {
                Err(error) if folder.as_str().is_empty() && error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(failed)?,
            };
            for entry in entries {
                let entry = entry.map_err(failed)?;
                let below = folder.join(entry.file_name());
                if entry.file_name().starts_with('.') {
                    continue;
                }
                if entry.file_type().map_err(failed)?.is_dir() {
                    folders.push(below);
                } else {
                    found.push(below);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    fn shown(&self, path: &Utf8Path) -> Utf8PathBuf {
        join(self.0, path)
    }
}

/// A path below a folder, without a slash behind the folder itself.
pub(super) fn join(folder: &Utf8Path, below: &Utf8Path) -> Utf8PathBuf {
    if below.as_str().is_empty() { folder.to_owned() } else { folder.join(below) }
}
