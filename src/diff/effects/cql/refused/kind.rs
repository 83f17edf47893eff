//! Types that no column has, by the rules that engines enforce when a column, a field or a table is made.
//!
//! Sources: Cassandra `CQL3Type.java`, `TableMetadata.java`, `CreateTypeStatement.java` (each rule run on 4.0.19, 4.1.10 and
//! 5.0.9); ScyllaDB `cql3_type.cc`.

use super::super::is_counter;
use crate::schema::Engine;
use crate::schema::cql::engine::Feature;
use crate::schema::cql::{Type, UserType, each_within};
use std::collections::BTreeMap;

type Types = BTreeMap<String, UserType>;

/// The rule that a type breaks, by its row.
pub(super) fn flaw(kind: &Type, types: &Types) -> Option<&'static str> {
    nested(kind, types, false)
}

/// The rule that the type of a field breaks beside.
pub(super) fn field_flaw(kind: &Type) -> Option<&'static str> {
    match kind {
        Type::User(_) => Some("def-nested"),
        _ => is_counter(kind).then_some("def-counter-inside"),
    }
}

fn nested(kind: &Type, types: &Types, frozen: bool) -> Option<&'static str> {
    let inner = |of: &Type| {
        if is_counter(of) {
            return Some("def-counter-inside");
        }
        let is_several = of.is_multi_cell_collection() || matches!(of, Type::User(_));
        if is_several && !frozen { Some("def-nested") } else { nested(of, types, frozen) }
    };
    match kind {
        Type::Set(of) if is_duration(of) => Some("def-duration"),
        Type::Map(key, _) if is_duration(key) => Some("def-duration"),
        Type::List(of) | Type::Set(of) => inner(of),
        Type::Map(key, value) => inner(key).or_else(|| inner(value)),
        Type::Frozen(of) => match of.as_ref() {
            Type::Native(_) => Some("def-frozen"),
            of => nested(of, types, true),
        },
        Type::Tuple(parts) => {
            parts.iter().find_map(|of| if is_counter(of) { Some("def-counter-inside") } else { nested(of, types, true) })
        }
        Type::Vector(_, 0) => Some("def-vector"),
        Type::Vector(of, _) => nested(of, types, true),
        // Its own fields are judged where the type is made; only what it may not hold unfrozen is of the column.
        Type::User(name) if !frozen => {
            let holds = types.get(name).is_some_and(|user| user.fields.iter().any(|(_, of)| of.is_multi_cell_collection()));
            holds.then_some("def-nested")
        }
        Type::User(_) | Type::Native(_) | Type::Custom(_) => None,
    }
}

/// Whether a type is none for a key: a counter, a duration or what holds one, or stored in several cells.
pub(super) fn has_no_order(kind: &Type, types: &Types) -> bool {
    let is_several = kind.is_multi_cell_collection() || matches!(kind, Type::User(_));
    is_several || is_counter(kind) || contains_duration(kind, types)
}

/// Whether a duration is somewhere in a type, also in the fields of user types, where an engine looks for one: not inside a vector
/// (run on 5.0.9).
pub(super) fn contains_duration(kind: &Type, types: &Types) -> bool {
    each_within(kind, types, |kind| !matches!(kind, Type::Vector(..))).any(is_duration)
}

/// Whether an engine does not have a type, or one inside it.
pub(super) fn is_lacking(kind: &Type, engine: Engine) -> bool {
    let feature = match kind {
        Type::Vector(..) => Some(Feature::Vector),
        _ => is_duration(kind).then_some(Feature::Duration),
    };
    feature.is_some_and(|feature| feature.lacking_on(engine).is_some())
        || kind.inner().into_iter().any(|of| is_lacking(of, engine))
}

fn is_duration(kind: &Type) -> bool {
    matches!(kind, Type::Native(name) if *name == "duration")
}
