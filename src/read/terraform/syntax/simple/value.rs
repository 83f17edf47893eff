//! Text, numbers, words, lists, objects, references and calls. What would go on with a value, an operator or a further step, is
//! never what has to follow it where it stands, so there the reading gives up.

use super::super::expression::{Element, Expression, FuncCall, Kind, ObjectKey, Traversal, TraversalOperator};
use super::{Reader, each_once};

impl<'a> Reader<'a> {
    pub(super) fn value(&mut self) -> Option<Expression<'a>> {
        let start = self.cursor.at();
        let kind = match self.cursor.here() {
            b'"' => self.text()?,
            b'[' => Kind::Array(self.list(b'[', b']')?),
            b'{' => self.object()?,
            b'-' | b'0'..=b'9' => Kind::Number { is_zero: self.cursor.number()? == 0.0 },
            _ => self.reference()?,
        };
        Some(Expression { kind, range: self.cursor.since(start) })
    }

    /// Text in quotes, with what is put in.
    fn text(&mut self) -> Option<Kind<'a>> {
        self.cursor.take(b'"');
        let mut from = self.cursor.at();
        let mut text = self.cursor.literal()?;
        if self.cursor.take(b'"') {
            return Some(Kind::String(text));
        }
        let mut elements = Vec::new();
        loop {
            if self.cursor.at() > from {
                elements.push(Element::Literal(text));
            }
            if self.cursor.take(b'"') {
                return Some(Kind::Template(elements));
            }
            self.cursor.take(b'$');
            elements.push(Element::Interpolation(self.enclosed(b'{', b'}')?));
            from = self.cursor.at();
            text = self.cursor.literal()?;
        }
    }

    /// One value between brackets.
    fn enclosed(&mut self, open: u8, close: u8) -> Option<Expression<'a>> {
        self.open(open)?;
        self.cursor.skip_gap()?;
        let value = self.value()?;
        self.cursor.skip_gap()?;
        self.close(close)?;
        Some(value)
    }

    /// The values of a list, or the arguments of a call.
    fn list(&mut self, open: u8, close: u8) -> Option<Vec<Expression<'a>>> {
        self.open(open)?;
        let first = self.items.len();
        self.cursor.skip_gap()?;
        while self.cursor.here() != close {
            let item = self.value()?;
            self.items.push(item);
            self.cursor.skip_gap()?;
            if !self.cursor.take(b',') {
                break;
            }
            self.cursor.skip_gap()?;
        }
        self.close(close)?;
        Some(self.items.split_off(first))
    }

    fn object(&mut self) -> Option<Kind<'a>> {
        self.open(b'{')?;
        let first = self.entries.len();
        self.cursor.skip_gap()?;
        while self.cursor.here() != b'}' {
            let key = self.key()?;
            self.cursor.skip_blanks()?;
            if !self.cursor.take(b'=') && !self.cursor.take(b':') {
                return None;
            }
            self.cursor.skip_blanks()?;
            let value = self.value()?;
            self.entries.push((key, value));
            self.cursor.skip_blanks()?;
            if !self.cursor.take(b',') {
                self.cursor.skip_to_line_end()?;
                if !self.cursor.take_line_end() {
                    break;
                }
            }
            self.cursor.skip_gap()?;
        }
        self.close(b'}')?;
        let entries = self.entries.split_off(first);
        each_once(entries.iter().filter_map(|(key, _)| key.as_str())).then_some(Kind::Object(entries))
    }

    fn key(&mut self) -> Option<ObjectKey<'a>> {
        if self.cursor.is_word() {
            return self.cursor.name().filter(|name| !is_keyword(name.as_str())).map(ObjectKey::Ident);
        }
        let text = self.cursor.quoted()?;
        Some(ObjectKey::Expression(Expression { kind: Kind::String(text.text), range: text.range }))
    }

    /// A word, what it leads to, or a call.
    fn reference(&mut self) -> Option<Kind<'a>> {
        let name = self.cursor.word()?;
        match (name, self.cursor.here()) {
            (_, b'(') => return self.call(name),
            (_, b'.' | b'[') => {}
            ("null", _) => return Some(Kind::Null),
            ("true", _) => return Some(Kind::Bool(true)),
            ("false", _) => return Some(Kind::Bool(false)),
            _ if is_keyword(name) => return None,
            _ => return Some(Kind::Variable(name)),
        }
        if is_keyword(name) {
            return None;
        }
        let mut operators = Vec::new();
        loop {
            operators.push(match self.cursor.here() {
                b'[' => TraversalOperator::Index(self.enclosed(b'[', b']')?),
                b'.' => {
                    self.cursor.take(b'.');
                    TraversalOperator::GetAttr(self.cursor.word()?)
                }
                _ => return Some(Kind::Traversal(Traversal { root: Some(name), operators })),
            });
        }
    }

    fn call(&mut self, name: &'a str) -> Option<Kind<'a>> {
        let args = self.list(b'(', b')')?;
        Some(Kind::FuncCall(Box::new(FuncCall { name, is_namespaced: false, args, expand_final: false })))
    }
}

/// Whether a word is a value of its own, or begins an expression that is not read here.
fn is_keyword(word: &str) -> bool {
    matches!(word, "null" | "true" | "false" | "for")
}
