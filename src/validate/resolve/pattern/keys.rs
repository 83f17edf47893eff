//! Which keys go with which verb.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes, listed};
use crate::source::Span;
use crate::validate::document::{self, Field};

/// The keys of a pattern beside its verb: name, place, and the verbs they go with.
type Keys<'d> = Vec<(&'static str, Option<Span>, &'static [&'static str])>;

const READS: &[&str] = &["find", "count", "scan", "transaction"];
const WRITES: &[&str] = &["put", "update", "delete"];

impl Reader<'_, '_> {
    /// Each key goes with some verbs only.
    pub(super) fn allowed_keys(&mut self, verb: &str, document: &document::Pattern, entry: bool) {
        fn at<T>(field: &Field<T>) -> Option<Span> {
            field.get().map(|value| value.span)
        }
        let keys: Keys<'_> = vec![
            ("where", at(&document.conditions), &["find", "count", "update", "delete"]),
            ("order", at(&document.order), &["find"]),
            ("limit", at(&document.limit), &["find"]),
            ("select", at(&document.select), &["find", "scan"]),
            ("filter", at(&document.filter), &["find", "scan"]),
            ("keeps", at(&document.keeps), &["find", "scan"]),
            ("span", at(&document.span), &["find"]),
            ("set", at(&document.set), &["update"]),
            ("increment", at(&document.increment), &["update"]),
            ("if", at(&document.guard), WRITES),
            ("consistency", at(&document.consistency), READS),
            ("unserved", at(&document.unserved), &["find", "count"]),
            ("reason", at(&document.reason), &["scan"]),
            ("segments", at(&document.segments), &["scan"]),
        ];
        for (key, span, verbs) in keys {
            let Some(span) = span.filter(|_| !verbs.contains(&verb)) else { continue };
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, span, format!("`{key}` does not go with `{verb}`"));
            self.report.push(diagnostic.help(format!("it goes with {}", listed(verbs))));
        }
        if let Some(span) = at(&document.keeps).filter(|_| !document.filter.is_there()) {
            self.report.push(Diagnostic::new(codes::BAD_PATTERN, span, "`keeps` without a `filter`"));
        }
        if !entry {
            return;
        }
        let of_the_whole = [
            ("rate", at(&document.rate)),
            ("peak", at(&document.peak)),
            ("transaction", at(&document.transaction)),
            ("batch", at(&document.batch)),
            ("renamed_from", at(&document.renamed_from)),
        ];
        for (key, span) in of_the_whole {
            let Some(span) = span else { continue };
            self.report.push(Diagnostic::new(
                codes::BAD_PATTERN,
                span,
                format!("`{key}` belongs to the whole, not to one of its entries"),
            ));
        }
    }

    pub(super) fn required(&mut self, verb: &str, span: Span, document: &document::Pattern) {
        if matches!(verb, "count" | "update" | "delete") && !document.conditions.is_there() {
            let diagnostic = Diagnostic::new(codes::BAD_PATTERN, span, format!("`{verb}` needs a `where`"));
            self.report.push(diagnostic.help("name the key: `where: \"id = ?\"`"));
        }
        if verb == "update" && !document.set.is_there() && !document.increment.is_there() {
            let diagnostic = Diagnostic::new(codes::UPDATE_SETS_NOTHING, span, "an `update` that changes nothing");
            self.report.push(diagnostic.help("add `set: […]` or `increment: […]`"));
        }
        let reason = document.reason.get().is_some_and(|reason| !reason.value.trim().is_empty());
        if verb == "scan" && !reason && !document.reason.is_broken() {
            let diagnostic = Diagnostic::new(
                codes::SCAN_WITHOUT_REASON,
                span,
                "a `scan` reads everything, and does not say why that is right",
            );
            self.report.push(diagnostic.help("add `reason: \"…\"`"));
        }
    }
}
