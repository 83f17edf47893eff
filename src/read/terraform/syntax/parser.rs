//! From the tree of `hcl::edit` to ours.

use super::expression::{Conditional, Element, Equality, Expression, FuncCall, Kind, ObjectKey, Traversal, TraversalOperator};
use super::tree::{Attribute, Block, Body, Name, Structure};
use hcl::edit::expr::{self, BinaryOperator};
use hcl::edit::structure::{self, BlockLabel};
use hcl::edit::template::{self, Strip};
use hcl::edit::{Decorated, Ident, Span};
use std::borrow::Cow;
use std::ops::Range;

/// The tree of a text that was parsed.
pub(super) fn tree<'a>(text: &'a str, body: &structure::Body) -> Body<'a> {
    Text(text).body(body)
}

/// The text that was parsed.
#[derive(Clone, Copy)]
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn body(self, body: &structure::Body) -> Body<'a> {
        let structure = |structure: &structure::Structure| match structure {
            structure::Structure::Attribute(attribute) => Structure::Attribute(Attribute {
                key: self.name(&attribute.key),
                value: self.expression(&attribute.value),
                range: range(attribute),
            }),
            structure::Structure::Block(block) => Structure::Block(Block {
                ident: self.name(&block.ident),
                labels: block.labels.iter().map(|label| self.label(label)).collect(),
                body: self.body(&block.body),
                range: range(block),
            }),
        };
        Body { structures: body.iter().map(structure).collect(), range: range(body) }
    }

    fn label(self, label: &BlockLabel) -> Name<'a> {
        match label {
            BlockLabel::Ident(name) => self.name(name),
            BlockLabel::String(text) => Name { text: Cow::Owned(text.value().clone()), range: range(text) },
        }
    }

    fn name(self, name: &Decorated<Ident>) -> Name<'a> {
        Name { text: Cow::Borrowed(self.word(name)), range: range(name) }
    }

    /// A name, which is its own text.
    fn word(self, name: &impl Span) -> &'a str {
        self.0.get(range(name)).unwrap_or_default()
    }

    fn expression(self, expression: &expr::Expression) -> Expression<'a> {
        Expression { kind: self.kind(expression), range: range(expression) }
    }

    fn kind(self, expression: &expr::Expression) -> Kind<'a> {
        match expression {
            expr::Expression::Null(_) => Kind::Null,
            expr::Expression::Bool(value) => Kind::Bool(*value.value()),
            expr::Expression::Number(number) => Kind::Number { is_zero: number.value().as_u64() == Some(0) },
            expr::Expression::String(text) => Kind::String(Cow::Owned(text.value().clone())),
            expr::Expression::StringTemplate(template) => Kind::Template(self.elements(template)),
            expr::Expression::HeredocTemplate(heredoc) if heredoc.indent().is_none() => {
                Kind::Template(self.elements(&heredoc.template))
            }
            expr::Expression::Array(items) => Kind::Array(items.iter().map(|item| self.expression(item)).collect()),
            expr::Expression::Object(entries) => {
                Kind::Object(entries.iter().map(|(key, value)| (self.key(key), self.expression(value.expr()))).collect())
            }
            expr::Expression::Variable(name) => Kind::Variable(self.word(name)),
            expr::Expression::Traversal(traversal) => Kind::Traversal(self.traversal(traversal)),
            expr::Expression::FuncCall(call) => Kind::FuncCall(Box::new(FuncCall {
                name: self.word(&call.name.name),
                is_namespaced: call.name.is_namespaced(),
                args: call.args.iter().map(|argument| self.expression(argument)).collect(),
                expand_final: call.args.expand_final(),
            })),
            expr::Expression::Parenthesis(inner) => Kind::Parenthesis(Box::new(self.expression(inner.inner()))),
            expr::Expression::Conditional(choice) => Kind::Conditional(Box::new(Conditional {
                condition: self.expression(&choice.cond_expr),
                yes: self.expression(&choice.true_expr),
                no: self.expression(&choice.false_expr),
            })),
            expr::Expression::BinaryOp(operation) => self.operation(operation),
            expr::Expression::UnaryOp(_) => Kind::UnaryOp,
            expr::Expression::HeredocTemplate(_) | expr::Expression::ForExpr(_) => Kind::Other,
        }
    }

    fn elements(self, template: &template::Template) -> Vec<Element<'a>> {
        let element = |element: &template::Element| match element {
            template::Element::Literal(text) => Element::Literal(Cow::Owned(text.value().clone())),
            template::Element::Interpolation(inner) if inner.strip == Strip::None => {
                Element::Interpolation(self.expression(&inner.expr))
            }
            template::Element::Interpolation(_) | template::Element::Directive(_) => Element::Other,
        };
        template.iter().map(element).collect()
    }

    fn key(self, key: &expr::ObjectKey) -> ObjectKey<'a> {
        match key {
            expr::ObjectKey::Ident(name) => ObjectKey::Ident(self.name(name)),
            expr::ObjectKey::Expression(key) => ObjectKey::Expression(self.expression(key)),
        }
    }

    fn traversal(self, traversal: &expr::Traversal) -> Traversal<'a> {
        let operator = |operator: &Decorated<expr::TraversalOperator>| match operator.value() {
            expr::TraversalOperator::GetAttr(name) => TraversalOperator::GetAttr(self.word(name)),
            expr::TraversalOperator::Index(index) => TraversalOperator::Index(self.expression(index)),
            expr::TraversalOperator::AttrSplat(_)
            | expr::TraversalOperator::FullSplat(_)
            | expr::TraversalOperator::LegacyIndex(_) => TraversalOperator::Other,
        };
        let root = traversal.expr.as_variable().map(|_| self.word(&traversal.expr));
        Traversal { root, operators: traversal.operators.iter().map(operator).collect() }
    }

    fn operation(self, operation: &expr::BinaryOp) -> Kind<'a> {
        let is_equal = match *operation.operator.value() {
            BinaryOperator::Eq => true,
            BinaryOperator::NotEq => false,
            _ => return Kind::Other,
        };
        let (left, right) = (self.expression(&operation.lhs_expr), self.expression(&operation.rhs_expr));
        Kind::Equality(Box::new(Equality { is_equal, left, right }))
    }
}

/// Where a piece stands. A block without lines has a body that stands nowhere.
fn range(of: &impl Span) -> Range<usize> {
    of.span().unwrap_or(0..0)
}
