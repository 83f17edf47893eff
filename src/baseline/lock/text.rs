//! The lines of a lock, and what a merge may have left between them.

use crate::source::{FileId, Span};

/// What stands before the facts that templates added.
pub(super) const TEMPLATES: &str = "[templates]";

/// What stands before the files.
pub(super) const FILES: &str = "[files]";

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

/// All lines that are not empty, without the names of sections and without conflict markers.
pub(super) fn lines(text: &str, file: FileId) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut section = Section::Facts;
    for (line, span) in split(text, file) {
        match (section, marker(line)) {
            (_, None) if line.is_empty() => {}
            (Section::Facts, None) if line == TEMPLATES => section = Section::Templates,
            (Section::Facts | Section::Templates, None) if line == FILES => section = Section::Files { certain: true },
            (Section::Files { .. }, Some(marker)) => section = Section::Files { certain: marker == Marker::End },
            (Section::Facts | Section::Templates, Some(_)) => {}
            (section, None) => lines.push(Line { text: line, span, section }),
        }
    }
    lines
}

/// The starts of conflicts among the facts, or the first other marker when no start was found.
pub(super) fn conflicts(text: &str, file: FileId) -> Vec<Span> {
    let markers: Vec<(Marker, Span)> =
        split(text, file).take_while(|(line, _)| *line != FILES).filter_map(|(line, span)| Some((marker(line)?, span))).collect();
    let starts: Vec<Span> = markers.iter().filter(|(marker, _)| *marker == Marker::Start).map(|(_, span)| *span).collect();
    if starts.is_empty() { markers.first().map(|(_, span)| *span).into_iter().collect() } else { starts }
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
    if is("<<<<<<<") {
        Some(Marker::Start)
    } else if is(">>>>>>>") {
        Some(Marker::End)
    } else {
        (is("=======") || is("|||||||")).then_some(Marker::Middle)
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
