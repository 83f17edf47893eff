//! Where the properties of an item were written.

use crate::source::Span;
use std::borrow::Cow;

/// The places of properties, by the property's path (`projection`, `columns.email`). Of two for one property the last counts.
/// Reading notes many, and hardly any is looked for: they stand as they came.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<(Cow<'static, str>, Span)>);

impl Places {
    /// No places.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Notes a place.
    pub fn insert(&mut self, property: impl Into<Cow<'static, str>>, span: Span) {
        self.0.push((property.into(), span));
    }

    /// The place of a property.
    #[must_use]
    pub fn get(&self, property: &str) -> Option<&Span> {
        self.0.iter().rev().find(|(known, _)| known == property).map(|(_, span)| span)
    }

    /// Whether a property has a place.
    #[must_use]
    pub fn contains_key(&self, property: &str) -> bool {
        self.get(property).is_some()
    }

    /// A property, to be given a place where it has none.
    pub fn entry(&mut self, property: impl Into<Cow<'static, str>>) -> Entry<'_> {
        Entry { places: self, property: property.into() }
    }

    /// Forgets the place of a property.
    pub fn remove(&mut self, property: &str) {
        self.0.retain(|(known, _)| known != property);
    }
}

/// A property of [`Places`].
pub struct Entry<'a> {
    places: &'a mut Places,
    property: Cow<'static, str>,
}

impl Entry<'_> {
    /// Notes a place, unless there is one.
    pub fn or_insert(self, span: Span) {
        if !self.places.contains_key(&self.property) {
            self.places.insert(self.property, span);
        }
    }
}

impl<K: Into<Cow<'static, str>>> Extend<(K, Span)> for Places {
    fn extend<I: IntoIterator<Item = (K, Span)>>(&mut self, places: I) {
        self.0.extend(places.into_iter().map(|(property, span)| (property.into(), span)));
    }
}

impl<K: Into<Cow<'static, str>>> FromIterator<(K, Span)> for Places {
    fn from_iter<I: IntoIterator<Item = (K, Span)>>(places: I) -> Self {
        let mut all = Self::default();
        all.extend(places);
        all
    }
}

impl IntoIterator for Places {
    type Item = (Cow<'static, str>, Span);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
impl std::ops::Index<&str> for Places {
    type Output = Span;

    /// The place of a property that has one, as in a map of the standard library.
    fn index(&self, property: &str) -> &Span {
        self.get(property).expect("it has a place")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn the_last_place_counts() {
        let file = SourceMap::default().add("m", "");
        let span = |at| Span::new(file, at, at);
        let mut places: Places = [("name", span(1)), ("ttl", span(2)), ("name", span(3))].into_iter().collect();
        assert_eq!((places["name"], places.get("key")), (span(3), None));
        places.entry("name").or_insert(span(4));
        places.entry("key").or_insert(span(5));
        assert_eq!((places["name"], places["key"]), (span(3), span(5)));
        places.remove("name");
        assert!(!places.contains_key("name") && places.contains_key("ttl"));
    }
}
