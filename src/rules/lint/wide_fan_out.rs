//! A read that asks many partitions: it is as slow as the slowest of them, and fails with any of them.

use super::read_service;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for (pattern, service) in read_service(facts) {
        let Some(partitions) = service.partitions else { continue };
        #[expect(clippy::cast_precision_loss, reason = "far below what a float holds")]
        let level = facts.thresholds.level(codes::WIDE_FAN_OUT, partitions as f64);
        let Some((level, limit)) = level else { continue };
        sink.push(
            Diagnostic::new(
                codes::WIDE_FAN_OUT,
                pattern.span,
                format!("one request of `{}` reads {partitions} partitions of `{}`", pattern.name, service.address),
            )
            .level(level)
            .note(format!("more than {limit}: it is as slow as the slowest of them"))
            .help("choose a longer bucket, fewer shards, or a table keyed for this read")
            .of_pattern(&pattern.name)
            .at(&service.address),
        );
    }
}
