//! Places inside a scalar: which bytes of the file a part of the text comes from.

use super::{SourceMap, Span};
use std::ops::Range;

/// A scalar's text and, for each of its bytes, the byte of the file.
#[derive(Clone, Debug)]
pub struct Inside {
    span: Span,
    offsets: Offsets,
}

#[derive(Clone, Debug)]
enum Offsets {
    /// The text stands there as it is, behind so many bytes of the scalar: its quote, if it has one.
    Behind(usize),
    /// Offsets in the file, one for each byte of the text and one for its end.
    Each(Vec<u32>),
    /// The text is folded over lines, or something else than what is written.
    Unknown,
}

impl Inside {
    /// `value` is the text that was written at `span`, quotes and escapes resolved.
    #[must_use]
    pub fn new(sources: &SourceMap, span: Span, value: &str) -> Self {
        let written = sources.snippet(span);
        let quote = usize::from(!value.is_empty() && written.starts_with(['"', '\'']));
        // No text with an escape in it is what it stands for.
        let is_same = |rest: &str| rest.len() == value.len() + quote && rest.starts_with(value);
        let each = || offsets(written, span.start, value).map_or(Offsets::Unknown, Offsets::Each);
        let offsets = if written.get(quote..).is_some_and(is_same) { Offsets::Behind(quote) } else { each() };
        Self { span, offsets }
    }

    /// The place of a part of the text; the whole scalar's when that cannot be told, or when it is empty.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Span {
        match &self.offsets {
            Offsets::Behind(before) => self.span.part(before + range.start, before + range.end),
            Offsets::Each(offsets) if offsets.len() > 1 => match (offsets.get(range.start), offsets.get(range.end)) {
                (Some(start), Some(end)) => Span::new(self.span.file, *start as usize, *end as usize),
                _ => self.span,
            },
            _ => self.span,
        }
    }
}

/// Walks the text and the way it is written side by side. None where they part.
fn offsets(written: &str, base: u32, value: &str) -> Option<Vec<u32>> {
    let quote = written.chars().next().filter(|first| matches!(first, '"' | '\''));
    let mut at = quote.map_or(0, char::len_utf8);
    let mut offsets = Vec::with_capacity(value.len() + 1);
    for expected in value.chars() {
        let rest = written.get(at..)?;
        let width = match (quote, rest.chars().next()?) {
            (Some('\''), '\'') => "''".len(),
            (Some('"'), '\\') => escape(rest)?,
            (_, next) => (next == expected).then_some(next.len_utf8())?,
        };
        for _ in 0..expected.len_utf8() {
            offsets.push(base.checked_add(u32::try_from(at).ok()?)?);
        }
        at += width;
    }
    offsets.push(base.checked_add(u32::try_from(at).ok()?)?);
    Some(offsets)
}

/// How many bytes an escape of a double-quoted scalar takes.
fn escape(rest: &str) -> Option<usize> {
    Some(match rest.as_bytes().get(1)? {
        b'x' => 4,
        // A character beyond U+FFFF is written as two of these in JSON.
        b'u' if rest
            .get(2..4)
            .is_some_and(|high| matches!(high.as_bytes(), [b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B'])) =>
        {
            12
        }
        b'u' => 6,
        b'U' => 10,
        b'\n' | b'\r' => return None,
        _ => 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::source::parse;

    fn part(text: &str, needle: &str) -> String {
        let mut sources = SourceMap::default();
        let file = sources.add("m", text);
        let node = parse(&sources, file, &mut Sink::default()).unwrap();
        let scalar = node.get("a").unwrap();
        let value = scalar.as_str().unwrap();
        let at = value.find(needle).unwrap();
        sources.snippet(Inside::new(&sources, scalar.span, value).part(at..at + needle.len())).to_owned()
    }

    #[test]
    fn a_part_is_found_however_the_text_is_written() {
        assert_eq!(part("a: x = ü and y\n", "ü"), "ü");
        assert_eq!(part("a: \"x = ? and y\"\n", "y"), "y");
        assert_eq!(part("a: 'x = ü and y'\n", "ü and"), "ü and");
        assert_eq!(part("a: 'x = ''it''s'' and y'\n", "y"), "y");
        assert_eq!(part("a: 'x = ''it''s'' and y'\n", "'it'"), "''it''");
        assert_eq!(part(r#"{"a": "\"my name\" = ? \ud83d\ude00 and \u00fc y"}"#, "my name"), "my name");
        assert_eq!(part(r#"{"a": "\"my name\" = ? \ud83d\ude00 and \u00fc y"}"#, "y"), "y");
    }

    #[test]
    fn a_folded_text_is_one_place() {
        assert_eq!(part("a: >-\n  x = ?\n  and y = ?\n", "y = ?"), "x = ?\n  and y = ?");
    }
}
