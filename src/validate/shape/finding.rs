//! What the validator says, as findings of our own.

use super::{Path, Shape};
use crate::diagnostic::listed;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

pub(super) struct Finding {
    pub(super) path: Path,
    /// Where the schema says so.
    pub(super) schema: String,
    pub(super) wrong: Wrong,
    /// The words it might have been.
    pub(super) words: Vec<String>,
}

pub(super) enum Wrong {
    UnknownKeys(Vec<String>),
    Missing(String),
    Value(String),
}

impl Shape {
    /// Turns an error of the validator into findings; of a choice, only those of the alternative that was meant.
    pub(super) fn collect(&self, error: &ValidationError<'_>, findings: &mut Vec<Finding>) {
        let path: Path = error.instance_path().into_iter().map(|segment| segment.to_string()).collect();
        let mut words = Vec::new();
        let wrong = match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => Wrong::UnknownKeys(unexpected.clone()),
            ValidationErrorKind::Required { property } => Wrong::Missing(property.as_str().unwrap_or_default().to_owned()),
            ValidationErrorKind::Type { kind } => Wrong::Value(alternatives(&self.expected(error, kind))),
            ValidationErrorKind::Enum { options } => {
                let options: Vec<&Value> = options.as_array().into_iter().flatten().collect();
                words = options.into_iter().map(word).collect();
                Wrong::Value(listed(&words))
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                return self.collect_choice(error, context, path, findings);
            }
            ValidationErrorKind::Minimum { limit } => Wrong::Value(format!("{limit} or more")),
            ValidationErrorKind::Maximum { limit } => Wrong::Value(format!("{limit} or less")),
            // The grammars say more about these.
            ValidationErrorKind::Pattern { .. } => return,
            _ => Wrong::Value("something else".to_owned()),
        };
        findings.push(Finding { path, schema: error.schema_path().to_string(), wrong, words });
    }

    fn collect_choice(
        &self,
        error: &ValidationError<'_>,
        branches: &[Vec<ValidationError<'static>>],
        path: Path,
        findings: &mut Vec<Finding>,
    ) {
        let is_of_other_type = |inner: &&ValidationError<'static>| {
            matches!(inner.kind(), ValidationErrorKind::Type { .. })
                && inner.instance_path().as_str() == error.instance_path().as_str()
        };
        if let Some(meant) = branches.iter().find(|branch| !branch.iter().any(|inner| is_of_other_type(&inner))) {
            let before = findings.len();
            for inner in meant {
                self.collect(inner, findings);
            }
            // One of a few words, or another kind of value: all that it could have been.
            if let Some([Finding { path: of, wrong: wrong @ Wrong::Value(_), words, .. }]) = findings.get_mut(before..)
                && *of == path
                && !words.is_empty()
            {
                let branches = self.branches(error);
                *words = branches.iter().copied().flat_map(Branch::words).collect();
                let kinds = branches.iter().copied().filter_map(Branch::kind).map(|kind| format!(", or {kind}"));
                *wrong = Wrong::Value(listed(&*words) + &kinds.collect::<String>());
            }
            return;
        }
        let mut expected: Vec<String> = Vec::new();
        for inner in branches.iter().flatten().filter(is_of_other_type) {
            if let ValidationErrorKind::Type { kind } = inner.kind() {
                for name in self.expected(inner, kind) {
                    if !expected.contains(&name) {
                        expected.push(name);
                    }
                }
            }
        }
        let wrong = Wrong::Value(alternatives(&expected));
        findings.push(Finding { path, schema: error.schema_path().to_string(), wrong, words: Vec::new() });
    }

    /// The alternatives of a choice, each with what references stand for.
    fn branches(&self, error: &ValidationError<'_>) -> Vec<Branch<'_>> {
        let mut at = Some(&self.schema);
        for segment in error.schema_path().to_string().split('/').skip(1) {
            at = at.and_then(|schema| match schema {
                _ if segment == "$ref" => Some(self.referred(schema)),
                Value::Array(items) => items.get(segment.parse::<usize>().ok()?),
                schema => schema.get(segment),
            });
        }
        let branches = at.and_then(Value::as_array).into_iter().flatten();
        branches.map(|branch| Branch { stated: branch, schema: self.referred(branch) }).collect()
    }

    /// What a schema refers to, or itself.
    fn referred<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        reference.and_then(|pointer| self.schema.pointer(pointer)).unwrap_or(schema)
    }

    /// What was wanted: a scalar with a grammar by its description, all else by its type.
    fn expected(&self, error: &ValidationError<'_>, kind: &TypeKind) -> Vec<String> {
        let path = error.schema_path().to_string();
        let schema = path.rsplit_once('/').and_then(|(parent, _)| self.schema.pointer(parent));
        let described =
            schema.filter(|schema| schema.get("pattern").is_some()).and_then(|schema| schema.get("description")?.as_str());
        match described {
            Some(description) => vec![lower_first(description)],
            None => types(kind).into_iter().map(str::to_owned).collect(),
        }
    }
}

/// One alternative of a choice.
#[derive(Clone, Copy)]
struct Branch<'s> {
    /// Where the choice states it.
    stated: &'s Value,
    /// What it is.
    schema: &'s Value,
}

impl<'s> Branch<'s> {
    /// The values that it is one of; none when it is of another kind.
    fn words(self) -> impl Iterator<Item = String> + 's {
        let values = self.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        values.map(word)
    }

    /// What it is when it is no choice of words: "a map (a customer's key)".
    fn kind(self) -> Option<String> {
        let noun = match self.schema.get("type").and_then(Value::as_str)? {
            _ if self.schema.get("enum").is_some() => return None,
            "object" => "a map",
            "array" => "a list",
            _ => "text",
        };
        let description = self.stated.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(if description.is_empty() { noun.to_owned() } else { format!("{noun} ({})", lower_first(description)) })
    }
}

/// A value that a key may have, as it is listed.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A description inside a sentence.
fn lower_first(description: &str) -> String {
    let mut letters = description.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// "a, b or c"
fn alternatives(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn types(kind: &TypeKind) -> Vec<&'static str> {
    let name = |kind: JsonType| match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "nothing",
        JsonType::Number => "a number",
        JsonType::Object => "a map",
        JsonType::String => "text",
    };
    match kind {
        TypeKind::Single(one) => vec![name(*one)],
        TypeKind::Multiple(many) => many.iter().map(name).collect(),
    }
}
