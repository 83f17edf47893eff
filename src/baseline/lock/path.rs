//! The name of a fact in the lock, `dynamodb.orders.gsi.by_status.projection`, and its place in the serialised schema.
//!
//! In a serialised schema names of properties and names of things take turns: `tables`, `orders`, `gsi`, `by_status`,
//! `projection`. Two short lists say what that shape is; a property that is in neither is a fact as a whole.

use crate::schema::{Quoted, Store};
use std::fmt::Write as _;

/// Properties that hold things with properties of their own.
const THINGS: &[&str] = &["tables", "lsi", "gsi", "keyspaces", "types", "indexes", "views"];

/// Properties that hold one fact a name, so that two people may add one each.
const NAMED: &[&str] = &["attributes", "replicas", "tags", "extra", "columns", "options", "dropped"];

/// The same, of a whole schema.
const NAMED_AT_TOP: &[&str] = &["parameters", "kept", "moved", "imported", "extra"];

/// Words that addresses write in the singular.
const SINGULAR: &[(&str, &str)] = &[("indexes", "index"), ("views", "view")];

/// What a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Things, by name.
    Things,
    /// Facts, by name.
    Facts,
    /// A fact.
    Fact,
}

/// What a property of a serialised schema holds; `depth` is the number of keys that lead to what has it.
pub(super) fn holds(depth: usize, property: &str) -> Holds {
    let named = if depth == 0 { NAMED_AT_TOP } else { NAMED };
    if THINGS.contains(&property) {
        Holds::Things
    } else if named.contains(&property) {
        Holds::Facts
    } else {
        Holds::Fact
    }
}

/// The place of a fact: a store and the keys that lead to it in the store's serialised schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// The store; None for a parameter, which belongs to all of them.
    pub(super) store: Option<Store>,
    /// The keys, from the outside in.
    pub(super) keys: Vec<String>,
}

/// How the lock writes the place of a fact of a store, or of none. `keyspaces`: names of tables and types carry that of their
/// keyspace, because there are several.
pub(super) fn written(store: Option<Store>, keys: &[String], keyspaces: bool) -> String {
    let mut text = String::with_capacity(64);
    let mut begin = |before: &str, keyspace: Option<&str>, name: &str, after: &str| {
        let within = keyspace.filter(|_| keyspaces).into_iter();
        text.push_str(before);
        // Writing to a String does not fail.
        let _ = within.map(Quoted).try_for_each(|keyspace| write!(text, "{keyspace}."));
        let _ = write!(text, "{}", Quoted(name));
        text.push_str(after);
    };
    let words: Vec<&str> = keys.iter().map(String::as_str).collect();
    let rest = match (store, words.as_slice()) {
        (Some(Store::Dynamodb), ["tables", table, rest @ ..]) => {
            begin("dynamodb.", None, table, "");
            rest
        }
        (Some(Store::Dynamodb), [word, name, rest @ ..]) => {
            begin(&format!("dynamodb.{word}("), None, name, ")");
            rest
        }
        (Some(Store::Cql), ["keyspaces", keyspace, "tables", table, rest @ ..]) => {
            begin("cql.", Some(keyspace), table, "");
            rest
        }
        (Some(Store::Cql), ["keyspaces", keyspace, "types", name, rest @ ..]) => {
            begin("cql.type(", Some(keyspace), name, ")");
            rest
        }
        (Some(Store::Cql), ["keyspaces", keyspace, rest @ ..]) => {
            begin("cql.keyspace(", None, keyspace, ")");
            rest
        }
        (Some(Store::Cql), [word, name, rest @ ..]) => {
            begin(&format!("cql.{word}("), None, name, ")");
            rest
        }
        (_, [first, rest @ ..]) => {
            text.push_str(first);
            rest
        }
        (_, []) => &[],
    };
    for (index, key) in rest.iter().enumerate() {
        let singular = SINGULAR.iter().find(|(plural, _)| index % 2 == 0 && plural == key);
        // Writing to a String does not fail.
        let _ = match singular {
            Some((_, singular)) => write!(text, ".{singular}"),
            None => write!(text, ".{}", Quoted(key)),
        };
    }
    text
}

