//! Whether a column may come back with another type: Apache Cassandra looks whether that reads the bytes that the dropped one left
//! (`AlterTableStatement`, `AbstractType.isSerializationCompatibleWith`). A clustering order, which [`super::order_compatible`] is
//! about, and what ScyllaDB lets a column become, which [`super::value_compatible`] is about, are other questions.

use crate::schema::Engine;
use crate::schema::cql::{Type, UserType};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The most user types of one type that are followed: what some can hold by nesting has no end that is of use.
const MOST: usize = 256;

/// What Cassandra remembers of the type of a column that it dropped: of a frozen user type the tuple of its fields (run on 5.0.9; the
/// user type is then refused, and the tuple taken).
pub(super) fn remembered(kind: &Type, types: &BTreeMap<String, UserType>) -> Type {
    expanded(kind, types, &Cell::new(MOST))
}

/// `left`: how many user types may yet be followed.
fn expanded(kind: &Type, types: &BTreeMap<String, UserType>, left: &Cell<usize>) -> Type {
    let inside = |of: &Type| Box::new(expanded(of, types, left));
    match kind {
        Type::Frozen(of) => match &**of {
            Type::User(name) if let Some(user_type) = types.get(name).filter(|_| left.get() > 0) => {
                left.set(left.get() - 1);
                let fields = user_type.fields.iter().map(|(_, field)| Type::Frozen(Box::new(field.clone())).canonical());
                Type::Tuple(fields.map(|field| expanded(&field, types, left)).collect())
            }
            _ => Type::Frozen(inside(of)),
        },
        Type::List(of) => Type::List(inside(of)),
        Type::Set(of) => Type::Set(inside(of)),
        Type::Vector(of, size) => Type::Vector(inside(of), *size),
        Type::Map(key, value) => Type::Map(inside(key), inside(value)),
        Type::Tuple(of) => Type::Tuple(of.iter().map(|of| expanded(of, types, left)).collect()),
        Type::Native(_) | Type::User(_) | Type::Custom(_) => kind.clone(),
    }
}

/// Whether the one type reads what the other one left, by what releases of Cassandra said when they were asked; None where nobody
/// asked.
pub(super) fn reads(engine: Engine, from: &Type, to: &Type) -> Option<bool> {
    match (from, to) {
        _ if from == to => Some(true),
        (&Type::Native(from), &Type::Native(to)) => Some(native(from, to)),
        // 5.0.4 took it, 5.0.9 does not.
        (Type::Frozen(of), Type::Native("blob")) if of.is_multi_cell_collection() => Some(engine != Engine::Cassandra50),
        (Type::Tuple(_), Type::Native("blob")) => Some(true),
        (Type::Frozen(from), Type::Frozen(to)) | (Type::List(from), Type::List(to)) => reads(engine, from, to),
        (Type::Set(from), Type::Set(to)) => Some(sorts(from, to)),
        (Type::Map(key, from), Type::Map(next, to)) if sorts(key, next) => reads(engine, from, to),
        (Type::Tuple(from), Type::Tuple(to)) if from.len() <= to.len() => {
            let parts = from.iter().zip(to).map(|(from, to)| of_tuple(engine, from, to));
            parts.reduce(|one, other| if one == Some(true) || other == Some(false) { other } else { one })?
        }
        (Type::Frozen(_), Type::Native("blob"))
        | (Type::User(_) | Type::Vector(..) | Type::Custom(_), _)
        | (_, Type::User(_) | Type::Vector(..) | Type::Custom(_)) => None,
        _ => Some(false),
    }
}

/// The same of what a tuple holds, where no length counts.
fn of_tuple(engine: Engine, from: &Type, to: &Type) -> Option<bool> {
    match (from, to) {
        (Type::Native(from), Type::Native("blob")) if *from != "counter" => Some(true),
        (Type::Native("int" | "bigint"), Type::Native("varint")) => None,
        _ => reads(engine, from, to),
    }
}

/// Whether the one type also sorts what the other one left as that did, which the elements of a set and the keys of a map ask for.
fn sorts(from: &Type, to: &Type) -> bool {
    from == to
        || matches!(
            (from, to),
            (Type::Native("ascii"), Type::Native("text" | "blob")) | (Type::Native("text"), Type::Native("blob"))
        )
}

fn native(from: &str, to: &str) -> bool {
    match (from, to) {
        ("ascii", "text") | ("timeuuid", "uuid") | ("bigint", "timestamp") | ("timestamp", "bigint") => true,
        // The bytes of the others have a length that is fixed, which those of a blob have not.
        (_, "blob") => {
            !matches!(from, "bigint" | "boolean" | "counter" | "double" | "float" | "int" | "timestamp" | "timeuuid" | "uuid")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cassandra_said() {
        let parse = |text: &str| -> Type { serde_json::from_value(text.into()).unwrap() };
        let of = |from: &str, to: &str| reads(Engine::Cassandra41, &parse(from), &parse(to));
        for (from, to) in [
            ("ascii", "text"),
            ("timeuuid", "uuid"),
            ("bigint", "timestamp"),
            ("timestamp", "bigint"),
            ("text", "blob"),
            ("smallint", "blob"),
            ("duration", "blob"),
            ("tuple<int>", "blob"),
            ("frozen<map<int, int>>", "blob"),
            ("list<timeuuid>", "list<uuid>"),
            ("list<smallint>", "list<blob>"),
            ("set<text>", "set<blob>"),
            ("map<ascii, int>", "map<text, int>"),
            ("map<int, timeuuid>", "map<int, uuid>"),
            ("frozen<list<text>>", "frozen<list<blob>>"),
            ("frozen<set<ascii>>", "frozen<set<text>>"),
            ("tuple<timeuuid>", "tuple<uuid>"),
            ("tuple<int>", "tuple<blob>"),
            ("tuple<ascii>", "tuple<text, int>"),
        ] {
            assert_eq!(of(from, to), Some(true), "{from} {to}");
        }
        for (from, to) in [
            ("text", "ascii"),
            ("int", "varint"),
            ("bigint", "varint"),
            ("int", "bigint"),
            ("int", "date"),
            ("bigint", "time"),
            ("boolean", "tinyint"),
            ("uuid", "blob"),
            ("set<timeuuid>", "set<uuid>"),
            ("map<timeuuid, int>", "map<uuid, int>"),
            ("frozen<list<int>>", "frozen<list<blob>>"),
            ("list<int>", "frozen<list<int>>"),
            ("frozen<list<int>>", "list<int>"),
            ("list<int>", "blob"),
            ("tuple<int, int>", "tuple<int>"),
            ("tuple<int, int>", "tuple<int, text>"),
        ] {
            assert_eq!(of(from, to), Some(false), "{from} {to}");
        }
        for (from, to) in [("tuple<int>", "tuple<varint>"), ("frozen<a>", "blob"), ("a", "b")] {
            assert_eq!(of(from, to), None, "{from} {to}");
        }
        assert_eq!(reads(Engine::Cassandra50, &parse("frozen<list<int>>"), &parse("blob")), Some(false));
        assert_eq!(reads(Engine::Cassandra50, &parse("text"), &parse("blob")), Some(true));
    }
}
