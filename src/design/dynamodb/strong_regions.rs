//! Transactions on tables whose Regions are strongly consistent: the service has none there
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html>).

use crate::design::Coverage;
use crate::diagnostic::{Diagnostic, Sink, Subject, codes};
use crate::model::{Consistency, Model, Pattern, Verb};
use crate::schema::Address;
use crate::schema::dynamodb::ReplicaConsistency;
use std::collections::BTreeSet;

/// Says which patterns cannot be carried out as they are meant.
pub(super) fn judge(model: &Model, covered: &[Coverage], sink: &mut Sink) {
    let tables = model.dynamodb.iter().flat_map(|section| &section.tables);
    let strong = tables.filter(|(_, table)| table.settings.replica_consistency == ReplicaConsistency::Strong);
    for (key, table) in strong {
        let own = Address::DynamodbTable(key.clone());
        let patterns = covered.iter().filter(|of| of.served.iter().any(|service| service.address.table() == own));
        let names: BTreeSet<&str> = patterns.map(|of| of.pattern.as_str()).collect();
        for pattern in names.into_iter().filter_map(|name| model.patterns.get(name)).filter(|pattern| is_transaction(pattern)) {
            let message = format!("`{}` is a transaction on `{key}`, whose Regions are strongly consistent", pattern.name);
            let mut problem = Diagnostic::new(codes::MRSC_NOT_POSSIBLE, pattern.span, message)
                .about(Subject::Pattern(pattern.name.clone()))
                .at(own.to_string())
                .help("keep what it touches in a table without `replica_consistency: strong`");
            if let Some(span) = table.settings.places.get("replica_consistency") {
                problem = problem.context(*span, "strong consistency");
            }
            sink.push(problem);
        }
    }
}

fn is_transaction(pattern: &Pattern) -> bool {
    matches!(pattern.verb, Verb::Transaction(_)) || pattern.consistency == Consistency::Transactional
}
