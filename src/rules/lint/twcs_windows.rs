//! More time windows than an engine keeps files for.
//!
//! Sources: Cassandra documentation, compaction/twcs (20 to 30 windows); ScyllaDB `twcs_max_window_count: 50`, above which the
//! table is refused.

use super::{option_place, windows};
use crate::diagnostic::{Level, Sink, codes};
use crate::model::CqlTtl;
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for table in windows(facts) {
        let Some(CqlTtl::Default(ttl)) = table.model.ttl.as_ref().map(|ttl| &ttl.value) else { continue };
        let count = ttl.seconds.div_ceil(table.seconds.max(1));
        let level = match count {
            0..=30 => continue,
            31..=50 => Level::Warning,
            _ => Level::Error,
        };
        let window = match ttl.seconds.div_ceil(30) {
            seconds if seconds > 2 * 86_400 => format!("{}d", seconds.div_ceil(86_400)),
            seconds => format!("{}h", seconds.div_ceil(3_600)),
        };
        let message = format!("`{}` would have {count} time windows", table.address);
        sink.push(
            option_place(facts, table.engine, table.key, "compaction", codes::TWCS_WINDOWS, message)
                .level(level)
                .note("each has files of its own that a read may have to open; 20 to 30 are well, and ScyllaDB refuses more than 50")
                .help(format!("a window of {window} makes at most 30 of them"))
                .at(&table.address),
        );
    }
}
