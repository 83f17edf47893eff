//! A place alone, underlined, under a title that is already printed.

use super::Palette;
use super::terminal::Window;
use crate::source::{SourceFile, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level};
use std::fmt::Write as _;

/// The longest line that is written as it is; the renderer cuts what is wider than a terminal.
const LONGEST: usize = 100;

/// Renders a place in these colours. None when its file is not known.
pub(super) fn place(span: Span, sources: &SourceMap, palette: Palette) -> Option<String> {
    let file = sources.get(span.file)?;
    Some(in_a_line(file, span, palette).unwrap_or_else(|| rendered(file, span, palette)))
}

/// Any place.
fn rendered(file: &SourceFile, span: Span, palette: Palette) -> String {
    let window = Window::around(file, [span]);
    let annotation = AnnotationKind::Primary.span(window.place(file, span));
    let group = Group::with_level(Level::INFO).element(window.snippet(file).annotation(annotation));
    palette.renderer().render(&[group]) + "\n"
}

/// A place in a line of plain letters, as nearly every one is, just as the renderer writes it: that one is made for several
/// lines, labels and letters of any width, and a plan shows a place for each change that blocks.
fn in_a_line(file: &SourceFile, span: Span, palette: Palette) -> Option<String> {
    let Palette { beside, .. } = palette;
    let (start, end) = (span.start as usize, span.end as usize);
    let from = file.text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = file.text.get(from..)?.split('\n').next()?;
    let is_plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if start >= end || end > from + line.len() || line.len() > LONGEST || !is_plain(line) || !is_plain(file.path.as_str()) {
        return None;
    }
    let (path, number, column) = (&file.path, file.line_of(start), start - from + 1);
    let width = number.to_string().len();
    let (before, under) = (start - from, "^".repeat(end - start));
    let mut text = String::with_capacity(512);
    // Writing to a String does not fail.
    let _ = writeln!(text, "{:width$}{beside}--> {beside:#}{path}:{number}:{column}", "");
    let _ = writeln!(text, "{:width$} {beside}|{beside:#}", "");
    let _ = writeln!(text, "{beside}{number}{beside:#} {beside}|{beside:#} {line}");
    let _ = writeln!(text, "{:width$} {beside}|{beside:#} {:before$}{beside}{under}{beside:#}", "", "");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use proptest::prelude::*;

    fn source(path: &str, text: &str) -> (SourceMap, FileId) {
        let mut sources = SourceMap::default();
        let file = sources.add(path, text);
        (sources, file)
    }

    proptest! {
        #[test]
        fn a_line_is_written_as_the_renderer_does(
            lines in proptest::collection::vec("[ -~]{0,104}|[ -~]{0,9}|[ -~é\t\r]{0,20}", 1..13),
            path in "[a-z/.]{1,12}|[ -~]{1,12}|é",
            start in 0_usize..600,
            length in 0_usize..60,
        ) {
            let (sources, id) = source(&path, &lines.join("\n"));
            let file = sources.get(id).unwrap();
            let span = Span::new(id, start, start + length);
            for palette in [Palette::COLOURED, Palette::PLAIN] {
                if let Some(text) = in_a_line(file, span, palette) {
                    prop_assert_eq!(text, rendered(file, span, palette));
                }
            }
        }
    }

    #[test]
    fn a_plain_line_needs_no_renderer() {
        let (sources, file) = source("models/shop.yaml", &("# \n".repeat(998) + "key: value\nother: value\n"));
        for (start, end) in [(2994, 2997), (2999, 3004), (3005, 3006), (0, 1), (0, 2)] {
            let span = Span::new(file, start, end);
            let text = in_a_line(sources.get(file).unwrap(), span, Palette::COLOURED);
            assert_eq!(text, Some(rendered(sources.get(file).unwrap(), span, Palette::COLOURED)));
        }
        for (start, end) in [(0, 0), (0, 6), (3000, 9000), (9000, 9001)] {
            assert_eq!(in_a_line(sources.get(file).unwrap(), Span::new(file, start, end), Palette::PLAIN), None);
            assert!(place(Span::new(file, start, end), &sources, Palette::PLAIN).is_some());
        }
    }
}
