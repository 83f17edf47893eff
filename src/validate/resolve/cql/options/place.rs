//! One place where options stand, and the engines they are for.

use super::{names, not_on};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::EngineOptions;
use crate::schema::cql::OptionValue;
use crate::schema::{Address, Engine, Family};
use crate::source::{Span, Spanned};
use crate::validate::resolve::report::Report;
use std::collections::BTreeMap;

/// The custom properties of a table of Amazon Keyspaces are one option of CQL. Until all that is said of a table is known,
/// each is an option of its own, so that a nearer word replaces just that one.
const CUSTOM: &str = "custom_properties";

/// The name of a custom property among the options.
pub(super) fn custom_name(property: &str) -> String {
    format!("{CUSTOM}.{property}")
}

/// The custom property that an option is; None for any other.
pub(in crate::validate::resolve::cql) fn custom_property(option: &str) -> Option<&str> {
    option.strip_prefix(CUSTOM)?.strip_prefix('.')
}

/// Puts the custom properties together.
pub(in crate::validate::resolve::cql) fn join_custom(options: &mut EngineOptions) {
    for options in options.values_mut() {
        let mut custom = BTreeMap::new();
        let mut place = None;
        options.retain(|name, value| {
            let Some(property) = name.strip_prefix(CUSTOM).and_then(|rest| rest.strip_prefix('.')) else { return true };
            place.get_or_insert(value.span);
            custom.insert(property.to_owned(), value.value.clone());
            false
        });
        if let Some(span) = place {
            options.insert(CUSTOM.to_owned(), Spanned::new(OptionValue::Nested(custom), span));
        }
    }
}

pub(super) struct Place<'p> {
    engines: Vec<Engine>,
    /// The name by which the author chose the engines; None: they are all of the model's.
    chosen: Option<&'p str>,
    /// What a nearer word says already.
    nearer: &'p EngineOptions,
    address: Option<&'p Address>,
    found: EngineOptions,
}

impl<'p> Place<'p> {
    pub(super) fn new(
        engines: Vec<Engine>,
        chosen: Option<&'p str>,
        nearer: &'p EngineOptions,
        address: Option<&'p Address>,
    ) -> Self {
        Self { engines, chosen, nearer, address, found: EngineOptions::new() }
    }

    pub(super) fn into_found(self) -> EngineOptions {
        self.found
    }

    /// Whether the place is for an engine of a family.
    pub(super) fn is_for(&self, family: Family) -> bool {
        self.engines.iter().any(|engine| engine.family() == family)
    }

    /// The engines that an option is still asked for.
    pub(super) fn asked(&self, name: &str) -> Vec<Engine> {
        let said = |engine: &Engine| self.nearer.get(engine).is_some_and(|options| options.contains_key(name));
        self.engines.iter().copied().filter(|engine| !said(engine)).collect()
    }

    /// Gives an option to each engine; None: the engine does not know it. `key` is its name in the model. False when no engine
    /// took it.
    pub(super) fn put(
        &mut self,
        name: &str,
        key: &str,
        span: Span,
        report: &mut Report<'_>,
        value: impl Fn(Engine) -> Option<OptionValue>,
    ) -> bool {
        let mut lacking = Vec::new();
        let asked = self.asked(name);
        for &engine in &asked {
            match value(engine) {
                Some(value) => {
                    self.found.entry(engine).or_default().insert(name.to_owned(), Spanned::new(value, span));
                }
                None => lacking.push(engine),
            }
        }
        self.leave_out(&format!("`{key}`"), span, &lacking, report);
        lacking.len() < asked.len()
    }

    /// Gives a custom property to Amazon Keyspaces.
    pub(super) fn put_custom(&mut self, property: &str, value: Spanned<OptionValue>) {
        if self.is_for(Family::Keyspaces) {
            self.found.entry(Engine::Keyspaces).or_default().insert(custom_name(property), value);
        }
    }

    /// Says for whom something is left out.
    pub(super) fn leave_out(&self, what: &str, span: Span, lacking: &[Engine], report: &mut Report<'_>) {
        if lacking.is_empty() {
            return;
        }
        let diagnostic = if self.chosen.is_some() && lacking.len() == self.engines.len() {
            not_on(what, lacking, span).help("remove the line, or give it to an engine that knows it")
        } else {
            let verb = if lacking.len() == 1 { "does" } else { "do" };
            let message = format!("{what} is left out for {}, which {verb} not know it", names(lacking));
            Diagnostic::new(codes::LEFT_OUT, span, message)
        };
        report.push(match self.address {
            Some(address) => diagnostic.at(address),
            None => diagnostic,
        });
    }
}
