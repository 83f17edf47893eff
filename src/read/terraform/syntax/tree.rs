//! What a file says, as far as it is looked at here. Names and texts are those of the file; only a text with escapes is a copy.

use super::expression::Expression;
use std::borrow::Cow;
use std::ops::Range;

/// What stands somewhere in the text of a file.
pub(crate) trait Ranged {
    /// Its bytes.
    fn range(&self) -> Range<usize>;
}

/// A word, or a text that is used like one.
#[derive(Debug, PartialEq)]
pub(crate) struct Name<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) range: Range<usize>,
}

impl Name<'_> {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl Ranged for Name<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// The attributes and blocks of a file or of a block, in their order.
#[derive(Debug, PartialEq)]
pub(crate) struct Body<'a> {
    pub(super) structures: Vec<Structure<'a>>,
    /// Of a block, from the line end after its brace to the closing brace; empty, at the start of the file, where it has no lines.
    pub(super) range: Range<usize>,
}

impl<'a> Body<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.structures.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Structure<'a>> {
        self.structures.iter()
    }

    pub(crate) fn attributes(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.iter().filter_map(Structure::as_attribute)
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block<'a>> {
        self.iter().filter_map(Structure::as_block)
    }

    /// An attribute by its name. There is one at most.
    pub(crate) fn get_attribute(&self, key: &str) -> Option<&Attribute<'a>> {
        self.attributes().find(|attribute| attribute.has_key(key))
    }

    /// The blocks of a type.
    pub(crate) fn get_blocks(&self, ident: &str) -> impl Iterator<Item = &Block<'a>> {
        self.blocks().filter(move |block| block.has_ident(ident))
    }
}

impl Ranged for Body<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// What a body is made of.
#[derive(Debug, PartialEq)]
pub(crate) enum Structure<'a> {
    Attribute(Attribute<'a>),
    Block(Block<'a>),
}

impl<'a> Structure<'a> {
    pub(crate) fn as_attribute(&self) -> Option<&Attribute<'a>> {
        match self {
            Self::Attribute(attribute) => Some(attribute),
            Self::Block(_) => None,
        }
    }

    pub(crate) fn as_block(&self) -> Option<&Block<'a>> {
        match self {
            Self::Block(block) => Some(block),
            Self::Attribute(_) => None,
        }
    }
}

impl Ranged for Structure<'_> {
    fn range(&self) -> Range<usize> {
        match self {
            Self::Attribute(attribute) => attribute.range.clone(),
            Self::Block(block) => block.range(),
        }
    }
}

/// `key = value`.
#[derive(Debug, PartialEq)]
pub(crate) struct Attribute<'a> {
    pub(crate) key: Name<'a>,
    pub(crate) value: Expression<'a>,
    pub(super) range: Range<usize>,
}

impl Attribute<'_> {
    pub(crate) fn has_key(&self, key: &str) -> bool {
        self.key.text == key
    }
}

/// `ident "label" { … }`.
#[derive(Debug, PartialEq)]
pub(crate) struct Block<'a> {
    pub(crate) ident: Name<'a>,
    pub(crate) labels: Vec<Name<'a>>,
    pub(crate) body: Body<'a>,
    pub(super) range: Range<usize>,
}

impl Block<'_> {
    pub(crate) fn has_ident(&self, ident: &str) -> bool {
        self.ident.text == ident
    }
}

impl Ranged for Block<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}
