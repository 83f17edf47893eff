//! The one tree that YAML, JSON and CloudFormation templates become.

use super::Span;

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it stands, without its tag.
    pub span: Span,
    /// A local tag such as `!Sub`; core-schema tags are resolved and not kept. Few nodes have one.
    pub tag: Option<Box<Tag>>,
    /// What it is.
    pub kind: Kind,
}

/// A local tag, without the exclamation mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// `Sub` for `!Sub`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Node`] holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    /// `null`, `~` or nothing.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written: no precision is lost.
    Number(String),
    /// Text. `plain` tells an unquoted scalar from a quoted one.
    String {
        /// The text, escapes resolved.
        value: String,
        /// Written without quotes.
        plain: bool,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// A map, in the order it was written. Keys are unique.
    Map(Vec<Entry>),
}

/// One entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key; keys are always text.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Kind {
    /// What it is, in a word: `nothing`, `bool`, `number`, `text`, `list` or `map`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String { .. } => "text",
            Self::Sequence(_) => "list",
            Self::Map(_) => "map",
        }
    }

    /// What it is, in a sentence: `a map`, but `text` and `nothing`.
    #[must_use]
    pub fn in_words(&self) -> String {
        article(self.name())
    }
}

/// The name of a kind, with its article where it has one.
pub(super) fn article(kind: &str) -> String {
    match kind {
        "text" | "nothing" => kind.to_owned(),
        _ => format!("a {kind}"),
    }
}

impl Node {
    /// The value under a key, for a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry under a key, for a map.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The entries of a map, else none.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        if let Kind::Map(entries) = &self.kind { entries } else { &[] }
    }

    /// The items of a list, else none.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        if let Kind::Sequence(items) = &self.kind { items } else { &[] }
    }

    /// Whether a test holds for it, or for anything in it.
    pub fn any(&self, test: &impl Fn(&Node) -> bool) -> bool {
        let within = |node: &Node| node.any(test);
        test(self) || self.entries().iter().any(|entry| within(&entry.value)) || self.items().iter().any(within)
    }

    /// The text of a string scalar.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Kind::String { value, .. } = &self.kind { Some(value) } else { None }
    }
}
