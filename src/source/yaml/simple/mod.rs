//! The simple YAML that models and templates are written in, read without the parser, several times faster (ADR 24).
//!
//! Blocks by their indentation, brackets, scalars on one line, comments. At anything else, and at anything wrong, it gives up,
//! and the parser reads the text from its start. What is read here is what the parser reads, place by place: `tests` compares.

mod cursor;
#[cfg(test)]
mod tests;

use super::DEPTH_LIMIT;
use super::key::each_once;
use crate::source::node::{Entry, Kind, Node, Tag};
use crate::source::scalar::resolve;
use crate::source::{FileId, Span};
use cursor::{Cursor, Scalar};

/// Bytes from a key to its colon: fewer than the characters that the parser looks ahead.
const KEY_LIMIT: usize = 1000;

/// The tree of a text; None when the parser has to read it.
pub(super) fn read(text: &str, file: FileId) -> Option<Node> {
    if !is_ordinary(text) {
        return None;
    }
    let mut reader = Reader { cursor: Cursor::new(text, file)?, depth: 0, entries: Vec::new(), items: Vec::new() };
    let root = match reader.cursor.here() {
        b'[' | b'{' => {
            let root = reader.value(false)?;
            reader.cursor.next_line()?;
            root
        }
        _ => reader.block()?,
    };
    (reader.cursor.column() == 0).then_some(root)
}

