//! Files of an earlier generation as they were read, in a folder or in git at some commit. Whoever judges them reads nothing
//! more.

use super::lock::{self, Digest};
use super::{acknowledgements, is_inside};
use crate::schema::Format;
use crate::source::{FileId, MARK, SourceMap, read_bytes};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::{fs, io};

/// The folders that `gen` writes to, below a model's output folder.
pub const FOLDERS: [&str; 3] = ["terraform", "cloudformation", "cql"];

/// How deep files lie in them: `cql/cassandra-5.0/migrations/0001-create-shop.cql`.
const DEPTH: usize = 3;

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
    /// Git was asked what changed, and there is no repository.
    #[error("--changed asks git which files changed, and git says: {why}")]
    NoRepository {
        /// What git said.
        why: String,
    },
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
    /// A model, where a generation is asked for.
    #[error("{path} is a model, not what came of one; name its lock, or compare two models: `gen diff {path} …`")]
    Model {
        /// Which.
        path: Utf8PathBuf,
    },
    /// A file of a kind that holds no generation.
    #[error("{path} is no lock and no Terraform, CloudFormation or CQL file")]
    UnknownKind {
        /// Which.
        path: Utf8PathBuf,
    },
}

/// What was found at a path.
#[derive(Debug)]
enum Entry {
    Text(FileId),
    Bytes(Vec<u8>),
    /// It matters only when somebody asks for it.
    Unreadable(io::Error),
}

/// The files of a folder that may be those of a generation: in the layout of `gen`, or laid out by somebody else.
#[derive(Debug)]
pub struct Tree {
    root: Utf8PathBuf,
    reference: Option<String>,
    /// By their path below the folder, as [`key`] writes it.
    files: BTreeMap<String, Entry>,
    is_file: bool,
}

impl Tree {
    /// Reads a folder on the disk, which need not exist.
    pub fn read(sources: &mut SourceMap, folder: &Utf8Path) -> Result<Self, Error> {
        let mut tree = Self { root: folder.to_owned(), reference: None, files: BTreeMap::new(), is_file: false };
        for (name, is_folder) in names(folder)? {
            let path = Utf8Path::new(&name);
            if is_folder && FOLDERS.contains(&name.as_str()) {
                tree.descend(sources, path, DEPTH)?;
            } else if is_relevant(path) {
                tree.take(sources, path);
            }
        }
        Ok(tree)
    }

    /// Reads one file.
    pub fn file(sources: &mut SourceMap, path: &Utf8Path) -> Result<Self, Error> {
        let (folder, name) = (path.parent().unwrap_or(Utf8Path::new("")), path.file_name().unwrap_or_default());
        let mut tree = Self { root: folder.to_owned(), reference: None, files: BTreeMap::new(), is_file: true };
        tree.take(sources, Utf8Path::new(name));
        tree.text(Utf8Path::new(name)).map(|_| tree)
    }

    /// What git has at a commit: blobs by their path below the folder.
    pub(super) fn at_commit(
        sources: &mut SourceMap,
        reference: &str,
        root: &Utf8Path,
        blobs: impl IntoIterator<Item = (Utf8PathBuf, Vec<u8>)>,
    ) -> Self {
        let root = format!("{reference}:{}", if root.as_str().is_empty() { "." } else { root.as_str() }).into();
        let mut tree = Self { root, reference: Some(reference.to_owned()), files: BTreeMap::new(), is_file: false };
        for (path, bytes) in blobs {
            let entry = entry(sources, tree.shown(&path), Ok(bytes));
            tree.files.extend(entry.map(|entry| (key(&path), entry)));
        }
        tree
    }

    /// The git ref it was read at.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }

    /// The file it consists of, when it was read from one.
    #[must_use]
    pub fn only_file(&self) -> Option<&Utf8Path> {
        self.files.keys().next().filter(|_| self.is_file).map(Utf8Path::new)
    }

    /// The files, by their path below the folder.
    pub fn paths(&self) -> impl Iterator<Item = &Utf8Path> {
        self.files.keys().map(Utf8Path::new)
    }

    /// The files of a format in a folder laid out by somebody else. Such a folder holds other things too: what has no word of
    /// `Resources` is no template.
    pub fn native<'a>(&'a self, sources: &'a SourceMap, format: Format) -> impl Iterator<Item = &'a Utf8Path> {
        let may_be = move |path: &Utf8Path| match self.text(path) {
            Ok(Some(file)) => format != Format::Cloudformation || sources.text(file).contains("Resources"),
            _ => true,
        };
        self.paths().filter(move |path| path.components().count() == 1 && Format::of(path) == Some(format) && may_be(path))
    }

    /// A path as it is shown.
    #[must_use]
    pub fn shown(&self, path: &Utf8Path) -> Utf8PathBuf {
        join(&self.root, path)
    }

    /// The text of a file; None when there is no such file.
    pub fn text(&self, path: &Utf8Path) -> Result<Option<FileId>, Error> {
        match self.files.get(path.as_str()) {
            None => Ok(None),
            Some(Entry::Text(file)) => Ok(Some(*file)),
            Some(Entry::Bytes(_)) => Err(Error::NotText { path: self.shown(path) }),
            Some(Entry::Unreadable(error)) => Err(self.unreadable(path, error)),
        }
    }

