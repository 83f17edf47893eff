//! Typed values from a [`Node`], by serde, with the place of every error and, through [`Spanned`], of every value.
//!
//! Two names have a meaning beyond serde's own:
//! - an enum renamed to `$kind` takes its variant from what the node is: `text`, `number`, `bool`, `list` or `map`; the
//!   variant's content is the node itself. It stands for "an entity or a list of entities" without guessing.
//! - a newtype renamed to `$scalar` takes text, a number or a bool, each as it was written.

#[cfg(test)]
mod tests;

use super::node::{Kind, Node, article};
use super::{Entry, FileId, Span, Spanned, scalar};
use crate::diagnostic::{Code, Diagnostic, codes, nearest};
use serde::de::value::{BorrowedStrDeserializer, U32Deserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

/// Reads a typed value.
pub fn from_node<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, Error> {
    T::deserialize(node)
}

/// Why a node is not what was asked for.
#[derive(Clone, Debug)]
pub struct Error {
    code: Code,
    message: String,
    /// The known word that is nearest to an unknown one.
    near: Option<&'static str>,
    span: Option<Span>,
}

impl Error {
    /// As a diagnostic; `fallback` when the error has no place of its own.
    #[must_use]
    pub fn into_diagnostic(self, fallback: Span) -> Diagnostic {
        let span = self.span.unwrap_or(fallback);
        let diagnostic = Diagnostic::new(self.code, span, self.message);
        match self.near {
            Some(known) => diagnostic.suggest(format!("did you mean `{known}`?"), span, known),
            None => diagnostic,
        }
    }

    fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }

    fn shape(message: String) -> Self {
        Self { code: codes::WRONG_SHAPE, message, near: None, span: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::shape(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match unexpected {
            Unexpected::Bool(value) => format!("`{value}`"),
            Unexpected::Unsigned(number) => format!("the number {number}"),
            Unexpected::Signed(number) => format!("the number {number}"),
            Unexpected::Float(number) => format!("the number {number}"),
            Unexpected::Str(text) => format!("the text `{text}`"),
            Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "a map".to_owned(),
            other => other.to_string(),
        };
        Self::shape(format!("expected {}, found {found}", plain_words(expected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let near = nearest(field, expected.iter().copied());
        Self { code: codes::UNKNOWN_KEY, message: format!("unknown key `{field}`"), near, span: None }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let near = nearest(variant, expected.iter().copied());
        let message = format!(
            "`{variant}` is none of {}",
            expected.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ")
        );
        Self { near, ..Self::shape(message) }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::shape(format!("`{field}` is missing"))
    }
}

/// The name and fields by which [`Spanned`] makes itself known.
const SPANNED: &str = "$spanned";
const SPANNED_FIELDS: &[&str] = &["file", "start", "end", "value"];

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Place<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Place<T> {
            type Value = Spanned<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a text with places")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Spanned<T>, A::Error> {
                let mut number = || access.next_element::<u32>()?.ok_or_else(|| de::Error::custom("no place"));
                let span = Span { file: FileId(number()?), start: number()?, end: number()? };
                let value = access.next_element()?.ok_or_else(|| de::Error::custom("no value"))?;
                Ok(Spanned { value, span })
            }
        }
        deserializer.deserialize_struct(SPANNED, SPANNED_FIELDS, Place(std::marker::PhantomData))
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// Gives file, start, end and then the value.
struct SpannedAccess<D> {
    numbers: std::array::IntoIter<u32, 3>,
    value: Option<D>,
}

impl<D> SpannedAccess<D> {
    fn new(span: Span, value: D) -> Self {
        Self { numbers: [span.file.0, span.start, span.end].into_iter(), value: Some(value) }
    }
}

impl<'de, D: Deserializer<'de, Error = Error>> SeqAccess<'de> for SpannedAccess<D> {
    type Error = Error;
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if let Some(number) = self.numbers.next() {
            let number: U32Deserializer<Error> = number.into_deserializer();
            return seed.deserialize(number).map(Some);
        }
        self.value.take().map(|value| seed.deserialize(value)).transpose()
    }
}

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(*value),
            Kind::Number(text) => match scalar::json_number(text) {
                Some(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                    (Some(number), ..) => visitor.visit_u64(number),
                    (_, Some(number), _) => visitor.visit_i64(number),
                    // `3.0` and `1e3` are whole numbers too.
                    #[expect(clippy::cast_possible_truncation, reason = "whole, and exact below 2^53")]
                    (.., Some(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
                        let whole = number as i64;
                        if let Ok(whole) = u64::try_from(whole) { visitor.visit_u64(whole) } else { visitor.visit_i64(whole) }
                    }
                    (.., number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
                },
                None => Err(de::Error::custom(format!("`{text}` is no finite number"))),
            },
            Kind::String { value, .. } => visitor.visit_borrowed_str(value),
            Kind::Sequence(items) => visitor.visit_seq(Items(items.iter())),
            Kind::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
        }
        .map_err(|error: Error| error.at(self.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.kind == Kind::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == SPANNED {
            return visitor.visit_seq(SpannedAccess::new(self.span, self));
        }
        if let Kind::Sequence(_) = self.kind {
            // Serde would take its items for the fields, in their order.
            let error: Error = de::Error::invalid_type(Unexpected::Seq, &"a map");
            return Err(error.at(self.span));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match &self.kind {
            Kind::Number(text) if name == "$scalar" => visitor.visit_newtype_struct(Text { text, span: self.span }),
            Kind::Bool(value) if name == "$scalar" => {
                visitor.visit_newtype_struct(Text { text: if *value { "true" } else { "false" }, span: self.span })
            }
            _ => visitor.visit_newtype_struct(self),
        }
        .map_err(|error: Error| error.at(self.span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let result = if name == "$kind" {
            let kind = self.kind.name();
            if variants.contains(&kind) {
                visitor.visit_enum(Variant { name: Text { text: kind, span: self.span }, content: Some(self) })
            } else {
                let expected: Vec<String> = variants.iter().map(|known| article(known)).collect();
                Err(Error::shape(format!("expected {}, found {}", expected.join(" or "), article(kind))))
            }
        } else if let [entry] = self.entries() {
            let name = Text { text: &entry.key, span: entry.key_span };
            visitor.visit_enum(Variant { name, content: Some(&entry.value) })
        } else if let Kind::String { value, .. } = &self.kind {
            visitor.visit_enum(Variant { name: Text { text: value, span: self.span }, content: None })
        } else {
            Err(Error::shape(format!("expected one of {}, found {}", variants.join(", "), self.kind.in_words())))
        };
        result.map_err(|error: Error| error.at(self.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// Serde's names of Rust's types, in words.
fn plain_words(expected: &dyn de::Expected) -> String {
    match expected.to_string().as_str() {
        "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        expected if expected.starts_with("struct ") => "a map",
        other => return other.to_owned(),
    }
    .to_owned()
}

struct Items<'de>(std::slice::Iter<'de, Node>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Error;
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.0.next().map(|item| seed.deserialize(item)).transpose()
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, Entry>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(&entry.value);
        seed.deserialize(Text { text: &entry.key, span: entry.key_span }).map(Some).map_err(|error| error.at(entry.key_span))
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.value.take().map_or_else(|| Err(de::Error::custom("a value before its key")), |value| seed.deserialize(value))
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// Text with its place: a key, or a scalar as it was written.
#[derive(Clone, Copy)]
struct Text<'de> {
    text: &'de str,
    span: Span,
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text).map_err(|error: Error| error.at(self.span))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == SPANNED { visitor.visit_seq(SpannedAccess::new(self.span, self)) } else { self.deserialize_any(visitor) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.text)).map_err(|error: Error| error.at(self.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Variant<'de> {
    name: Text<'de>,
    content: Option<&'de Node>,
}

impl<'de> de::EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Content<'de>;
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Content<'de>), Error> {
        let name = self.name;
        let value = seed.deserialize(name).map_err(|error| error.at(name.span))?;
        Ok((value, Content { name, node: self.content }))
    }
}

struct Content<'de> {
    name: Text<'de>,
    node: Option<&'de Node>,
}

impl<'de> Content<'de> {
    fn node(&self) -> Result<&'de Node, Error> {
        self.node.ok_or_else(|| Error::shape(format!("`{}` needs a value", self.name.text)).at(self.name.span))
    }
}

impl<'de> de::VariantAccess<'de> for Content<'de> {
    type Error = Error;
    fn unit_variant(self) -> Result<(), Error> {
        match self.node {
            Some(node) => Err(Error::shape(format!("`{}` takes no value", self.name.text)).at(node.span)),
            None => Ok(()),
        }
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.node()?)
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.node()?.deserialize_seq(visitor)
    }
    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.node()?.deserialize_map(visitor)
    }
}
