//! The entries of an item while it is serialised, one by one: no tree of it is made.

use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Error;

/// Takes the entries of a map, or the fields of a struct, in their order.
pub(crate) trait TakeEntries {
    /// One of them.
    fn take<T: Serialize + ?Sized>(&mut self, name: Cow<'static, str>, value: &T);
}

/// Hands the entries of an item over. Whether it has any to hand over at all: what is no map or struct is refused, before any is.
pub(crate) fn hand_over(item: &(impl Serialize + ?Sized), to: &mut impl TakeEntries) -> bool {
    item.serialize(Entries { to, name: None }).is_ok()
}

/// The serialiser of one map or struct.
struct Entries<'t, T> {
    to: &'t mut T,
    /// The key whose value comes next.
    name: Option<Cow<'static, str>>,
}

impl<T: TakeEntries> SerializeMap for Entries<'_, T> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Error> {
        let Ok(Value::String(key)) = serde_json::to_value(key) else { return Err(Error) };
        self.name = Some(key.into());
        Ok(())
    }

    fn serialize_value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), Error> {
        self.to.take(self.name.take().unwrap_or_default(), value);
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl<T: TakeEntries> SerializeStruct for Entries<'_, T> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<V: Serialize + ?Sized>(&mut self, key: &'static str, value: &V) -> Result<(), Error> {
        self.to.take(key.into(), value);
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! refuse {
    ($($name:ident($($argument:ty),*);)*) => { $(fn $name(self, $(_: $argument),*) -> Result<(), Error> { Err(Error) })* };
}

impl<T: TakeEntries> Serializer for Entries<'_, T> {
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

    fn serialize_some<V: Serialize + ?Sized>(self, value: &V) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<V: Serialize + ?Sized>(self, _: &'static str, value: &V) -> Result<(), Error> {
        value.serialize(self)
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

    fn serialize_newtype_variant<V: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &V,
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

#[cfg(test)]
mod tests {
    use super::*;

    impl TakeEntries for Vec<(String, Value)> {
        fn take<T: Serialize + ?Sized>(&mut self, name: Cow<'static, str>, value: &T) {
            self.push((name.into_owned(), serde_json::to_value(value).unwrap()));
        }
    }

    #[test]
    fn entries_are_handed_over_and_all_else_is_refused() {
        #[derive(Serialize)]
        struct Item {
            a: u8,
            b: Option<u8>,
        }
        let mut found = Vec::new();
        assert!(hand_over(&Some(Item { a: 1, b: None }), &mut found));
        assert!(hand_over(&serde_json::json!({"c d": [2]}), &mut found));
        let expected = [("a", 1.into()), ("b", Value::Null), ("c d", serde_json::json!([2]))];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
        found.clear();
        assert!(!hand_over("text", &mut found) && !hand_over(&None::<Item>, &mut found) && !hand_over(&[1, 2], &mut found));
        assert!(found.is_empty());
    }
}
