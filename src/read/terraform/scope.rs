//! What names stand for: variables stay parameters, local values are followed.

use super::behind::names;
use super::fields::Source;
use super::provider;
use super::syntax::{Block, Body, Element, Expression, Kind, TraversalOperator};
use crate::schema::{Part, Text, Value};
use crate::source::Span;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::str::FromStr;

/// How many local values may refer to one another in a chain.
const DEPTH: usize = 16;

/// How many expressions may be evaluated for one: local values that repeat one another would grow without end.
const STEPS: usize = 1000;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    /// Text, in part perhaps of parameters and expressions.
    Text(Text),
    Parameter(String),
    /// Only Terraform knows: the source text.
    Computed(String),
}

impl Known {
    /// Where text is wanted; None for `null`.
    pub(super) fn into_text(self) -> Option<Text> {
        Some(match self {
            Self::Null => return None,
            Self::Bool(value) => Text::literal(value.to_string()),
            Self::Number(text) => Text::literal(text),
            Self::Text(text) => text,
            Self::Parameter(name) => Text::from_parts([Part::Parameter(name)]),
            Self::Computed(source) => Text::from_parts([Part::Expression(source)]),
        })
    }
}

/// The variables, local values and data sources of a module.
pub(super) struct Scope<'a> {
    /// Variables with their defaults.
    variables: BTreeMap<&'a str, Option<(Source<'a>, &'a Expression<'a>)>>,
    /// Variables that hold lists, maps and objects: never parameters.
    collections: Vec<&'a str>,
    pub(super) locals: BTreeMap<&'a str, (Source<'a>, &'a Expression<'a>)>,
    /// Data sources, and resources of `hashicorp/random`, by address.
    blocks: BTreeMap<String, (Source<'a>, &'a Block<'a>)>,
    /// The blocks of providers, by alias; that of the provider without one under "".
    providers: BTreeMap<&'a str, (Source<'a>, &'a Block<'a>)>,
    /// An expression was met that only Terraform can evaluate.
    left_open: Cell<bool>,
    /// How many more expressions may be evaluated for the one at hand.
    steps: Cell<usize>,
}

