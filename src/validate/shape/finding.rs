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
                words = options.iter().map(|option| option.as_str().map_or_else(|| option.to_string(), str::to_owned)).collect();
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
            for inner in meant {
                self.collect(inner, findings);
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

    /// What was wanted: a scalar with a grammar by its description, all else by its type.
    fn expected(&self, error: &ValidationError<'_>, kind: &TypeKind) -> Vec<String> {
        let path = error.schema_path().to_string();
        let schema = path.rsplit_once('/').and_then(|(parent, _)| self.schema.pointer(parent));
        let described =
            schema.filter(|schema| schema.get("pattern").is_some()).and_then(|schema| schema.get("description")?.as_str());
        match described {
            Some(description) => {
                let mut letters = description.chars();
                vec![letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()]
            }
            None => types(kind).into_iter().map(str::to_owned).collect(),
        }
    }
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
