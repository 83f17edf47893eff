//! Replicas of a keyspace: fewer than three lose a quorum with one node, an even number gains nothing.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::Address;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let Some(keyspace) = facts.model.cql.as_ref().map(|cql| &cql.keyspace) else { return };
    // A keyspace that exists elsewhere is not for this model to change.
    let Some(name) = facts.design.cql.values().flat_map(|schema| schema.keyspaces.keys()).next() else { return };
    for (centre, count) in &keyspace.replication {
        let why = match count.value {
            0..3 => "a quorum does not survive the loss of a node",
            replicas if replicas % 2 == 0 => "a quorum is as large as with one more, and one node less may fail",
            _ => continue,
        };
        let finding = Diagnostic::new(
            codes::REPLICATION_FACTOR,
            count.span,
            format!("`{centre}` keeps {} {} of each row", count.value, if count.value == 1 { "replica" } else { "replicas" }),
        )
        .note(why)
        .help("keep 3 replicas in each data centre, or 5");
        sink.push(finding.at(Address::Keyspace(name.clone())));
    }
}
