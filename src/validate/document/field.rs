//! What the document is made of: fields that may be absent or broken, and maps that keep the places of their keys.

use crate::source::Spanned;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The value of a key. The shape check puts null in the place of what it has reported, and null has no other meaning in
/// the language: so a broken value is known to be there, and nothing more is said about it.
#[derive(Clone, Debug, Default)]
pub enum Field<T> {
    /// The key is not there.
    #[default]
    Absent,
    /// The value was wrong, and that has been reported.
    Broken,
    /// The value. Of the many keys that a map may have few are there: one that is not takes no place for its value.
    Given(Box<Spanned<T>>),
}

impl<T> Field<T> {
    /// The value, when there is a good one.
    pub fn get(&self) -> Option<&Spanned<T>> {
        if let Self::Given(value) = self { Some(value) } else { None }
    }

    /// Whether the key is there, broken or not.
    pub fn is_there(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Whether the value was wrong.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Broken)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<Box<Spanned<T>>>::deserialize(deserializer).map(|value| value.map_or(Self::Broken, Self::Given))
    }
}

impl<T: JsonSchema> JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A map from names to values, in the order it was written.
#[derive(Clone, Debug)]
pub struct Map<T>(pub Vec<(Spanned<String>, Field<T>)>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Map<T> {
    /// The entries that are not broken.
    pub fn good(&self) -> impl Iterator<Item = (&Spanned<String>, &Spanned<T>)> {
        self.0.iter().filter_map(|(name, value)| Some((name, value.get()?)))
    }

    /// All names, those of broken entries too.
    pub fn names(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.0.iter().map(|(name, _)| name)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Map<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Map<T>, A::Error> {
                let mut entries = Vec::with_capacity(access.size_hint().unwrap_or_default());
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                Ok(Map(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Map<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Map_of_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
    }
}