/// A fact's name as it was written, taken apart: names and `word(name)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Name(String),
    Call(String, Vec<String>),
}

impl Written {
    /// Takes a fact's name from the start of a text and gives the rest. None when there is none.
    pub(super) fn take(text: &str) -> Option<(Self, &str)> {
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            let (name, quoted, next) = take_name(rest)?;
            rest = next;
            if let Some(inside) = rest.strip_prefix('(').filter(|_| !quoted) {
                let (names, next) = take_names(inside)?;
                rest = next.strip_prefix(')')?;
                segments.push(Segment::Call(name, names));
            } else {
                segments.push(Segment::Name(name));
            }
            match rest.strip_prefix('.') {
                Some(next) => rest = next,
                None => return Some((Self(segments), rest)),
            }
        }
    }

    /// The one plain word this is, such as `model`.
    pub(super) fn word(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Segment::Name(word)] => Some(word),
            _ => None,
        }
    }

    /// The keyspace of `cql.keyspace(K)…`.
    pub(super) fn keyspace(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Segment::Name(cql), Segment::Call(word, names), ..] if cql == "cql" && word == "keyspace" => {
                names.first().map(String::as_str)
            }
            _ => None,
        }
    }

    /// The place it names. `keyspaces` are the names of all of them: with several, tables and types carry theirs.
    pub(super) fn resolve(self, keyspaces: &[String]) -> Option<Path> {
        let mut segments = self.0.into_iter();
        let Some(Segment::Name(store)) = segments.next() else { return None };
        let within = |names: Vec<String>, kind: &str| match (keyspaces, names.as_slice()) {
            ([keyspace], [name]) | ([_, _, ..], [keyspace, name]) => {
                Some(["keyspaces", keyspace, kind, name].map(str::to_owned).to_vec())
            }
            _ => None,
        };
        let (store, mut keys) = match store.as_str() {
            "parameters" => (None, vec![store]),
            "dynamodb" => match segments.next()? {
                Segment::Name(table) => (Some(Store::Dynamodb), vec!["tables".to_owned(), table]),
                Segment::Call(word, names) => {
                    let [name] = <[String; 1]>::try_from(names).ok()?;
                    (Some(Store::Dynamodb), vec![word, name])
                }
            },
            "cql" => match segments.next()? {
                Segment::Name(first) => {
                    let mut names = vec![first];
                    if keyspaces.len() > 1 {
                        let Some(Segment::Name(table)) = segments.next() else { return None };
                        names.push(table);
                    }
                    (Some(Store::Cql), within(names, "tables")?)
                }
                Segment::Call(word, names) if word == "type" => (Some(Store::Cql), within(names, "types")?),
                Segment::Call(word, names) => {
                    let [name] = <[String; 1]>::try_from(names).ok()?;
                    let word = if word == "keyspace" { "keyspaces".to_owned() } else { word };
                    (Some(Store::Cql), vec![word, name])
                }
            },
            _ => return None,
        };
        for segment in segments {
            let Segment::Name(name) = segment else { return None };
            // Only where a property stands: an index may be called `index`.
            let property = keys.len() % 2 == 0;
            let plural = SINGULAR.iter().find(|(_, singular)| property && *singular == name);
            keys.push(plural.map_or(name, |(plural, _)| (*plural).to_owned()));
        }
        shape("", 0, &keys).then_some(Path { store, keys })
    }
}

/// Whether keys lead to a fact: through things to a property, or to a name in a property that holds facts. `within` is the
/// property that holds the thing: the columns of a view are a list, and one fact.
fn shape(within: &str, depth: usize, keys: &[String]) -> bool {
    match keys {
        [property] => holds(depth, property) == Holds::Fact || (within == "views" && property == "columns"),
        [property, _] if holds(depth, property) == Holds::Facts => true,
        [property, _, rest @ ..] if holds(depth, property) == Holds::Things => shape(property, depth + 2, rest),
        _ => false,
    }
}

fn take_names(text: &str) -> Option<(Vec<String>, &str)> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        let (name, _, next) = take_name(rest)?;
        names.push(name);
        match next.strip_prefix('.') {
            Some(next) => rest = next,
            None => return Some((names, next)),
        }
    }
}