impl<'a> Scope<'a> {
    /// `values` are the files that set variables, a later one over an earlier one.
    pub(super) fn new(blocks: &[(Source<'a>, &'a Block<'a>)], values: &'a [(Source<'a>, Body<'a>)]) -> Self {
        let mut scope = Self {
            variables: BTreeMap::new(),
            collections: Vec::new(),
            locals: BTreeMap::new(),
            blocks: BTreeMap::new(),
            providers: BTreeMap::new(),
            left_open: Cell::new(false),
            steps: Cell::new(STEPS),
        };
        for (source, block) in blocks {
            match (block.ident.as_str(), block.labels.as_slice()) {
                ("locals", []) => {
                    let locals = block.body.attributes().map(|local| (local.key.as_str(), (*source, &local.value)));
                    scope.locals.extend(locals);
                }
                ("provider", [name]) if name.as_str() == "aws" => {
                    let alias = block.body.get_attribute("alias").map_or(Some(""), |alias| alias.value.as_str());
                    scope.providers.extend(alias.map(|alias| (alias, (*source, *block))));
                }
                ("data", [kind, name]) => {
                    scope.blocks.insert(format!("data.{}.{}", kind.as_str(), name.as_str()), (*source, *block));
                }
                ("resource", [kind, name]) if kind.as_str().starts_with("random_") => {
                    scope.blocks.insert(format!("{}.{}", kind.as_str(), name.as_str()), (*source, *block));
                }
                ("variable", [name]) => {
                    let argument = |key| block.body.get_attribute(key).map(|attribute| &attribute.value);
                    let default = argument("default").map(|default| (*source, default));
                    scope.variables.insert(name.as_str(), default);
                    if is_collection(argument("type"), argument("default")) {
                        scope.collections.push(name.as_str());
                    }
                }
                _ => {}
            }
        }
        for (source, body) in values {
            for value in body.attributes() {
                if let Some(known) = scope.variables.get_mut(value.key.as_str()) {
                    *known = Some((*source, &value.value));
                }
            }
        }
        scope
    }

    /// What a variable is, unless somebody sets it otherwise: the value of a file, else its default.
    pub(super) fn value_of(&self, name: &str) -> Option<(Source<'a>, &'a Expression<'a>)> {
        self.variables.get(name).copied().flatten()
    }

    /// Whether a variable can be a parameter.
    pub(super) fn is_parameter(&self, name: &str) -> bool {
        !self.collections.contains(&name)
    }

    /// Whether an expression was met that only Terraform can evaluate.
    pub(super) fn left_open(&self) -> bool {
        self.left_open.get()
    }

    /// The addresses of data sources and of such resources that a text names.
    pub(super) fn blocks_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = &'t str> {
        self.blocks.keys().map(String::as_str).filter(|address| names(text, address))
    }

    /// What an address is defined as, as source text; empty for a variable without a default. None where nothing defines it. Of a
    /// block it is the text without what only lays it out.
    pub(super) fn definition(&self, address: &str) -> Option<(String, Option<Span>)> {
        if let Some((source, block)) = self.blocks.get(address) {
            let words: Vec<&str> = source.raw(*block).split_whitespace().collect();
            return Some((words.join(" "), Some(source.span(&block.ident))));
        }
        let found = match address.split_once('.')? {
            ("local", name) => Some(*self.locals.get(name)?),
            ("var", name) => *self.variables.get(name)?,
            _ => return None,
        };
        Some((
            found.map(|(source, value)| source.slice(value)).unwrap_or_default(),
            found.map(|(source, value)| source.span(value)),
        ))
    }

    /// Follows parentheses, local values and choices that are settled to the expression that is meant.
    pub(super) fn follow(&self, source: Source<'a>, expression: &'a Expression<'a>) -> (Source<'a>, &'a Expression<'a>) {
        self.steps.set(STEPS);
        self.follow_to(source, expression, DEPTH)
    }

    pub(super) fn follow_to(
        &self,
        source: Source<'a>,
        expression: &'a Expression<'a>,
        depth: usize,
    ) -> (Source<'a>, &'a Expression<'a>) {
        let mut found = (source, expression);
        for depth in (0..depth).rev() {
            let next = match &found.1.kind {
                Kind::Parenthesis(inner) => Some((found.0, inner.as_ref())),
                Kind::Conditional(choice) => {
                    let holds = self.condition(found.0, &choice.condition, depth);
                    holds.map(|holds| (found.0, if holds { &choice.yes } else { &choice.no }))
                }
                _ => self.local(found.1, depth),
            };
            match next {
                Some(next) => found = next,
                None => return found,
            }
        }
        (source, expression)
    }

    /// The block of the provider that an expression names, `aws.backup`; without one, of that which goes without saying.
    fn provider(&self, named: Option<&Expression<'_>>) -> Option<(Source<'a>, &'a Block<'a>)> {
        let alias = named.map_or(Some(""), |named| reference(named).map(|(_, alias)| alias))?;
        self.providers.get(alias).copied()
    }

    /// The Region of a provider.
    pub(super) fn region_of(&self, provider: Option<&Expression<'_>>) -> Option<String> {
        let (source, block) = self.provider(provider)?;
        self.word(source, &block.body.get_attribute("region")?.value)
    }

    /// What else a provider says of a table, as source text.
    pub(super) fn settings_of(&self, provider: Option<&Expression<'_>>) -> Option<String> {
        self.provider(provider).map(|(source, block)| provider::settings(source, block))
    }

    /// What an expression comes to, its variables as parameters.
    pub(super) fn evaluate(&self, source: Source<'a>, expression: &'a Expression<'a>) -> Known {
        self.steps.set(STEPS);
        self.evaluate_to(source, expression, DEPTH)
    }

    pub(super) fn evaluate_to(&self, source: Source<'a>, expression: &'a Expression<'a>, depth: usize) -> Known {
        let steps = self.steps.get().saturating_sub(1);
        self.steps.set(steps);
        let (place, followed) = self.follow_to(source, expression, depth);
        let known = match &followed.kind {
            _ if steps == 0 => None,
            Kind::Null => Some(Known::Null),
            Kind::Bool(value) => Some(Known::Bool(*value)),
            Kind::Number { .. } => Some(Known::Number(place.slice(followed))),
            Kind::UnaryOp => {
                Some(place.slice(followed)).filter(|text| text.parse::<serde_json::Number>().is_ok()).map(Known::Number)
            }
            Kind::String(text) => Some(Known::Text(Text::literal(text.as_ref()))),
            Kind::Template(elements) => self.template(place, elements, depth),
            Kind::FuncCall(call) => self.call(place, call, depth),
            Kind::Equality(_) => self.condition(place, followed, depth).map(Known::Bool),
            _ => match reference(followed) {
                Some(("var", name)) if self.is_parameter(name) => Some(Known::Parameter(name.to_owned())),
                _ => None,
            },
        };
        known.unwrap_or_else(|| {
            self.left_open.set(true);
            Known::Computed(source.slice(expression))
        })
    }

    fn template(&self, source: Source<'a>, elements: &'a [Element<'a>], depth: usize) -> Option<Known> {
        let depth = depth.checked_sub(1)?;
        let mut parts = Vec::new();
        for element in elements {
            match element {
                Element::Literal(text) => parts.push(Part::Literal(text.clone().into_owned())),
                Element::Interpolation(inner) => {
                    parts.extend(self.evaluate_to(source, inner, depth).into_text()?.parts().iter().cloned());
                }
                Element::Other => return None,
            }
        }
        Some(Known::Text(Text::from_parts(parts)))
    }

    /// A text; None for `null`.
    pub(super) fn text(&self, source: Source<'a>, expression: &'a Expression<'a>) -> Option<Text> {
        self.evaluate(source, expression).into_text()
    }

    /// A bool or a number; Terraform takes `"5"` for 5 too.
    pub(super) fn value<T: FromStr>(&self, source: Source<'a>, expression: &'a Expression<'a>) -> Value<T> {
        let literal = match self.evaluate(source, expression) {
            Known::Parameter(name) => return Value::Parameter(name),
            Known::Bool(value) => if value { "true" } else { "false" }.parse().ok(),
            Known::Number(text) => text.parse().ok(),
            Known::Text(text) => text.as_literal().and_then(|text| text.parse().ok()),
            Known::Null | Known::Computed(_) => None,
        };
        literal.map_or_else(|| Value::Expression(source.slice(expression)), Value::Literal)
    }

    /// A word that has to be known: variables stand for their defaults. None when it is not.
    pub(super) fn word(&self, source: Source<'a>, expression: &'a Expression<'a>) -> Option<String> {
        // Nearly always it is written out.
        if let Some(text) = expression.as_str() {
            return Some(text.to_owned());
        }
        match self.evaluate(source, expression) {
            Known::Bool(value) => Some(value.to_string()),
            Known::Number(text) => Some(text),
            Known::Text(text) => text.resolve(|name| self.default(name)),
            Known::Parameter(name) => self.default(&name),
            Known::Null | Known::Computed(_) => None,
        }
    }

    fn default(&self, name: &str) -> Option<String> {
        let (source, expression) = self.value_of(name)?;
        match self.evaluate(source, expression) {
            Known::Bool(value) => Some(value.to_string()),
            Known::Number(text) => Some(text),
            // A default refers to nothing.
            Known::Text(text) => text.as_literal().map(ToOwned::to_owned),
            Known::Null | Known::Parameter(_) | Known::Computed(_) => None,
        }
    }
}

/// `var.x` and `local.x`: the root and the name.
pub(super) fn reference<'a>(expression: &Expression<'a>) -> Option<(&'a str, &'a str)> {
    let Kind::Traversal(traversal) = &expression.kind else { return None };
    let [TraversalOperator::GetAttr(name)] = traversal.operators.as_slice() else { return None };
    Some((traversal.root?, name))
}

/// Whether a variable holds more than one value, by its type or its default.
fn is_collection(kind: Option<&Expression<'_>>, default: Option<&Expression<'_>>) -> bool {
    let by_type = kind.and_then(|kind| kind.as_variable().or_else(|| kind.as_str()));
    let scalar = by_type.map(|name| matches!(name, "string" | "number" | "bool" | "any"));
    let literal = default.is_none_or(|default| !default.is_collection());
    !(literal && scalar.unwrap_or(kind.is_none()))
}
