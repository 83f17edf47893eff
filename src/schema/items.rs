//! The items of a schema by their keys: a map whose copies share what neither of them changes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, btree_map};
use std::sync::Arc;

/// Items by their keys, in the order of these. A copy costs a pointer an item; an item is copied when it is written to while
/// another map, or a change of a plan, holds it too.
#[derive(Debug)]
pub struct Items<T>(BTreeMap<String, Arc<T>>);

/// A key with its item.
type Entry<'a, T> = (&'a String, &'a T);

impl<T> Items<T> {
    /// No items.
    #[must_use]
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a key has an item.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The item of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&T> {
        self.shared(key).map(Arc::as_ref)
    }

    /// The item of a key, to be held beyond the map.
    #[must_use]
    pub fn shared(&self, key: &str) -> Option<&Arc<T>> {
        self.0.get(key)
    }

    /// The key as the map has it, and its item.
    #[must_use]
    pub fn get_key_value(&self, key: &str) -> Option<Entry<'_, T>> {
        self.0.get_key_value(key).map(|(key, item)| (key, item.as_ref()))
    }

    /// All keys.
    pub fn keys(&self) -> btree_map::Keys<'_, String, Arc<T>> {
        self.0.keys()
    }

    /// All items, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.0.values().map(Arc::as_ref)
    }

    /// All keys with their items.
    pub fn iter(&self) -> <&Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    /// Those of some keys.
    #[must_use]
    pub fn only<'k>(&self, keys: impl IntoIterator<Item = &'k String>) -> Self {
        Self(keys.into_iter().filter_map(|key| Some((key.clone(), self.0.get(key)?.clone()))).collect())
    }

    /// Puts an item under a key; gives the one that was there.
    pub fn insert(&mut self, key: String, item: T) -> Option<Arc<T>> {
        self.0.insert(key, Arc::new(item))
    }

    /// Keeps the items for which a test holds.
    pub fn retain(&mut self, mut holds: impl FnMut(&String, &T) -> bool) {
        self.0.retain(|key, item| holds(key, item));
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Replaces each item for which there is another.
    pub fn replace(&mut self, other: impl Fn(&T) -> Option<T>) {
        for item in self.0.values_mut() {
            if let Some(other) = other(item) {
                *item = Arc::new(other);
            }
        }
    }

    /// The same items under other keys; of several with one key the last stays.
    #[must_use]
    pub fn under(self, key: impl Fn(&String, &T) -> String) -> Self {
        Self(self.0.into_iter().map(|(known_as, item)| (key(&known_as, &item), item)).collect())
    }
}

impl<T: Clone> Items<T> {
    /// The item of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        self.0.get_mut(key).map(Arc::make_mut)
    }

    /// All items, to be changed: those that another map holds too are copied.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.values_mut().map(Arc::make_mut)
    }

    /// Changes the items for which a test holds, and copies no other.
    pub fn change_where(&mut self, holds: impl Fn(&T) -> bool, change: impl Fn(&mut T)) {
        self.0.values_mut().filter(|item| holds(item)).for_each(|item| change(Arc::make_mut(item)));
    }

    /// All keys with their items, to be changed.
    pub fn iter_mut(&mut self) -> <&mut Self as IntoIterator>::IntoIter {
        self.into_iter()
    }

    /// Takes an item out.
    pub fn remove(&mut self, key: &str) -> Option<T> {
        self.0.remove(key).map(Arc::unwrap_or_clone)
    }

    /// The items alone.
    pub fn into_values(self) -> impl Iterator<Item = T> {
        self.0.into_values().map(Arc::unwrap_or_clone)
    }

    /// The keys alone.
    pub fn into_keys(self) -> btree_map::IntoKeys<String, Arc<T>> {
        self.0.into_keys()
    }
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Items<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: PartialEq> PartialEq for Items<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(one, other) || one == other;
        self.len() == other.len() && self.keys().eq(other.keys()) && self.0.values().zip(other.0.values()).all(same)
    }
}

impl<T> FromIterator<(String, T)> for Items<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(items: I) -> Self {
        Self(items.into_iter().map(|(key, item)| (key, Arc::new(item))).collect())
    }
}

impl<T> From<BTreeMap<String, T>> for Items<T> {
    fn from(items: BTreeMap<String, T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T, const N: usize> From<[(String, T); N]> for Items<T> {
    fn from(items: [(String, T); N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> Extend<(String, T)> for Items<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, items: I) {
        self.0.extend(items.into_iter().map(|(key, item)| (key, Arc::new(item))));
    }
}

impl<T: Clone> IntoIterator for Items<T> {
    type Item = (String, T);
    type IntoIter = std::iter::Map<btree_map::IntoIter<String, Arc<T>>, fn((String, Arc<T>)) -> (String, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, item)| (key, Arc::unwrap_or_clone(item)))
    }
}

impl<'a, T> IntoIterator for &'a Items<T> {
    type Item = Entry<'a, T>;
    type IntoIter = std::iter::Map<btree_map::Iter<'a, String, Arc<T>>, fn((&'a String, &'a Arc<T>)) -> Entry<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, item)| (key, item.as_ref()))
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Items<T> {
    type Item = (&'a String, &'a mut T);
    type IntoIter =
        std::iter::Map<btree_map::IterMut<'a, String, Arc<T>>, fn((&'a String, &'a mut Arc<T>)) -> (&'a String, &'a mut T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut().map(|(key, item)| (key, Arc::make_mut(item)))
    }
}

#[cfg(test)]
impl<T> std::ops::Index<&str> for Items<T> {
    type Output = T;

    /// The item of a key that is there, as in a map of the standard library.
    fn index(&self, key: &str) -> &T {
        &self.0[key]
    }
}

impl<T: Serialize> Serialize for Items<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Items<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(BTreeMap::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_neither_changes() {
        let first: Items<u8> = [("a".to_owned(), 1), ("b".to_owned(), 2)].into();
        let mut second = first.clone();
        *second.get_mut("b").unwrap() = 3;
        assert!(Arc::ptr_eq(first.shared("a").unwrap(), second.shared("a").unwrap()));
        assert_eq!((first.get("b"), second.get("b")), (Some(&2), Some(&3)));
        assert_ne!(first, second);
        second.replace(|item| (*item == 3).then_some(2));
        assert_eq!(first, second);
        second.change_where(|item| *item == 2, |item| *item = 4);
        assert_eq!((second.get("a"), second.get("b")), (Some(&1), Some(&4)));
        let part = second.only([&"a".to_owned(), &"c".to_owned()]);
        assert_eq!(part.keys().collect::<Vec<_>>(), ["a"]);
        assert!([&second, &part].iter().all(|other| Arc::ptr_eq(first.shared("a").unwrap(), other.shared("a").unwrap())));
    }

    #[test]
    fn it_is_written_and_read_as_a_map() {
        let items: Items<u8> = [("b".to_owned(), 2), ("a".to_owned(), 1)].into();
        let text = serde_json::to_string(&items).unwrap();
        assert_eq!(text, r#"{"a":1,"b":2}"#);
        assert_eq!(serde_json::from_str::<Items<u8>>(&text).unwrap(), items);
    }
}
