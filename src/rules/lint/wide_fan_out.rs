//! A read that asks many partitions: it is as slow as the slowest of them, and fails with any of them.

use super::read_service;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;

/// Partitions that one request may touch.
const MOST: u64 = 30;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for (pattern, service) in read_service(facts) {
        let Some(partitions) = service.partitions.filter(|partitions| *partitions > MOST) else { continue };
        sink.push(
            Diagnostic::new(
                codes::WIDE_FAN_OUT,
                pattern.span,
                format!("one request of `{}` reads {partitions} partitions of `{}`", pattern.name, service.address),
            )
            .note(format!("more than {MOST}: it is as slow as the slowest of them"))
            .help("choose a longer bucket, fewer shards, or a table keyed for this read")
            .of_pattern(&pattern.name)
            .at(&service.address),
        );
    }
}
