//! Checks a model's text and resolves it: shape against the JSON Schema, then names, grammars and limits.

pub mod document;
mod files;
mod grammar;
mod not_in_format;
mod number;
mod resolve;
mod schema;
mod shape;
mod share;
#[cfg(test)]
mod tests;

pub use number::number;
pub use schema::schema;
pub use shape::{Shape, UnknownKey};
pub use share::{Lookup, Member, Outline, Part, SharedTable, Together, not_judged, outline, resolve_all};

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::source::{Entry, FileId, Kind, Node, SourceMap, Span, Spanned, from_node, parse, yaml_1_1};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use files::{beside, named_files};
use share::Neighbours;

/// The largest resource policy, in bytes
/// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-considerations.html>).
const LARGEST_POLICY: usize = 20 * 1024;

/// The format this reads.
const FORMAT: &str = "1";

static SHAPE: LazyLock<Option<Shape>> = LazyLock::new(|| Shape::new(schema()));

/// A model that was read as far as its shape goes; its names are not followed yet.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Something in it is wrong. The rest is resolved all the same, so that all errors are said in one run.
    broken: bool,
    document: document::Model,
    root: Span,
    named_files: Vec<Utf8PathBuf>,
}

impl Draft {
    /// Reads a text, YAML or JSON. Errors go to the sink; None when nothing can be made of the text.
    pub fn read(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Self> {
        let mut own = Sink::default();
        let draft = read(sources, file, &mut own);
        let broken = own.has_errors();
        sink.extend(own.into_sorted());
        draft.map(|draft| Self { broken, ..draft })
    }

    /// The model's name, when it has one; whether it is a good one is said by [`Draft::resolve`].
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.document.name.get().map(|name| name.value.as_str())
    }

    /// The names of its parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.document.parameters.get().into_iter().flat_map(|parameters| &parameters.0).map(|(name, _)| name.value.as_str())
    }

    /// The paths of the files it names, as they are looked up among the sources when it is resolved.
    #[must_use]
    pub fn named_files(&self) -> &[Utf8PathBuf] {
        &self.named_files
    }

    /// Follows every reference of a model that shares no table; [`resolve_all`] is for those that do. Each of the `values`, by the
    /// name of a parameter, replaces what is in force without one. Every error goes to the sink; None exactly when there is
    /// one, here or in the shape.
    pub fn resolve(&self, sources: &SourceMap, values: &Values, sink: &mut Sink) -> Option<Model> {
        self.resolve_among(sources, values, &Neighbours::none(sources), sink)
    }

    fn resolve_among(&self, sources: &SourceMap, values: &Values, neighbours: &Neighbours<'_>, sink: &mut Sink) -> Option<Model> {
        let mut own = Sink::default();
        let model = resolve::resolve(&self.document, self.root, sources, values, Some(neighbours), &mut own);
        let broken = self.broken || own.has_errors();
        sink.extend(own.into_sorted());
        (!broken).then_some(model)
    }
}

/// Values of parameters, as they were written, each with its place.
pub type Values = BTreeMap<String, Spanned<String>>;

/// Reads a model, YAML or JSON. Every error of the text goes to the sink; None exactly when there is one.
pub fn load(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Model> {
    let mut own = Sink::default();
    let model = Draft::read(sources, file, &mut own).and_then(|draft| draft.resolve(sources, &Values::new(), &mut own));
    sink.extend(own.into_sorted());
    model
}

fn read(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Draft> {
    let mut node = parse(sources, file, sink)?;
    if let Some(format) = node.entry("gen")
        && is_other_format(&format.value)
    {
        let written = sources.snippet(format.value.span);
        let diagnostic = Diagnostic::new(codes::UNSUPPORTED_FORMAT, format.value.span, format!("format {written} is not known"));
        sink.push(diagnostic.help(format!("this version of gen reads format {FORMAT}")));
        return None;
    }
    let named_files = named_files(sources, file, &node);
    long_types(&mut node);
    earlier_yaml(&node, sink);
    let root = node.span;
    let node = SHAPE.as_ref()?.check(node, sources, not_in_format::unknown_key, sink)?;
    share::check(&node, sink);
    let document = from_node::<document::Model>(&node).map_err(|error| sink.push(error.into_diagnostic(root))).ok()?;
    Some(Draft { broken: false, document, root, named_files })
}

/// Whether the format is a number, but not ours.
fn is_other_format(node: &Node) -> bool {
    matches!(&node.kind, Kind::Number(text) if text != FORMAT)
}

/// Gives every user type its long form: `{ fields: { … } }`.
fn long_types(root: &mut Node) {
    let Kind::Map(entries) = &mut root.kind else { return };
    let Some(types) = entries.iter_mut().find(|entry| entry.key == "types") else { return };
    let Kind::Map(types) = &mut types.value.kind else { return };
    for user_type in types {
        let is_long =
            user_type.value.get(document::UserType::LONG_FORM).is_some_and(|fields| matches!(fields.kind, Kind::Map(_)));
        if is_long || !matches!(user_type.value.kind, Kind::Map(_)) {
            continue;
        }
        let span = user_type.value.span;
        let short = std::mem::replace(&mut user_type.value, Node { span, tag: None, kind: Kind::Null });
        let fields = Entry { key: document::UserType::LONG_FORM.to_owned(), key_span: span, value: short };
        user_type.value.kind = Kind::Map(vec![fields]);
    }
}

/// Tells values that tools built on YAML 1.1 take for something else.
fn earlier_yaml(node: &Node, sink: &mut Sink) {
    if let Some(taken_for) = yaml_1_1(node) {
        let diagnostic =
            Diagnostic::new(codes::YAML_1_1, node.span, format!("tools that read YAML 1.1 take this for {taken_for}"));
        sink.push(diagnostic.help("put it in quotes, or write the number without leading zeros"));
    }
    node.entries().iter().for_each(|entry| earlier_yaml(&entry.value, sink));
    node.items().iter().for_each(|item| earlier_yaml(item, sink));
}
