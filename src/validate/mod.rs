//! Checks a model's text and resolves it: shape against the JSON Schema, then names, grammars and limits.

pub mod document;
mod files;
mod grammar;
mod not_in_format;
mod not_yet;
mod resolve;
mod schema;
mod shape;
mod share;
#[cfg(test)]
mod tests;

pub use files::named_files;
pub use schema::schema;
pub use shape::{Shape, UnknownKey};
pub use share::{Lookup, Member, Outline, Part, SharedTable, Together, load_all, not_judged, outline};

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::source::{Entry, FileId, Kind, Node, SourceMap, from_node, parse, yaml_1_1};
use std::sync::LazyLock;

use files::beside;
use share::Neighbours;

/// The largest resource policy, in bytes
/// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-considerations.html>).
const LARGEST_POLICY: usize = 20 * 1024;

/// The format this reads.
const FORMAT: &str = "1";

static SHAPE: LazyLock<Option<Shape>> = LazyLock::new(|| Shape::new(schema()));

/// Reads a model that shares no table, YAML or JSON. Every error of the text goes to the sink; None exactly when there is one.
pub fn load(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Model> {
    let mut own = Sink::default();
    let model = read(sources, file, Some(&Neighbours::new(sources, &[], &[], 0)), &mut own);
    let broken = own.has_errors();
    for diagnostic in own.into_sorted() {
        sink.push(diagnostic);
    }
    model.filter(|_| !broken)
}

/// Reads a model among its neighbours. Without them nothing is said that they could answer.
fn read(sources: &SourceMap, file: FileId, neighbours: Option<&Neighbours<'_>>, sink: &mut Sink) -> Option<Model> {
    let mut node = parse(sources, file, sink)?;
    if let Some(format) = node.entry("gen")
        && is_other_format(&format.value)
    {
        let written = sources.snippet(format.value.span);
        let diagnostic = Diagnostic::new(codes::UNSUPPORTED_FORMAT, format.value.span, format!("format {written} is not known"));
        sink.push(diagnostic.help(format!("this version of gen reads format {FORMAT}")));
        return None;
    }
    long_types(&mut node);
    earlier_yaml(&node, sink);
    let root = node.span;
    let node = SHAPE.as_ref()?.check(node, sources, not_in_format::unknown_key, sink)?;
    not_yet::check(&node, sink);
    share::check(&node, sink);
    let document = from_node::<document::Model>(&node).map_err(|error| sink.push(error.into_diagnostic(root))).ok()?;
    Some(resolve::resolve(&document, root, sources, neighbours, sink))
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
