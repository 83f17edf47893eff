//! What a pattern's conditions say about one column: `=`, a range, or nothing.

mod text;

pub(super) use text::comparisons;

use super::layout::{KeyColumn, Layout, Relation};
use super::table::key_type;
use crate::design::Operations;
use crate::design::buckets::{self, Buckets};
use crate::model::{AttributeType, Comparison, Condition, Entity, InValues, Order, Pattern, TemplatePart, Where};
use crate::schema::cql::{Type, identifier};

use std::collections::BTreeSet;
use text::{between, constant, marker};

/// What a pattern asks of the rows of one or several entities.
pub(super) struct Query<'m> {
    pub(super) pattern: &'m Pattern,
    pub(super) entities: Vec<&'m Entity>,
    pub(super) conditions: &'m [Condition],
    pub(super) order: &'m [Order],
    /// Attributes the caller needs; empty: all.
    pub(super) select: Vec<&'m str>,
    pub(super) filter: Option<&'m Where>,
    /// It must name whole keys: it is an entry of a transaction.
    pub(super) whole_keys: bool,
    /// Whether the statement is shown.
    pub(super) operations: Operations,
}

impl<'m> Query<'m> {
    /// The conditions on an attribute, with their numbers.
    fn on(&self, attribute: &str) -> Vec<(usize, &'m Condition)> {
        self.conditions.iter().enumerate().filter(|(_, condition)| condition.attribute.value == attribute).collect()
    }

    /// The numbers of the conditions that all rows of some entities fulfil, since the relation holds no others of them.
    pub(super) fn settled(&self, layouts: &[&Layout<'_>]) -> BTreeSet<usize> {
        let holds = |condition: &Condition| layouts.iter().all(|layout| layout.when.contains(&condition));
        let settled = self.conditions.iter().enumerate().filter(|(_, condition)| holds(condition));
        settled.map(|(number, _)| number).collect()
    }

    /// Text of WHERE, where the statement is shown, or where it tells the rows of several entities apart.
    pub(super) fn text(&self, write: impl FnOnce() -> String) -> String {
        if self.entities.len() > 1 { write() } else { self.operations.text(write) }
    }

    /// Whether the value of an attribute is given: `=` or `in`.
    fn gives(&self, attribute: &str) -> bool {
        let gives = |comparison: &Comparison| matches!(comparison, Comparison::Equal(_) | Comparison::In(_));
        self.conditions.iter().any(|condition| condition.attribute.value == attribute && gives(&condition.comparison))
    }

    /// Whether it names rows of an entity by their whole keys.
    pub(super) fn names_keys(&self, layout: &Layout<'_>) -> bool {
        layout.key().flat_map(KeyColumn::attributes).all(|name| self.gives(name))
    }

    /// How many values are listed (`in`) for each attribute of some key columns that has a list.
    pub(super) fn lists(&self, columns: &[KeyColumn<'_>]) -> impl Iterator<Item = u64> {
        let of_key = |name: &str| columns.iter().flat_map(KeyColumn::attributes).any(|attribute| attribute == name);
        self.conditions.iter().filter_map(move |condition| match &condition.comparison {
            Comparison::In(values) if of_key(&condition.attribute.value) => Some(self.count(values)),
            _ => None,
        })
    }

    /// Number of values in `in`.
    fn count(&self, values: &InValues) -> u64 {
        match values {
            InValues::Parameter(_) => self.pattern.batch_size,
            InValues::List(list) => list.len() as u64,
        }
    }
}

/// How a column is compared in one SELECT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `=`
    Equal,
    /// `IN`
    In,
    /// `<`, `<=`, `>`, `>=`
    Range,
    /// `CONTAINS`
    Contains,
    /// `CONTAINS KEY`
    ContainsKey,
}

/// What the values of a column can be, as text; bare attributes can be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// This value.
    Exactly(String),
    /// From values that begin with the first to values that begin with the second.
    Between(String, String),
}

/// What is said about one column.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    pub(super) form: Form,
    /// Numbers of the conditions that it expresses wholly. A bucket or shard only narrows.
    pub(super) expresses: Vec<usize>,
    /// As it stands in WHERE; empty where [`Query::text`] leaves it out.
    pub(super) text: String,
    /// SELECTs it takes.
    pub(super) selects: Buckets,
    /// There is a SELECT for each of several values.
    pub(super) walks: bool,
    pub(super) reach: Reach,
}

