//! Types (section 3).

use super::Flaw;
use crate::diagnostic::{codes, nearest};
use crate::model::AttributeType;
use crate::schema::has_reference;
use std::ops::Range;

/// Types in types that are read; deeper ones are refused.
const DEPTH: usize = 16;

/// Reads a type. `user` are the names of user types.
pub(crate) fn attribute_type(text: &str, user: &[&str]) -> Result<AttributeType, Flaw> {
    if has_reference(text) {
        return Err(Flaw::new(codes::PARAMETER_NOT_HERE, 0..text.len(), "a parameter cannot be a type"));
    }
    let mut parser = Parser { text, at: 0, user };
    let kind = parser.parse(0)?;
    parser.space();
    if parser.at < text.len() {
        return Err(Flaw::new(codes::UNKNOWN_TYPE, parser.at..text.len(), "nothing can follow a type"));
    }
    Ok(kind)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    user: &'a [&'a str],
}

/// The generic types, for "did you mean".
const GENERIC: [&str; 6] = ["list", "set", "map", "tuple", "frozen", "vector"];

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, expected: char) -> bool {
        self.space();
        let found = self.rest().starts_with(expected);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, expected: char) -> Result<(), Flaw> {
        if self.eat(expected) {
            return Ok(());
        }
        let end = self.rest().chars().next().map_or(self.at, |next| self.at + next.len_utf8());
        Err(Flaw::new(codes::UNKNOWN_TYPE, self.at..end, format!("expected `{expected}`")))
    }

    fn word(&mut self) -> (&'a str, Range<usize>) {
        self.space();
        let rest = self.rest();
        let width = rest.find(|next: char| !(next.is_alphanumeric() || next == '_')).unwrap_or(rest.len());
        let range = self.at..self.at + width;
        self.at = range.end;
        (rest.get(..width).unwrap_or_default(), range)
    }

    fn parse(&mut self, depth: usize) -> Result<AttributeType, Flaw> {
        let (name, range) = self.word();
        if depth > DEPTH {
            return Err(Flaw::new(codes::UNKNOWN_TYPE, range, format!("types are nested more than {DEPTH} deep")));
        }
        let boxed = |kind| Box::new(kind);
        if GENERIC.contains(&name) {
            self.expect('<')?;
            let first = self.parse(depth + 1)?;
            let kind = match name {
                "list" => AttributeType::List(boxed(first)),
                "set" => AttributeType::Set(boxed(first)),
                "frozen" => AttributeType::Frozen(boxed(first)),
                "map" => {
                    self.expect(',')?;
                    AttributeType::Map(boxed(first), boxed(self.parse(depth + 1)?))
                }
                "vector" => {
                    self.expect(',')?;
                    let (size, range) = self.word();
                    match size.parse::<u32>() {
                        Ok(size @ 1..=16_000) if first == AttributeType::Float => AttributeType::Vector(boxed(first), size),
                        Ok(1..=16_000) => {
                            return Err(Flaw::new(codes::BAD_COLLECTION, 0..self.text.len(), "a vector holds `float`"));
                        }
                        _ => return Err(Flaw::new(codes::BAD_COLLECTION, range, "a vector has 1 to 16000 dimensions")),
                    }
                }
                _ => {
                    let mut types = vec![first];
                    while self.eat(',') {
                        types.push(self.parse(depth + 1)?);
                    }
                    AttributeType::Tuple(types)
                }
            };
            self.expect('>')?;
            return Ok(kind);
        }
        if let Some(kind) = AttributeType::scalar(name) {
            return Ok(kind);
        }
        if self.user.contains(&name) {
            return Ok(AttributeType::User(name.to_owned()));
        }
        Err(self.unknown(name, range))
    }

    fn unknown(&self, name: &str, range: Range<usize>) -> Flaw {
        if name.is_empty() {
            return Flaw::new(codes::UNKNOWN_TYPE, range, "a type is missing");
        }
        let flaw = Flaw::new(codes::UNKNOWN_TYPE, range, format!("there is no type `{name}`"));
        let familiar = match name.to_lowercase().as_str() {
            "string" | "varchar" | "str" | "s" | "char" => Some("text"),
            "integer" | "int32" => Some("int"),
            "long" | "int64" => Some("bigint"),
            "number" | "numeric" | "n" => Some("decimal"),
            "bool" => Some("boolean"),
            "datetime" | "timestamptz" => Some("timestamp"),
            "bytes" | "binary" | "bytea" => Some("blob"),
            "array" => Some("list"),
            _ => None,
        };
        let mut known: Vec<&str> = AttributeType::scalar_names().chain(GENERIC).collect();
        known.extend(self.user);
        match familiar.or_else(|| nearest(name, known)) {
            Some(near) => flaw.instead(near),
            None => flaw.help("a user type is defined under `types:`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        for text in [
            "text",
            "list<int>",
            "map<text, frozen<list<uuid>>>",
            "tuple<int, text, float>",
            "vector<float, 384>",
            "frozen<address>",
            "set<address>",
        ] {
            assert_eq!(attribute_type(text, &["address"]).unwrap().to_string(), text);
        }
        assert_eq!(attribute_type(" map < text ,int > ", &[]).unwrap().to_string(), "map<text, int>");
    }

    #[test]
    fn unknown_types_are_told_with_the_nearest() {
        for (text, range, instead) in
            [("txt", 0..3, "text"), ("string", 0..6, "text"), ("map<text, integer>", 10..17, "int"), ("adress", 0..6, "address")]
        {
            let flaw = attribute_type(text, &["address"]).unwrap_err();
            assert_eq!((flaw.code, flaw.range), (codes::UNKNOWN_TYPE, range), "{text}");
            assert_eq!(flaw.instead.as_deref(), Some(instead), "{text}");
        }
        for text in ["", "list", "list<", "list<>", "map<text>", "text>", "list<int", "ü"] {
            assert_eq!(attribute_type(text, &[]).unwrap_err().code, codes::UNKNOWN_TYPE, "{text}");
        }
        assert_eq!(attribute_type("vector<int, 3>", &[]).unwrap_err().code, codes::BAD_COLLECTION);
        assert_eq!(attribute_type("vector<float, 0>", &[]).unwrap_err().code, codes::BAD_COLLECTION);
        assert_eq!(attribute_type(&"list<".repeat(10_000), &[]).unwrap_err().code, codes::UNKNOWN_TYPE);
    }
}
