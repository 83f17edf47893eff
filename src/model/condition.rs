//! `where`, `filter`, `if` and `order`.

use crate::source::{Span, Spanned};
use std::fmt;

/// Conditions that all hold.
#[derive(Clone, Debug)]
pub struct Where {
    /// The whole text.
    pub span: Span,
    /// In the order they were written.
    pub conditions: Vec<Condition>,
}

impl Where {
    /// The attributes it asks something of, in the order they were written.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().map(|condition| condition.attribute.value.as_str())
    }
}

/// One condition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// From the name to the last value.
    pub span: Span,
    /// The attribute.
    pub attribute: Spanned<String>,
    /// What is asked of it.
    pub comparison: Comparison,
}

/// Two are equal when they ask the same, wherever they stand.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.attribute.value == other.attribute.value && self.comparison == other.comparison
    }
}

impl Eq for Condition {}

/// What is asked of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `= v`
    Equal(Operand),
    /// `!= v`
    NotEqual(Operand),
    /// `< v`
    Less(Operand),
    /// `<= v`
    LessOrEqual(Operand),
    /// `> v`
    Greater(Operand),
    /// `>= v`
    GreaterOrEqual(Operand),
    /// `between v and w`, both included
    Between(Operand, Operand),
    /// `in …`
    In(InValues),
    /// `begins_with v`
    BeginsWith(Operand),
    /// `contains v`
    Contains(Operand),
    /// `contains_key v`
    ContainsKey(Operand),
    /// `exists`
    Exists,
    /// `not exists`
    NotExists,
}

impl Comparison {
    /// `<`, `<=`, `>`, `>=` or `between`.
    #[must_use]
    pub fn is_range(&self) -> bool {
        matches!(self, Self::Less(_) | Self::LessOrEqual(_) | Self::Greater(_) | Self::GreaterOrEqual(_) | Self::Between(..))
    }
}

/// What follows `in`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InValues {
    /// One parameter that holds a list.
    Parameter(String),
    /// Values in parentheses.
    List(Vec<Operand>),
}

/// A value of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// `?` (named after its attribute) or `:name`.
    Parameter(String),
    /// Written out.
    Literal(Literal),
}

/// A value that is written out, checked against its attribute's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `'text'`
    Text(String),
    /// A number as it was written.
    Number(String),
    /// `true` or `false`
    Bool(bool),
}

/// One attribute of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The attribute.
    pub attribute: Spanned<String>,
    /// From high to low.
    pub descending: bool,
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Self::Number(number) => f.write_str(number),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, ":{name}"),
            Self::Literal(literal) => literal.fmt(f),
        }
    }
}

impl fmt::Display for InValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, ":{name}"),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "({})", values.join(", "))
            }
        }
    }
}

/// As it is written in `where`; every parameter by its name.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.attribute.value;
        match &self.comparison {
            Comparison::Equal(value) => write!(f, "{name} = {value}"),
            Comparison::NotEqual(value) => write!(f, "{name} != {value}"),
            Comparison::Less(value) => write!(f, "{name} < {value}"),
            Comparison::LessOrEqual(value) => write!(f, "{name} <= {value}"),
            Comparison::Greater(value) => write!(f, "{name} > {value}"),
            Comparison::GreaterOrEqual(value) => write!(f, "{name} >= {value}"),
            Comparison::Between(low, high) => write!(f, "{name} between {low} and {high}"),
            Comparison::In(values) => write!(f, "{name} in {values}"),
            Comparison::BeginsWith(value) => write!(f, "{name} begins_with {value}"),
            Comparison::Contains(value) => write!(f, "{name} contains {value}"),
            Comparison::ContainsKey(value) => write!(f, "{name} contains_key {value}"),
            Comparison::Exists => write!(f, "{name} exists"),
            Comparison::NotExists => write!(f, "{name} not exists"),
        }
    }
}
