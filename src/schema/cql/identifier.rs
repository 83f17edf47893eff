//! How names and texts are written in CQL.
//!
//! Sources: the reserved words of Cassandra 4.0 to 5.0 (`Parser.g`, `reserved_keywords.txt`; run word by word against 4.0.19,
//! 4.1.10 and 5.0.9) and of ScyllaDB 2025.1 and 2026.1 (`Cql.g`). A name is quoted when any of them reserves it.

use super::types::NATIVE;
use crate::schema::{Engine, Family};

/// Words that some engine does not take as a bare name, in lower case, sorted.
const RESERVED: &[&str] = &[
    "add",
    "allow",
    "alter",
    "and",
    "ann",
    "apply",
    "asc",
    "authorize",
    "batch",
    "begin",
    "by",
    "cast",
    "columnfamily",
    "concurrency",
    "create",
    "default",
    "delete",
    "desc",
    "describe",
    "drop",
    "entries",
    "execute",
    "false",
    "from",
    "full",
    "grant",
    "if",
    "in",
    "index",
    "infinity",
    "insert",
    "into",
    "is",
    "keyspace",
    "limit",
    "materialized",
    "modify",
    "nan",
    "norecursive",
    "not",
    "null",
    "of",
    "on",
    "or",
    "order",
    "primary",
    "rename",
    "replace",
    "revoke",
    "schema",
    "scylla_clustering_bound",
    "scylla_counter_shard_list",
    "scylla_timeuuid_list_index",
    "select",
    "set",
    "similarity_cosine",
    "similarity_dot_product",
    "similarity_euclidean",
    "table",
    "text_search_indexing",
    "to",
    "token",
    "true",
    "truncate",
    "unlogged",
    "unset",
    "update",
    "use",
    "using",
    "vector_search_indexing",
    "view",
    "where",
    "with",
];

/// Words of [`RESERVED`] that some engine takes as a bare name.
const RESERVED_SOMEWHERE: &[&str] = &[
    "ann",
    "cast",
    "concurrency",
    "default",
    "desc",
    "describe",
    "execute",
    "replace",
    "scylla_clustering_bound",
    "scylla_counter_shard_list",
    "scylla_timeuuid_list_index",
    "similarity_cosine",
    "similarity_dot_product",
    "similarity_euclidean",
    "text_search_indexing",
    "unset",
    "vector_search_indexing",
];

/// Words that Cassandra reserves, and ScyllaDB does not.
const OF_CASSANDRA: &[&str] = &["desc", "describe", "execute"];

/// Words that ScyllaDB reserves, and Cassandra does not.
const OF_SCYLLA: &[&str] = &[
    "cast",
    "default",
    "replace",
    "scylla_clustering_bound",
    "scylla_counter_shard_list",
    "scylla_timeuuid_list_index",
    "unset",
];

/// Words that ScyllaDB reserves from 2026.1 on.
const OF_SCYLLA_2026: &[&str] =
    &["ann", "concurrency", "similarity_cosine", "similarity_dot_product", "similarity_euclidean", "vector_search_indexing"];

/// Words that are taken as a column name but not as the name of a user type.
const RESERVED_AS_TYPE: &[&str] = &[
    "bitstring",
    "byte",
    "cast",
    "complex",
    "count",
    "distinct",
    "empty",
    "enum",
    "interval",
    "json",
    "macaddr",
    "maxwritetime",
    "ttl",
    "writetime",
];

/// Whether some engine reserves a word, or takes it as another type where a type name stands.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    let of_letter = |first: u8| {
        let letter = usize::from(first.checked_sub(b'a')?);
        RESERVED.get(*BY_LETTER.get(letter)?..*BY_LETTER.get(letter + 1)?)
    };
    word.bytes().next().and_then(of_letter).is_some_and(|same| same.contains(&word))
}

/// Where in [`RESERVED`] the words of each first letter begin. It is asked of every name: the letter leaves few to compare.
#[expect(clippy::indexing_slicing, reason = "beyond an end it would not build")]
const BY_LETTER: [usize; 27] = {
    let mut starts = [0; 27];
    let mut letter = 0_u8;
    while letter < 27 {
        let mut at = 0;
        while at < RESERVED.len() && RESERVED[at].as_bytes()[0] < b'a' + letter {
            at += 1;
        }
        starts[letter as usize] = at;
        letter += 1;
    }
    starts
};

