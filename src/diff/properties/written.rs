//! The properties of an item as text, one behind the other: two items are compared without a tree of either, and only what
//! differs is read.

use super::{Path, Properties};
use crate::schema::{TakeEntries, hand_over};
use serde::Serialize;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::ops::Range;

/// An item that was written.
pub(super) struct Written {
    text: Vec<u8>,
    /// Its properties, in the order of its fields: it is the same for all items of a type.
    pub(super) places: Vec<Place>,
}

/// Where a property stands in the text: its names, and its value as JSON.
pub(super) struct Place {
    head: Range<usize>,
    key: Option<Range<usize>>,
    value: Range<usize>,
}

impl Written {
    /// Writes an item. What is no map has no properties.
    pub(super) fn of(item: &impl Serialize, maps: &[&str], apart: &[&str]) -> Self {
        // Most items take less, and none grows piece by piece.
        let mut written = Self { text: Vec::with_capacity(1024), places: Vec::with_capacity(32) };
        hand_over(item, &mut Level { written: &mut written, maps, apart, head: None });
        written
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
    pub(super) fn path(&self, place: &Place) -> Path {
        let name = |range: &Range<usize>| String::from_utf8_lossy(self.part(range)).into_owned();
        Path { head: name(&place.head), key: place.key.as_ref().map(name) }
    }

    /// Reads a property, and puts it to others. What is nested deeper than JSON is read stays text, and is not lost.
    pub(super) fn read(&self, place: &Place, into: &mut Properties) {
        let text = self.part(&place.value);
        let value = serde_json::from_slice(text).unwrap_or_else(|_| Json::from(String::from_utf8_lossy(text)));
        into.insert(self.path(place), value);
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Writes something behind all that there is.
    fn push(&mut self, what: &(impl Serialize + ?Sized)) -> Range<usize> {
        let start = self.text.len();
        // Memory takes all that is written, and items have text keys and plain values only.
        let _ = serde_json::to_writer(&mut self.text, what);
        start..self.text.len()
    }
}

/// The fields of an item, or the entries of one of its maps.
struct Level<'w> {
    written: &'w mut Written,
    maps: &'w [&'w str],
    apart: &'w [&'w str],
    /// The property whose entries these are.
    head: Option<Range<usize>>,
}

impl TakeEntries for Level<'_> {
    fn take<T: Serialize + ?Sized>(&mut self, name: Cow<'static, str>, value: &T) {
        let is_of_item = self.head.is_none();
        if is_of_item && self.apart.contains(&&*name) {
            return;
        }
        let start = self.written.text.len();
        self.written.text.extend_from_slice(name.as_bytes());
        let at = start..self.written.text.len();
        if is_of_item && self.maps.contains(&&*name) {
            let Level { maps, apart, .. } = *self;
            if hand_over(value, &mut Level { written: self.written, maps, apart, head: Some(at.clone()) }) {
                return;
            }
        }
        let value = self.written.push(value);
        let (head, key) = self.head.clone().map_or((at.clone(), None), |head| (head, Some(at)));
        self.written.places.push(Place { head, key, value });
    }
}
