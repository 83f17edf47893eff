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