/// Whether an engine reserves a word (`Lexer.g` and `Parser.g` of Cassandra, each word run; `Cql.g` of ScyllaDB). Amazon Keyspaces
/// publishes no list.
#[must_use]
pub fn is_reserved_by(engine: Engine, word: &str) -> bool {
    let own: &[&[&str]] = match engine {
        Engine::Cassandra40 | Engine::Cassandra41 | Engine::Cassandra50 => &[OF_CASSANDRA],
        Engine::Scylla20251 => &[OF_SCYLLA],
        Engine::Scylla20261 => &[OF_SCYLLA, OF_SCYLLA_2026],
        Engine::Keyspaces => &[],
    };
    is_reserved_everywhere(word) || own.iter().any(|words| words.contains(&word))
}

/// Whether every engine reserves a word: what a reader must refuse as a bare name.
#[must_use]
pub fn is_reserved_everywhere(word: &str) -> bool {
    is_reserved(word) && !RESERVED_SOMEWHERE.contains(&word)
}

/// A name as it is written: bare when it is `[a-z][a-z0-9_]*` and no engine reserves it;
/// else in quotes.
#[must_use]
pub fn identifier(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|next| next.is_ascii_lowercase() || next.is_ascii_digit() || next == b'_');
    if plain && !is_reserved(name) { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// The name of a user type as it is written: more words than elsewhere need quotes.
#[must_use]
pub fn type_identifier(name: &str) -> String {
    if RESERVED_AS_TYPE.contains(&name) || NATIVE.contains(&name) { format!("\"{name}\"") } else { identifier(name) }
}

/// Whether an engine takes a bare word, in lower case, for the name of a user type; without one, whether any does. `Parser.g` of
/// Cassandra (run on 5.0.9) and `Cql.g` of ScyllaDB; Amazon Keyspaces publishes no list.
#[must_use]
pub fn is_type_name(word: &str, engine: Option<Engine>) -> bool {
    const OF_CASSANDRA: [&str; 4] = ["cast", "distinct", "json", "maxwritetime"];
    let is_other = RESERVED_AS_TYPE.contains(&word) || NATIVE.contains(&word) || word == "varchar";
    let is_refused = match engine.map(Engine::family) {
        Some(Family::Cassandra) => is_other,
        Some(Family::Scylla) | None => is_other && !OF_CASSANDRA.contains(&word),
        Some(Family::Keyspaces) => false,
    };
    // That type has no word of its own in the grammar.
    !is_refused || word == "empty"
}

/// Text in single quotes. CQL has no other escape than the doubled quote; line breaks stand as they are.
#[must_use]
pub fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_can_be_looked_up() {
        assert!(RESERVED.is_sorted());
        let own = [OF_CASSANDRA, OF_SCYLLA, OF_SCYLLA_2026].concat();
        assert!(own.iter().all(|word| RESERVED_SOMEWHERE.contains(word)));
        assert!(is_reserved_by(Engine::Cassandra50, "desc") && !is_reserved_by(Engine::Scylla20261, "desc"));
        assert!(is_reserved_by(Engine::Scylla20251, "default") && !is_reserved_by(Engine::Cassandra40, "default"));
        assert!(is_reserved_by(Engine::Scylla20261, "ann") && !is_reserved_by(Engine::Scylla20251, "ann"));
        assert!(Engine::ALL.iter().all(|engine| is_reserved_by(*engine, "select") && !is_reserved_by(*engine, "ttl")));
        assert!(RESERVED.iter().all(|word| is_reserved(word)));
        for word in ["", "a", "ad", "adds", "wit", "withs", "zoo", "Add", "ä"] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn names_are_quoted_where_an_engine_would_misread_them() {
        assert_eq!(identifier("orders"), "orders");
        for name in ["Orders", "order", "1st", "_x", "a\"b", "", "ü", "nan", "token", "default"] {
            assert_eq!(identifier(name), format!("\"{}\"", name.replace('"', "\"\"")));
        }
        assert_eq!(identifier("pay"), "pay");
        assert_eq!(type_identifier("text"), "\"text\"");
        let taken = |word: &str| Engine::ALL.map(|engine| is_type_name(word, Some(engine)));
        for (word, cassandra, scylla) in
            [("int", false, false), ("byte", false, false), ("json", false, true), ("list", true, true)]
        {
            let (four, six, five) = (taken(word), is_type_name(word, Some(Engine::Scylla20261)), is_type_name(word, None));
            assert_eq!((four[0], six, five), (cassandra, scylla, scylla), "{word}");
        }
        assert_eq!(string("it's"), "'it''s'");
    }
}
