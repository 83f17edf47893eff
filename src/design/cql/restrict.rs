//! What a pattern's conditions say about one column: `=`, a range, or nothing.

use super::layout::{KeyColumn, Layout, Relation};
use super::partitions::{self, Buckets};
use super::table::key_type;
use crate::model::{
    AttributeType, Comparison, Condition, Entity, InValues, Literal, Operand, Order, Pattern, TemplatePart, Where,
};
use crate::schema::cql::{Type, identifier, string};

/// What a pattern asks of the rows of one or several entities.
pub(super) struct Query<'m> {
    pub(super) pattern: &'m Pattern,
    pub(super) entities: Vec<&'m Entity>,
    pub(super) conditions: &'m [Condition],
    pub(super) order: &'m [Order],
    /// Attributes the caller needs; empty: all.
    pub(super) select: Vec<&'m str>,
    pub(super) filter: Option<&'m Where>,
}

impl<'m> Query<'m> {
    /// The conditions on an attribute, with their numbers.
    fn on(&self, attribute: &str) -> Vec<(usize, &'m Condition)> {
        self.conditions.iter().enumerate().filter(|(_, condition)| condition.attribute.value == attribute).collect()
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
    /// As it stands in WHERE.
    pub(super) text: String,
    /// SELECTs it takes; None: not known.
    pub(super) values: Option<u64>,
    /// There is a SELECT for each of several values.
    pub(super) walks: bool,
    /// Nothing bounds `values`.
    pub(super) endless: bool,
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
    let mut values = Some(1_u64);
    let mut walks = false;
    let mut endless = false;
    let mut times = |count: Option<u64>, walks: &mut bool| {
        values = values.zip(count).map(|(values, count)| values.saturating_mul(count));
        *walks = true;
    };
    for part in &column.parts {
        match part {
            TemplatePart::Literal(_) => {}
            TemplatePart::Attribute { name, .. } => match query.on(name).as_slice() {
                [(number, Condition { comparison: Comparison::Equal(_), .. })] => expresses.push(*number),
                [(number, Condition { comparison: Comparison::In(list), .. })] => {
                    expresses.push(*number);
                    times(Some(query.count(list)), &mut walks);
                }
                [] => return Err(format!("its partition key needs `{name}`, which the pattern does not give")),
                _ => return Err(format!("its partition key needs `{name}` by `=` or `in`; the pattern gives a range")),
            },
            TemplatePart::Bucket { name, period } => match query.on(name).as_slice() {
                [(_, Condition { comparison: Comparison::Equal(_), .. })] => {}
                [(_, Condition { comparison: Comparison::In(list), .. })] => times(Some(query.count(list)), &mut walks),
                [] if query.pattern.limit.is_some()
                    && query.order.first().is_some_and(|order| order.attribute.value == *name) =>
                {
                    let buckets = partitions::newest(relation, layout, *period, query);
                    endless |= buckets == Buckets::Endless;
                    times(buckets.count(), &mut walks);
                }
                [] => {
                    return Err(format!(
                        "its partitions are buckets of `{name}`: the pattern needs `=` or a range on it, or `order` by it with `limit`"
                    ));
                }
                ranges => {
                    let ends = ranges.iter().map(|(_, condition)| ends(&condition.comparison)).sum::<usize>();
                    let buckets = partitions::in_range(relation, layout, *period, query, ends >= 2);
                    endless |= buckets == Buckets::Endless;
                    times(buckets.count(), &mut walks);
                }
            },
            TemplatePart::Shard { name, into } => match query.on(name).as_slice() {
                [(_, Condition { comparison: Comparison::Equal(_), .. })] => {}
                [(_, Condition { comparison: Comparison::In(list), .. })] => {
                    times(Some(query.count(list).min(u64::from(*into))), &mut walks);
                }
                _ => times(Some(u64::from(*into)), &mut walks),
            },
        }
    }
    let text = match column.bare() {
        Some(name) if !walks => comparisons(column.name, layout.kind(name), &query.on(name)),
        _ => equal(relation, layout, column),
    };
    Ok(Restriction { form: Form::Equal, expresses, text, values, walks, endless, reach: reach(column) })
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
        let name = identifier(column.name);
        let text = match leading_literal(column) {
            Some(literal) if index == 1 && conditions.is_empty() => between(&name, literal, literal),
            _ => format!("{name} >= :{} AND {name} < :{}", marker(column.name, "_from"), marker(column.name, "_to")),
        };
        return Some(Restriction {
            form: Form::Range,
            expresses,
            text,
            values: Some(1),
            walks: false,
            endless: false,
            reach: reach(column),
        });
    }
    let text = equal(relation, layout, column);
    Some(Restriction { form: Form::Equal, expresses, text, values: Some(1), walks: false, endless: false, reach: reach(column) })
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
        text: comparisons(column, layout.kind(name), &conditions),
        values: Some(1),
        walks: false,
        endless: false,
        reach: anything(),
    })
}

