//! More time windows than an engine keeps files for.
//!
//! Sources: Cassandra documentation, compaction/twcs (20 to 30 windows); ScyllaDB `twcs_max_window_count: 50`, above which the
//! table is refused.

use super::{option_place, windows};
use crate::diagnostic::{Sink, codes};
use crate::model::CqlTtl;
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for table in windows(facts) {
        let Some(CqlTtl::Default(ttl)) = table.model.ttl.as_ref().map(|ttl| &ttl.value) else { continue };
        let count = ttl.seconds.div_ceil(table.seconds.max(1));
        #[expect(clippy::cast_precision_loss, reason = "far below what a float holds")]
        let level = facts.thresholds.level(codes::TWCS_WINDOWS, count as f64);
        let Some((level, _)) = level else { continue };
        let most = facts.thresholds.limits(codes::TWCS_WINDOWS).warn.unwrap_or(30.0).max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let most = most as u64;
        let window = match ttl.seconds.div_ceil(most) {
            seconds if seconds > 2 * 86_400 => format!("{}d", seconds.div_ceil(86_400)),
            seconds => format!("{}h", seconds.div_ceil(3_600)),
        };
        let message = format!("`{}` would have {count} time windows", table.address);
        sink.push(
            option_place(facts, table.engine, table.key, "compaction", codes::TWCS_WINDOWS, message)
                .level(level)
                .note("each has files of its own that a read may have to open; 20 to 30 are well, and ScyllaDB refuses more than 50")
                .help(format!("a window of {window} makes at most {most} of them"))
                .at(&table.address),
        );
    }
}
