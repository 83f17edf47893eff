//! A serialised schema as facts, told one by one while it is serialised: no tree of it is made.

use super::path::{Holds, Key, holds};
use crate::schema::{TakeEntries, hand_over};
use serde::Serialize;

/// Tells the facts of a schema: the keys that lead to each, and its value as JSON.
pub(super) fn flat(schema: &impl Serialize, mut fact: impl FnMut(&[Key<'static>], String)) {
    let mut keys = Vec::new();
    hand_over(schema, &mut Walk { entries: Holds::Fact, keys: &mut keys, fact: &mut fact });
}

/// A walk over the entries of one map or struct.
struct Walk<'w, F> {
    /// What its entries are; `Fact`: the properties of a thing, each of which may hold more.
    entries: Holds,
    /// What leads to it.
    keys: &'w mut Vec<Key<'static>>,
    fact: &'w mut F,
}

impl<F: FnMut(&[Key<'static>], String)> TakeEntries for Walk<'_, F> {
    fn take<T: Serialize + ?Sized>(&mut self, name: Key<'static>, value: &T) {
        let holds = holds(self.keys.len(), &name);
        self.keys.push(name);
        match self.entries {
            Holds::Things => _ = hand_over(value, &mut self.inside(Holds::Fact)),
            Holds::Facts => self.tell(json(value)),
            Holds::Fact => {
                // A property that is absent is no fact; one that is no map of things or facts is one as a whole.
                if holds == Holds::Fact || !hand_over(value, &mut self.inside(holds)) {
                    let json = json(value);
                    if json != "null" {
                        self.tell(json);
                    }
                }
            }
        }
        self.keys.pop();
    }
}

impl<F: FnMut(&[Key<'static>], String)> Walk<'_, F> {
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
