//! Checks a model's text and resolves it: shape against the JSON Schema, then names, grammars and limits.

use crate::diagnostic::Sink;
use crate::model::Model;
use crate::source::{FileId, SourceMap};

/// Reads a model, YAML or JSON. Every error of the text goes to the sink; None when there is one.
pub fn load(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Model> {
    let _ = (sources, file, sink);
    None
}

/// The JSON Schema of `models/*.yaml`, derived from the types.
#[must_use]
pub fn schema() -> serde_json::Value {
    serde_json::Value::Null
}
