//! The proof of coverage, by whole models: each rule of section 6.3 holds where it should and fails where it should not.

mod findings;
mod lists;
mod models;
mod reads;
mod requests;
mod schema;
mod simulation;
mod writes;

use crate::design::{Design, Operations, design};
use crate::diagnostic::{Diagnostic, Sink};
use crate::schema::Store;
use crate::source::SourceMap;
use crate::validate;

/// What a model comes to.
pub(super) struct Outcome {
    pub design: Design,
    pub diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
}

/// Loads and designs a model; a model that does not load fails the test with what is wrong with it.
pub(super) fn outcome(text: &str) -> Outcome {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("models/test.yaml", text);
    let Some(model) = validate::load(&sources, file, &mut sink) else {
        let wrong: Vec<String> =
            sink.into_sorted().iter().map(|diagnostic| format!("{}: {}", diagnostic.code.slug(), diagnostic.message)).collect();
        panic!("the model does not load:\n{}\n{text}", wrong.join("\n"));
    };
    let mut sink = Sink::default();
    let design = design(&model, Operations::Written, &mut sink);
    Outcome { design, diagnostics: sink.into_sorted(), sources }
}

impl Outcome {
    /// The codes that were reported, sorted by place.
    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code.slug()).collect()
    }

    /// The codes of errors.
    pub(super) fn errors(&self) -> Vec<String> {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        errors.map(|diagnostic| format!("{}: {}", diagnostic.code.slug(), diagnostic.message)).collect()
    }

    /// The messages of a code.
    pub(super) fn messages(&self, code: &str) -> Vec<&str> {
        let of = self.diagnostics.iter().filter(|diagnostic| diagnostic.code.slug() == code);
        of.map(|diagnostic| diagnostic.message.as_str()).collect()
    }

    /// The text that a code underlines first.
    pub(super) fn underlined(&self, code: &str) -> &str {
        let diagnostic = self.diagnostics.iter().find(|diagnostic| diagnostic.code.slug() == code).unwrap();
        self.sources.snippet(diagnostic.primary.as_ref().unwrap().span)
    }

    /// Who serves a pattern on DynamoDB, and how: `dynamodb.orders: GetItem id = :id`.
    pub(super) fn served(&self, pattern: &str) -> Vec<String> {
        let of = self.design.coverage.iter().filter(|of| of.store == Store::Dynamodb && of.pattern == pattern);
        let services = of.flat_map(|of| &of.served);
        services.map(|service| format!("{}: {}", service.address, service.operation)).collect()
    }

    /// Partitions the first service of a pattern touches.
    pub(super) fn partitions(&self, pattern: &str) -> Option<u64> {
        let of = self.design.coverage.iter().find(|of| of.store == Store::Dynamodb && of.pattern == pattern)?;
        of.served.first()?.partitions
    }
}

/// A model from its entities, patterns and tables, each in block style without indentation.
pub(super) fn model(entities: &str, patterns: &str, tables: &str) -> String {
    let indent = |text: &str, by: usize| -> String {
        let lines = text.trim_matches('\n').lines();
        let margin = lines.clone().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
        let cut = margin.unwrap_or(0);
        lines.fold(String::new(), |text, line| text + &" ".repeat(by) + line.get(cut..).unwrap_or("") + "\n")
    };
    format!(
        "gen: 1\nname: test\nentities:\n{}access_patterns:\n{}dynamodb:\n  defaults: {{ point_in_time_recovery: true }}\n  tables:\n{}",
        indent(entities, 2),
        indent(patterns, 2),
        indent(tables, 4)
    )
}

/// The pattern `p` is served, and nothing is wrong.
pub(super) fn serves(outcome: &Outcome, by: &str) {
    assert_eq!(outcome.errors(), [] as [&str; 0]);
    assert_eq!(outcome.served("p").join("; "), by);
}

/// The pattern `p` is not served, because of this.
pub(super) fn lacks(outcome: &Outcome, what: &str) {
    let messages = outcome.messages("pattern-unserved");
    assert!(messages.iter().any(|message| message.contains(what)), "{what}\n{messages:?}\n{:?}", outcome.served("p"));
}