/// Whether all characters may stand in a text, and none is a tab or a byte order mark, which mean more in some places.
fn is_ordinary(text: &str) -> bool {
    // Without an early end it looks at many bytes at once.
    text.bytes().fold(true, |all, byte| all & matches!(byte, b'\n' | b'\r' | b' '..=b'~'))
        || text.chars().all(|character| {
            matches!(character, '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..) && character != '\u{feff}'
        })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Maps and lists that are open.
    depth: usize,
    /// What the open maps hold so far, the outermost first: a map that is closed takes its own with it, in one piece.
    entries: Vec<Entry>,
    /// The same of the open lists.
    items: Vec<Node>,
}

// A block ends at the first line in another column than its own. When that is not the column of a block around it, no block
// goes on there, and the root does not end at the end of the text.
impl<'a> Reader<'a> {
    /// A map or list that begins with a line.
    fn block(&mut self) -> Option<Node> {
        if self.cursor.is_item() {
            return self.list(true);
        }
        let column = self.cursor.column();
        let key = self.key(false)?;
        self.map(column, key)
    }

    /// A map from the colon after its first key on.
    fn map(&mut self, column: usize, mut key: Scalar<'a>) -> Option<Node> {
        self.open()?;
        let start = key.span;
        let first = self.entries.len();
        loop {
            let value = self.value_of_key(column)?;
            self.entries.push(Entry { key_span: key.span, key: key.value.into_owned(), value });
            if self.cursor.column() != column {
                break;
            }
            key = self.key(false)?;
        }
        let entries = self.entries.split_off(first);
        let span = entries.last().map_or(start, |last| start.to(last.key_span).to(last.value.span));
        Some(self.close(span, None, map(entries)?))
    }

    /// What a key is for, on its line or below it.
    fn value_of_key(&mut self, column: usize) -> Option<Node> {
        let colon = self.cursor.at() - 1;
        self.cursor.skip_blanks();
        if !self.cursor.is_line_over() {
            let value = self.value(false)?;
            self.cursor.next_line()?;
            return Some(value);
        }
        self.cursor.next_line()?;
        if self.cursor.column() > column {
            self.block()
        } else if self.cursor.column() == column && self.cursor.is_item() {
            self.list(false)
        } else {
            Some(Node { span: self.cursor.span(colon, colon), tag: None, kind: Kind::Null })
        }
    }

    fn list(&mut self, indented: bool) -> Option<Node> {
        self.open()?;
        let column = self.cursor.column_here();
        let mut start = self.cursor.at();
        let first = self.items.len();
        loop {
            self.cursor.step();
            self.cursor.skip_blanks();
            // To the parser a list that is not indented begins after its first dash.
            if self.items.len() == first && !indented {
                start = self.cursor.at();
            }
            let item = self.item()?;
            self.items.push(item);
            if self.cursor.column() != column || !self.cursor.is_item() {
                break;
            }
        }
        let items = self.items.split_off(first);
        let start = self.cursor.span(start, start);
        let span = items.last().map_or(start, |last| start.to(last.span));
        Some(self.close(span, None, Kind::Sequence(items)))
    }

    fn item(&mut self) -> Option<Node> {
        if self.cursor.is_item() {
            return self.list(true);
        }
        let column = self.cursor.column_here();
        let item = match self.cursor.here() {
            b'!' | b'[' | b'{' => self.value(false)?,
            _ => {
                let scalar = self.cursor.scalar(false)?;
                if self.cursor.take_colon(false) {
                    let key = self.checked(scalar)?;
                    return self.map(column, key);
                }
                node(scalar, None)
            }
        };
        self.cursor.next_line()?;
        Some(item)
    }

    /// A key and its colon.
    fn key(&mut self, in_brackets: bool) -> Option<Scalar<'a>> {
        let key = self.cursor.scalar(in_brackets)?;
        if self.cursor.take_colon(in_brackets) { self.checked(key) } else { None }
    }

    fn checked(&self, key: Scalar<'a>) -> Option<Scalar<'a>> {
        let length = self.cursor.at() - key.span.start as usize;
        (length <= KEY_LIMIT && !(key.plain && key.value == "<<")).then_some(key)
    }

    /// A value that begins on this line. Only brackets may reach over its end.
    fn value(&mut self, in_brackets: bool) -> Option<Node> {
        let tag = if self.cursor.here() == b'!' { Some(Box::new(self.cursor.tag()?)) } else { None };
        match self.cursor.here() {
            b'[' => self.bracketed(b']', tag),
            b'{' => self.bracketed(b'}', tag),
            _ => self.cursor.scalar(in_brackets).map(|scalar| node(scalar, tag)),
        }
    }

    fn bracketed(&mut self, end: u8, tag: Option<Box<Tag>>) -> Option<Node> {
        self.open()?;
        let start = self.cursor.at();
        let (first_entry, first_item) = (self.entries.len(), self.items.len());
        self.cursor.step();
        self.cursor.skip_gap()?;
        while self.cursor.here() != end {
            if end == b'}' {
                let key = self.key(true)?;
                self.cursor.skip_gap()?;
                let value = self.value(true)?;
                self.entries.push(Entry { key_span: key.span, key: key.value.into_owned(), value });
            } else {
                let item = self.value(true)?;
                self.items.push(item);
            }
            self.cursor.skip_gap()?;
            match self.cursor.here() {
                b',' => self.cursor.step(),
                here if here == end => break,
                _ => return None,
            }
            self.cursor.skip_gap()?;
        }
        self.cursor.step();
        let kind = match end {
            b'}' => map(self.entries.split_off(first_entry))?,
            _ => Kind::Sequence(self.items.split_off(first_item)),
        };
        Some(self.close(self.cursor.span(start, self.cursor.at()), tag, kind))
    }

    fn open(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= DEPTH_LIMIT).then_some(())
    }

    fn close(&mut self, span: Span, tag: Option<Box<Tag>>, kind: Kind) -> Node {
        self.depth -= 1;
        Node { span, tag, kind }
    }
}

fn map(entries: Vec<Entry>) -> Option<Kind> {
    each_once(&entries).then_some(Kind::Map(entries))
}

fn node(scalar: Scalar, tag: Option<Box<Tag>>) -> Node {
    let Scalar { value, span, plain } = scalar;
    let kind = if plain && tag.is_none() { resolve(&value) } else { Kind::String { value: value.into_owned(), plain } };
    Node { span, tag, kind }
}
