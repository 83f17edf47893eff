//! CQL types: how they print and how that is read back.

mod marshal;

use super::type_identifier;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A CQL type. Displayed as engines print it: `map<text, frozen<list<int>>>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `text`, `uuid`, …: one that every engine knows; `varchar` is `text`.
    Native(&'static str),
    /// `list<T>`
    List(Box<Type>),
    /// `set<T>`
    Set(Box<Type>),
    /// `map<K, V>`
    Map(Box<Type>, Box<Type>),
    /// `tuple<T, …>`
    Tuple(Vec<Type>),
    /// `frozen<T>`
    Frozen(Box<Type>),
    /// `vector<T, n>`
    Vector(Box<Type>, u32),
    /// A user type, by its name.
    User(String),
    /// A class name in quotes, as text.
    Custom(String),
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(name) => f.write_str(name),
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Set(of) => write!(f, "set<{of}>"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Self::Tuple(types) => {
                f.write_str("tuple<")?;
                for (index, of) in types.iter().enumerate() {
                    write!(f, "{}{of}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(">")
            }
            Self::Frozen(of) => write!(f, "frozen<{of}>"),
            Self::Vector(of, size) => write!(f, "vector<{of}, {size}>"),
            Self::User(name) => f.write_str(&type_identifier(name)),
            Self::Custom(class) => write!(f, "'{}'", class.replace('\'', "''")),
        }
    }
}

/// The native types of all engines, by their own names.
pub(super) const NATIVE: &[&str] = &[
    "ascii",
    "bigint",
    "blob",
    "boolean",
    "counter",
    "date",
    "decimal",
    "double",
    "duration",
    "empty",
    "float",
    "inet",
    "int",
    "smallint",
    "text",
    "time",
    "timestamp",
    "timeuuid",
    "tinyint",
    "uuid",
    "varint",
];

/// How deep a type may nest: far deeper than any engine takes.
const MAX_DEPTH: usize = 64;

impl Type {
    /// Reads a type, in any spelling an engine takes: any case, spaces, `varchar`, quoted user types, a keyspace before a
    /// user type (dropped). None when it is no type.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let parsed = parse(&mut rest, MAX_DEPTH)?;
        rest.trim().is_empty().then_some(parsed)
    }

    /// The native type of a name, in any case.
    #[must_use]
    pub fn native(name: &str) -> Option<Self> {
        let name = if name.eq_ignore_ascii_case("varchar") { "text" } else { name };
        NATIVE.iter().find(|native| name.eq_ignore_ascii_case(native)).map(|native| Self::Native(native))
    }

    /// The type that a class carries out, as it stands in quotes: `ListType(Int32Type)` is `list<int>`.
    #[must_use]
    pub fn of_class(class: &str) -> Self {
        marshal::read(class)
    }

    /// Whether a class sorts a clustering column from high to low.
    #[must_use]
    pub fn is_reversed(class: &str) -> bool {
        marshal::is_reversed(class)
    }

    /// The types inside, one level down.
    #[must_use]
    pub fn inner(&self) -> Vec<&Type> {
        match self {
            Self::List(of) | Self::Set(of) | Self::Frozen(of) | Self::Vector(of, _) => vec![of],
            Self::Map(key, value) => vec![key, value],
            Self::Tuple(types) => types.iter().collect(),
            Self::Native(_) | Self::User(_) | Self::Custom(_) => Vec::new(),
        }
    }

    /// The one spelling of all that mean the same: inside `frozen<>`, a tuple or a vector everything is frozen, said or not;
    /// there, and only there, `frozen` is written at every level. A tuple and a vector need no `frozen` of their own.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.freeze(false)
    }

    /// Whether it is a collection whose elements are stored apart.
    #[must_use]
    pub fn is_multi_cell_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(..))
    }

    fn freeze(&self, frozen: bool) -> Self {
        let wrap = |of: Self| if frozen { Self::Frozen(Box::new(of)) } else { of };
        match self {
            Self::Native(_) | Self::Custom(_) => self.clone(),
            Self::User(_) => wrap(self.clone()),
            Self::List(of) => wrap(Self::List(Box::new(of.freeze(frozen)))),
            Self::Set(of) => wrap(Self::Set(Box::new(of.freeze(frozen)))),
            Self::Map(key, value) => wrap(Self::Map(Box::new(key.freeze(frozen)), Box::new(value.freeze(frozen)))),
            Self::Tuple(types) => Self::Tuple(types.iter().map(|of| of.freeze(true)).collect()),
            Self::Vector(of, size) => Self::Vector(Box::new(of.freeze(true)), *size),
            Self::Frozen(of) => of.freeze(true),
        }
    }
}

fn parse(rest: &mut &str, depth: usize) -> Option<Type> {
    let depth = depth.checked_sub(1)?;
    if rest.trim_start().starts_with('\'') {
        return Some(marshal::read(&quoted(rest, '\'')?));
    }
    let (mut name, mut was_quoted) = word(rest)?;
    if eat(rest, '.') {
        (name, was_quoted) = word(rest)?;
        return Some(Type::User(if was_quoted { name.into_owned() } else { name.to_lowercase() }));
    }
    if was_quoted {
        return Some(Type::User(name.into_owned()));
    }
    if !eat(rest, '<') {
        return Some(Type::native(&name).unwrap_or_else(|| Type::User(name.to_lowercase())));
    }
    let kind = match name.to_lowercase().as_str() {
        "list" => Type::List(Box::new(parse(rest, depth)?)),
        "set" => Type::Set(Box::new(parse(rest, depth)?)),
        "frozen" => match parse(rest, depth)? {
            // An engine prints frozen<tuple<…>>; these are frozen by themselves, so the word says nothing.
            frozen @ (Type::Tuple(_) | Type::Vector(..) | Type::Frozen(_)) => frozen,
            other => Type::Frozen(Box::new(other)),
        },
        "map" => {
            let key = parse(rest, depth)?;
            eat(rest, ',').then_some(())?;
            Type::Map(Box::new(key), Box::new(parse(rest, depth)?))
        }
        "tuple" => {
            let mut types = vec![parse(rest, depth)?];
            while eat(rest, ',') {
                types.push(parse(rest, depth)?);
            }
            Type::Tuple(types)
        }
        "vector" => {
            let of = parse(rest, depth)?;
            eat(rest, ',').then_some(())?;
            let text = rest.trim_start();
            let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
            let (number, after) = text.split_at(digits);
            *rest = after;
            Type::Vector(Box::new(of), number.parse().ok()?)
        }
        _ => return None,
    };
    eat(rest, '>').then_some(kind)
}

fn eat(rest: &mut &str, expected: char) -> bool {
    match rest.trim_start().strip_prefix(expected) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

/// A name and whether it was quoted.
fn word<'a>(rest: &mut &'a str) -> Option<(Cow<'a, str>, bool)> {
    let text = rest.trim_start();
    if text.starts_with('"') {
        return Some((Cow::Owned(quoted(rest, '"')?), true));
    }
    let end = text.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    *rest = after;
    (!name.is_empty()).then_some((Cow::Borrowed(name), false))
}

/// Text in quotes, a doubled quote standing for one.
fn quoted(rest: &mut &str, quote: char) -> Option<String> {
    let mut text = rest.trim_start().strip_prefix(quote)?;
    let mut value = String::new();
    loop {
        let (before, after) = text.split_once(quote)?;
        value.push_str(before);
        let Some(next) = after.strip_prefix(quote) else {
            *rest = after;
            return Some(value);
        };
        value.push(quote);
        text = next;
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a CQL type")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "text",
            "map<text, frozen<list<int>>>",
            "tuple<double, text>",
            "vector<float, 384>",
            "\"Money Amount\"",
            "frozen<address>",
            "set<frozen<map<ascii, uuid>>>",
            "\"text\"",
            "'org.example.Type'",
        ] {
            assert_eq!(Type::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(Type::parse("FROZEN < Tuple<INT,varchar> >").unwrap().to_string(), "tuple<int, text>");
        assert_eq!(Type::parse("shop.address"), Some(Type::User("address".into())));
        for (text, canonical) in [
            ("frozen<list<list<address>>>", "frozen<list<frozen<list<frozen<address>>>>>"),
            ("tuple<list<int>, address>", "tuple<frozen<list<int>>, frozen<address>>"),
            ("map<text, frozen<set<int>>>", "map<text, frozen<set<int>>>"),
            ("frozen<frozen<address>>", "frozen<address>"),
            ("vector<list<int>, 2>", "vector<frozen<list<int>>, 2>"),
            ("address", "address"),
        ] {
            assert_eq!(Type::parse(text).unwrap().canonical().to_string(), canonical);
        }
        let deep = format!("{}int{}", "list<".repeat(100_000), ">".repeat(100_000));
        for wrong in [deep.as_str(), "", "map<text>", "list<>", "text>", "foo<int>", "\"open", "vector<int, x>"] {
            assert_eq!(Type::parse(wrong), None, "{wrong}");
        }
    }
}
