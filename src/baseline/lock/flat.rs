//! A serialised schema as facts, told one by one while it is serialised: no tree of it is made.

use super::path::{Holds, Key, holds};
use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;
use std::fmt::Error;

/// Tells the facts of a schema: the keys that lead to each, and its value as JSON.
pub(super) fn flat(schema: &impl Serialize, mut fact: impl FnMut(&[Key<'static>], String)) {
    let mut keys = Vec::new();
    // A schema is a struct, which no walk refuses.
    let _ = schema.serialize(Walk { entries: Holds::Fact, keys: &mut keys, fact: &mut fact });
}

/// A walk over the entries of one map or struct. It refuses whatever else there is, before anything of it is told.
struct Walk<'w, F> {
    /// What its entries are; `Fact`: the properties of a thing, each of which may hold more.
    entries: Holds,
    /// What leads to it.
    keys: &'w mut Vec<Key<'static>>,
    fact: &'w mut F,
}

impl<F: FnMut(&[Key<'static>], String)> Walk<'_, F> {
    /// Goes into the entry that the last key leads to.
    fn enter(&mut self, value: &(impl Serialize + ?Sized)) {
        match self.entries {
            Holds::Things => _ = value.serialize(self.inside(Holds::Fact)),
            Holds::Facts => self.tell(json(value)),
            Holds::Fact => {
                let property = self.keys.last().map_or("", |key| key);
                let holds = holds(self.keys.len().saturating_sub(1), property);
                // A property that is absent is no fact; one that is no map of things or facts is one as a whole.
                if holds == Holds::Fact || value.serialize(self.inside(holds)).is_err() {
                    let json = json(value);
                    if json != "null" {
                        self.tell(json);
                    }
                }
            }
        }
    }

    fn inside(&mut self, entries: Holds) -> Walk<'_, F> {
        Walk { entries, keys: self.keys, fact: self.fact }
    }

    fn tell(&mut self, json: String) {
        (self.fact)(self.keys, json);
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    // Schemas have text keys and plain values only, which always serialise.
    serde_json::to_string(value).unwrap_or_default()
}

impl<F: FnMut(&[Key<'static>], String)> SerializeMap for Walk<'_, F> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let Ok(Value::String(key)) = serde_json::to_value(key) else { return Err(Error) };
        self.keys.push(key.into());
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.enter(value);
        self.keys.pop();
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl<F: FnMut(&[Key<'static>], String)> SerializeStruct for Walk<'_, F> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.keys.push(key.into());
        self.enter(value);
        self.keys.pop();
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! refuse {
    ($($method:ident($type:ty)),*) => { $(fn $method(self, _: $type) -> Result<(), Error> { Err(Error) })* };
}

impl<F: FnMut(&[Key<'static>], String)> Serializer for Walk<'_, F> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    refuse!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str)
    );

    fn serialize_none(self) -> Result<(), Error> {
        Err(Error)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Err(Error)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Err(Error)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(Error)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(Error)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(Error)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(Error)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error)
    }
}
