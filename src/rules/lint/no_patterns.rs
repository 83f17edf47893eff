//! A model without access patterns proves nothing.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::rules::Facts;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    if facts.model.patterns.is_empty() {
        let name = &facts.model.name;
        sink.push(
            Diagnostic::new(
                codes::NO_PATTERNS,
                name.span,
                format!("`{name}` has no access patterns: nothing is proved about its keys"),
            )
            .help("list under `access_patterns` what is read and written"),
        );
    }
}
