//! Intrinsic functions: the short form (`!Sub x`) and the long one (`{"Fn::Sub": x}`) are one, and JSON is their source text.

use crate::source::{Entry, Kind, Node, json_number};
use serde_json::{Map, Value};

/// The same tree with every short form written out, which is all that JSON has. Places are kept.
#[must_use]
pub fn long_form(node: Node) -> Node {
    let Node { span, tag, kind } = node;
    let kind = match kind {
        Kind::Sequence(items) => Kind::Sequence(items.into_iter().map(long_form).collect()),
        Kind::Map(mut entries) => {
            for entry in &mut entries {
                let empty = Node { span: entry.value.span, tag: None, kind: Kind::Null };
                let value = long_form(std::mem::replace(&mut entry.value, empty));
                entry.value = if entry.key == "Fn::GetAtt" { attribute(value) } else { value };
            }
            Kind::Map(entries)
        }
        scalar => scalar,
    };
    let plain = Node { span, tag: None, kind };
    let Some(tag) = tag else { return plain };
    let (key, value) = match tag.name.as_str() {
        "Ref" | "Condition" => (tag.name.clone(), plain),
        "GetAtt" => ("Fn::GetAtt".to_owned(), attribute(plain)),
        name => (format!("Fn::{name}"), plain),
    };
    let span = tag.span.to(span);
    Node { span, tag: None, kind: Kind::Map(vec![Entry { key, key_span: tag.span, value }]) }
}

/// `Resource.Attribute` as the list it stands for.
fn attribute(node: Node) -> Node {
    let Some((resource, name)) = node.as_str().and_then(|text| text.split_once('.')) else { return node };
    let part = |text: &str| Node { span: node.span, tag: None, kind: Kind::String { value: text.to_owned(), plain: false } };
    Node { span: node.span, tag: None, kind: Kind::Sequence(vec![part(resource), part(name)]) }
}

/// The function and its argument, when the node is a call in its long form.
pub(super) fn call(node: &Node) -> Option<(&str, &Node)> {
    match node.entries() {
        [entry] if entry.key == "Ref" || entry.key.starts_with("Fn::") => Some((&entry.key, &entry.value)),
        _ => None,
    }
}

/// Whether the node stands for nothing: null, or the pseudo parameter `AWS::NoValue`.
pub(super) fn is_absent(node: &Node) -> bool {
    node.kind == Kind::Null || call(node).is_some_and(|(name, of)| name == "Ref" && of.as_str() == Some("AWS::NoValue"))
}

/// A tree in its long form as JSON, keys in the order they were written. A number that JSON cannot write stays text.
#[must_use]
pub fn json(node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        Kind::Number(text) => json_number(text).map_or_else(|| Value::from(text.as_str()), Value::Number),
        Kind::String { value, .. } => Value::from(value.as_str()),
        Kind::Sequence(items) => Value::Array(items.iter().map(json).collect()),
        Kind::Map(entries) => {
            Value::Object(entries.iter().map(|entry| (entry.key.clone(), json(&entry.value))).collect::<Map<_, _>>())
        }
    }
}

/// The source text of a tree in its long form: compact JSON with sorted keys, since the order of keys means nothing.
pub(super) fn source(node: &Node) -> String {
    let mut value = json(node);
    value.sort_all_objects();
    value.to_string()
}
