//! Arguments and blocks, taken one by one; what nobody takes is carried along.

use super::syntax::{Block, Body, Expression, Name, ObjectKey, Ranged, Structure};
use crate::schema::About;
use crate::source::{FileId, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The file that a piece of syntax stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
}

impl<'a> Source<'a> {
    /// The place of a piece of syntax.
    pub(super) fn span(self, of: &impl Ranged) -> Span {
        let range = of.range();
        Span::new(self.file, range.start, range.end)
    }

    /// Its text as it stands there.
    pub(super) fn raw(self, of: &impl Ranged) -> &'a str {
        self.text.get(of.range()).unwrap_or_default()
    }

    /// Its text, with line ends of one kind.
    pub(super) fn slice(self, of: &impl Ranged) -> String {
        let text = self.raw(of).trim();
        if text.contains('\r') { text.replace("\r\n", "\n") } else { text.to_owned() }
    }
}

/// What is known about a table or an index while it is read.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) about: About,
    pub(super) extra: BTreeMap<String, String>,
}

impl Item {
    pub(super) fn at(span: Span) -> Self {
        Self { about: About::at(span), extra: BTreeMap::new() }
    }

    pub(super) fn place(&mut self, property: impl Into<Cow<'static, str>>, span: Span) {
        self.about.properties.insert(property, span);
    }

    /// Carries a piece of source along.
    pub(super) fn carry(&mut self, path: impl Into<String>, source: Source<'_>, of: &impl Ranged) {
        let path = path.into();
        self.place(path.clone(), source.span(of));
        self.extra.insert(path, source.slice(of));
    }

    /// Carries a block along, each of its arguments under its path; an empty one as `{}`.
    pub(super) fn carry_block(&mut self, path: &str, source: Source<'_>, body: &Body<'_>) {
        if body.is_empty() {
            self.extra.insert(path.to_owned(), "{}".to_owned());
        }
        let mut fields = Fields::new(source, body);
        fields.carry_rest(path, self);
    }
}

/// The arguments and blocks of one block that nobody has taken yet.
pub(super) struct Fields<'a> {
    pub(super) source: Source<'a>,
    rest: Vec<&'a Structure<'a>>,
    /// Of an object, which has arguments alone.
    entries: Vec<(String, &'a Expression<'a>)>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(source: Source<'a>, body: &'a Body<'a>) -> Self {
        Self { source, rest: body.iter().collect(), entries: Vec::new() }
    }

    /// Those of an object, by its keys as they stand there; None for any other expression.
    pub(super) fn of_object(source: Source<'a>, value: &'a Expression<'a>) -> Option<Self> {
        let name = |key: &ObjectKey<'_>| match key {
            ObjectKey::Ident(name) => name.as_str().to_owned(),
            ObjectKey::Expression(key) => key.as_str().map_or_else(|| source.slice(key), str::to_owned),
        };
        let entries = value.as_object()?.iter().map(|(key, value)| (name(key), value)).collect();
        Some(Self { source, rest: Vec::new(), entries })
    }

    /// Whether an argument is there to be taken.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_it = |structure: &&Structure<'_>| structure.as_attribute().is_some_and(|attribute| attribute.has_key(name));
        self.rest.iter().any(is_it)
    }

    /// Takes an argument. `null` is as good as none.
    pub(super) fn argument(&mut self, name: &str) -> Option<&'a Expression<'a>> {
        if let Some(at) = self.entries.iter().position(|(key, _)| key == name) {
            return Some(self.entries.remove(at).1).filter(|value| !value.is_null());
        }
        let is_it = |structure: &&Structure<'_>| structure.as_attribute().is_some_and(|attribute| attribute.has_key(name));
        let at = self.rest.iter().position(is_it)?;
        self.rest.remove(at).as_attribute().map(|attribute| &attribute.value).filter(|value| !value.is_null())
    }

    /// Takes all blocks of a type, in their order.
    pub(super) fn blocks(&mut self, name: &str) -> Vec<&'a Block<'a>> {
        let mut taken = Vec::new();
        self.rest.retain(|structure| {
            let found = structure.as_block().filter(|block| block.has_ident(name));
            taken.extend(found);
            found.is_none()
        });
        taken
    }

    /// Takes the one block of a type; further ones stay.
    pub(super) fn block(&mut self, name: &str) -> Option<&'a Block<'a>> {
        let is_it = |structure: &&Structure<'_>| structure.as_block().is_some_and(|block| block.has_ident(name));
        let at = self.rest.iter().position(is_it)?;
        self.rest.remove(at).as_block()
    }

    /// Carries along what is left.
    pub(super) fn carry_rest(&mut self, path: &str, item: &mut Item) {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for (name, value) in std::mem::take(&mut self.entries).into_iter().filter(|(_, value)| !value.is_null()) {
            item.carry(below(&name), self.source, value);
        }
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for structure in std::mem::take(&mut self.rest) {
            match structure {
                Structure::Attribute(attribute) if attribute.value.is_null() => {}
                Structure::Attribute(attribute) => item.carry(below(attribute.key.as_str()), self.source, &attribute.value),
                Structure::Block(block) => {
                    let base = below(&block_name(block));
                    let count = seen.entry(base.clone()).or_default();
                    *count += 1;
                    let path = if *count > 1 { format!("{base}.{count}") } else { base };
                    item.place(path.clone(), self.source.span(block));
                    item.carry_block(&path, self.source, &block.body);
                }
            }
        }
    }
}

/// A block's type, its labels, and the name that tells it from its like.
fn block_name(block: &Block<'_>) -> String {
    let own = block.body.get_attribute("name").and_then(|name| name.value.as_str());
    let labels = block.labels.iter().map(Name::as_str);
    std::iter::once(block.ident.as_str()).chain(labels).chain(own).collect::<Vec<_>>().join(".")
}