/// A partition key column: the restriction, or what the pattern does not say.
pub(super) fn partition(
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    column: &KeyColumn<'_>,
    query: &Query<'_>,
) -> Result<Restriction, String> {
    let mut expresses = Vec::new();
    let mut selects = Buckets::AtMost(1);
    let mut walks = false;
    let mut times = |count: Buckets, walks: &mut bool| {
        selects = selects.times(count);
        *walks = true;
    };
    for part in &column.parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Attribute { name, .. } => match query.on(name).as_slice() {
                [(number, Condition { comparison: Comparison::Equal(_), .. })] => expresses.push(*number),
                [(number, Condition { comparison: Comparison::In(list), .. })] => {
                    expresses.push(*number);
                    times(Buckets::AtMost(query.count(list)), &mut walks);
                }
                [] => return Err(format!("its partition key needs `{name}`, which the pattern does not give")),
                _ => return Err(format!("its partition key needs `{name}` by `=` or `in`; the pattern gives a range")),
            },
            TemplatePart::Bucket { name, period } => match query.on(name).as_slice() {
                [(_, Condition { comparison: Comparison::Equal(_), .. })] => {}
                [(_, Condition { comparison: Comparison::In(list), .. })] => {
                    times(Buckets::AtMost(query.count(list)), &mut walks);
                }
                [] if query.pattern.limit.is_some()
                    && query.order.first().is_some_and(|order| order.attribute.value == *name) =>
                {
                    let lifetime = buckets::lifetime(relation.time_to_live(), layout.entity);
                    let buckets = buckets::newest(query.pattern, layout.entity, *period, all_together(layout), lifetime);
                    times(buckets, &mut walks);
                }
                [] => {
                    return Err(format!(
                        "its partitions are buckets of `{name}`: the pattern needs `=` or a range on it, or `order` by it with `limit`"
                    ));
                }
                ranges => {
                    let ends = ranges.iter().map(|(_, condition)| ends(&condition.comparison)).sum::<usize>();
                    let lifetime = buckets::lifetime(relation.time_to_live(), layout.entity);
                    let buckets = buckets::in_range(query.pattern, *period, ends >= 2, lifetime);
                    times(buckets, &mut walks);
                }
            },
            TemplatePart::Shard { name, into } => match query.on(name).as_slice() {
                [(_, Condition { comparison: Comparison::Equal(_), .. })] => {}
                [(_, Condition { comparison: Comparison::In(list), .. })] => {
                    times(Buckets::AtMost(query.count(list).min(u64::from(*into))), &mut walks);
                }
                _ => times(Buckets::AtMost(u64::from(*into)), &mut walks),
            },
        }
    }
    let text = query.text(|| match column.bare() {
        Some(name) if !walks => comparisons(column.name, layout.kind(name), &query.on(name)),
        _ => equal(relation, layout, column, ""),
    });
    Ok(Restriction { form: Form::Equal, expresses, text, selects, walks, reach: reach(column) })
}

/// Whether all rows are in the same buckets: nothing of the partition key is a value of theirs.
fn all_together(layout: &Layout<'_>) -> bool {
    let computed = |part: &TemplatePart| !matches!(part, TemplatePart::Attribute { .. });
    layout.partition.iter().flat_map(|column| &column.parts).all(computed)
}

/// How many ends of a range a comparison gives.
fn ends(comparison: &Comparison) -> usize {
    match comparison {
        Comparison::Between(..) => 2,
        _ => 1,
    }
}

/// A clustering column; None when the pattern says nothing about it.
pub(super) fn clustering(
    relation: &Relation<'_>,
    layout: &Layout<'_>,
    column: &KeyColumn<'_>,
    query: &Query<'_>,
) -> Option<Restriction> {
    if let Some(name) = column.bare() {
        return attribute(column.name, name, layout, query);
    }
    let mut expresses = Vec::new();
    for (index, part) in column.parts.iter().enumerate() {
        let (TemplatePart::Attribute { name, .. } | TemplatePart::Bucket { name, .. } | TemplatePart::Shard { name, .. }) = part
        else {
            continue;
        };
        let conditions = query.on(name);
        if let [(number, Condition { comparison: Comparison::Equal(_), .. })] = conditions.as_slice() {
            if matches!(part, TemplatePart::Attribute { .. }) {
                expresses.push(*number);
            }
            continue;
        }
        // The walk stops here: a range on this attribute, or everything that begins like this.
        let ranges = conditions
            .iter()
            .all(|(_, condition)| condition.comparison.is_range() || matches!(condition.comparison, Comparison::BeginsWith(_)));
        if ranges && !conditions.is_empty() && sorts_as_printed(part, layout.kind(name)) {
            expresses.extend(conditions.iter().map(|(number, _)| *number));
        } else if index == 0 {
            return None;
        }
        let text = query.text(|| {
            let name = identifier(column.name);
            match leading_literal(column) {
                Some(literal) if index == 1 && conditions.is_empty() => between(&name, literal, literal),
                _ => format!("{name} >= :{} AND {name} < :{}", marker(column.name, "_from"), marker(column.name, "_to")),
            }
        });
        return Some(Restriction {
            form: Form::Range,
            expresses,
            text,
            selects: Buckets::AtMost(1),
            walks: false,
            reach: reach(column),
        });
    }
    let text = query.text(|| equal(relation, layout, column, ""));
    Some(Restriction { form: Form::Equal, expresses, text, selects: Buckets::AtMost(1), walks: false, reach: reach(column) })
}

