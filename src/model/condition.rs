//! `where`, `filter`, `if` and `order`.

use crate::source::{Span, Spanned};

/// Conditions that all hold.
#[derive(Clone, Debug)]
pub struct Where {
    /// The whole text.
    pub span: Span,
    /// In the order they were written.
    pub conditions: Vec<Condition>,
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