    /// The hash of a file's bytes; None when there is no such file.
    pub fn digest(&self, sources: &SourceMap, path: &Utf8Path) -> Result<Option<Digest>, Error> {
        match self.files.get(path.as_str()) {
            None => Ok(None),
            Some(Entry::Text(file)) => Ok(sources.get(*file).map(|source| {
                if source.has_mark { Digest::of(format!("{MARK}{}", source.text)) } else { Digest::of(&source.text) }
            })),
            Some(Entry::Bytes(bytes)) => Ok(Some(Digest::of(bytes))),
            Some(Entry::Unreadable(error)) => Err(self.unreadable(path, error)),
        }
    }

    /// Whether a file is the one of a hash, be it with CRLF.
    pub fn stands(&self, sources: &SourceMap, path: &Utf8Path, written: &Digest) -> Result<bool, Error> {
        Ok(self.digest(sources, path)?.as_ref() == Some(written) || self.checked_out(sources, path, written).is_some())
    }

    /// The hash of a file that a checkout gave CRLF, when without them it is the one of a hash.
    #[must_use]
    pub fn checked_out(&self, sources: &SourceMap, path: &Utf8Path, written: &Digest) -> Option<Digest> {
        let text = before_checkout(sources.text(self.text(path).ok().flatten()?))?;
        if Digest::of(text) == *written { self.digest(sources, path).ok().flatten() } else { None }
    }

    /// Whether a file has just this text, be it with CRLF; None when there is no such file.
    pub fn is(&self, sources: &SourceMap, path: &Utf8Path, text: &str) -> Result<Option<bool>, Error> {
        match self.files.get(path.as_str()) {
            None => Ok(None),
            Some(Entry::Text(file)) => {
                let is = |found: &str| found == text || before_checkout(found).is_some_and(|found| found == text);
                Ok(sources.get(*file).map(|source| !source.has_mark && is(&source.text)))
            }
            Some(Entry::Bytes(_)) => Ok(Some(false)),
            Some(Entry::Unreadable(error)) => Err(self.unreadable(path, error)),
        }
    }

    /// A file's text for people, with what is no text replaced; empty when there is no such file.
    #[must_use]
    pub fn lossy<'a>(&'a self, sources: &'a SourceMap, path: &Utf8Path) -> std::borrow::Cow<'a, str> {
        match self.files.get(path.as_str()) {
            Some(Entry::Text(file)) => sources.text(*file).into(),
            Some(Entry::Bytes(bytes)) => String::from_utf8_lossy(bytes),
            Some(Entry::Unreadable(_)) | None => "".into(),
        }
    }

    fn unreadable(&self, path: &Utf8Path, error: &io::Error) -> Error {
        Error::Io { path: self.shown(path), source: io::Error::new(error.kind(), error.to_string()) }
    }

    /// Takes in a folder and those below it. Links are followed: the depth ends the walk.
    fn descend(&mut self, sources: &mut SourceMap, folder: &Utf8Path, depth: usize) -> Result<(), Error> {
        for (name, is_folder) in names(&self.shown(folder))? {
            let path = folder.join(name);
            if is_relevant(&path) {
                self.take(sources, &path);
            } else if is_folder && depth > 1 {
                self.descend(sources, &path, depth - 1)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, sources: &mut SourceMap, path: &Utf8Path) {
        let shown = self.shown(path);
        let bytes = read_bytes(&shown);
        let entry = entry(sources, shown, bytes);
        self.files.extend(entry.map(|entry| (key(path), entry)));
    }
}

/// A path as text, with `/` on every system: comparing paths part by part takes ten times as long.
pub(super) fn key(path: &Utf8Path) -> String {
    path.iter().collect::<Vec<&str>>().join("/")
}

/// A text without the line ends that git gives it on Windows; None when it has none of these.
fn before_checkout(text: &str) -> Option<String> {
    text.contains("\r\n").then(|| text.replace("\r\n", "\n"))
}

/// What there is at a path; None when there is nothing.
fn entry(sources: &mut SourceMap, shown: Utf8PathBuf, bytes: io::Result<Vec<u8>>) -> Option<Entry> {
    match bytes.map(String::from_utf8) {
        Ok(Ok(text)) => Some(Entry::Text(sources.add(shown, text))),
        Ok(Err(error)) => Some(Entry::Bytes(error.into_bytes())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(Entry::Unreadable(error)),
    }
}

/// Whether a path, below a model's output folder, may be a file of a generation.
pub(super) fn is_relevant(path: &Utf8Path) -> bool {
    let is_ours = path == lock::NAME || (Format::of(path).is_some() && path != acknowledgements::NAME);
    let mut parts = path.components();
    let is_placed = match (parts.next(), parts.next()) {
        (Some(_), None) => true,
        (Some(first), Some(_)) => FOLDERS.contains(&first.as_str()) && parts.count() < DEPTH,
        _ => false,
    };
    let is_hidden = path.file_name().is_some_and(|name| name.starts_with('.'));
    is_ours && is_placed && !is_hidden && is_inside(path.as_str())
}

/// The names in a folder, each with whether it leads to a folder, sorted and without those that are hidden.
fn names(folder: &Utf8Path) -> Result<Vec<(String, bool)>, Error> {
    let failed = |source| Error::Io { path: folder.to_owned(), source };
    // The current folder has no name.
    let entries = match if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder }.read_dir_utf8() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().starts_with('.') {
            let leads_to_folder = || fs::metadata(entry.path()).is_ok_and(|found| found.is_dir());
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && leads_to_folder());
            names.push((entry.file_name().to_owned(), is_folder));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// A path below a folder, without a slash behind the folder itself.
pub(super) fn join(folder: &Utf8Path, below: &Utf8Path) -> Utf8PathBuf {
    if below.as_str().is_empty() { folder.to_owned() } else { folder.join(below) }
}
