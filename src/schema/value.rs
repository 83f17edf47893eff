//! Values that may be parameters or expressions of the format they were read from.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// A bool or a number that may be a parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value<T> {
    /// Written out.
    Literal(T),
    /// A parameter of the model: `var.name` in Terraform, `!Ref Name` in CloudFormation.
    Parameter(String),
    /// Anything else the format can compute, as its source text.
    Expression(String),
}

impl<T> Value<T> {
    /// The value, when it is written out.
    pub fn literal(&self) -> Option<&T> {
        if let Self::Literal(value) = self { Some(value) } else { None }
    }
}

impl<T> From<T> for Value<T> {
    fn from(value: T) -> Self {
        Self::Literal(value)
    }
}

impl<T: fmt::Display> From<Value<T>> for Text {
    fn from(value: Value<T>) -> Self {
        Self::from_parts([match value {
            Value::Literal(literal) => Part::Literal(literal.to_string()),
            Value::Parameter(name) => Part::Parameter(name),
            Value::Expression(source) => Part::Expression(source),
        }])
    }
}

/// A piece of a [`Text`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Text as it is.
    Literal(String),
    /// A parameter of the model.
    Parameter(String),
    /// Anything else the format can compute, as its source text.
    Expression(String),
}

/// Text that may hold parameters. Adjacent literals are joined and empty ones dropped, so equal texts compare equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text(Vec<Part>);

impl Text {
    /// Only literal text.
    pub fn literal(text: impl Into<String>) -> Self {
        let text = text.into();
        Self(if text.is_empty() { Vec::new() } else { vec![Part::Literal(text)] })
    }

    /// From pieces, in order.
    pub fn from_parts(parts: impl IntoIterator<Item = Part>) -> Self {
        let parts = parts.into_iter();
        let mut joined: Vec<Part> = Vec::with_capacity(parts.size_hint().0);
        for part in parts {
            match (joined.last_mut(), part) {
                (_, Part::Literal(text)) if text.is_empty() => {}
                (Some(Part::Literal(last)), Part::Literal(text)) => last.push_str(&text),
                (_, part) => joined.push(part),
            }
        }
        Self(joined)
    }

    /// The pieces, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The text, when nothing in it has to be computed.
    #[must_use]
    pub fn as_literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with each parameter replaced by what `value` gives for its name; None when one has no value, or when the
    /// text holds another expression.
    pub fn resolve(&self, value: impl Fn(&str) -> Option<String>) -> Option<String> {
        self.0
            .iter()
            .map(|part| match part {
                Part::Literal(text) => Some(text.clone()),
                Part::Parameter(name) => value(name),
                Part::Expression(_) => None,
            })
            .collect()
    }

    /// The text in force: each parameter replaced by its default. None when one has none, or when the text holds anything else
    /// that has to be computed.
    #[must_use]
    pub fn in_force(&self, parameters: &BTreeMap<String, Parameter>) -> Option<String> {
        self.resolve(|name| parameters.get(name)?.default.as_ref().map(Scalar::to_string))
    }

    /// The text with each parameter that has a default replaced by it.
    #[must_use]
    pub fn with_values(&self, parameters: &BTreeMap<String, Parameter>) -> Self {
        let value = |part: &Part| Self::from_parts([part.clone()]).in_force(parameters);
        Self::from_parts(self.0.iter().map(|part| value(part).map_or_else(|| part.clone(), Part::Literal)))
    }

    /// As a person reads it: an expression stands between `${` and `}`, and a dollar sign for itself; `$${` begins none.
    #[must_use]
    pub fn to_be_read(&self) -> String {
        let part = |part: &Part| match part {
            Part::Literal(text) => text.replace("${", "$${"),
            Part::Parameter(source) | Part::Expression(source) => format!("${{{source}}}"),
        };
        self.0.iter().map(part).collect()
    }

    /// The same text with each parameter's name changed.
    #[must_use]
    pub fn rename_parameters(&self, rename: impl Fn(&str) -> String) -> Self {
        Self::from_parts(self.0.iter().map(|part| match part {
            Part::Parameter(name) => Part::Parameter(rename(name)),
            other => other.clone(),
        }))
    }

