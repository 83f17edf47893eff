//! Exit codes, and what makes a command give up.

use crate::{baseline, output};
use camino::Utf8PathBuf;
use std::io;

/// The exit code of a run. When several apply, the first of [`Exit::Failed`], [`Exit::Blocked`], [`Exit::Changes`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: nothing to do, or only safe changes.
    Done,
    /// 1: it could not be done: a bad model, I/O.
    Failed,
    /// 2: there are changes (`--detailed-exitcode`), or the output is stale (`check`).
    Changes,
    /// 3: blocked by a dangerous change that nobody acknowledged, or by a finding at or above `fail_on`.
    Blocked,
    /// 64: wrong arguments.
    Usage,
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Changes => 2,
            Self::Blocked => 3,
            Self::Usage => 64,
        }
    }

    /// The graver of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Usage => 4,
            Self::Failed => 3,
            Self::Blocked => 2,
            Self::Changes => 1,
            Self::Done => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Why a command could not be carried out, when no text of the user's is at fault.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// `read`, `write`, `list`
        action: &'static str,
        /// Which.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The output could not be read or written.
    #[error(transparent)]
    Output(#[from] output::Error),
    /// The previous generation could not be read.
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
    /// The file of `--output` could not be written.
    #[error("cannot write the report to {path}: {source}")]
    ReportFile {
        /// Which.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What was printed could not be written; a closed pipe is no failure.
    #[error("cannot write the report: {0}")]
    Report(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graver_code_counts() {
        assert_eq!(Exit::Changes.and(Exit::Blocked), Exit::Blocked);
        assert_eq!(Exit::Blocked.and(Exit::Failed), Exit::Failed);
        assert_eq!(Exit::Done.and(Exit::Changes).code(), 2);
    }
}