/// A column that is an attribute: what the conditions on it say, word for word.
pub(super) fn attribute(column: &str, name: &str, layout: &Layout<'_>, query: &Query<'_>) -> Option<Restriction> {
    let conditions = query.on(name);
    let (_, first) = conditions.first()?;
    let form = match &first.comparison {
        Comparison::Equal(_) => Form::Equal,
        Comparison::In(_) => Form::In,
        Comparison::Contains(_) => Form::Contains,
        Comparison::ContainsKey(_) => Form::ContainsKey,
        _ => Form::Range,
    };
    Some(Restriction {
        form,
        expresses: conditions.iter().map(|(number, _)| *number).collect(),
        text: query.text(|| comparisons(column, layout.kind(name), &conditions)),
        selects: Buckets::AtMost(1),
        walks: false,
        reach: anything(),
    })
}

/// A range over everything between two prefixes, both included.
pub(super) fn prefixes(column: &str, low: &str, high: &str) -> Restriction {
    Restriction {
        form: Form::Range,
        expresses: Vec::new(),
        text: between(&identifier(column), low, high),
        selects: Buckets::AtMost(1),
        walks: false,
        reach: Reach::Between(low.to_owned(), high.to_owned()),
    }
}

/// What the values of a column can be, whatever the pattern says.
pub(super) fn reach(column: &KeyColumn<'_>) -> Reach {
    if let [TemplatePart::Literal(text)] = column.parts.as_slice() {
        return Reach::Exactly(text.clone());
    }
    let prefix = leading_literal(column).unwrap_or_default();
    Reach::Between(prefix.to_owned(), prefix.to_owned())
}

fn anything() -> Reach {
    Reach::Between(String::new(), String::new())
}

impl Reach {
    /// Whether some value could be in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exactly(one), Self::Exactly(two)) => one == two,
            (Self::Exactly(value), Self::Between(low, high)) | (Self::Between(low, high), Self::Exactly(value)) => {
                value >= low && (value < high || value.starts_with(high.as_str()))
            }
            (Self::Between(low, high), Self::Between(other_low, other_high)) => {
                let below = |end: &str, start: &str| end < start && !start.starts_with(end);
                !below(high, other_low) && !below(other_high, low)
            }
        }
    }

    /// The texts that its smallest and its largest value begin with.
    pub(super) fn ends(&self) -> (&str, &str) {
        match self {
            Self::Exactly(text) => (text, text),
            Self::Between(low, high) => (low, high),
        }
    }
}

fn leading_literal<'k>(column: &'k KeyColumn<'_>) -> Option<&'k str> {
    match column.parts.first() {
        Some(TemplatePart::Literal(text)) => Some(text),
        _ => None,
    }
}

/// Whether the texts of an attribute's values sort like the values. A bucket and a shard are compared with `=` alone.
pub(super) fn sorts_as_printed(part: &TemplatePart, kind: Option<&AttributeType>) -> bool {
    let TemplatePart::Attribute { pad, .. } = part else { return false };
    match kind {
        Some(
            AttributeType::Text
            | AttributeType::Ascii
            | AttributeType::Ulid
            | AttributeType::Ksuid
            | AttributeType::Timestamp
            | AttributeType::Date
            | AttributeType::Time,
        ) => true,
        // Zero-padded numbers sort as long as they are not negative, and only whole ones keep their width.
        Some(
            AttributeType::Int
            | AttributeType::Bigint
            | AttributeType::Smallint
            | AttributeType::Tinyint
            | AttributeType::Varint
            | AttributeType::Snowflake,
        ) => pad.is_some(),
        _ => false,
    }
}

/// `column = value` for a key column: the constant, else a marker of the column's name behind a prefix.
pub(super) fn equal(relation: &Relation<'_>, layout: &Layout<'_>, column: &KeyColumn<'_>, prefix: &str) -> String {
    let name = identifier(column.name);
    let kind = || key_type(relation, column, &|name| layout.kind(name)).unwrap_or(Type::Native("text"));
    match column.parts.as_slice() {
        [TemplatePart::Literal(text)] => format!("{name} = {}", constant(text, &kind())),
        _ => format!("{name} = :{}", identifier(&format!("{prefix}{}", column.name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_could_be_alike_meet() {
        let open = |text: &str| Reach::Between(text.into(), text.into());
        let exactly = |text: &str| Reach::Exactly(text.into());
        assert!(open("").meets(&open("ORDER#")));
        assert!(!open("ORDER#").meets(&open("ITEM#")));
        assert!(open("ORDER#").meets(&open("ORDER#1#")));
        assert!(!exactly("META").meets(&open("META#")));
        assert!(exactly("META#1").meets(&open("META#")));
        assert!(!Reach::Between("A".into(), "C".into()).meets(&open("D")));
        assert!(Reach::Between("A".into(), "C".into()).meets(&open("B")));
    }
}
