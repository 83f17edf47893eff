//! Whether a column may come back with another type: Apache Cassandra looks whether that reads the bytes that the dropped one left
//! (`AlterTableStatement`, `AbstractType.isSerializationCompatibleWith`). A clustering order, which [`super::order_compatible`] is
//! about, and what ScyllaDB lets a column become, which [`super::value_compatible`] is about, are other questions.

use crate::schema::Engine;
use crate::schema::cql::Type;

/// Whether the one type reads what the other one left, by what releases of Cassandra said when they were asked; None where nobody
/// asked.
pub(super) fn reads(engine: Engine, from: &Type, to: &Type) -> Option<bool> {
    match (from, to) {
        _ if from == to => Some(true),
        (&Type::Native(from), &Type::Native(to)) => native(from, to),
        // 5.0.4 took it, 5.0.9 does not.
        (Type::Frozen(of), Type::Native("blob")) if of.is_multi_cell_collection() => Some(engine != Engine::Cassandra50),
        (Type::Frozen(from), Type::Frozen(to)) => reads(engine, from, to),
        (Type::List(from), Type::List(to)) => inside(engine, from, to),
        // They are sorted by what they hold.
        (Type::Set(from), Type::Set(to)) => Some(is_text_after_ascii(from, to)),
        (Type::Map(key, from), Type::Map(next, to)) if key == next || is_text_after_ascii(key, next) => inside(engine, from, to),
        (Type::Tuple(from), Type::Tuple(to)) if from.len() <= to.len() => {
            from.iter().zip(to).map(|(from, to)| inside(engine, from, to)).min_by_key(|reads| match reads {
                Some(false) => 0,
                None => 1,
                Some(true) => 2,
            })?
        }
        (Type::Frozen(_) | Type::Tuple(_), Type::Native("blob"))
        | (Type::User(_) | Type::Vector(..) | Type::Custom(_), _)
        | (_, Type::User(_) | Type::Vector(..) | Type::Custom(_)) => None,
        _ => Some(false),
    }
}

/// The same of what a collection or a tuple holds, of which text after ascii alone was tried.
fn inside(engine: Engine, from: &Type, to: &Type) -> Option<bool> {
    if from == to || is_text_after_ascii(from, to) {
        return Some(true);
    }
    reads(engine, from, to).filter(|reads| !reads)
}

fn is_text_after_ascii(from: &Type, to: &Type) -> bool {
    matches!((from, to), (Type::Native("ascii"), Type::Native("text")))
}

fn native(from: &str, to: &str) -> Option<bool> {
    match (from, to) {
        ("ascii", "text" | "blob")
        | ("timeuuid", "uuid")
        | ("bigint", "timestamp")
        | ("timestamp", "bigint")
        | ("decimal" | "inet" | "text" | "varint", "blob") => Some(true),
        // Their bytes have a length that is fixed, which those of a blob have not; of the others nobody knows.
        ("bigint" | "boolean" | "double" | "float" | "int" | "timestamp" | "timeuuid" | "uuid", "blob") => Some(false),
        (_, "blob") => None,
        _ => Some(false),
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
            ("inet", "blob"),
            ("frozen<list<int>>", "blob"),
            ("list<ascii>", "list<text>"),
            ("set<ascii>", "set<text>"),
            ("map<ascii, int>", "map<text, int>"),
            ("map<int, ascii>", "map<int, text>"),
            ("tuple<int, ascii>", "tuple<int, ascii, uuid>"),
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
            ("int", "blob"),
            ("set<timeuuid>", "set<uuid>"),
            ("list<int>", "frozen<list<int>>"),
            ("frozen<list<int>>", "list<int>"),
            ("list<int>", "blob"),
            ("tuple<int, int>", "tuple<int>"),
            ("tuple<int, int>", "tuple<int, text>"),
        ] {
            assert_eq!(of(from, to), Some(false), "{from} {to}");
        }
        for (from, to) in [("smallint", "blob"), ("list<timeuuid>", "list<uuid>"), ("tuple<timeuuid>", "tuple<uuid>"), ("a", "b")]
        {
            assert_eq!(of(from, to), None, "{from} {to}");
        }
        assert_eq!(reads(Engine::Cassandra50, &parse("frozen<list<int>>"), &parse("blob")), Some(false));
        assert_eq!(reads(Engine::Cassandra50, &parse("text"), &parse("blob")), Some(true));
    }
}
