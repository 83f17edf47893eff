//! The examples of `docs/codes` are true: the first model of a page gives its code, the second one does not.

use nosql_gen::diagnostic::{Diagnostic, Severity, Sink, Thresholds};
use nosql_gen::source::SourceMap;
use nosql_gen::{design, rules, validate};

/// All that is said about a model, allowances applied.
fn judge(page: &str, text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let mut sink = Sink::default();
    let file = sources.add(format!("docs/codes/{page}.md"), text);
    let Some(model) = validate::load(&sources, file, &mut sink) else { return sink.into_sorted() };
    let design = design::design(&model, design::Operations::Written, &mut sink);
    rules::lint(&model, &design, &Thresholds::default(), rules::Wording::Written, &mut sink);
    rules::Allowances::of(&model).apply("2026-11-30", sink.into_sorted())
}

#[test]
fn the_examples_are_true() {
    let folder = format!("{}/docs/codes", env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let examples = text.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        // Pages about other files than models, or with parts of models, hold examples of another form.
        let models: Vec<&str> = examples.filter(|example| example.starts_with("gen: 1\nname:")).collect();
        let [bad, good] = models.as_slice() else { continue };
        let codes = |found: &[Diagnostic]| -> Vec<String> {
            found.iter().map(|one| format!("{}: {}", one.code.slug(), one.message)).collect()
        };
        let found = judge(&page, bad);
        assert!(found.iter().any(|one| one.code.slug() == page), "{page}: the bad example gives {:#?}", codes(&found));
        let found = judge(&page, good);
        let still = |one: &Diagnostic| one.code.slug() == page || one.severity == Severity::Error;
        assert!(!found.iter().any(still), "{page}: the good example gives {:#?}", codes(&found));
        checked += 1;
    }
    assert!(checked > 20, "only {checked} pages have examples");
}
