//! A tree as the JSON that it says. The validator looks at it where it stands: no second tree is made of it.

use crate::source::{Entry, Kind, Node, json_number};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, NodeIdentity, Object, cmp};
use serde_json::{Number, Value};
use std::borrow::Cow;

/// The representation that the validator is made for.
pub(in crate::validate) struct Tree;

impl Json for Tree {
    type Node<'a> = &'a Kind;
    type PreparedKey = String;
    type StringBuffer = Kind;

    // A look-up goes through a map as well.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Kind, string: &str, f: impl FnOnce(&Kind) -> T) -> T {
        *buffer = Kind::String { value: string.to_owned(), plain: false };
        f(buffer)
    }
}

impl<'a> jsonschema::json::Node<'a, Tree> for &'a Kind {
    type Object = &'a [Entry];
    type Array = &'a [Node];
    type Number = Number;

    fn as_object(&self) -> Option<&'a [Entry]> {
        if let Kind::Map(entries) = self { Some(entries) } else { None }
    }

    fn as_array(&self) -> Option<&'a [Node]> {
        if let Kind::Sequence(items) = self { Some(items) } else { None }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Kind::String { value, .. } => Some(Cow::Borrowed(value)),
            // Infinity is no number to JSON; as text it is refused wherever a number is wanted.
            Kind::Number(text) if json_number(text).is_none() => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        if let Kind::Number(text) = self { json_number(text) } else { None }
    }

    fn as_boolean(&self) -> Option<bool> {
        if let Kind::Bool(value) = self { Some(*value) } else { None }
    }

    fn is_null(&self) -> bool {
        matches!(self, Kind::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Kind::Null => JsonType::Null,
            Kind::Bool(_) => JsonType::Boolean,
            Kind::Number(_) if self.is_number() => JsonType::Number,
            Kind::Number(_) | Kind::String { .. } => JsonType::String,
            Kind::Sequence(_) => JsonType::Array,
            Kind::Map(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match self {
            Kind::String { value, .. } => expected.as_str() == Some(value),
            _ => cmp::equal(&value(self), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(value(self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Kind>(self).addr()))
    }
}

impl<'a> Object<'a, Tree> for &'a [Entry] {
    type Node = &'a Kind;
    type MemberName = &'a str;
    type MembersIter = std::iter::Map<std::slice::Iter<'a, Entry>, fn(&'a Entry) -> (&'a str, &'a Kind)>;

    fn len(&self) -> usize {
        <[Entry]>::len(self)
    }

    fn get(&self, key: &String) -> Option<&'a Kind> {
        self.iter().find(|entry| entry.key == *key).map(|entry| &entry.value.kind)
    }

    fn members(&self) -> Self::MembersIter {
        self.iter().map(|entry| (&entry.key, &entry.value.kind))
    }
}

impl<'a> Array<'a, Tree> for &'a [Node] {
    type Node = &'a Kind;
    type ElementsIter = std::iter::Map<std::slice::Iter<'a, Node>, fn(&'a Node) -> &'a Kind>;

    fn len(&self) -> usize {
        <[Node]>::len(self)
    }

    fn elements(&self) -> Self::ElementsIter {
        self.iter().map(|item| &item.kind)
    }
}

fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Null => Value::Null,
        Kind::Bool(value) => Value::Bool(*value),
        Kind::Number(text) => json_number(text).map_or_else(|| Value::String(text.clone()), Value::Number),
        Kind::String { value, .. } => Value::String(value.clone()),
        Kind::Sequence(items) => items.iter().map(|item| value(&item.kind)).collect(),
        Kind::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), value(&entry.value.kind))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::source::samples::files;
    use crate::source::{SourceMap, parse};
    use crate::validate::schema::schema;
    use serde_json::json;

    fn tree(text: &str) -> Option<Node> {
        let mut sources = SourceMap::default();
        let file = sources.add("m.yaml", text);
        parse(&sources, file, &mut Sink::default())
    }

    #[test]
    fn the_validator_says_of_a_tree_what_it_says_of_its_json() {
        let schema = schema();
        let of_trees = jsonschema::options_for::<Tree>().build(&schema).unwrap();
        let of_json = jsonschema::validator_for(&schema).unwrap();
        let said = |error: jsonschema::ValidationError<'_>| (error.to_string(), error.instance_path().to_string());
        let mut wrong = 0;
        for (path, text) in ["models", "golden"].into_iter().flat_map(|folder| files(folder, &["yaml"])) {
            let Some(tree) = tree(&text) else { continue };
            let json = value(&tree.kind);
            let errors: Vec<_> = of_trees.iter_errors(&tree.kind).map(said).collect();
            assert_eq!(errors, of_json.iter_errors(&json).map(said).collect::<Vec<_>>(), "{path}");
            wrong += usize::from(!errors.is_empty());
        }
        assert!(wrong > 10, "{wrong}");
    }

    #[test]
    fn what_is_no_number_to_json_is_text() {
        let schema = json!({
            "properties": { "a": { "type": "number" }, "b": { "enum": ["x", 1, true, [1]] } },
            "propertyNames": { "maxLength": 1 },
        });
        let validator = jsonschema::options_for::<Tree>().build(&schema).unwrap();
        for (text, fits) in [
            ("{ a: 1.5 }", true),
            ("{ a: 0x1F }", true),
            ("{ a: .inf }", false),
            ("{ a: x }", false),
            ("{ b: x }", true),
            ("{ b: 1.0 }", true),
            ("{ b: true }", true),
            ("{ b: [1] }", true),
            ("{ b: ~ }", false),
            ("{ ab: 1 }", false),
        ] {
            assert_eq!(validator.is_valid(&tree(text).unwrap().kind), fits, "{text}");
        }
    }
}
