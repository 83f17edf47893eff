//! A DynamoDB table that cannot be brought back to a moment before a mistake.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::Address;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let tables = facts.model.dynamodb.iter().flat_map(|section| &section.tables);
    for (key, table) in tables.filter(|(_, table)| table.is_emitted()) {
        if table.settings.point_in_time_recovery.enabled.literal() != Some(&false) {
            continue;
        }
        let address = Address::DynamodbTable(key.clone());
        sink.push(
            Diagnostic::new(codes::NO_RECOVERY, table.span, format!("`{address}` has no point-in-time recovery"))
                .note("what a faulty release deletes or overwrites is lost")
                .help("say `point_in_time_recovery: true`, in the table or in `defaults`")
                .at(address),
        );
    }
}
