//! One file a rule.

pub(super) mod conditional_on_copies;
pub(super) mod copy_never_updated;
pub(super) mod filter_wastes_reads;
pub(super) mod large_batch;
pub(super) mod missing_pattern;
pub(super) mod needs_numbers;
pub(super) mod no_patterns;
pub(super) mod no_recovery;
pub(super) mod replication_factor;
pub(super) mod retention_not_enforced;
pub(super) mod uniqueness_not_guarded;
pub(super) mod unused_index;
pub(super) mod unused_parameter;
pub(super) mod unused_table;
pub(super) mod unused_type;

use crate::model::{Model, Pattern, Verb};

/// All patterns that are one request each: those of a model, and the entries of transactions and batches in place of these.
fn requests(model: &Model) -> Vec<&Pattern> {
    let mut requests = Vec::new();
    for pattern in model.patterns.values() {
        match &pattern.verb {
            Verb::Transaction(entries) | Verb::Batch(entries) => requests.extend(entries),
            _ => requests.push(pattern),
        }
    }
    requests
}