/// A name, whether it was quoted, and what follows.
fn take_name(text: &str) -> Option<(String, bool, &str)> {
    if text.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = stream.next()?.ok()?;
        return Some((name, true, text.get(stream.byte_offset()..)?));
    }
    let plain = |next: char| next.is_ascii_alphanumeric() || next == '_' || next == '-';
    let end = text.find(|next| !plain(next)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then(|| (name.to_owned(), false, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(store: Store, keys: &[&str]) -> Path {
        let store = (keys[0] != "parameters").then_some(store);
        Path { store, keys: keys.iter().map(|key| (*key).to_owned()).collect() }
    }

    #[test]
    fn a_place_is_written_as_its_address() {
        for (store, keys, written) in [
            (Store::Dynamodb, &["tables", "orders", "partition_key"][..], "dynamodb.orders.partition_key"),
            (Store::Dynamodb, &["tables", "my.t", "gsi", "by_x", "projection"], "dynamodb.\"my.t\".gsi.by_x.projection"),
            (Store::Dynamodb, &["tables", "t", "attributes", "a = b"], "dynamodb.t.attributes.\"a = b\""),
            (Store::Dynamodb, &["tables", "kept", "name"], "dynamodb.kept.name"),
            (Store::Dynamodb, &["kept", "t"], "dynamodb.kept(t)"),
            (Store::Dynamodb, &["moved", "a b"], "dynamodb.moved(\"a b\")"),
            (Store::Dynamodb, &["parameters", "environment"], "parameters.environment"),
            (Store::Cql, &["keyspaces", "shop", "replication"], "cql.keyspace(shop).replication"),
            (Store::Cql, &["extra", "ROLE \"a\""], "cql.extra(\"ROLE \\\"a\\\"\")"),
            (Store::Cql, &["keyspaces", "shop", "types", "a", "fields"], "cql.type(a).fields"),
            (Store::Cql, &["keyspaces", "shop", "tables", "t", "columns", "email"], "cql.t.columns.email"),
            (Store::Cql, &["keyspaces", "shop", "tables", "t", "views", "v", "columns"], "cql.t.view.v.columns"),
            (Store::Cql, &["keyspaces", "shop", "tables", "t", "kept"], "cql.t.kept"),
            (Store::Cql, &["keyspaces", "shop", "tables", "t", "indexes", "index", "column"], "cql.t.index.index.column"),
        ] {
            let path = path(store, keys);
            assert_eq!(super::written(path.store, &path.keys, false), written);
            let (read, rest) = Written::take(written).unwrap();
            assert_eq!((read.resolve(&["shop".into()]), rest), (Some(path), ""), "{written}");
        }
    }

    #[test]
    fn several_keyspaces_are_told_apart() {
        let keyspaces = ["a".to_owned(), "b".to_owned()];
        for (keys, written) in [
            (&["keyspaces", "b", "tables", "t", "views", "v", "filter"][..], "cql.b.t.view.v.filter"),
            (&["keyspaces", "a", "types", "u.v", "fields"], "cql.type(a.\"u.v\").fields"),
        ] {
            let path = path(Store::Cql, keys);
            assert_eq!(super::written(path.store, &path.keys, true), written);
            assert_eq!(Written::take(written).unwrap().0.resolve(&keyspaces), Some(path));
        }
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for wrong in ["", ".x", "\"a", "a..b", "a(b", "a()"] {
            assert!(Written::take(wrong).is_none_or(|(_, rest)| !rest.is_empty()), "{wrong}");
        }
        for wrong in [
            "x.y",
            "dynamodb",
            "dynamodb.t",
            "dynamodb.t.gsi.i",
            "dynamodb.t.tags",
            "cql.t.name.x",
            "cql.other(x).y",
            "dynamodb.kept(a.b)",
        ] {
            assert_eq!(Written::take(wrong).unwrap().0.resolve(&["shop".into()]), None, "{wrong}");
        }
        assert_eq!(Written::take("cql.t.name").unwrap().0.resolve(&[]), None);
    }
}
