//! Resources that belong to a table which is not known.

use crate::diagnostic::{Diagnostic, codes, first_in_words};
use crate::source::Span;

/// Resources that are named in one message; the rest is counted.
const NAMED: usize = 5;

/// Says of resources, by their places and names, that it is not known which table is meant; `reference` is how to refer to one.
pub(super) fn not_placed(resources: &[(Span, String)], reference: &str) -> Option<Diagnostic> {
    let names = first_in_words(resources.iter().map(|(_, name)| name), NAMED);
    let message = format!("it is not known which table is meant by {names}");
    let mut finding = Diagnostic::new(codes::NOT_READ, resources.first()?.0, message);
    for (place, _) in resources.iter().take(NAMED).skip(1) {
        finding = finding.context(*place, "another one");
    }
    Some(finding.note("what changes there is not told").help(reference))
}
