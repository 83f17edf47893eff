//! A read that goes back through buckets, of which there are more every day.

use super::read_service;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;
use crate::schema::Store;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for (pattern, service) in read_service(facts).filter(|(_, service)| service.endless) {
        sink.push(
            Diagnostic::new(
                codes::UNBOUNDED_FAN_OUT,
                pattern.span,
                format!("`{}` may read every bucket of `{}` that there ever was", pattern.name, service.address),
            )
            .note("a value that has been quiet for long has its newest row in an old bucket, and rows are kept for ever")
            .help(match service.address.store() {
                Some(Store::Cql) => "give the pattern a `span`, the table a `ttl`, or the entity a `retain`",
                _ => "give the pattern a `span`, or the entity a `retain`",
            })
            .of_pattern(&pattern.name)
            .at(&service.address),
        );
    }
}
