//! The keys of the language, from its JSON Schema.

use serde_json::Value;
use std::collections::BTreeSet;

/// The place of each key below a section, with `*` for names: `dynamodb.tables.*.stream`.
pub(crate) fn keys(schema: &Value, section: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(schema, &schema["properties"][section], section, &mut found);
    found
}

fn walk(root: &Value, schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    if let Some(to) = schema["$ref"].as_str() {
        return walk(root, root.pointer(to.trim_start_matches('#')).unwrap(), path, found);
    }
    for variants in ["anyOf", "allOf", "oneOf"] {
        schema[variants].as_array().into_iter().flatten().for_each(|variant| walk(root, variant, path, found));
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{key}");
        walk(root, value, &path, found);
        found.insert(path);
    }
    walk_if(root, &schema["additionalProperties"], &format!("{path}.*"), found);
    walk_if(root, &schema["items"], path, found);
}

fn walk_if(root: &Value, schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    if schema.is_object() {
        walk(root, schema, path, found);
    }
}
