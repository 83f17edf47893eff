//! `docs/backends.md`.

use crate::experiment::{Outcome, Said, backends};
use crate::sample::Sample;
use crate::sources::{Source, source};
use nosql_gen::schema::Backend;
use std::fmt::Write as _;

/// A row: the sample, and what became of it on each backend.
pub(crate) type Row = (Sample, Vec<Outcome>);

/// The page so far.
pub(crate) struct Page {
    text: String,
    notes: Vec<String>,
    links: Vec<Source>,
}

const START: &str = "\
# What each backend has

Every key of the [language](model.md) on every backend. This page is written by a test, `tests/backends.rs`, which generates a small model
with the key and one without it and compares what comes: the cells are what it saw. `BLESS=1 cargo test --test backends` writes it anew.

| a cell | means |
|---|---|
| `words` | the output says it so: arguments and blocks of Terraform, properties of CloudFormation, clauses of CQL; of a resource of its own, the type |
| no `words` | the output says it by leaving these out |
| same | as in the column before |
| left out | the output is the same without it; the note is what `gen plan` says of that, in a finding [`left-out`](codes/left-out.md) |
| – | means nothing there, and nothing is said |
| **no** | the model is refused; the note gives the error |

`renamed_from` and `removed` are not here: they tell how one generation follows another, which [plans](effects.md) tell of. Of the DynamoDB
backends each was tried alone, and so was each engine of CQL; among several engines what one of them refuses refuses the model.
";

impl Page {
    pub(crate) fn new() -> Self {
        Self { text: START.to_owned(), notes: Vec::new(), links: Vec::new() }
    }

    /// A table of the rows whose key begins so; the key is shown without that.
    pub(crate) fn table(&mut self, heading: &str, rows: &[Row], prefix: &str, cql: bool) {
        let backends = backends(cql);
        let names: Vec<String> = backends.iter().map(|backend| format!("`{}`", backend.name())).collect();
        let sources: Vec<String> = rows.iter().map(|(sample, _)| self.sources(sample, &backends)).collect();
        let most = |source: &&String| sources.iter().filter(|other| other == source).count();
        let usual = sources.iter().rev().max_by_key(most).cloned().unwrap_or_default();
        let of_own = sources.iter().any(|source| *source != usual);
        let (unless, column) = if of_own { (", where the row names none", " source |") } else { ("", "") };
        let rule = "---|".repeat(names.len() + 1 + usize::from(of_own));
        let _ =
            write!(self.text, "\n{heading}\n\nSources{unless}: {usual}.\n\n| key | {} |{column}\n|{rule}\n", names.join(" | "));
        for ((sample, outcomes), sources) in rows.iter().zip(&sources) {
            let key = sample.key.strip_prefix(prefix).unwrap_or(sample.key);
            let form = sample.form.map(|form| format!(", {}", quoted(form))).unwrap_or_default();
            let _ = write!(self.text, "| `{key}`{form} |");
            if let Some(what) = sample.for_gen {
                let own = if of_own { " [model](model.md) |" } else { "" };
                let _ = writeln!(self.text, " {what} |{}{own}", " – |".repeat(names.len() - 1));
                continue;
            }
            let mut before = None;
            for (outcome, backend) in outcomes.iter().zip(&backends) {
                let cell = self.cell(outcome, *backend);
                let same = before.as_ref() == Some(&cell) && matches!(outcome, Outcome::Reaches(_));
                let _ = write!(self.text, " {} |", if same { "same" } else { &cell });
                before = Some(cell);
            }
            let own = if *sources == usual { "" } else { sources };
            let _ = writeln!(self.text, "{}", if of_own { format!(" {own} |") } else { String::new() });
        }
    }

    fn cell(&mut self, outcome: &Outcome, backend: Backend) -> String {
        match outcome {
            Outcome::Reaches(words) => words.join("<br>"),
            Outcome::LeftOut(said) if said.is_empty() => "–".to_owned(),
            Outcome::LeftOut(said) => format!("left out{}", said.iter().map(|one| self.note(one, backend)).collect::<String>()),
            Outcome::Refused(said) => format!("**no**{}", self.note(said, backend)),
        }
    }

