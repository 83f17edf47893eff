//! One map of a template while it is read: entries are taken one by one, and what is left over is carried along.

use super::Reader;
use super::intrinsic::{call, is_absent, source};
use crate::schema::About;
use crate::source::{Entry, Kind, Node, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// What is gathered about a table or an index beside its properties.
#[derive(Default)]
pub(super) struct Item {
    pub(super) about: About,
    pub(super) extra: BTreeMap<String, String>,
}

impl Item {
    pub(super) fn at(span: Span) -> Self {
        Self { about: About::at(span), extra: BTreeMap::new() }
    }

    /// Notes where a property of the schema was written.
    pub(super) fn place(&mut self, property: impl Into<Cow<'static, str>>, span: Span) {
        self.about.properties.insert(property, span);
    }

    /// Carries a part along that is not modelled.
    pub(super) fn carry(&mut self, path: impl fmt::Display, node: &Node) {
        let path = path.to_string();
        self.place(path.clone(), node.span);
        self.extra.insert(path, source(node));
    }
}

/// Where a part stands below its table or index: `Tags[1].Value`. It is written out only for what is carried along or wrong.
#[derive(Clone, Copy)]
pub(super) enum Path<'p> {
    /// Written out; empty for the table or index itself.
    Text(&'p str),
    /// What a map has under a key.
    Key(&'p Path<'p>, &'p str),
    /// An item of the list that a map has under a key.
    Item(&'p Path<'p>, &'p str, usize),
}

impl<'p> From<&'p str> for Path<'p> {
    fn from(text: &'p str) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Key(Path::Text(""), key) => f.write_str(key),
            Self::Key(map, key) => write!(f, "{map}.{key}"),
            Self::Item(map, key, index) => write!(f, "{}[{index}]", Self::Key(map, key)),
        }
    }
}

/// The entries of a map that nobody has taken yet.
pub(super) struct Fields<'n> {
    span: Span,
    path: Path<'n>,
    left: Vec<&'n Entry>,
}

impl<'n> Fields<'n> {
    /// An entry's value. None when it is not there, null or `AWS::NoValue`.
    pub(super) fn take(&mut self, key: &str) -> Option<&'n Node> {
        let at = self.left.iter().position(|entry| entry.key == key)?;
        Some(&self.left.remove(at).value).filter(|value| !is_absent(value))
    }

    /// Takes an entry whose value says nothing.
    pub(super) fn take_if(&mut self, key: &str, says_nothing: impl Fn(&Node) -> bool) {
        self.left.retain(|entry| entry.key != key || !says_nothing(&entry.value));
    }

    /// Where the map stands.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// The path of an entry below the table or index.
    pub(super) fn path<'p>(&'p self, key: &'p str) -> Path<'p> {
        Path::Key(&self.path, key)
    }

    /// Carries along what nobody took.
    pub(super) fn carry_rest(self, item: &mut Item) {
        for entry in &self.left {
            if !is_absent(&entry.value) {
                item.carry(self.path(&entry.key), &entry.value);
            }
        }
    }
}

impl Reader<'_> {
    /// The entries of a map at a path. When CloudFormation computes the map it is carried along whole.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, path: impl Into<Path<'n>>, item: &mut Item) -> Option<Fields<'n>> {
        let path = path.into();
        if call(node).is_some() {
            self.carry_call(node, path, item);
            return None;
        }
        let Kind::Map(entries) = &node.kind else {
            self.wrong(node.span, "this has to be a map");
            return None;
        };
        Some(Fields { span: node.span, path, left: entries.iter().collect() })
    }

    /// A map inside a map, with its path.
    pub(super) fn nested<'n>(&mut self, fields: &'n mut Fields<'_>, key: &'n str, item: &mut Item) -> Option<Fields<'n>> {
        let node = fields.take(key)?;
        self.fields(node, fields.path(key), item)
    }

    /// The items of a list, each with its path. What CloudFormation computes, the list or an item, is carried along.
    pub(super) fn items<'n>(&mut self, fields: &'n mut Fields<'_>, key: &'n str, item: &mut Item) -> Vec<(Path<'n>, &'n Node)> {
        let Some(node) = fields.take(key) else { return Vec::new() };
        let map = &fields.path;
        if call(node).is_some() {
            self.carry_call(node, Path::Key(map, key), item);
            return Vec::new();
        }
        let Kind::Sequence(items) = &node.kind else {
            self.wrong(node.span, "this has to be a list");
            return Vec::new();
        };
        let mut found = Vec::with_capacity(items.len());
        for (index, node) in items.iter().enumerate().filter(|(_, node)| !is_absent(node)) {
            let path = Path::Item(map, key, index);
            if call(node).is_some() {
                self.carry_call(node, path, item);
            } else {
                found.push((path, node));
            }
        }
        found
    }

    /// A word out of a known set. One that CloudFormation computes is carried along, but for the default of a parameter.
    pub(super) fn word<T: Clone>(
        &mut self,
        node: &Node,
        path: impl fmt::Display,
        known: &[(&str, T)],
        item: &mut Item,
    ) -> Option<T> {
        let find = |word: &str| known.iter().find(|(name, _)| *name == word).map(|(_, value)| value.clone());
        if call(node).is_some() {
            let value = self.in_force(node).and_then(|word| find(&word));
            if value.is_none() {
                self.carry_call(node, path, item);
            }
            return value;
        }
        let value = node.as_str().and_then(find);
        if value.is_none() {
            let path = path.to_string();
            let property = path.rsplit('.').next().unwrap_or(&path);
            let names: Vec<_> = known.iter().map(|(name, _)| format!("`{name}`")).collect();
            let names = match names.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                _ => names.concat(),
            };
            self.wrong(node.span, format!("`{property}` has to be {names}"));
        }
        value
    }

    /// A value that has to be there.
    pub(super) fn required<'n>(&mut self, fields: &mut Fields<'n>, key: &str) -> Option<&'n Node> {
        let node = fields.take(key);
        if node.is_none() {
            self.wrong(fields.span, format!("`{key}` is missing here"));
        }
        node
    }

    /// Carries along what CloudFormation computes, and says so.
    pub(super) fn carry_call(&mut self, node: &Node, path: impl fmt::Display, item: &mut Item) {
        self.not_evaluated(node);
        item.carry(path, node);
    }
}
