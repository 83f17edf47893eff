//! An entity that nothing reads, or that nothing writes.

use super::requests;
use crate::design::scope::subjects;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    if model.patterns.is_empty() {
        return;
    }
    let (writes, reads): (Vec<_>, Vec<_>) = requests(model).into_iter().partition(|pattern| pattern.verb.writes());
    let written: BTreeSet<&str> = writes.iter().flat_map(|pattern| subjects(model, pattern)).collect();
    let read: BTreeSet<&str> = reads.iter().flat_map(|pattern| subjects(model, pattern)).collect();
    for (name, entity) in &model.entities {
        // What keeps an attribute unique is read by the condition of its own write.
        let is_read = read.contains(name.as_str()) || entity.guards.is_some();
        let lacking = match (is_read, written.contains(name.as_str())) {
            (true, true) => continue,
            (false, true) => "reads",
            (true, false) => "writes",
            (false, false) => "reads or writes",
        };
        sink.push(
            Diagnostic::new(codes::MISSING_PATTERN, entity.span, format!("no pattern {lacking} `{name}`"))
                .help("add the pattern, or remove the entity")
                .of_entity(name),
        );
    }
}