    /// A note for what was said; one for all the engines of which the same was said.
    fn note(&mut self, (code, message): &Said, backend: Backend) -> String {
        let engine = backend.engine().map(|engine| format!("`{engine}`"));
        let message = engine.map_or_else(|| message.clone(), |engine| message.replace(&engine, "this engine"));
        let note = format!("[`{code}`](codes/{code}.md): {}", escaped(&message));
        let number = self.notes.iter().position(|other| *other == note).unwrap_or_else(|| {
            self.notes.push(note);
            self.notes.len() - 1
        });
        format!("[^{}]", number + 1)
    }

    fn sources(&mut self, sample: &Sample, backends: &[Backend]) -> String {
        let mut sources: Vec<Source> = Vec::new();
        for backend in backends {
            let found = source(sample.topic, *backend);
            if !sources.contains(&found) {
                sources.push(found);
            }
        }
        let link = |(text, address): &Source| {
            let number = self.links.iter().position(|(_, other)| other == address).unwrap_or_else(|| {
                self.links.push((text, address));
                self.links.len() - 1
            });
            format!("[{text}][s{}]", number + 1)
        };
        sources.iter().map(link).collect::<Vec<_>>().join(", ")
    }

    /// Where keys may stand beside a table: which of them are something else there. Each pair is the row of the table, and
    /// that of the other place.
    pub(crate) fn elsewhere(&mut self, place: &str, pairs: &[(Row, Row)]) {
        let backends = backends(pairs.iter().any(|((sample, _), _)| sample.key.starts_with("cql.")));
        let mut lines = Vec::new();
        for ((sample, in_table), (_, there)) in pairs {
            let mut differing: Vec<(String, Vec<&str>)> = Vec::new();
            for ((of_table, outcome), backend) in in_table.iter().zip(there).zip(&backends) {
                let cell = self.cell(outcome, *backend);
                if self.cell(of_table, *backend) != cell {
                    match differing.iter_mut().find(|(other, _)| *other == cell) {
                        Some((_, names)) => names.push(backend.name()),
                        None => differing.push((cell, vec![backend.name()])),
                    }
                }
            }
            let key = sample.key.rsplit("*.").next().unwrap_or(sample.key);
            let form = sample.form.map(|form| format!(", {}", quoted(form))).unwrap_or_default();
            lines.extend(differing.iter().map(|(cell, names)| format!("| `{key}`{form} | {} | {cell} |\n", names.join(", "))));
        }
        let _ = write!(self.text, "\n### In {place}\n\n{} of the rows of tables above were tried there too", pairs.len());
        if lines.is_empty() {
            let _ = writeln!(self.text, ": they come to the same on every backend.");
        } else {
            let _ = write!(
                self.text,
                ". They come to the same, but for these:\n\n| key | on | there |\n|---|---|---|\n{}",
                lines.concat()
            );
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        let _ = write!(self.text, "\n{text}\n");
    }

    /// The whole page.
    pub(crate) fn finish(mut self) -> String {
        let _ = write!(self.text, "\n## Notes\n\n");
        for (number, note) in self.notes.iter().enumerate() {
            let _ = writeln!(self.text, "[^{}]: {note}", number + 1);
        }
        let _ = writeln!(self.text);
        for (number, (_, address)) in self.links.iter().enumerate() {
            let _ = writeln!(self.text, "[s{}]: {address}", number + 1);
        }
        self.text
    }
}

/// A form of a value that is a word of the language, as code.
fn quoted(form: &str) -> String {
    let is_word = form.contains('<') || form.contains('_') || crate::sample::TYPES.contains(&form);
    if is_word && !form.starts_with('`') { format!("`{form}`") } else { form.to_owned() }
}

/// A text whose `<` is none of HTML's; in code it is none anyway.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(place, part)| if place % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() })
        .collect::<Vec<_>>()
        .join("`")
}
