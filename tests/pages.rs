//! The pages of codes hold what they say: each example that is a whole model gives its code, and the mended one does not.

use nosql_gen::design::design;
use nosql_gen::diagnostic::{Diagnostic, Severity, Sink};
use nosql_gen::rules::{allow, documented, explain, lint};
use nosql_gen::source::SourceMap;
use nosql_gen::validate;

/// The day on which the pages are read.
const TODAY: &str = "2026-11-30";

#[test]
fn examples_give_their_codes() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for code in documented() {
        let page = explain(code).unwrap();
        let (before, after) = page.split_once("\n## What to do\n").unwrap();
        let (Some(bad), Some(good)) = (model_in(before), model_in(after)) else { continue };
        seen += 1;
        let slug = code.slug();
        let said = judge(bad);
        if !said.iter().any(|diagnostic| diagnostic.code == code) {
            wrong.push(format!("{slug}: the example does not give it, but {:?}", describe(&said)));
        }
        let said = judge(good);
        let still = |diagnostic: &Diagnostic| diagnostic.code == code || diagnostic.severity == Severity::Error;
        if said.iter().any(still) {
            wrong.push(format!("{slug}: what to do still gives {:?}", describe(&said)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(seen > 30, "only {seen} pages have whole models");
}

/// The last block of a page's part, when it is a whole model.
fn model_in(text: &str) -> Option<&str> {
    let block = text.split("```yaml\n").skip(1).last()?.split("```").next()?;
    block.starts_with("gen: 1\nname:").then_some(block)
}

fn judge(text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add("models/example.yaml", text);
    let Some(model) = validate::load(&sources, file, &mut sink) else { return sink.into_sorted() };
    let design = design(&model, &mut sink);
    lint(&model, &design, &mut sink);
    allow(&model, TODAY, sink.into_sorted())
}

fn describe(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code.slug(), diagnostic.message)).collect()
}
