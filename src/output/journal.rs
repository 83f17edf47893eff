//! The journal: which files a write consists of, each with its hash before and after.

use super::Error;
use crate::baseline::{Digest, is_inside};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// The format that is written. A run of another version may find it.
const VERSION: u64 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    version: u64,
    /// In the order in which they are put in place.
    pub(super) files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Below the output folder.
    pub(super) path: Utf8PathBuf,
    /// None: there was no file.
    pub(super) previous: Option<Digest>,
    /// None: there will be no file.
    pub(super) next: Option<Digest>,
}

impl Journal {
    pub(super) fn new(files: Vec<Entry>) -> Self {
        Self { version: VERSION, files }
    }

    /// As text; texts and hashes always serialise.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(super) fn parse(text: &str, path: &Utf8Path) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadJournal { path: path.to_owned(), reason };
        let journal: Self = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        if journal.version != VERSION {
            return Err(bad(format!("format {}", journal.version)));
        }
        match journal.files.iter().find(|entry| !is_inside(entry.path.as_str())) {
            Some(entry) => Err(bad(format!("the path {}", entry.path))),
            None => Ok(journal),
        }
    }
}
