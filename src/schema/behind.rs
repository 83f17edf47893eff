//! Definitions that stand behind the expressions of a table. An expression that cannot be evaluated is kept as text, which is the
//! same whatever a local value, a mapping or a condition in it comes to: so the table carries these along too.

use serde::Serialize;
use serde_json::Value;

/// What the path of such a definition begins with.
const ROOTS: [&str; 5] = ["local.", "var.", "Conditions.", "Mappings.", "Parameters."];

/// Whether a path below `extra` is that of a definition, and not of something that is said of the table itself.
#[must_use]
pub fn is_behind(path: &str) -> bool {
    ROOTS.iter().any(|root| path.starts_with(root))
}

/// Gives every text in an item to `take`. What is known by an expression has it as its key.
pub fn each_text(item: &impl Serialize, mut take: impl FnMut(&str)) {
    if let Ok(value) = serde_json::to_value(item) {
        texts(&value, &mut take);
    }
}

fn texts(value: &Value, take: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => take(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, take)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            take(key);
            texts(value, take);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
