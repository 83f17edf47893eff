//! Which conditions of a pattern a key answers.

use super::request::Request;
use crate::model::{Comparison, Condition, Entity};

/// What a key does with a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    Equal,
    In,
    Range,
    BeginsWith,
}

impl Use {
    /// What a key would do with a condition; None when no key answers its kind.
    pub(super) fn of(comparison: &Comparison) -> Option<Self> {
        match comparison {
            Comparison::Equal(_) => Some(Self::Equal),
            Comparison::In(_) => Some(Self::In),
            Comparison::BeginsWith(_) => Some(Self::BeginsWith),
            other => other.is_range().then_some(Self::Range),
        }
    }
}

/// The conditions that a key answers, by attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled<'n> {
    exactly: Vec<(&'n str, Use)>,
    /// Attributes that only tell in which bucket or shard an item lies.
    located: Vec<&'n str>,
}

impl<'n> Settled<'n> {
    /// The key lets through exactly the items for which the condition holds.
    pub(super) fn exactly(&mut self, attribute: &'n str, how: Use) {
        self.exactly.push((attribute, how));
    }

    /// The value of the attribute, `=` or `in`, is in the key as it is.
    pub(super) fn value(&mut self, attribute: &'n str, request: &Request<'_>) {
        self.exactly(attribute, if request.equal(attribute).is_some() { Use::Equal } else { Use::In });
    }

    /// The key only tells where such items lie, among others.
    pub(super) fn located(&mut self, attribute: &'n str) {
        self.located.push(attribute);
    }

    /// The conditions that nothing answers. Where the pattern names one item, knowing where it lies is enough.
    pub(super) fn left_over<'m>(&self, request: &Request<'m>, entity: &Entity) -> Vec<&'m Condition> {
        let one = entity.key.iter().all(|name| request.given(&name.value));
        let answered = |condition: &&Condition| {
            let attribute = condition.attribute.value.as_str();
            let exact = Use::of(&condition.comparison).is_some_and(|how| self.exactly.contains(&(attribute, how)));
            exact || (one && self.located.contains(&attribute))
        };
        request.conditions().iter().filter(|condition| !answered(condition)).collect()
    }

    /// What either of the two answers.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.exactly.extend(other.exactly);
        self.located.extend(other.located);
        self
    }
}
