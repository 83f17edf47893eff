//! The simple HCL that modules mostly consist of, read without the parser, many times faster (ADR 26).
//!
//! Blocks, attributes and comments here, what may stand behind an equals sign in `value`. At anything else, and at anything wrong,
//! it gives up, and the parser reads the text from its start. What is read here is what the parser reads, place by place: `tests`
//! compares.

mod cursor;
#[cfg(test)]
mod tests;
mod value;

use super::expression::{Expression, ObjectKey};
use super::tree::{Attribute, Block, Body, Structure};
use cursor::Cursor;
use std::collections::HashSet;

/// How deep blocks and brackets may be in one another, as to the parser.
const DEPTH_LIMIT: usize = 64;

/// The tree of a text; None when the parser has to read it.
pub(super) fn read(text: &str) -> Option<Body<'_>> {
    let cursor = Cursor::new(text);
    let mut reader = Reader { cursor, depth: 0, structures: Vec::new(), items: Vec::new(), entries: Vec::new() };
    let mut end = 0;
    let structures = reader.lines(&mut end)?;
    reader.cursor.is_over().then_some(Body { structures, range: 0..end })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// Blocks and brackets that are open.
    depth: usize,
    /// What the open blocks hold so far, the outermost first: a block that is closed takes its own with it, in one piece.
    structures: Vec<Structure<'a>>,
    /// The same of the open lists.
    items: Vec<Expression<'a>>,
    /// The same of the open objects.
    entries: Vec<(ObjectKey<'a>, Expression<'a>)>,
}

impl<'a> Reader<'a> {
    /// Attributes and blocks, each on lines of its own. `end` is where the last of these lines ends.
    fn lines(&mut self, end: &mut usize) -> Option<Vec<Structure<'a>>> {
        let first = self.structures.len();
        self.cursor.skip_gap()?;
        while self.cursor.is_word() {
            let structure = self.structure()?;
            self.structures.push(structure);
            self.cursor.skip_to_line_end()?;
            if !self.cursor.take_line_end() && !self.cursor.is_over() {
                return None;
            }
            *end = self.cursor.at();
            self.cursor.skip_gap()?;
        }
        let structures = self.structures.split_off(first);
        let keys = structures.iter().filter_map(Structure::as_attribute).map(|attribute| attribute.key.as_str());
        each_once(keys).then_some(structures)
    }

    fn structure(&mut self) -> Option<Structure<'a>> {
        let start = self.cursor.at();
        let ident = self.cursor.name()?;
        self.cursor.skip_blanks()?;
        if self.cursor.take(b'=') {
            self.cursor.skip_blanks()?;
            let value = self.value()?;
            return Some(Structure::Attribute(Attribute { key: ident, value, range: self.cursor.since(start) }));
        }
        let mut labels = Vec::new();
        while self.cursor.here() != b'{' {
            labels.push(if self.cursor.is_word() { self.cursor.name()? } else { self.cursor.quoted()? });
            self.cursor.skip_blanks()?;
        }
        let body = self.body()?;
        Some(Structure::Block(Block { ident, labels, body, range: self.cursor.since(start) }))
    }

    /// What stands in braces: lines, or one attribute.
    fn body(&mut self) -> Option<Body<'a>> {
        self.open(b'{')?;
        self.cursor.skip_to_line_end()?;
        let start = self.cursor.at();
        if self.cursor.take_line_end() {
            let structures = self.lines(&mut 0)?;
            let range = self.cursor.since(start);
            self.close(b'}')?;
            return Some(Body { structures, range });
        }
        let structures = if self.cursor.is_word() { vec![self.only_attribute()?] } else { Vec::new() };
        self.close(b'}')?;
        Some(Body { structures, range: 0..0 })
    }

    fn only_attribute(&mut self) -> Option<Structure<'a>> {
        let attribute = self.structure().filter(|structure| structure.as_attribute().is_some())?;
        self.cursor.skip_blanks()?;
        Some(attribute)
    }

    /// Goes past what opens a block or a bracket.
    fn open(&mut self, byte: u8) -> Option<()> {
        self.depth += 1;
        (self.cursor.take(byte) && self.depth <= DEPTH_LIMIT).then_some(())
    }

    /// Goes past what closes it.
    fn close(&mut self, byte: u8) -> Option<()> {
        self.depth -= 1;
        self.cursor.take(byte).then_some(())
    }
}

/// How many names there are at most that are compared with one another.
const FEW: usize = 16;

/// Whether no name is given twice.
fn each_once<'n>(names: impl Iterator<Item = &'n str> + Clone) -> bool {
    if names.clone().nth(FEW).is_none() {
        return names.clone().enumerate().all(|(at, name)| names.clone().take(at).all(|before| before != name));
    }
    let mut known = HashSet::new();
    names.into_iter().all(|name| known.insert(name))
}
