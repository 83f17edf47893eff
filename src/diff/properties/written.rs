//! The properties of an item as text, one behind the other: two items are compared without a tree of either, and only what
//! differs is read.

use super::{Path, Properties};
use serde::ser::{Error as _, Impossible, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Error;
use std::ops::Range;

/// An item that was written.
pub(super) struct Written {
    text: Vec<u8>,
    /// Its properties, in the order of its fields: it is the same for all items of a type.
    pub(super) places: Vec<Place>,
}

/// Where a property stands in the text: its names, in quotes, and its value.
pub(super) struct Place {
    head: Range<usize>,
    key: Option<Range<usize>>,
    value: Range<usize>,
}

impl Written {
    /// Writes an item. None for what is no map of properties.
    pub(super) fn of(item: &impl Serialize, maps: &[&str], apart: &[&str]) -> Option<Self> {
        let mut written = Self { text: Vec::new(), places: Vec::new() };
        item.serialize(Level { written: &mut written, maps, apart, head: None, name: 0..0 }).ok()?;
        Some(written)
    }

    /// Whether two properties have one path.
    pub(super) fn is_path(&self, place: &Place, other: &Self, at: &Place) -> bool {
        self.part(&place.head) == other.part(&at.head)
            && place.key.as_ref().map(|key| self.part(key)) == at.key.as_ref().map(|key| other.part(key))
    }

    /// Whether two properties have one value, letter by letter.
    pub(super) fn is_value(&self, place: &Place, other: &Self, at: &Place) -> bool {
        self.part(&place.value) == other.part(&at.value)
    }

    /// The path of a property.
    pub(super) fn path(&self, place: &Place) -> Option<Path> {
        let name = |range: &Range<usize>| serde_json::from_slice(self.part(range)).ok();
        let key = place.key.as_ref().map(|key| name(key).ok_or(())).transpose().ok()?;
        Some(Path { head: name(&place.head)?, key })
    }

    /// Reads a property, and puts it to others.
    pub(super) fn read(&self, place: &Place, into: &mut Properties) {
        let value = serde_json::from_slice(self.part(&place.value)).ok();
        into.extend(self.path(place).zip(value));
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Writes something behind all that there is.
    fn push<T: Serialize + ?Sized>(&mut self, what: &T) -> Result<Range<usize>, Error> {
        let start = self.text.len();
        serde_json::to_writer(&mut self.text, what)?;
        Ok(start..self.text.len())
    }
}

/// The fields of an item, or the entries of one of its maps.
struct Level<'w> {
    written: &'w mut Written,
    maps: &'w [&'w str],
    apart: &'w [&'w str],
    /// The property whose entries these are.
    head: Option<Range<usize>>,
    /// The name that the next value is of.
    name: Range<usize>,
}

impl Level<'_> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let name = self.name.clone();
        if let Some(head) = self.head.clone() {
            let value = self.written.push(value)?;
            self.written.places.push(Place { head, key: Some(name), value });
            return Ok(());
        }
        let is = |word: &&str| self.written.part(&name).get(1..name.len().saturating_sub(1)) == Some(word.as_bytes());
        if self.apart.iter().any(is) {
            return Ok(());
        }
        if self.maps.iter().any(is) {
            let Level { maps, apart, .. } = *self;
            return value.serialize(Level { written: self.written, maps, apart, head: Some(name), name: 0..0 });
        }
        let value = self.written.push(value)?;
        self.written.places.push(Place { head: name, key: None, value });
        Ok(())
    }
}

impl SerializeStruct for Level<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.name = self.written.push(key)?;
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeMap for Level<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.name = self.written.push(key)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

fn no_map<T>() -> Result<T, Error> {
    Err(Error::custom("no map of properties"))
}

macro_rules! refuse {
    ($($name:ident($($argument:ty),*);)*) => {
        $(fn $name(self, $(_: $argument),*) -> Result<(), Error> { no_map() })*
    };
}

impl Serializer for Level<'_> {
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

    refuse! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Error> {
        no_map()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<(), Error> {
        no_map()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        no_map()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        no_map()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        no_map()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        no_map()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        no_map()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        no_map()
    }
}
