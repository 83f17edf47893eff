//! From pairs of items to changes: one for each table, index, column or property that differs.

mod cql;
mod dynamodb;

pub(super) use cql::{compare as cql, renamed_keys, whole_table as whole_cql_table};
pub(super) use dynamodb::{Differing, compare as dynamodb, whole_table as whole_dynamodb_table};

use super::properties::{Difference, Path, Properties};
use super::{Context, Pair};
use crate::schema::{About, Backend, Format};
use serde_json::json;

/// A whole item as a change shows it: without the properties that are only the name it is addressed by, or bookkeeping.
fn shown(mut properties: Properties, hidden: &[&str]) -> serde_json::Value {
    properties.retain(|path, _| !hidden.contains(&path.head.as_str()));
    properties.into_iter().map(|(path, value)| (path.to_string(), value)).collect()
}

/// The difference of what goes from one template to another. A file that has another name is the same stack, for all that is known
/// here.
fn moves_stack(context: &Context, backend: Backend, pair: Pair<&About>) -> Option<Difference> {
    let (from, to) = (pair.previous.template.as_ref()?, pair.next.template.as_ref()?);
    let templates = &context.templates;
    let both_are_known = templates.next.contains(from) || templates.previous.contains(to);
    let moves = backend.format() == Format::Cloudformation && from != to && both_are_known;
    moves.then(|| Difference { path: Path::of("template"), before: Some(json!(from)), after: Some(json!(to)) })
}
