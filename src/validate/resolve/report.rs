//! Reads the scalars of a document by their grammars and reports their flaws.

use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::schema::{Text, Value, has_reference};
use crate::source::{Inside, SourceMap, Span, Spanned, is_cut_off_text, unquoted_comma};
use crate::validate::document::{self, Field};
use crate::validate::grammar::name::Name;
use crate::validate::grammar::units::count;
use crate::validate::grammar::{Flaw, text};
use std::collections::{BTreeMap, BTreeSet};

/// Where flaws go.
pub(super) struct Report<'a> {
    pub(super) sources: &'a SourceMap,
    pub(super) sink: &'a mut Sink,
    /// Parameters by name; None: broken.
    pub(super) parameters: BTreeMap<String, Option<crate::schema::Parameter>>,
    /// Where the value of each parameter that has one stands.
    pub(super) values: BTreeMap<String, Span>,
    /// Parameters whose values are written where they stand.
    pub(super) written: BTreeSet<String>,
}

/// A scalar of the document, as it was written.
pub(super) trait Written {
    fn written(&self) -> &str;
}

macro_rules! written {
    ($($name:ident)*) => {$(
        impl Written for document::$name {
            fn written(&self) -> &str {
                &self.0
            }
        }
    )*};
}
written!(Count Size Duration Rate Share Value NumberOrParameter BoolOrParameter Recovery);

impl Written for String {
    fn written(&self) -> &str {
        self
    }
}

