//! Time windows are for rows that expire: without a time to live no window ever goes.

use super::{option_place, windows};
use crate::diagnostic::{Sink, codes};
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for table in windows(facts).filter(|table| table.model.ttl.is_none()) {
        let message = format!("`{}` is compacted in time windows, and its rows do not expire", table.address);
        sink.push(
            option_place(facts, table.engine, table.key, "compaction", codes::TWCS_WITHOUT_TTL, message)
                .note("a window is dropped as a whole when all of it has expired; without a time to live they only pile up")
                .help("give the table a `ttl`, or another `compaction`")
                .at(&table.address),
        );
    }
}
