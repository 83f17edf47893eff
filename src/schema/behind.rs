//! Definitions that stand behind the expressions of a table. An expression that cannot be evaluated is kept as text, which is the
//! same whatever a local value, a data source, a mapping or a condition in it comes to: so the table carries these along too.

use super::About;
use crate::source::Span;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the path of such a definition begins with.
const ROOTS: [&str; 7] = ["local.", "var.", "data.", "random_", "Conditions.", "Mappings.", "Parameters."];

/// Whether a path below `extra` is that of a definition, and not of something that is said of the table itself.
#[must_use]
pub fn is_behind(path: &str) -> bool {
    ROOTS.iter().any(|root| path.starts_with(root))
}

/// A definition as it is written, and where.
pub(crate) type Definition = (String, Option<Span>);

/// The definitions of all that is named, and of what these name, by their paths. `definition` adds to what is open what the one it
/// gives names; None where nothing defines it.
pub(crate) fn definitions<N: Ord>(
    mut open: BTreeSet<N>,
    path: impl Fn(&N) -> String,
    definition: impl Fn(&N, &mut BTreeSet<N>) -> Option<Definition>,
) -> BTreeMap<String, Definition> {
    let mut found = BTreeMap::new();
    while let Some(name) = open.pop_first() {
        let path = path(&name);
        if !found.contains_key(&path) {
            found.extend(definition(&name, &mut open).map(|definition| (path, definition)));
        }
    }
    found
}

/// Lets an item carry definitions along.
pub(crate) fn carry(definitions: BTreeMap<String, Definition>, about: &mut About, extra: &mut BTreeMap<String, String>) {
    for (path, (text, span)) in definitions {
        about.properties.extend(span.map(|span| (path.clone(), span)));
        extra.insert(path, text);
    }
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
