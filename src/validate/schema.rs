//! The JSON Schema of models, derived from the document's types.

use super::document;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

/// The JSON Schema of `models/*.yaml`. `models/model.schema.json` is a copy of it.
#[must_use]
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(closed_words))
        .with_transform(RecursiveTransform(plain_numbers));
    settings.into_generator().into_root_schema_for::<document::Model>().to_value()
}

/// An enum of words comes as `oneOf` with a constant and a description each: as one `enum` with the words' descriptions
/// in its own, an error can list the words.
fn closed_words(schema: &mut Schema) {
    let Some(Value::Array(variants)) = schema.get("oneOf") else { return };
    let words: Option<Vec<(Value, Option<String>)>> = variants
        .iter()
        .map(|variant| {
            let text = variant.get("description").and_then(Value::as_str).map(str::to_owned);
            Some((variant.get("const")?.clone(), text))
        })
        .collect();
    let Some(words) = words else { return };
    let lines: Vec<String> =
        words.iter().filter_map(|(word, text)| Some(format!("- `{}`: {}", word.as_str()?, text.as_ref()?))).collect();
    let own = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    schema.remove("oneOf");
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), words.into_iter().map(|(word, _)| word).collect());
    schema.insert("description".into(), json!(format!("{own}\n\n{}", lines.join("\n")).trim()));
}

/// `format: uint64` says nothing that `minimum: 0` does not.
fn plain_numbers(schema: &mut Schema) {
    schema.remove("format");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_copy_is_current() {
        let path = "models/model.schema.json";
        let current = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &current).unwrap();
        }
        assert!(std::fs::read_to_string(path).unwrap_or_default() == current, "run with BLESS=1 to rewrite {path}");
    }

    #[test]
    fn nothing_is_null_and_words_are_enums() {
        fn walk(value: &Value) {
            if let Value::Object(map) = value {
                assert_ne!(map.get("type"), Some(&json!("null")), "{map:?}");
                assert_eq!(map.get("oneOf"), None, "{map:?}");
                map.values().for_each(walk);
            } else if let Value::Array(items) = value {
                assert!(!items.contains(&json!("null")), "{items:?}");
                items.iter().for_each(walk);
            }
        }
        let schema = schema();
        walk(&schema);
        assert_eq!(schema.pointer("/$defs/Billing/enum"), Some(&json!(["on_demand", "provisioned"])));
        assert_eq!(schema.pointer("/$defs/DynamodbTable/required"), Some(&json!(["holds"])));
        assert_eq!(schema.pointer("/required"), Some(&json!(["gen", "name", "entities", "access_patterns"])));
    }

    /// The patterns are for editors and not part of our own check, so nothing else would tell that one is too narrow.
    #[test]
    fn every_example_fits_the_schema_with_its_patterns() {
        use crate::source::{SourceMap, parse};
        use crate::validate::shape::Tree;
        let validator = jsonschema::options_for::<Tree>().build(&schema()).unwrap();
        let mut checked = 0;
        for entry in std::fs::read_dir("models").unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "yaml") {
                continue;
            }
            let mut sources = SourceMap::default();
            let file = sources.add(path.to_str().unwrap(), std::fs::read_to_string(&path).unwrap());
            let node = parse(&sources, file, &mut crate::diagnostic::Sink::default()).unwrap();
            let errors: Vec<String> = validator.iter_errors(&node.kind).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new(), "{}", path.display());
            checked += 1;
        }
        assert!(checked >= 9, "only {checked} models");
    }
}
