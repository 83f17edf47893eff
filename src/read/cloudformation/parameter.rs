//! The `Parameters` section.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::dynamodb::Schema;
use crate::schema::{About, Notes, Parameter, ParameterKind, Scalar};
use crate::source::{Entry, Kind, Node};

impl Reader<'_> {
    /// Takes the parameters of a template into the schema. Each stack has its own, but one schema has one of a name.
    pub(super) fn take_parameters(&mut self, schema: &mut Schema) {
        for (name, parameter) in &self.parameters {
            let known = schema.parameters.entry(name.clone()).or_insert_with(|| parameter.clone());
            if known != parameter
                && let (Some(span), Some(first)) = (parameter.about.span, known.about.span)
            {
                let message = format!("two templates define the parameter `{name}` differently; the first one counts");
                self.sink.push(Diagnostic::new(codes::NOT_EVALUATED, span, message).context(first, "the first one"));
            }
        }
    }

    /// A parameter. Of its constraints only the closed set of values is modelled. CloudFormation has no bool: a `String` of
    /// `true` and `false` is one. Lists and the types of resource IDs count as text.
    pub(super) fn parameter(&mut self, entry: &Entry) -> Option<Parameter> {
        let node = &entry.value;
        let Some(kind) = node.get("Type").and_then(Node::as_str) else {
            self.wrong(entry.key_span, format!("the parameter `{}` has no `Type`", entry.key));
            return None;
        };
        let mut values = Vec::new();
        for value in node.get("AllowedValues").map(Node::items).unwrap_or_default() {
            values.extend(self.parameter_value(value));
        }
        let default = node.get("Default").and_then(|value| self.parameter_value(value));
        let mut words = values.clone();
        words.sort();
        let kind = match kind {
            "Number" => ParameterKind::Number,
            _ if words == ["false", "true"] => ParameterKind::Bool,
            _ => ParameterKind::Text,
        };
        let scalar = |text: String| match kind {
            ParameterKind::Text => Scalar::Text(text),
            ParameterKind::Number => Scalar::Number(text),
            ParameterKind::Bool => Scalar::Bool(text == "true"),
        };
        if kind == ParameterKind::Bool {
            values.clear();
        }
        let description = node.get("Description").and_then(Node::as_str).map(ToOwned::to_owned);
        let about = About::from(Notes { description, ..Notes::at(entry.key_span) });
        Some(Parameter { kind, values: values.into_iter().map(scalar).collect(), default: default.map(scalar), about })
    }

    /// A default or an allowed value as CloudFormation passes it on: as text.
    fn parameter_value(&mut self, node: &Node) -> Option<String> {
        match &node.kind {
            Kind::String { value, .. } => Some(value.clone()),
            Kind::Number(text) => Some(text.clone()),
            Kind::Bool(value) => Some(value.to_string()),
            Kind::Null | Kind::Sequence(_) | Kind::Map(_) => {
                self.wrong(node.span, "a parameter's value has to be text or a number");
                None
            }
        }
    }
}
