//! Why output could not be written.

use camino::{Utf8Path, Utf8PathBuf};
use std::{fmt, io};

/// Why output could not be written. Nothing was changed, unless it says so.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system said no.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// `read`, `write`, …
        action: &'static str,
        /// What.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another run is at work.
    #[error("another gen is writing below {path}; try again when it is done")]
    Held {
        /// The output folder.
        path: Utf8PathBuf,
    },
    /// The output folder, or a file, is outside of where it belongs.
    #[error("{path} leads out of the folder of gen.yaml; nothing is written there")]
    Outside {
        /// The path.
        path: Utf8PathBuf,
    },
    /// Something else is where a file belongs.
    #[error("{path} {obstacle}; nothing was written")]
    InTheWay {
        /// The file.
        path: Utf8PathBuf,
        /// What.
        obstacle: Obstacle,
    },
    /// A file is neither what an interrupted run found nor what it was to write.
    #[error(
        "an interrupted gen apply left {staging}, and {path} is another file since; move it away or restore it, so that the apply \
         can be finished, or restore all of the output from version control and delete {staging}"
    )]
    ChangedSince {
        /// The file.
        path: Utf8PathBuf,
        /// What the interrupted run left.
        staging: Utf8PathBuf,
    },
    /// The journal of an interrupted run cannot be read, so nothing can be said about the files.
    #[error("{path} cannot be read ({reason}); restore the output from version control and delete that folder")]
    BadJournal {
        /// The journal.
        path: Utf8PathBuf,
        /// Why.
        reason: String,
    },
    /// Neither finished nor undone.
    #[error(
        "the output is half written because of: {cause}; and it could not be undone: {undo}. The next run of gen tries again"
    )]
    Interrupted {
        /// What stopped it.
        cause: Box<Error>,
        /// What kept it from being undone.
        undo: Box<Error>,
    },
}

impl Error {
    pub(super) fn io(action: &'static str, path: &Utf8Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}

/// What is where a file belongs. Displayed after the file's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A file of somebody else's.
    NotOurs,
    /// The file is not the one the plan was made from.
    Changed,
    /// A link: it would be replaced, or what it leads to.
    Link,
    /// A folder, or something stranger.
    NoFile,
    /// A file where the output folder has to be.
    NoFolder,
    /// A link above it.
    BelowLink(Utf8PathBuf),
    /// A file where a folder has to be.
    BelowFile(Utf8PathBuf),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => f.write_str("was not written by gen"),
            Self::Changed => f.write_str("was changed since the plan was made"),
            Self::Link => f.write_str("is a link"),
            Self::NoFile => f.write_str("is not a file"),
            Self::NoFolder => f.write_str("is not a folder"),
            Self::BelowLink(folder) => write!(f, "is behind the link {folder}"),
            Self::BelowFile(file) => write!(f, "is below {file}, which is not a folder"),
        }
    }
}