/// A range over everything between two prefixes, both included.
pub(super) fn prefixes(column: &str, low: &str, high: &str) -> Restriction {
    Restriction {
        form: Form::Range,
        expresses: Vec::new(),
        text: between(&identifier(column), low, high),
        values: Some(1),
        walks: false,
        endless: false,
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

/// `column = value` for a key column that is computed, or a constant.
fn equal(relation: &Relation<'_>, layout: &Layout<'_>, column: &KeyColumn<'_>) -> String {
    let name = identifier(column.name);
    match column.parts.as_slice() {
        [TemplatePart::Literal(text)] => {
            let is_text =
                key_type(relation, column, &|name| layout.kind(name)).is_none_or(|kind| kind == Type::Native("text".into()));
            format!("{name} = {}", if is_text { string(text) } else { text.clone() })
        }
        _ => format!("{name} = :{name}"),
    }
}

fn between(column: &str, low: &str, high: &str) -> String {
    match successor(high) {
        Some(end) => format!("{column} >= {} AND {column} < {}", string(low), string(&end)),
        None => format!("{column} >= {}", string(low)),
    }
}

/// The smallest text behind all texts that begin with this one: its last code point raised. None when there is none.
fn successor(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        // The step from U+D7FF leads over the surrogates.
        let next = if last == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(last) + 1) };
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

/// Conditions on one column as CQL. What CQL cannot say is refused before this is asked.
pub(super) fn comparisons(column: &str, kind: Option<&AttributeType>, conditions: &[(usize, &Condition)]) -> String {
    let name = identifier(column);
    let value = |operand: &Operand| operand_text(operand, kind);
    let texts: Vec<String> = conditions
        .iter()
        .map(|(_, condition)| match &condition.comparison {
            Comparison::Equal(operand) => format!("{name} = {}", value(operand)),
            Comparison::NotEqual(operand) => format!("{name} != {}", value(operand)),
            Comparison::Less(operand) => format!("{name} < {}", value(operand)),
            Comparison::LessOrEqual(operand) => format!("{name} <= {}", value(operand)),
            Comparison::Greater(operand) => format!("{name} > {}", value(operand)),
            Comparison::GreaterOrEqual(operand) => format!("{name} >= {}", value(operand)),
            Comparison::Between(low, high) => format!("{name} >= {} AND {name} <= {}", value(low), value(high)),
            Comparison::In(InValues::Parameter(parameter)) => format!("{name} IN :{}", identifier(parameter)),
            Comparison::In(InValues::List(list)) => {
                let list: Vec<String> = list.iter().map(value).collect();
                format!("{name} IN ({})", list.join(", "))
            }
            Comparison::BeginsWith(Operand::Literal(Literal::Text(text))) => between(&name, text, text),
            Comparison::BeginsWith(operand @ Operand::Parameter(parameter)) => {
                format!("{name} >= {} AND {name} < :{}", value(operand), marker(parameter, "_end"))
            }
            Comparison::BeginsWith(Operand::Literal(other)) => format!("{name} = {}", literal_text(other, kind)),
            Comparison::Contains(operand) => format!("{name} CONTAINS {}", operand_text(operand, element(kind))),
            Comparison::ContainsKey(operand) => format!("{name} CONTAINS KEY {}", operand_text(operand, element(kind))),
            Comparison::Exists => format!("{name} != null"),
            Comparison::NotExists => format!("{name} = null"),
        })
        .collect();
    texts.join(" AND ")
}

fn element(kind: Option<&AttributeType>) -> Option<&AttributeType> {
    match kind? {
        AttributeType::List(of) | AttributeType::Set(of) | AttributeType::Map(of, _) => Some(of),
        AttributeType::Frozen(of) => element(Some(of)),
        _ => None,
    }
}

fn marker(name: &str, suffix: &str) -> String {
    identifier(&format!("{name}{suffix}"))
}

/// A value as it stands in a statement: a named marker, or the literal.
fn operand_text(operand: &Operand, kind: Option<&AttributeType>) -> String {
    match operand {
        Operand::Parameter(name) => format!(":{}", identifier(name)),
        Operand::Literal(literal) => literal_text(literal, kind),
    }
}

fn literal_text(literal: &Literal, kind: Option<&AttributeType>) -> String {
    match (literal, kind) {
        // These types have literals of their own, without quotes.
        (
            Literal::Text(text),
            Some(AttributeType::Uuid | AttributeType::Timeuuid | AttributeType::Blob | AttributeType::Duration),
        ) if !text.is_empty() && text.chars().all(|next| next.is_ascii_alphanumeric() || next == '-') => text.clone(),
        (Literal::Text(text), _) => string(text),
        (Literal::Number(text), _) => text.clone(),
        (Literal::Bool(value), _) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_prefix_is_found() {
        assert_eq!(successor("ORDER#").as_deref(), Some("ORDER$"));
        assert_eq!(successor("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(successor("\u{d7ff}").as_deref(), Some("\u{e000}"));
        assert_eq!(successor(""), None);
        assert_eq!(between("sk", "it's", "it's"), "sk >= 'it''s' AND sk < 'it''t'");
    }

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
