//! The DynamoDB side of a design: the tables, and the proof that each pattern is served.

use super::Coverage;
use crate::diagnostic::Sink;
use crate::model::Model;
use crate::schema::dynamodb::Schema;

/// Designs the tables; coverage is appended in the model's order. None when the model has no DynamoDB side.
pub(crate) fn design(model: &Model, sink: &mut Sink, coverage: &mut Vec<Coverage>) -> Option<Schema> {
    let _ = (model, sink, coverage);
    None
}
