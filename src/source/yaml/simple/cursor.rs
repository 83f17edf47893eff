//! Where the reading stands: lines, and what is on them.

use crate::source::search::{first_of, first_other};
use crate::source::{FileId, Span, Tag};
use std::borrow::Cow;

/// A scalar that begins and ends on one line.
pub(super) struct Scalar<'a> {
    pub(super) value: Cow<'a, str>,
    pub(super) span: Span,
    pub(super) plain: bool,
}

pub(super) struct Cursor<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    /// Where the line begins.
    line: usize,
    /// Of the first character on the line that is not a blank, from 1; 0 at the end of the text.
    column: usize,
}

impl<'a> Cursor<'a> {
    /// At the first line that says something.
    pub(super) fn new(text: &'a str, file: FileId) -> Option<Self> {
        let mut cursor = Self { text, file, at: 0, line: 0, column: 0 };
        if cursor.begin_line() {
            cursor.is_content()?;
        } else {
            cursor.next_line()?;
        }
        Some(cursor)
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The column that the line begins in, 0 at the end of the text.
    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// The column of the character that comes next.
    pub(super) fn column_here(&self) -> usize {
        self.at - self.line + 1
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    /// The byte that comes next; the end of the text ends its last line.
    pub(super) fn here(&self) -> u8 {
        self.byte(self.at)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
    }

    /// Goes past one byte.
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    pub(super) fn skip_blanks(&mut self) {
        // Nearly always one or none, or where a line begins.
        if self.here() == b' ' {
            self.at = self.find(self.at + 1, |rest| first_other(rest, b' '));
        }
    }

    /// Where what is looked for from a place on is; the end of the text if it is not there.
    fn find(&self, from: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        search(rest).map_or(self.text.len(), |length| from + length)
    }

    /// Whether nothing or a comment is left of the line.
    pub(super) fn is_line_over(&self) -> bool {
        is_break(self.here()) || self.is_comment(self.at)
    }

    fn is_comment(&self, at: usize) -> bool {
        self.byte(at) == b'#' && (at == self.line || self.byte(at - 1) == b' ')
    }

    /// Goes to the next line that says something, or to the end. None when something is left of this line.
    pub(super) fn next_line(&mut self) -> Option<()> {
        self.skip_blanks();
        self.skip_comment();
        while self.at < self.text.len() {
            // A lone carriage return ends a line too.
            self.at += match self.here() {
                b'\n' => 1,
                b'\r' if self.text.as_bytes().get(self.at + 1) == Some(&b'\n') => 2,
                _ => return None,
            };
            if self.begin_line() {
                return self.is_content();
            }
        }
        self.column = 0;
        Some(())
    }

    /// At the first character of a line, or at its end if it says nothing.
    fn begin_line(&mut self) -> bool {
        self.line = self.at;
        self.skip_blanks();
        self.column = self.column_here();
        self.skip_comment();
        !is_break(self.here())
    }

    fn skip_comment(&mut self) {
        if self.is_comment(self.at) {
            self.at = self.find(self.at, |rest| first_of(rest, [b'\n', b'\r']));
        }
    }

    /// None at a marker that begins or ends a document.
    fn is_content(&self) -> Option<()> {
        let is_marker = || {
            let line = self.text.get(self.line..).unwrap_or_default();
            line.starts_with("---") || line.starts_with("...")
        };
        // What is indented is none.
        (self.at > self.line || !is_marker()).then_some(())
    }

    /// In brackets a line may end anywhere.
    pub(super) fn skip_gap(&mut self) -> Option<()> {
        self.skip_blanks();
        if self.is_line_over() {
            self.next_line()?;
        }
        Some(())
    }

    /// Whether an item of a list begins here, with its value on the same line.
    pub(super) fn is_item(&self) -> bool {
        self.here() == b'-' && self.byte(self.at + 1) == b' '
    }

    /// Goes past the colon that makes a key of what was read. In brackets no blank has to follow it: what reads on to a blank is
    /// read to its end, and a quoted key ends where it ends, as in JSON.
    pub(super) fn take_colon(&mut self, in_brackets: bool) -> bool {
        self.skip_blanks();
        let found = self.here() == b':' && (in_brackets || is_blank_or_break(self.byte(self.at + 1)));
        self.at += usize::from(found);
        found
    }

    /// A local tag of letters and digits. Its value follows on the same line.
    pub(super) fn tag(&mut self) -> Option<Tag> {
        let start = self.at;
        let end = self.find(start + 1, |rest| rest.iter().position(|byte| !byte.is_ascii_alphanumeric()));
        let name = self.text.get(start + 1..end).filter(|name| !name.is_empty())?.to_owned();
        if self.byte(end) != b' ' {
            return None;
        }
        self.at = end;
        self.skip_blanks();
        Some(Tag { name, span: self.span(start, end) })
    }

    pub(super) fn scalar(&mut self, in_brackets: bool) -> Option<Scalar<'a>> {
        match self.here() {
            quote @ (b'"' | b'\'') => self.quoted(quote),
            _ => self.plain(in_brackets),
        }
    }

    fn plain(&mut self, in_brackets: bool) -> Option<Scalar<'a>> {
        let start = self.at;
        match self.here() {
            b'-' => {
                let next = self.byte(start + 1);
                if is_blank_or_break(next) || is_bracket_or_comma(next) {
                    return None;
                }
            }
            b' ' | b'\n' | b'\r' | b'?' | b':' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' | b'"' | b'\'' => {
                return None;
            }
            first if is_bracket_or_comma(first) => return None,
            _ => {}
        }
        let mut end = start;
        loop {
            end = self.find(end, |rest| if in_brackets { first_of(rest, MAY_END_IN_BRACKETS) } else { first_of(rest, MAY_END) });
            match self.byte(end) {
                b':' => match self.byte(end + 1) {
                    next if is_blank_or_break(next) => break,
                    next if in_brackets && is_bracket_or_comma(next) => return None,
                    _ => {}
                },
                b'#' if self.byte(end - 1) == b' ' => break,
                b'#' => {}
                _ => break,
            }
            end += 1;
        }
        self.at = end;
        while self.byte(end - 1) == b' ' {
            end -= 1;
        }
        let value = self.text.get(start..end)?;
        // To the parser it ends before any white space, which beyond the blank no other ASCII is here.
        let shown = if value.ends_with(|last: char| last.is_ascii()) { value } else { value.trim_end() };
        let span = self.span(start, start + shown.len());
        Some(Scalar { value: Cow::Borrowed(value), span, plain: true })
    }

    fn quoted(&mut self, quote: u8) -> Option<Scalar<'a>> {
        let start = self.at;
        let mut value = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let escape = if quote == b'"' { b'\\' } else { quote };
            let end = self.find(from, |rest| first_of(rest, [quote, escape, b'\n', b'\r']));
            value += self.text.get(from..end)?;
            let character = match (self.byte(end), self.byte(end + 1)) {
                (b'\'', b'\'') => '\'',
                (b'\\', next) => escaped(next)?,
                (b'\n' | b'\r', _) => return None,
                _ => {
                    self.at = end + 1;
                    return Some(Scalar { value, span: self.span(start, self.at), plain: false });
                }
            };
            value.to_mut().push(character);
            from = end + 2;
        }
    }
}

/// What stands after a backslash in double quotes, as far as templates and JSON need it.
fn escaped(byte: u8) -> Option<char> {
    Some(match byte {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// What a plain scalar may end at.
const MAY_END: [u8; 4] = *b":#\n\r";
const MAY_END_IN_BRACKETS: [u8; 9] = *b":#\n\r,[]{}";

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_blank_or_break(byte: u8) -> bool {
    byte == b' ' || is_break(byte)
}

fn is_bracket_or_comma(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
