//! Tables and indexes that serve no pattern.

use super::candidate::{Candidate, Kind};
use crate::design::Coverage;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::schema::Address;
use std::collections::BTreeSet;

/// Tables whose items nothing reads, and indexes that nothing reads. A model without patterns is not judged.
pub(super) fn judge(model: &Model, candidates: &[Candidate<'_>], coverage: &[Coverage], sink: &mut Sink) {
    if model.patterns.is_empty() {
        return;
    }
    let reads = coverage.iter().filter(|of| model.patterns.get(&of.pattern).is_some_and(|pattern| !pattern.verb.writes()));
    let read: BTreeSet<&Address> = reads.flat_map(|of| &of.served).map(|service| &service.address).collect();
    for candidate in candidates {
        let used = match candidate.kind {
            Kind::Table => read.iter().any(|address| address.table() == candidate.address) || guards(candidate),
            Kind::Local | Kind::Global => read.contains(&candidate.address),
        };
        if used {
            continue;
        }
        let (code, what) = match candidate.kind {
            Kind::Table => (codes::UNUSED_TABLE, "no pattern reads"),
            Kind::Local | Kind::Global => (codes::UNUSED_INDEX, "no pattern is served by"),
        };
        let mut diagnostic = Diagnostic::new(code, candidate.span, format!("{what} {candidate}"));
        if candidate.kind != Kind::Table {
            diagnostic = diagnostic.note("every write to the table is also paid for in the index");
        }
        sink.push(diagnostic.help("remove it, or write down the pattern that needs it").at(candidate.address.to_string()));
    }
}

/// A table of guards is read by the conditions of the writes.
fn guards(candidate: &Candidate<'_>) -> bool {
    candidate.views.iter().any(|view| view.entity.guards.is_some())
}