impl Report<'_> {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
    }

    /// Reports a flaw of a scalar. A plain value with an open bracket was cut off at a comma, which says more.
    pub(super) fn flaw<T: Written>(&mut self, scalar: &Spanned<T>, flaw: Flaw) {
        let written = scalar.value.written();
        let text = self.sources.text(scalar.span.file);
        let behind = text.get(scalar.span.end as usize..).unwrap_or_default().trim_start();
        if self.sources.snippet(scalar.span) == written && behind.starts_with(',') && is_cut_off_text(written) {
            self.sink.push(unquoted_comma(scalar.span, text));
            return;
        }
        let inside = Inside::new(self.sources, scalar.span, written);
        self.sink.push(flaw.into_diagnostic(&inside));
    }

    /// Reads a scalar; None, reported, when it does not fit.
    pub(super) fn read<T: Written, U>(
        &mut self,
        scalar: &Spanned<T>,
        grammar: impl FnOnce(&str) -> Result<U, Flaw>,
    ) -> Option<U> {
        grammar(scalar.value.written()).map_err(|flaw| self.flaw(scalar, flaw)).ok()
    }

    /// Reads the scalar of a field, when there is one.
    pub(super) fn field<T: Written, U>(
        &mut self,
        field: &Field<T>,
        grammar: impl FnOnce(&str) -> Result<U, Flaw>,
    ) -> Option<Spanned<U>> {
        let scalar = field.get()?;
        Some(Spanned::new(self.read(scalar, grammar)?, scalar.span))
    }

    /// Checks a name; false, reported, when it does not fit.
    pub(super) fn name(&mut self, kind: Name, name: &Spanned<String>, what: &str) -> bool {
        self.read(name, |text| kind.check(text, what)).is_some()
    }

    /// Reads a text with parameters, which must be defined.
    pub(super) fn text<T: Written>(&mut self, scalar: &Spanned<T>) -> Option<Spanned<Text>> {
        let (text, used) = self.read(scalar, text::text)?;
        let mut defined = true;
        for (name, range) in used {
            if !self.parameters.contains_key(&name) {
                let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
                let flaw = Flaw::new(codes::UNKNOWN_PARAMETER, range, format!("no parameter is called `{name}`"));
                let flaw = match nearest(&name, known.iter().copied()) {
                    Some(near) => flaw.instead(format!("${{{near}}}")),
                    None => flaw.help(format!("define it: `parameters: {{ {name}: {{}} }}`")),
                };
                self.flaw(scalar, flaw);
                defined = false;
            }
        }
        defined.then(|| Spanned::new(text, scalar.span))
    }

    /// Reads the name of a key that encrypts, which there has to be.
    pub(super) fn kms_key(&mut self, key: &Spanned<String>) -> Option<Spanned<Text>> {
        if key.value.is_empty() {
            self.push(Diagnostic::new(codes::BAD_VALUE, key.span, "the key has no name").help("write the ARN of a key of KMS"));
            return None;
        }
        self.text(key)
    }

    /// The value of a parameter that is in force, and where it stands; None: there is none, or it is broken.
    pub(super) fn value_of(&self, parameter: &str) -> Option<Spanned<String>> {
        let value = self.parameters.get(parameter)?.as_ref()?.default.as_ref()?;
        Some(Spanned::new(value.to_string(), *self.values.get(parameter)?))
    }

    /// A bool or a parameter.
    pub(super) fn bool_value(&mut self, scalar: &Spanned<document::BoolOrParameter>) -> Option<Value<bool>> {
        self.value(scalar, document::ParameterType::Bool, |text| match text {
            "true" | "True" | "TRUE" => Ok(true),
            "false" | "False" | "FALSE" => Ok(false),
            _ => Err(Flaw::value(0..text.len(), format!("`{text}` is neither a bool nor a parameter"))
                .help("write `true`, `false` or `\"${name}\"`")),
        })
    }

    /// A number or a parameter, by the grammar of the number.
    pub(super) fn number_value(
        &mut self,
        scalar: &Spanned<document::NumberOrParameter>,
        grammar: impl FnOnce(&str) -> Result<u64, Flaw>,
    ) -> Option<Value<u64>> {
        self.value(scalar, document::ParameterType::Number, grammar)
    }

    /// A whole value that may be a parameter of one type.
    pub(super) fn value<T: Written, U>(
        &mut self,
        scalar: &Spanned<T>,
        kind: document::ParameterType,
        literal: impl FnOnce(&str) -> Result<U, Flaw>,
    ) -> Option<Value<U>> {
        let written = scalar.value.written();
        if !has_reference(written) {
            return self.read(scalar, literal).map(Value::Literal);
        }
        let text = self.text(scalar)?;
        let [crate::schema::Part::Parameter(name)] = text.parts() else {
            self.flaw(scalar, Flaw::value(0..written.len(), "a parameter must be the whole value here"));
            return None;
        };
        let wanted = super::parameters::kind(kind);
        match self.parameters.get(name) {
            Some(Some(parameter)) if parameter.kind != wanted => {
                let word = match kind {
                    document::ParameterType::Text => "text",
                    document::ParameterType::Number => "number",
                    document::ParameterType::Bool => "bool",
                };
                let flaw = Flaw::value(0..written.len(), format!("`{name}` is no {word}"))
                    .help(format!("give the parameter `type: {word}`"));
                self.flaw(scalar, flaw);
                None
            }
            Some(None) => None,
            _ => {
                self.value_fits(name, scalar.span, literal);
                Some(Value::Parameter(name.clone()))
            }
        }
    }

    /// What is in force has to fit as what is written does. What does not is told at the value, once for all its places.
    fn value_fits<U>(&mut self, parameter: &str, place: Span, grammar: impl FnOnce(&str) -> Result<U, Flaw>) {
        let Some(value) = self.value_of(parameter) else { return };
        let Err(flaw) = grammar(&value.value) else { return };
        self.values.remove(parameter);
        let mut diagnostic = Diagnostic::new(flaw.code, value.span, flaw.message).context(place, "it stands here");
        diagnostic.help = flaw.help;
        self.push(diagnostic);
    }

    /// The number that is in force; None: it is not known, or does not fit.
    pub(super) fn number_in_force(&self, value: &Value<u64>) -> Option<u64> {
        match value {
            Value::Literal(number) => Some(*number),
            Value::Parameter(parameter) => whole(&self.value_of(parameter)?.value).ok(),
            Value::Expression(_) => None,
        }
    }
}

/// A number of capacity units.
pub(super) fn capacity_units(text: &str) -> Result<u64, Flaw> {
    match whole(text)? {
        0 => Err(Flaw::value(0..text.len(), "capacity is at least 1")),
        units => Ok(units),
    }
}

/// A whole count.
pub(super) fn whole(text: &str) -> Result<u64, Flaw> {
    let count = count(text)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and small")]
    if count.fract() == 0.0 && count < 1e15 {
        Ok(count as u64)
    } else {
        let why = if count.fract() == 0.0 { "is too large" } else { "is no whole number" };
        Err(Flaw::value(0..text.len(), format!("`{text}` {why}")))
    }
}
