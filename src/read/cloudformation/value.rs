//! Values: literals of the wrong YAML type, references to parameters, and expressions.

use super::Reader;
use super::intrinsic::{call, source};
use crate::schema::{Part, Text, Value};
use crate::source::{Kind, Node};
use std::collections::BTreeMap;

impl Reader<'_> {
    /// Text: `Ref`, `Fn::Sub` and `Fn::Join` are taken apart into literals and parameters, any other function is an
    /// expression. None, and an error, for a list or a map.
    pub(super) fn text(&mut self, node: &Node) -> Option<Text> {
        let text = self.known_text(node);
        if text.is_none() {
            self.wrong(node.span, "this has to be text");
        }
        text
    }

    /// Text that names something. A parameter in it counts as its default, as it does everywhere; any other expression cannot be
    /// evaluated and stands in the name as the lock writes it.
    pub(super) fn name(&mut self, node: &Node) -> Option<String> {
        // Nearly always it is written out.
        if let Some(literal) = literal(node) {
            return Some(literal.to_owned());
        }
        let text = self.text(node)?;
        if let Some(value) = text.in_force(&self.parameters) {
            return Some(value);
        }
        self.not_evaluated(node);
        Some(text.to_string())
    }

    /// What a call comes to when nothing but parameters with defaults is in it.
    pub(super) fn in_force(&self, node: &Node) -> Option<String> {
        self.known_text(node)?.in_force(&self.parameters)
    }

    /// A bool, also one given as text.
    pub(super) fn boolean(&mut self, node: &Node) -> Option<Value<bool>> {
        self.scalar(node, "this has to be true or false", truth)
    }

    /// A whole number, also one given as text or with a fraction of zero.
    pub(super) fn number(&mut self, node: &Node) -> Option<Value<u64>> {
        self.scalar(node, "this has to be a whole number", |text| text.strip_suffix(".0").unwrap_or(text).parse().ok())
    }

    /// Per cent, which the service takes with a fraction; with one they are kept as they are written.
    pub(super) fn per_cent(&mut self, node: &Node) -> Option<Value<u64>> {
        let has_fraction = |text: &&String| text.parse().is_ok_and(|number: f64| number.is_finite() && number.fract() != 0.0);
        let written = match &node.kind {
            Kind::Number(text) | Kind::String { value: text, .. } => Some(text).filter(has_fraction),
            _ => None,
        };
        written.map_or_else(|| self.number(node), |text| Some(Value::Expression(text.clone())))
    }

    fn scalar<T>(&mut self, node: &Node, expected: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Value<T>> {
        let value = match literal(node) {
            Some(literal) => parse(literal).map(Value::Literal),
            None => self.known_text(node).and_then(|text| match text.parts() {
                [Part::Parameter(name)] => Some(Value::Parameter(name.clone())),
                [Part::Expression(source)] => Some(Value::Expression(source.clone())),
                _ => parse(text.as_literal()?).map(Value::Literal),
            }),
        };
        if value.is_none() {
            self.wrong(node.span, expected);
        }
        value
    }

    fn known_text(&self, node: &Node) -> Option<Text> {
        match literal(node) {
            Some(literal) => Some(Text::literal(literal)),
            None => self.parts(node).map(Text::from_parts),
        }
    }

    fn parts(&self, node: &Node) -> Option<Vec<Part>> {
        if let Some(literal) = literal(node) {
            return Some(vec![Part::Literal(literal.to_owned())]);
        }
        let (name, argument) = call(node)?;
        let known = match name {
            "Ref" => argument.as_str().map(|name| vec![self.reference(name)]),
            "Fn::Sub" => self.substitute(argument),
            "Fn::Join" => self.join(argument),
            _ => None,
        };
        let parts = known.unwrap_or_else(|| vec![Part::Expression(source(node))]);
        self.left_open.set(self.left_open.get() || parts.iter().any(|part| matches!(part, Part::Expression(_))));
        Some(parts)
    }

    /// What `${name}` and `Ref` stand for: a parameter, an attribute (`Resource.Attribute`), else a resource or a pseudo
    /// parameter.
    fn reference(&self, name: &str) -> Part {
        if self.parameters.contains_key(name) {
            return Part::Parameter(name.to_owned());
        }
        Part::Expression(match name.split_once('.') {
            Some((resource, attribute)) => serde_json::json!({ "Fn::GetAtt": [resource, attribute] }).to_string(),
            None => serde_json::json!({ "Ref": name }).to_string(),
        })
    }

    /// `Fn::Sub` of a text, or of a text and a map of values. `${!x}` is the text `${x}`
    /// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-sub.html>).
    fn substitute(&self, argument: &Node) -> Option<Vec<Part>> {
        let (mut rest, values) = match argument.items() {
            [template, values] => (template.as_str()?, values.entries()),
            _ => (argument.as_str()?, &[][..]),
        };
        let values: BTreeMap<&str, Vec<Part>> =
            values.iter().map(|entry| Some((entry.key.as_str(), self.parts(&entry.value)?))).collect::<Option<_>>()?;
        let mut parts = Vec::new();
        while let Some((before, after)) = rest.split_once("${") {
            parts.push(Part::Literal(before.to_owned()));
            if let Some(escaped) = after.strip_prefix('!') {
                parts.push(Part::Literal("${".to_owned()));
                rest = escaped;
            } else if let Some((name, next)) = after.split_once('}') {
                match values.get(name.trim()) {
                    Some(value) => parts.extend(value.iter().cloned()),
                    None => parts.push(self.reference(name.trim())),
                }
                rest = next;
            } else {
                parts.push(Part::Literal("${".to_owned()));
                rest = after;
            }
        }
        parts.push(Part::Literal(rest.to_owned()));
        Some(parts)
    }

    /// `Fn::Join` of a list that is written out.
    fn join(&self, argument: &Node) -> Option<Vec<Part>> {
        let [delimiter, list] = argument.items() else { return None };
        let (Some(delimiter), Kind::Sequence(items)) = (delimiter.as_str(), &list.kind) else { return None };
        let mut parts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                parts.push(Part::Literal(delimiter.to_owned()));
            }
            parts.extend(self.parts(item)?);
        }
        Some(parts)
    }
}

/// What is written out.
fn literal(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::String { value, .. } => Some(value),
        Kind::Number(text) => Some(text),
        Kind::Bool(value) => Some(if *value { "true" } else { "false" }),
        Kind::Null | Kind::Sequence(_) | Kind::Map(_) => None,
    }
}

/// What YAML 1.1, which CloudFormation reads, takes for a bool, and the same in quotes.
pub(super) fn truth(text: &str) -> Option<bool> {
    let is_one_of = |words: [&str; 3]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_one_of(["true", "yes", "on"]) { Some(true) } else { is_one_of(["false", "no", "off"]).then_some(false) }
}
