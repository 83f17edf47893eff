//! Intrinsic functions: the short form (`!Sub x`) and the long one (`{"Fn::Sub": x}`) are one, and JSON is their source text.

use crate::source::{Entry, Kind, Node, json_number};
use serde_json::{Map, Value};

/// The same tree with every short form written out, which is all that JSON has. Places are kept.
#[must_use]
pub fn long_form(mut node: Node) -> Node {
    lengthen(&mut node);
    node
}

fn lengthen(node: &mut Node) {
    match &mut node.kind {
        Kind::Sequence(items) => items.iter_mut().for_each(lengthen),
        Kind::Map(entries) => {
            for entry in entries {
                lengthen(&mut entry.value);
                if entry.key == "Fn::GetAtt" {
                    divide(&mut entry.value);
                }
            }
        }
        _ => {}
    }
    let Some(tag) = node.tag.take() else { return };
    let key = match tag.name.as_str() {
        "Ref" | "Condition" => tag.name,
        name => format!("Fn::{name}"),
    };
    let mut value = Node { span: node.span, tag: None, kind: std::mem::replace(&mut node.kind, Kind::Null) };
    if key == "Fn::GetAtt" {
        divide(&mut value);
    }
    node.span = tag.span.to(node.span);
    node.kind = Kind::Map(vec![Entry { key, key_span: tag.span, value }]);
}

/// Makes the list of `Resource.Attribute` that it stands for.
fn divide(node: &mut Node) {
    let span = node.span;
    let part = |text: &str| Node { span, tag: None, kind: Kind::String { value: text.to_owned(), plain: false } };
    if let Some((resource, name)) = node.as_str().and_then(|text| text.split_once('.')) {
        node.kind = Kind::Sequence(vec![part(resource), part(name)]);
    }
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
    matches!(node.kind, Kind::Null) || call(node).is_some_and(|(name, of)| name == "Ref" && of.as_str() == Some("AWS::NoValue"))
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
