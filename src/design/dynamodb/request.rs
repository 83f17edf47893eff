//! A pattern that reads, in the form in which tables and indexes are asked.

use crate::model::{Comparison, Condition, Consistency, Entity, InValues, Literal, Operand, Pattern};

/// A read: of which entities, by which conditions.
#[derive(Debug)]
pub(super) struct Request<'m> {
    pub pattern: &'m Pattern,
    pub entities: Vec<&'m Entity>,
    /// What the caller needs; empty: everything.
    pub select: Vec<&'m str>,
    /// It must name whole items: an entry of a transaction, or a read with that consistency.
    pub transactional: bool,
}

/// A range on one attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range<'m> {
    /// The value it begins at, and whether that is part of it.
    pub lower: Option<(&'m Operand, bool)>,
    /// The value it ends at, and whether that is part of it.
    pub upper: Option<(&'m Operand, bool)>,
}

impl<'m> Request<'m> {
    /// A request for all that `find` or `scan` names.
    pub(super) fn new(pattern: &'m Pattern, entities: Vec<&'m Entity>) -> Self {
        let select = pattern.select.iter().map(|name| name.value.as_str()).collect();
        Self { pattern, entities, select, transactional: pattern.consistency == Consistency::Transactional }
    }

    /// Its conditions, in the order they were written.
    pub(super) fn conditions(&self) -> &'m [Condition] {
        self.pattern.conditions.as_ref().map_or(&[], |conditions| conditions.conditions.as_slice())
    }

    fn on(&self, attribute: &str) -> impl Iterator<Item = &'m Comparison> {
        let of = self.conditions().iter().filter(move |condition| condition.attribute.value == attribute);
        of.map(|condition| &condition.comparison)
    }

    /// The value an attribute is equal to.
    pub(super) fn equal(&self, attribute: &str) -> Option<&'m Operand> {
        self.on(attribute).find_map(|comparison| if let Comparison::Equal(value) = comparison { Some(value) } else { None })
    }

    /// The text an attribute is equal to, when it is written out.
    pub(super) fn literal(&self, attribute: &str) -> Option<&'m str> {
        match self.equal(attribute)? {
            Operand::Literal(Literal::Text(text) | Literal::Number(text)) => Some(text),
            _ => None,
        }
    }

    /// The values an attribute is one of.
    pub(super) fn within(&self, attribute: &str) -> Option<&'m InValues> {
        self.on(attribute).find_map(|comparison| if let Comparison::In(values) = comparison { Some(values) } else { None })
    }

    /// Whether the value is given: `=` or `in`.
    pub(super) fn given(&self, attribute: &str) -> bool {
        self.equal(attribute).is_some() || self.within(attribute).is_some()
    }

    /// The text an attribute begins with.
    pub(super) fn begins_with(&self, attribute: &str) -> Option<&'m Operand> {
        self.on(attribute).find_map(|comparison| if let Comparison::BeginsWith(value) = comparison { Some(value) } else { None })
    }

    /// The range an attribute lies in.
    pub(super) fn range(&self, attribute: &str) -> Option<Range<'m>> {
        let mut range = Range { lower: None, upper: None };
        for comparison in self.on(attribute) {
            match comparison {
                Comparison::Greater(value) => range.lower = Some((value, false)),
                Comparison::GreaterOrEqual(value) => range.lower = Some((value, true)),
                Comparison::Less(value) => range.upper = Some((value, false)),
                Comparison::LessOrEqual(value) => range.upper = Some((value, true)),
                Comparison::Between(low, high) => {
                    range = Range { lower: Some((low, true)), upper: Some((high, true)) };
                }
                _ => {}
            }
        }
        (range.lower.is_some() || range.upper.is_some()).then_some(range)
    }

    /// Whether the conditions name at most one item of an entity: each attribute of its identity by `=`.
    pub(super) fn names_one(&self, entity: &Entity) -> bool {
        entity.key.iter().all(|name| self.equal(&name.value).is_some())
    }

    /// How many values an `in` has.
    pub(super) fn count(&self, values: &InValues) -> u64 {
        match values {
            InValues::Parameter(_) => self.pattern.batch_size.max(1),
            InValues::List(values) => values.len() as u64,
        }
    }
}

impl Range<'_> {
    /// Whether both ends are given.
    pub(super) fn closed(&self) -> bool {
        self.lower.is_some() && self.upper.is_some()
    }

    /// Whether it has both ends and one of them is not part of it.
    pub(super) fn half_open(&self) -> bool {
        matches!((self.lower, self.upper), (Some((_, low)), Some((_, high))) if !(low && high))
    }
}
