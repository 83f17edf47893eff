//! The lines of a lock, and what a merge may have left between them.

use crate::source::{FileId, Span};

/// What stands before the facts that templates added.
pub(super) const TEMPLATES: &str = "[templates]";

/// What stands before the files.
pub(super) const FILES: &str = "[files]";

/// About how long a line of a large lock is, in bytes.
const LINE: usize = 48;

/// A line that is not empty, without its end.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) section: Section,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Among the facts.
    Facts,
    /// Among the facts that templates added.
    Templates,
    /// Among the files; not certain between conflict markers.
    Files { certain: bool },
}

/// All lines that are not empty, without the names of sections and without conflict markers; and where conflicts start among
/// the facts, or the first other marker when no start was found.
pub(super) fn lines(text: &str, file: FileId) -> (Vec<Line<'_>>, Vec<Span>) {
    let mut lines = Vec::with_capacity(text.len() / LINE);
    let mut markers = Vec::new();
    let mut section = Section::Facts;
    for (line, span) in split(text, file) {
        match (section, marker(line)) {
            (_, None) if line.is_empty() => {}
            (Section::Facts, None) if line == TEMPLATES => section = Section::Templates,
            (Section::Facts | Section::Templates, None) if line == FILES => section = Section::Files { certain: true },
            (Section::Files { .. }, Some(marker)) => section = Section::Files { certain: marker == Marker::End },
            (Section::Facts | Section::Templates, Some(marker)) => markers.push((marker, span)),
            (section, None) => lines.push(Line { text: line, span, section }),
        }
    }
    let starts: Vec<Span> = markers.iter().filter(|(marker, _)| *marker == Marker::Start).map(|(_, span)| *span).collect();
    let conflicts = if starts.is_empty() { markers.first().map(|(_, span)| *span).into_iter().collect() } else { starts };
    (lines, conflicts)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Marker {
    Start,
    Middle,
    End,
}

/// A conflict marker of git: seven equal characters, then a space or nothing.
fn marker(line: &str) -> Option<Marker> {
    let is = |marker: &str| line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    match line.as_bytes().first()? {
        b'<' if is("<<<<<<<") => Some(Marker::Start),
        b'>' if is(">>>>>>>") => Some(Marker::End),
        b'=' if is("=======") => Some(Marker::Middle),
        b'|' if is("|||||||") => Some(Marker::Middle),
        _ => None,
    }
}

fn split(text: &str, file: FileId) -> impl Iterator<Item = (&str, Span)> {
    let mut offset = 0;
    text.split_inclusive('\n').map(move |whole| {
        let line = whole.strip_suffix('\n').unwrap_or(whole);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let span = Span::new(file, offset, offset + line.len());
        offset += whole.len();
        (line, span)
    })
}
