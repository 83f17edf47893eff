//! The `if` of a write: what engines take as the condition of a lightweight transaction.
//!
//! Source: Apache Cassandra `ModificationStatement.java` (4.0, 4.1, 5.0): conditions are on columns beside the key, a conditional
//! statement names whole rows, and counters take none.

use super::layout::{Layout, Relation};
use super::serve::Located;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Guard, Pattern, Verb};
use crate::source::Span;

/// What is wrong with an `if`, where, and what to do.
type Flaw = (Span, String, &'static str);

/// Why a table that a pattern writes to cannot take its `if`; None where it can. `located`: the rows that its `where` names there by
/// itself.
pub(super) fn refusal(
    pattern: &Pattern,
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    located: Option<&Located<'_, '_>>,
) -> Option<Diagnostic> {
    let (span, why, help) = flaw(pattern, relation, layout, located)?;
    let message = format!("the `if` of `{}` is not possible on CQL: {why}", pattern.name);
    let diagnostic = Diagnostic::new(codes::BAD_PATTERN, span, message).context(relation.span, "the table");
    Some(diagnostic.help(help).of_pattern(&pattern.name).at(&relation.address))
}

fn flaw(pattern: &Pattern, relation: &Relation<'_>, layout: &Layout<'_>, located: Option<&Located<'_, '_>>) -> Option<Flaw> {
    let guard = pattern.guard.as_ref()?;
    let address = &relation.address;
    if layout.counts() {
        let why = format!("`{address}` holds counters, which are added to without a condition");
        return Some((guard.span, why, "leave `if` out, or keep the number in a column that is no counter"));
    }
    if located.is_some_and(|located| !located.names_rows()) {
        let why = format!("it is asked of one row, and `where` names several rows of `{address}`");
        return Some((guard.span, why, "compare all of the key with `=`, or read the rows first"));
    }
    let conditions = match &guard.value {
        Guard::Where(conditions) => conditions.conditions.as_slice(),
        Guard::Exists | Guard::NotExists => &[],
    };
    for condition in conditions {
        let name = condition.attribute.value.as_str();
        if layout.keyed_by(name) {
            let why = format!("`{name}` is in the key of `{address}`");
            return Some((condition.span, why, "compare it in `where`; `if` is for columns beside the key"));
        }
        if !layout.regular.contains(name) {
            let why = format!("`{address}` does not store `{name}`");
            return Some((condition.span, why, "store it there"));
        }
    }
    let is_update = matches!(pattern.verb, Verb::Put(_)) && !matches!(guard.value, Guard::NotExists);
    if is_update && layout.regular.is_empty() {
        let why = format!("an INSERT knows `if: not exists` alone, and `{address}` has no column that an UPDATE could set");
        return Some((guard.span, why, "write `if: not exists`, or leave it out"));
    }
    None
}
