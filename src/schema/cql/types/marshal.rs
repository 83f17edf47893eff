//! Types by the classes that carry them out, as old tables and drivers write them: `'UTF8Type'`, `'ListType(Int32Type)'`.
//!
//! Sources: Cassandra `TypeParser.java`, `CQL3Type.java`; each class was given to 4.0.19, 4.1.10 and 5.0.9, and is here what
//! `DESCRIBE` printed of it.

use super::{MAX_DEPTH, NATIVE, Type};

/// The package in which a class without one is looked for.
const PACKAGE: &str = "org.apache.cassandra.db.marshal.";

/// The classes of native types. `DateType` is the one before `TimestampType`.
const CLASSES: &[(&str, &str)] = &[
    ("AsciiType", "ascii"),
    ("BooleanType", "boolean"),
    ("ByteType", "tinyint"),
    ("BytesType", "blob"),
    ("CounterColumnType", "counter"),
    ("DateType", "timestamp"),
    ("DecimalType", "decimal"),
    ("DoubleType", "double"),
    ("DurationType", "duration"),
    ("EmptyType", "empty"),
    ("FloatType", "float"),
    ("InetAddressType", "inet"),
    ("Int32Type", "int"),
    ("IntegerType", "varint"),
    ("LongType", "bigint"),
    ("ShortType", "smallint"),
    ("SimpleDateType", "date"),
    ("TimeType", "time"),
    ("TimeUUIDType", "timeuuid"),
    ("TimestampType", "timestamp"),
    ("UTF8Type", "text"),
    ("UUIDType", "uuid"),
];

/// The type that a class carries out; one that is not known stays what it is, with its package.
pub(super) fn read(class: &str) -> Type {
    let mut parser = Parser { text: class.trim() };
    let known = parser.kind(MAX_DEPTH).filter(|_| parser.text.trim().is_empty());
    known.unwrap_or_else(|| Type::Custom(in_full(class)))
}

/// Whether a class sorts from high to low: a clustering column of such a type is one in descending order, said or not.
pub(super) fn is_reversed(class: &str) -> bool {
    let mut parser = Parser { text: class.trim() };
    parser.name() == "ReversedType" && parser.text.trim_start().starts_with('(')
}

/// A class with the package of each that has none, without blanks.
fn in_full(class: &str) -> String {
    let is_part = |next: char| next.is_ascii_alphanumeric() || "+-._&".contains(next);
    let mut text = String::new();
    let mut rest = class;
    while let Some(first) = rest.chars().next() {
        let end = if is_part(first) { rest.find(|next| !is_part(next)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, after) = rest.split_at(end);
        if piece.ends_with("Type") && !piece.contains('.') {
            text.push_str(PACKAGE);
        }
        text.push_str(piece.trim());
        rest = after;
    }
    text
}

/// What is left of a class.
struct Parser<'a> {
    text: &'a str,
}

impl<'a> Parser<'a> {
    /// A word without the package of engines.
    fn name(&mut self) -> &'a str {
        let text = self.text.trim_start();
        let end = text.find(|next: char| !(next.is_ascii_alphanumeric() || "+-._&".contains(next))).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        self.text = rest;
        name.strip_prefix(PACKAGE).unwrap_or(name)
    }

    fn eat(&mut self, expected: char) -> Option<()> {
        self.text = self.text.trim_start().strip_prefix(expected)?;
        Some(())
    }

    fn kind(&mut self, depth: usize) -> Option<Type> {
        let depth = depth.checked_sub(1)?;
        let name = self.name();
        if let Some((_, native)) = CLASSES.iter().find(|(class, _)| *class == name) {
            return NATIVE.contains(native).then_some(Type::Native(native));
        }
        self.eat('(')?;
        let kind = match name {
            "ListType" => Type::List(Box::new(self.kind(depth)?)),
            "SetType" => Type::Set(Box::new(self.kind(depth)?)),
            "MapType" => {
                let key = self.kind(depth)?;
                self.eat(',')?;
                Type::Map(Box::new(key), Box::new(self.kind(depth)?))
            }
            "FrozenType" => match self.kind(depth)? {
                // What has no cells of its own is frozen anyway.
                of @ (Type::Native(_) | Type::Tuple(_) | Type::Vector(..) | Type::Frozen(_)) => of,
                of => Type::Frozen(Box::new(of)),
            },
            "ReversedType" => self.kind(depth)?,
            "TupleType" => {
                let mut types = vec![self.kind(depth)?];
                while self.eat(',').is_some() {
                    types.push(self.kind(depth)?);
                }
                Type::Tuple(types)
            }
            "VectorType" => {
                let of = self.kind(depth)?;
                self.eat(',')?;
                Type::Vector(Box::new(of), self.name().parse().ok()?)
            }
            "UserType" => self.user_type(depth)?,
            _ => return None,
        };
        self.eat(')')?;
        Some(kind)
    }

    /// The keyspace, the name of the type and the fields, the names in hexadecimal: `shop,75,61:Int32Type`.
    fn user_type(&mut self, depth: usize) -> Option<Type> {
        self.name();
        self.eat(',')?;
        let name = unhex(self.name())?;
        while self.eat(',').is_some() {
            unhex(self.name())?;
            self.eat(':')?;
            self.kind(depth)?;
        }
        Some(Type::User(name))
    }
}

/// Text whose bytes are written in hexadecimal.
fn unhex(digits: &str) -> Option<String> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    let bytes: Option<Vec<u8>> = pairs.collect();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_the_type_that_it_carries_out() {
        for (class, expected) in [
            ("UTF8Type", "text"),
            ("org.apache.cassandra.db.marshal.DateType", "timestamp"),
            ("ListType(Int32Type)", "list<int>"),
            ("MapType(UTF8Type , org.apache.cassandra.db.marshal.FrozenType(SetType(Int32Type)))", "map<text, frozen<set<int>>>"),
            ("FrozenType(TupleType(Int32Type,UTF8Type))", "tuple<int, text>"),
            ("FrozenType(ListType(Int32Type))", "frozen<list<int>>"),
            ("ReversedType(TimeUUIDType)", "timeuuid"),
            ("UserType(shop,616464726573,61:Int32Type,62:ListType(UTF8Type))", "addres"),
            ("FrozenType(UserType(shop,41,61:Int32Type))", "frozen<\"A\">"),
            ("VectorType(FloatType, 3)", "vector<float, 3>"),
            ("org.example.Type", "'org.example.Type'"),
            ("utf8type", "'utf8type'"),
            ("ListType", "'org.apache.cassandra.db.marshal.ListType'"),
            ("LexicalUUIDType", "'org.apache.cassandra.db.marshal.LexicalUUIDType'"),
            (
                "CompositeType(Int32Type, org.apache.cassandra.db.marshal.UTF8Type)",
                "'org.apache.cassandra.db.marshal.CompositeType(org.apache.cassandra.db.marshal.Int32Type,org.apache.cassandra.db.marshal.UTF8Type)'",
            ),
            ("", "''"),
        ] {
            assert_eq!(read(class).to_string(), expected, "{class}");
            assert_eq!(Type::parse(expected).map(|kind| kind.to_string()).as_deref(), Some(expected), "{class}");
        }
        assert_eq!(Type::parse("list<'Int32Type'>").unwrap().to_string(), "list<int>");
        assert!(is_reversed("org.apache.cassandra.db.marshal.ReversedType(Int32Type)") && !is_reversed("Int32Type"));
        let deep = "ListType(".repeat(100_000);
        assert!(matches!(read(&deep), Type::Custom(_)));
    }
}
