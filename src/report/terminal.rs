//! Diagnostics as text with snippets, in the manner of rustc.

use super::Palette;
use crate::diagnostic::{Diagnostic, Label, Level, Severity};
use crate::source::{SourceFile, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Patch, Snippet};
use std::ops::Range;

/// A file above this size is cut to the lines around a place before it is rendered; the renderer reads all it is given.
const WHOLE_FILE: usize = 64 * 1024;

/// Renders one diagnostic in these colours, with a line break at its end.
#[must_use]
pub fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap, palette: Palette) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Shown::ERROR,
        Severity::Finding(Level::Error) => Shown::ERROR.with_name("finding"),
        Severity::Finding(Level::Warning) => Shown::WARNING,
        Severity::Finding(Level::Info) => Shown::INFO,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.slug());
    let mut group = Group::with_title(title);
    for snippet in snippets(diagnostic, sources) {
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Shown::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Shown::HELP.message(help.as_str()));
    }
    let mut report = vec![group];
    if let Some(suggestion) = &diagnostic.suggestion
        && let Some(&(first, _)) = suggestion.edits.first()
        && let Some(file) = sources.get(first.file)
    {
        let window = Window::around(file, suggestion.edits.iter().map(|(span, _)| *span));
        let mut patch = window.snippet::<Patch<'_>>(file);
        for (span, text) in suggestion.edits.iter().filter(|(span, _)| span.file == first.file) {
            patch = patch.patch(Patch::new(window.place(file, *span), text.as_str()));
        }
        report.push(Shown::HELP.secondary_title(suggestion.message.as_str()).element(patch));
    }
    let mut text = palette.renderer().render(&report);
    text.push('\n');
    text
}

/// A text of somebody else's on one line, so that it cannot write to the terminal in our name.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|next| if next.is_control() { ' ' } else { next }).collect()
}

/// One snippet a file, the primary place's first.
fn snippets<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let labels: Vec<(AnnotationKind, &Label)> = diagnostic
        .primary
        .iter()
        .map(|label| (AnnotationKind::Primary, label))
        .chain(diagnostic.labels.iter().map(|label| (AnnotationKind::Context, label)))
        .collect();
    let mut files = Vec::new();
    for (_, label) in &labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    let mut snippets = Vec::new();
    for id in files {
        let Some(file) = sources.get(id) else { continue };
        let here: Vec<_> = labels.iter().filter(|(_, label)| label.span.file == id).collect();
        let window = Window::around(file, here.iter().map(|(_, label)| label.span));
        let mut snippet = window.snippet(file);
        for (kind, label) in here {
            let mut annotation = kind.span(window.place(file, label.span));
            if !label.text.is_empty() {
                annotation = annotation.label(label.text.as_str());
            }
            snippet = snippet.annotation(annotation);
        }
        snippets.push(snippet);
    }
    snippets
}

/// The part of a file that is handed to the renderer: whole lines.
pub(super) struct Window {
    range: Range<usize>,
    first_line: usize,
}

impl Window {
    pub(super) fn around(file: &SourceFile, spans: impl IntoIterator<Item = Span>) -> Self {
        if file.text.len() <= WHOLE_FILE {
            return Self { range: 0..file.text.len(), first_line: 1 };
        }
        let (mut start, mut end) = (file.text.len(), 0);
        for span in spans {
            start = start.min(span.start as usize);
            end = end.max(span.end as usize);
        }
        let start = boundary(&file.text, start.min(file.text.len()));
        let end = boundary(&file.text, end.clamp(start, file.text.len()));
        let line_start = file.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line_end = file.text.get(end..).and_then(|after| after.find('\n')).map_or(file.text.len(), |at| end + at);
        let first_line = file.line_of(line_start);
        Self { range: line_start..line_end, first_line }
    }

    pub(super) fn snippet<'a, T: Clone>(&self, file: &'a SourceFile) -> Snippet<'a, T> {
        Snippet::source(file.text.get(self.range.clone()).unwrap_or("")).line_start(self.first_line).path(file.path.as_str())
    }

    /// A span as a range within the window, on character boundaries.
    pub(super) fn place(&self, file: &SourceFile, span: Span) -> Range<usize> {
        let inside =
            |offset: u32| boundary(&file.text, (offset as usize).clamp(self.range.start, self.range.end)) - self.range.start;
        let (start, end) = (inside(span.start), inside(span.end));
        start..end.max(start)
    }
}

/// The nearest character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "`snapbox::str!` names the path of this file")]
mod tests {
    use super::*;
    use crate::diagnostic::codes;

    fn source(text: &str) -> (SourceMap, crate::source::FileId) {
        let mut sources = SourceMap::default();
        let file = sources.add("models/shop.yaml", text);
        (sources, file)
    }

    #[test]
    fn shows_code_place_note_and_fix() {
        let (sources, file) = source("gen: 1\nnmae: shop\n");
        let span = Span::new(file, 7, 11);
        let text = diagnostic(
            &Diagnostic::new(codes::UNKNOWN_KEY, span, "unknown key `nmae`")
                .label("not a key of a model")
                .note("a model has these keys: gen, name")
                .suggest("write `name`", span, "name"),
            &sources,
            Palette::PLAIN,
        );
        snapbox::assert_data_eq!(
            text,
            snapbox::str![[r"
error[unknown-key]: unknown key `nmae`
 --> models/shop.yaml:2:1
  |
2 | nmae: shop
  | ^^^^ not a key of a model
  |
  = note: a model has these keys: gen, name
help: write `name`
  |
2 - nmae: shop
2 + name: shop
  |

"]]
        );
    }

    #[test]
    fn a_place_inside_a_huge_file_or_a_character_is_no_trouble() {
        let long = "é".repeat(100_000) + "\nkey: välue\n";
        let (sources, file) = source(&long);
        let at = long.find("lue").unwrap();
        let text =
            diagnostic(&Diagnostic::new(codes::BAD_VALUE, Span::new(file, at - 1, at + 1), "bad"), &sources, Palette::PLAIN);
        assert!(text.contains("models/shop.yaml:2:7"), "{text}");
        let beyond = Span::new(file, usize::MAX, usize::MAX);
        assert!(diagnostic(&Diagnostic::new(codes::BAD_VALUE, beyond, "bad"), &sources, Palette::PLAIN).contains("bad-value"));
        let (empty, file) = source("");
        assert!(
            diagnostic(&Diagnostic::new(codes::BAD_YAML, Span::new(file, 0, 0), "empty"), &empty, Palette::PLAIN)
                .contains("empty")
        );
    }
}
