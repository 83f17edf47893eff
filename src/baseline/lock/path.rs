//! The name of a fact in the lock, `dynamodb.orders.gsi.by_status.projection`, and its place in the serialised schema.
//!
//! In a serialised schema names of properties and names of things take turns: `tables`, `orders`, `gsi`, `by_status`,
//! `projection`. Two short lists say what that shape is; a property that is in neither is a fact as a whole.

use crate::schema::{Quoted, Store};
use std::borrow::Cow;

/// Properties that hold things with properties of their own.
const THINGS: &[&str] = &["tables", "lsi", "gsi", "keyspaces", "types", "indexes", "views"];

/// Properties that hold one fact a name, so that two people may add one each.
const NAMED: &[&str] = &["attributes", "replicas", "tags", "extra", "columns", "options", "dropped"];

/// The same, of a whole schema.
const NAMED_AT_TOP: &[&str] = &["parameters", "kept", "moved", "imported", "removed", "extra"];

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

/// A name on the way to a fact.
pub(super) type Key<'t> = Cow<'t, str>;

/// The place of a fact: a store and the keys that lead to it in the store's serialised schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path<'t> {
    /// The store; None for a parameter, which belongs to all of them.
    pub(super) store: Option<Store>,
    /// The keys, from the outside in.
    pub(super) keys: Vec<Key<'t>>,
}

