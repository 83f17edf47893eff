//! Markers that a merge leaves in a text.

use super::{FileId, Span};
use crate::diagnostic::{Code, Diagnostic};

/// What to say of a text that git has put the markers of a conflict into; None when there are none.
#[must_use]
pub fn conflict(text: &str, file: FileId, code: Code) -> Option<Diagnostic> {
    const MARKER: &str = "<<<<<<<";
    let mut starts = text.match_indices(MARKER).map(|(at, _)| text.split_at(at));
    let (before, from) =
        starts.find(|(before, from)| (before.is_empty() || before.ends_with('\n')) && from.contains("\n>>>>>>>"))?;
    let length = from.lines().next().map_or(0, str::len);
    let span = Span::new(file, before.len(), before.len() + length);
    let diagnostic = Diagnostic::new(code, span, "the markers of a merge conflict stand here");
    Some(diagnostic.help("keep the lines of both sides that are meant, and take the markers out"))
}
