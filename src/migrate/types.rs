//! User types: fields are renamed, altered where the engine can, and appended.

use crate::schema::cql::{UserType, identifier};

/// The statements that alter a type, without what stands before it: `RENAME a TO b`. The fields are in the order in which the
/// engine holds them, so new ones stand behind the others.
pub(super) fn alter(previous: &UserType, next: &UserType) -> Vec<String> {
    let has = |of: &UserType, field: &str| of.fields.iter().any(|(name, _)| name == field);
    let mut renames = Vec::new();
    let mut others = Vec::new();
    for ((from, kind), (to, other)) in previous.fields.iter().zip(&next.fields) {
        if from != to && !has(next, from) && !has(previous, to) {
            renames.push(format!("{} TO {}", identifier(from), identifier(to)));
        }
        if kind != other {
            others.push(format!("ALTER {} TYPE {other}", identifier(to)));
        }
    }
    let added = next.fields.iter().skip(previous.fields.len());
    others.extend(added.map(|(field, kind)| format!("ADD {} {kind}", identifier(field))));
    let renames = (!renames.is_empty()).then(|| format!("RENAME {}", renames.join(" AND ")));
    renames.into_iter().chain(others).collect()
}