/// How the lock writes the place of a fact of a store, or of none. `keyspaces`: names of tables and types carry that of their
/// keyspace, because there are several.
pub(super) fn written(store: Option<Store>, keys: &[Key<'_>], keyspaces: bool) -> String {
    let mut text = String::with_capacity(64);
    let mut begin = |before: &[&str], keyspace: Option<&str>, name: &str, after: &str| {
        text.extend(before.iter().copied());
        if let Some(keyspace) = keyspace.filter(|_| keyspaces) {
            text.push_str(&Quoted(keyspace).text());
            text.push('.');
        }
        text.push_str(&Quoted(name).text());
        text.push_str(after);
    };
    let key = |number: usize| keys.get(number).map(|key| &**key);
    let begun = match (store, key(0), key(1), key(2), key(3)) {
        (Some(Store::Dynamodb), Some("tables"), Some(table), ..) => {
            begin(&["dynamodb."], None, table, "");
            2
        }
        (Some(Store::Dynamodb), Some(word), Some(name), ..) => {
            begin(&["dynamodb.", word, "("], None, name, ")");
            2
        }
        (Some(Store::Cql), Some("keyspaces"), Some(keyspace), Some("tables"), Some(table)) => {
            begin(&["cql."], Some(keyspace), table, "");
            4
        }
        (Some(Store::Cql), Some("keyspaces"), Some(keyspace), Some("types"), Some(name)) => {
            begin(&["cql.type("], Some(keyspace), name, ")");
            4
        }
        (Some(Store::Cql), Some("keyspaces"), Some(keyspace), ..) => {
            begin(&["cql.keyspace("], None, keyspace, ")");
            2
        }
        (Some(Store::Cql), Some(word), Some(name), ..) => {
            begin(&["cql.", word, "("], None, name, ")");
            2
        }
        (_, first, ..) => {
            text.push_str(first.unwrap_or_default());
            1
        }
    };
    for (index, key) in keys.iter().skip(begun).enumerate() {
        let singular = SINGULAR.iter().find(|(plural, _)| index % 2 == 0 && plural == key);
        text.push('.');
        match singular {
            Some((_, singular)) => text.push_str(singular),
            None => text.push_str(&Quoted(key).text()),
        }
    }
    text
}

/// A fact's name as it was written, taken apart: names and `word(name)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written<'t>(Vec<Segment<'t>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment<'t> {
    Name(Key<'t>),
    Call(Key<'t>, Vec<Key<'t>>),
}

impl<'t> Written<'t> {
    /// Takes a fact's name from the start of a text and gives the rest. None when there is none.
    pub(super) fn take(text: &'t str) -> Option<(Self, &'t str)> {
        let mut segments = Vec::with_capacity(6);
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
    pub(super) fn into_keyspace(self) -> Option<Key<'t>> {
        let mut segments = self.0.into_iter();
        match (segments.next()?, segments.next()?) {
            (Segment::Name(cql), Segment::Call(word, names)) if cql == "cql" && word == "keyspace" => names.into_iter().next(),
            _ => None,
        }
    }

    /// The place it names. `keyspaces` are the names of all of them: with several, tables and types carry theirs.
    pub(super) fn resolve(self, keyspaces: &[Key<'t>]) -> Option<Path<'t>> {
        let mut segments = self.0.into_iter();
        let Some(Segment::Name(store)) = segments.next() else { return None };
        let mut keys = Vec::with_capacity(6);
        let mut within = |kind: &'static str, names: &[Key<'t>]| match (keyspaces, names) {
            ([keyspace], [name]) | ([_, _, ..], [keyspace, name]) => {
                keys.extend(["keyspaces".into(), keyspace.clone(), kind.into(), name.clone()]);
                Some(())
            }
            _ => None,
        };
        let store = match &*store {
            "parameters" => {
                keys.push(store);
                None
            }
            "dynamodb" => {
                match segments.next()? {
                    Segment::Name(table) => keys.extend(["tables".into(), table]),
                    Segment::Call(word, names) => keys.extend([word, one(names)?]),
                }
                Some(Store::Dynamodb)
            }
            "cql" => {
                match segments.next()? {
                    Segment::Name(first) if keyspaces.len() > 1 => {
                        let Some(Segment::Name(table)) = segments.next() else { return None };
                        within("tables", &[first, table])?;
                    }
                    Segment::Name(table) => within("tables", &[table])?,
                    Segment::Call(word, names) if word == "type" => within("types", &names)?,
                    Segment::Call(word, names) if word == "keyspace" => keys.extend(["keyspaces".into(), one(names)?]),
                    Segment::Call(word, names) => keys.extend([word, one(names)?]),
                }
                Some(Store::Cql)
            }
            _ => return None,
        };
        for segment in segments {
            let Segment::Name(name) = segment else { return None };
            // Only where a property stands: an index may be called `index`.
            let property = keys.len() % 2 == 0;
            let plural = SINGULAR.iter().find(|(_, singular)| property && *singular == name);
            keys.push(plural.map_or(name, |(plural, _)| (*plural).into()));
        }
        shape("", 0, &keys).then_some(Path { store, keys })
    }
}

/// Whether keys lead to a fact: through things to a property, or to a name in a property that holds facts. `within` is the
/// property that holds the thing: the columns of a view are a list, and one fact.
fn shape(within: &str, depth: usize, keys: &[Key<'_>]) -> bool {
    match keys {
        [property] => holds(depth, property) == Holds::Fact || (within == "views" && property == "columns"),
        [property, _] if holds(depth, property) == Holds::Facts => true,
        [property, _, rest @ ..] if holds(depth, property) == Holds::Things => shape(property, depth + 2, rest),
        _ => false,
    }
}

fn one(names: Vec<Key<'_>>) -> Option<Key<'_>> {
    <[Key<'_>; 1]>::try_from(names).ok().map(|[name]| name)
}

fn take_names(text: &str) -> Option<(Vec<Key<'_>>, &str)> {
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
fn take_name(text: &str) -> Option<(Key<'_>, bool, &str)> {
    if text.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = stream.next()?.ok()?;
        return Some((name.into(), true, text.get(stream.byte_offset()..)?));
    }
    let plain = |next: &u8| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'-');
    let end = text.as_bytes().iter().position(|next| !plain(next)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then_some((name.into(), false, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path<'t>(store: Store, keys: &[&'t str]) -> Path<'t> {
        let store = (keys[0] != "parameters").then_some(store);
        Path { store, keys: keys.iter().map(|key| (*key).into()).collect() }
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
            (Store::Dynamodb, &["removed", "aws_x.orders"], "dynamodb.removed(\"aws_x.orders\")"),
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
        let keyspaces = ["a".into(), "b".into()];
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
