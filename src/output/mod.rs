//! Writes many files as one: a crash at any point leaves the whole previous generation or the whole next one.
//!
//! Everything new is written beside the old, in [`STAGING`], and what is to be replaced is kept there too. Then a journal
//! with the hash of every file before and after is put in place: from here on the write counts as done, and whoever finds the
//! journal finishes it, or, where that is not possible, rolls it back. Files are put in place by renames, the locks last.

mod disk;
mod error;
mod exclusive;
mod journal;
mod transaction;

pub use error::{Error, Obstacle};

use crate::baseline::{Digest, lock};
use crate::diagnostic::{Diagnostic, Sink, codes};
use camino::{Utf8Path, Utf8PathBuf};
use disk::{Disk, exists};
use exclusive::Exclusive;
use std::io;
use transaction::Transaction;

/// The folder, below the output folder, with all that an unfinished write needs.
pub const STAGING: &str = ".gen.apply";

/// A file that is to be written or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path below the output folder.
    pub path: Utf8PathBuf,
    /// Its whole text; None: it is deleted.
    pub text: Option<String>,
    /// What may be there now.
    pub expected: Expected,
}

/// What may be at a path that is written. Bytes that are just those to be written are always welcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Nothing,
    /// The file that the plan was made from, or nothing any more.
    File(Digest),
    /// Any file: its author said that it may go.
    Anything,
}

/// What was found of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing was left over.
    Nothing,
    /// A write that had begun was finished.
    Finished,
    /// A write that could not be finished was undone, or had not begun.
    RolledBack,
}

/// The output folder.
#[derive(Debug)]
pub struct Output {
    root: Utf8PathBuf,
    disk: Disk,
}

impl Output {
    /// The folder `output` below `base`, which need not exist. Refused when links lead it out of `base`.
    pub fn open(base: &Utf8Path, output: &Utf8Path) -> Result<Self, Error> {
        // The path is shown to the user, so an empty base stays out of it.
        let root = if base.as_str().is_empty() { output.to_owned() } else { base.join(output) };
        let base = if base.as_str().is_empty() { Utf8Path::new(".") } else { base };
        let real = |path: &Utf8Path| path.canonicalize_utf8().map_err(|source| Error::io("read", path, source));
        let existing = root.ancestors().find(|path| path.as_str().is_empty() || path.symlink_metadata().is_ok());
        let existing = existing.filter(|path| !path.as_str().is_empty()).unwrap_or(base);
        if !real(existing)?.starts_with(real(base)?) {
            return Err(Error::Outside { path: root });
        }
        if !existing.is_dir() {
            return Err(Error::InTheWay { path: existing.to_owned(), obstacle: Obstacle::NoFolder });
        }
        Ok(Self { root, disk: Disk::default() })
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Finishes or undoes what an interrupted run left. Every command calls this before it reads the output.
    pub fn recover(&self) -> Result<Recovery, Error> {
        let staging = exists(&self.root.join(STAGING));
        if !staging && !exists(&self.root.join(exclusive::NAME)) {
            return Ok(Recovery::Nothing);
        }
        match Exclusive::take(&self.root, &self.disk) {
            Ok(_guard) => transaction::recover(&self.root, &self.disk),
            // Only an empty lock file is left over, in a folder that cannot be written: it says nothing.
            Err(Error::Io { .. }) if !staging => Ok(Recovery::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Says `not-ours` for each file that `write` would refuse to replace.
    pub fn check(&self, changes: &[Change], sink: &mut Sink) -> Result<(), Error> {
        for change in changes {
            let Some(obstacle) = self.obstacle(change)? else { continue };
            let path = self.root.join(&change.path);
            let help = match obstacle {
                Obstacle::NotOurs | Obstacle::Changed => {
                    format!("move it away, or let it be replaced: `gen apply --discard-edits {path}`")
                }
                _ => "move it away; gen puts plain files into plain folders".to_owned(),
            };
            sink.push(Diagnostic::nowhere(codes::NOT_OURS, format!("`{path}` {obstacle}")).help(help));
        }
        Ok(())
    }

    /// Writes all of it or nothing. Files that are already as they should be are not touched. Whether there was anything to do.
    pub fn write(&self, mut changes: Vec<Change>) -> Result<bool, Error> {
        if let Some(change) = changes.iter().find(|change| !crate::baseline::is_inside(change.path.as_str())) {
            return Err(Error::Outside { path: change.path.clone() });
        }
        // The lock says that the files are there, so it comes after them.
        changes.sort_by_key(|change| (change.path.file_name() == Some(lock::NAME), change.path.clone()));
        let _guard = Exclusive::take(&self.root, &self.disk)?;
        transaction::recover(&self.root, &self.disk)?;
        // The locks first: when another run was faster, that is what there is to say.
        for change in changes.iter().rev() {
            if let Some(obstacle) = self.obstacle(change)? {
                return Err(Error::InTheWay { path: self.root.join(&change.path), obstacle });
            }
        }
        Transaction::new(&self.root, &self.disk, changes)?.run()
    }

    /// What forbids a change.
    fn obstacle(&self, change: &Change) -> Result<Option<Obstacle>, Error> {
        if let Some(obstacle) = above(&self.root, &change.path)? {
            return Ok(Some(obstacle));
        }
        let path = self.root.join(&change.path);
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => return Ok(Some(Obstacle::Link)),
            Ok(found) if !found.is_file() => return Ok(Some(Obstacle::NoFile)),
            Ok(_) => {}
            Err(error) if is_absent(&error) => return Ok(None),
            Err(source) => return Err(Error::io("read", &path, source)),
        }
        let found = self.disk.digest(&path)?;
        let welcome = found == change.text.as_ref().map(Digest::of);
        Ok(match (&change.expected, found) {
            _ if welcome => None,
            (Expected::Nothing, Some(_)) if change.path.file_name() == Some(lock::NAME) => Some(Obstacle::Changed),
            (Expected::Nothing, Some(_)) => Some(Obstacle::NotOurs),
            (Expected::File(expected), Some(found)) if *expected != found => Some(Obstacle::Changed),
            _ => None,
        })
    }
}

/// What, between the output folder and a file, would lead a write astray: links, and files where folders have to be.
fn above(root: &Utf8Path, path: &Utf8Path) -> Result<Option<Obstacle>, Error> {
    let folders: Vec<&Utf8Path> = path.ancestors().skip(1).filter(|folder| !folder.as_str().is_empty()).collect();
    for folder in folders.into_iter().rev().map(|folder| root.join(folder)) {
        match folder.symlink_metadata() {
            Ok(found) if found.is_symlink() => return Ok(Some(Obstacle::BelowLink(folder))),
            Ok(found) if !found.is_dir() => return Ok(Some(Obstacle::BelowFile(folder))),
            Ok(_) => {}
            Err(error) if is_absent(&error) => return Ok(None),
            Err(source) => return Err(Error::io("read", &folder, source)),
        }
    }
    Ok(None)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
