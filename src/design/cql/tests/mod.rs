//! The proof of coverage on CQL, by whole models: each rule of section 7.1 holds where it should and fails where it should not.

mod models;
mod objects;
mod reads;
mod tables;
mod writes;

use crate::design::{Design, Operations, design};
use crate::diagnostic::{Diagnostic, Sink};
use crate::model::Model;
use crate::schema::{Engine, Store, cql};
use crate::source::SourceMap;
use crate::validate;

/// What a model comes to.
struct Outcome {
    design: Design,
    diagnostics: Vec<Diagnostic>,
}

/// Loads a model; one that does not load fails the test with what is wrong with it.
fn load(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("models/test.yaml", text);
    match validate::load(&sources, file, &mut sink) {
        Some(model) => model,
        None => panic!("the model does not load:\n{}\n{text}", describe(&sink.into_sorted()).join("\n")),
    }
}

fn outcome(text: &str) -> Outcome {
    designed(&load(text))
}

fn designed(model: &Model) -> Outcome {
    let mut sink = Sink::default();
    let design = design(model, Operations::Written, &mut sink);
    Outcome { design, diagnostics: sink.into_sorted() }
}

fn describe(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code.slug(), diagnostic.message)).collect()
}

impl Outcome {
    fn errors(&self) -> Vec<String> {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        describe(&errors.cloned().collect::<Vec<_>>())
    }

    /// The one diagnostic of a code.
    fn one(&self, code: &str) -> &Diagnostic {
        let found: Vec<_> = self.diagnostics.iter().filter(|diagnostic| diagnostic.code.slug() == code).collect();
        match found.as_slice() {
            [one] => one,
            _ => panic!("{} times `{code}` in {:#?}", found.len(), describe(&self.diagnostics)),
        }
    }

    /// Everything about a diagnostic of a code that explains: message, notes, help.
    fn explained(&self, code: &str) -> String {
        let one = self.one(code);
        let lines = [one.message.clone()].into_iter().chain(one.notes.clone()).chain(one.help.clone());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The statements of a pattern on CQL, with the number of partitions.
    fn served(&self, pattern: &str) -> Vec<String> {
        let coverage = self.design.coverage.iter().filter(|coverage| coverage.store == Store::Cql && coverage.pattern == pattern);
        coverage
            .flat_map(|coverage| &coverage.served)
            .map(|service| {
                let partitions = service.partitions.map_or("?".to_owned(), |partitions| partitions.to_string());
                format!("{} [{partitions}] {}", service.address, service.operation)
            })
            .collect()
    }

    fn table(&self, key: &str) -> &cql::Table {
        let schema = &self.design.cql[&Engine::Cassandra50];
        &schema.keyspaces.values().next().unwrap().tables[key]
    }
}

/// A published model, without what its CQL side does not need here: the lines of some keys, and what is indented below them.
fn published(name: &str, without: &[&str]) -> String {
    let path = format!("{}/models/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    let mut kept = String::new();
    let mut skip: Option<usize> = None;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let depth = line.len() - line.trim_start().len();
        if skip.is_some_and(|at| depth > at) {
            continue;
        }
        skip = without.iter().any(|word| line.trim_start().starts_with(word)).then_some(depth);
        if skip.is_none() {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// An orders model with some patterns and tables.
fn orders(patterns: &str, tables: &str) -> String {
    let indented = |text: &str, by: &str| -> String {
        let lines = text.trim_matches('\n').lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
        lines.flat_map(|line| [by, line, "\n"]).collect()
    };
    format!(
        "gen: 1
name: shop
entities:
  Order:
    key: order_id
    attributes:
      order_id: uuid
      customer_id: uuid
      placed_at: timestamp
      status: {{ enum: [OPEN, SHIPPED] }}
      total: decimal
    items: 10M
    growth: 10K/day
    retain: 1y
  Invoice:
    key: [customer_id, number]
    attributes: {{ customer_id: uuid, number: int, total: decimal }}
access_patterns:
{}cql:
  engines: [cassandra-5.0]
  keyspace: {{ replication: {{ dc1: 3 }} }}
  tables:
{}",
        indented(patterns, "  "),
        indented(tables, "    ")
    )
}
