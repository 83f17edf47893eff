//! Variables.

use super::Reader;
use super::fields::Source;
use super::scope::{Known, reference};
use super::syntax::{Block, Expression, Kind};
use crate::schema::{About, Parameter, ParameterKind, Scalar};

impl<'a> Reader<'a> {
    /// A parameter; None for a variable that holds a list, a map or an object.
    pub(super) fn parameter(&self, source: Source<'a>, block: &'a Block<'a>, name: &str) -> Option<Parameter> {
        if !self.scope.is_parameter(name) {
            return None;
        }
        let argument = |key| block.body.get_attribute(key).map(|attribute| &attribute.value);
        let value = self.scope.value_of(name);
        let default = value.and_then(|(source, value)| self.scalar(source, value));
        let kind = argument("type").and_then(|kind| kind.as_variable().or_else(|| kind.as_str()));
        let kind = match (kind, &default) {
            (Some("number"), _) | (Some("any") | None, Some(Scalar::Number(_))) => ParameterKind::Number,
            (Some("bool"), _) | (Some("any") | None, Some(Scalar::Bool(_))) => ParameterKind::Bool,
            _ => ParameterKind::Text,
        };
        let mut about = About::at(source.span(&block.ident));
        about.description = argument("description").and_then(|text| text.as_str()).map(ToOwned::to_owned);
        if let Some((source, value)) = value {
            about.properties.insert("default".to_owned(), source.span(value));
        }
        let values = block
            .body
            .get_blocks("validation")
            .find_map(|validation| self.allowed(source, &validation.body.get_attribute("condition")?.value, name))
            .unwrap_or_default();
        let convert = |scalar| convert(scalar, kind);
        Some(Parameter { kind, values: values.into_iter().map(convert).collect(), default: default.map(convert), about })
    }

    fn scalar(&self, source: Source<'a>, expression: &'a Expression<'a>) -> Option<Scalar> {
        match self.scope.evaluate(source, expression) {
            Known::Bool(value) => Some(Scalar::Bool(value)),
            Known::Number(text) => Some(Scalar::Number(text)),
            Known::Text(text) => text.as_literal().map(|text| Scalar::Text(text.to_owned())),
            Known::Null | Known::Parameter(_) | Known::Computed(_) => None,
        }
    }

    /// The closed set of values in `contains([…], var.name)`.
    fn allowed(&self, source: Source<'a>, condition: &'a Expression<'a>, name: &str) -> Option<Vec<Scalar>> {
        let Kind::FuncCall(call) = &condition.kind else { return None };
        if call.is_namespaced || call.name != "contains" {
            return None;
        }
        let mut arguments = call.args.iter();
        let (values, tested) = (arguments.next()?.as_array()?, arguments.next()?);
        if reference(tested) != Some(("var", name)) {
            return None;
        }
        values.iter().map(|value| self.scalar(source, value)).collect()
    }
}

/// Terraform takes `"5"` for 5 where the type says so.
fn convert(scalar: Scalar, kind: ParameterKind) -> Scalar {
    match (kind, scalar) {
        (ParameterKind::Text, scalar) => Scalar::Text(scalar.to_string()),
        (ParameterKind::Number, Scalar::Text(text)) => Scalar::Number(text),
        (ParameterKind::Bool, Scalar::Text(text)) if matches!(text.as_str(), "true" | "false") => Scalar::Bool(text == "true"),
        (_, scalar) => scalar,
    }
}
