//! Tables that could not be restored.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::DynamodbTable;
use crate::schema::Address;

/// Point-in-time recovery that is off.
pub(super) fn judge(table: &DynamodbTable, sink: &mut Sink) {
    let recovery = &table.settings.point_in_time_recovery;
    if recovery.enabled.literal() != Some(&false) {
        return;
    }
    let message = format!("table `{}` has no point-in-time recovery", table.key);
    let mut diagnostic = Diagnostic::new(codes::NO_RECOVERY, table.span, message);
    if let Some(span) = table.settings.places.get("point_in_time_recovery") {
        diagnostic = diagnostic.context(*span, "switched off here");
    }
    sink.push(
        diagnostic
            .note("what a mistaken write or delete destroys cannot be brought back")
            .help("write `point_in_time_recovery: true`, or allow the finding with the reason")
            .at(Address::DynamodbTable(table.key.clone()).to_string()),
    );
}