    /// Reads what `Display` writes: `$$` is a dollar sign, `${name}` a parameter, `${=source=}` an expression.
    #[must_use]
    pub fn decode(text: &str) -> Self {
        // Nearly always there is nothing to decode.
        if !text.contains('$') {
            return Self::literal(text);
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, after) = rest.split_at(at);
            parts.push(Part::Literal(before.to_owned()));
            if let Some((source, next)) = after.strip_prefix("${=").and_then(|inner| inner.split_once("=}")) {
                parts.push(Part::Expression(source.to_owned()));
                rest = next;
            } else if let Some((name, next)) = after.strip_prefix("${").and_then(|inner| inner.split_once('}')) {
                parts.push(Part::Parameter(name.to_owned()));
                rest = next;
            } else {
                parts.push(Part::Literal("$".to_owned()));
                rest = after.strip_prefix("$$").unwrap_or_else(|| after.get(1..).unwrap_or(""));
            }
        }
        parts.push(Part::Literal(rest.to_owned()));
        Self::from_parts(parts)
    }
}

/// Whether a text that has to be known, such as a name of a key, is kept as an expression: what it comes to is not known here.
#[must_use]
pub fn is_computed(text: &str) -> bool {
    has_reference(text)
}

/// Whether `${` stands in a text: what it refers to, in a model a parameter, is put in there. Looked for byte by byte: nearly all
/// texts are short names, for which the search of the standard library costs more to prepare than to run.
#[must_use]
pub(crate) fn has_reference(text: &str) -> bool {
    text.as_bytes().windows(2).any(|two| two == b"${")
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Literal(text) => f.write_str(&text.replace('$', "$$"))?,
                Part::Parameter(name) => write!(f, "${{{name}}}")?,
                Part::Expression(source) => write!(f, "${{={source}=}}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::decode(&text))
    }
}

impl<T: Serialize> Serialize for Value<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Literal(value) => value.serialize(serializer),
            Self::Parameter(name) => serializer.collect_str(&format_args!("${{{name}}}")),
            Self::Expression(source) => serializer.collect_str(&format_args!("${{={source}=}}")),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Value<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = serde_json::Value::deserialize(deserializer)?;
        if let Some(text) = json.as_str() {
            match Text::decode(text).parts() {
                [Part::Parameter(name)] => return Ok(Self::Parameter(name.clone())),
                [Part::Expression(source)] => return Ok(Self::Expression(source.clone())),
                _ => {}
            }
        }
        serde_json::from_value(json).map(Self::Literal).map_err(D::Error::custom)
    }
}

/// A literal of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// Text.
    Text(String),
    /// A number as it was written.
    Number(String),
    /// A bool.
    Bool(bool),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Number(text) => f.write_str(text),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => match text.parse::<serde_json::Number>() {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Self::Text(text)),
            serde_json::Value::Bool(value) => Ok(Self::Bool(value)),
            serde_json::Value::Number(number) => Ok(Self::Number(number.to_string())),
            other => Err(D::Error::custom(format!("`{other}` is not text, number or bool"))),
        }
    }
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// `string` in Terraform, `String` in CloudFormation.
    #[default]
    Text,
    /// `number`, `Number`.
    Number,
    /// `bool`; CloudFormation has none: a `String` of `true` and `false`.
    Bool,
}

/// A parameter of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The closed set of values; empty: anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Scalar>,
    /// The value in force when none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Scalar>,
    /// Its description and its place.
    #[serde(skip)]
    pub about: super::About,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_back_whatever_it_holds() {
        let texts = [
            Text::literal("plain"),
            Text::literal("a$b $${x} ${y} $"),
            Text::from_parts([Part::Literal("$".into()), Part::Parameter("p".into()), Part::Literal("-x".into())]),
            Text::from_parts([Part::Expression("local.a[\"}\"]".into()), Part::Literal("=}".into())]),
        ];
        for text in texts {
            assert_eq!(Text::decode(&text.to_string()), text);
        }
    }

    #[test]
    fn a_value_is_read_back() {
        for value in [Value::Literal(true), Value::Parameter("p".into()), Value::Expression("a ? b : c".into())] {
            let json = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Value<bool>>(&json).unwrap(), value);
        }
    }
}
