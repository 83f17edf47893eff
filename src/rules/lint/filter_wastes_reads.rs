//! A filter that throws away most of what is read, or nobody knows how much.

use super::requests;
use crate::diagnostic::{Diagnostic, Level, Sink, codes};
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    for pattern in requests(facts.model) {
        let Some(filter) = &pattern.filter else { continue };
        let level = match pattern.keeps {
            Some(keeps) => facts.thresholds.level(codes::FILTER_WASTES_READS, keeps).map(|(level, _)| level),
            None => Some(Level::Warning),
        };
        let Some(level) = level else { continue };
        let message = match pattern.keeps {
            Some(keeps) => format!("the filter of `{}` keeps {:.0}% of what is read and paid for", pattern.name, keeps * 100.0),
            None => format!("`{}` filters after reading, and does not say how much it `keeps`", pattern.name),
        };
        sink.push(
            Diagnostic::new(codes::FILTER_WASTES_READS, filter.span, message)
                .level(level)
                .help(match pattern.keeps {
                    Some(_) => "put what is filtered into a key or a sparse index",
                    None => "say `keeps: …%`, or put what is filtered into a key or a sparse index",
                })
                .of_pattern(&pattern.name),
        );
    }
}
