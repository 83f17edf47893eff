//! Checks a model's text and resolves it: shape against the JSON Schema, then names, grammars and limits.

pub mod document;
mod grammar;
mod schema;
mod shape;

pub use schema::schema;

use crate::diagnostic::Sink;
use crate::model::Model;
use crate::source::{FileId, SourceMap};

/// Reads a model, YAML or JSON. Every error of the text goes to the sink; None when there is one.
pub fn load(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Model> {
    let _ = (sources, file, sink);
    None
}
