//! What stands behind an equals sign, as far as it is looked at here.

use super::tree::{Name, Ranged};
use std::borrow::Cow;
use std::ops::Range;

/// An expression and where it stands.
#[derive(Debug, PartialEq)]
pub(crate) struct Expression<'a> {
    pub(crate) kind: Kind<'a>,
    pub(super) range: Range<usize>,
}

/// What an expression is.
#[derive(Debug, PartialEq)]
pub(crate) enum Kind<'a> {
    Null,
    Bool(bool),
    /// What it comes to is in its text, but for the first index.
    Number {
        is_zero: bool,
    },
    /// In quotes, without a template.
    String(Cow<'a, str>),
    /// In quotes, or a heredoc whose lines are meant as they stand.
    Template(Vec<Element<'a>>),
    Array(Vec<Expression<'a>>),
    Object(Vec<(ObjectKey<'a>, Expression<'a>)>),
    Variable(&'a str),
    Traversal(Traversal<'a>),
    FuncCall(Box<FuncCall<'a>>),
    Parenthesis(Box<Expression<'a>>),
    Conditional(Box<Conditional<'a>>),
    Equality(Box<Equality<'a>>),
    UnaryOp,
    /// What nothing is known of but its text.
    Other,
}

impl<'a> Expression<'a> {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_variable(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Variable(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Expression<'a>]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Its entries, in their order; each key stands there once.
    pub(crate) fn as_object(&self) -> Option<&[(ObjectKey<'a>, Expression<'a>)]> {
        match &self.kind {
            Kind::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// Whether it holds more than one value.
    pub(crate) fn is_collection(&self) -> bool {
        matches!(self.kind, Kind::Array(_) | Kind::Object(_))
    }
}

impl Ranged for Expression<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// The key of an object: a bare word means itself.
#[derive(Debug, PartialEq)]
pub(crate) enum ObjectKey<'a> {
    Ident(Name<'a>),
    Expression(Expression<'a>),
}

impl ObjectKey<'_> {
    /// The key as it is written out; None for one that is computed.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Ident(name) => Some(name.as_str()),
            Self::Expression(key) => key.as_str(),
        }
    }
}

/// A part of a template.
#[derive(Debug, PartialEq)]
pub(crate) enum Element<'a> {
    Literal(Cow<'a, str>),
    /// `${ … }`.
    Interpolation(Expression<'a>),
    /// One that takes white space away, `${~ … }`, and a directive, `%{ … }`.
    Other,
}

/// A path from an expression on: `aws_dynamodb_table.orders[0].arn`.
#[derive(Debug, PartialEq)]
pub(crate) struct Traversal<'a> {
    /// The variable that it begins with; None for another expression.
    pub(crate) root: Option<&'a str>,
    pub(crate) operators: Vec<TraversalOperator<'a>>,
}

/// A step of a path.
#[derive(Debug, PartialEq)]
pub(crate) enum TraversalOperator<'a> {
    GetAttr(&'a str),
    Index(Expression<'a>),
    /// `.*`, `[*]` and `.0`.
    Other,
}

/// `name(args)`.
#[derive(Debug, PartialEq)]
pub(crate) struct FuncCall<'a> {
    pub(crate) name: &'a str,
    /// Of a provider: `provider::aws::name`.
    pub(crate) is_namespaced: bool,
    pub(crate) args: Vec<Expression<'a>>,
    /// Whether the last one stands for several: `args...`.
    pub(crate) expand_final: bool,
}

/// `condition ? yes : no`.
#[derive(Debug, PartialEq)]
pub(crate) struct Conditional<'a> {
    pub(crate) condition: Expression<'a>,
    pub(crate) yes: Expression<'a>,
    pub(crate) no: Expression<'a>,
}

/// `left == right`, or `left != right`.
#[derive(Debug, PartialEq)]
pub(crate) struct Equality<'a> {
    pub(crate) is_equal: bool,
    pub(crate) left: Expression<'a>,
    pub(crate) right: Expression<'a>,
}
