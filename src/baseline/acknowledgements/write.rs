//! Adds to the file without touching what is there: comments, order and form stay. What was written is read again, so that an
//! unusual form is an error and not a loss.

use super::{Acknowledgement, Acknowledgements, Date, Entry, bad};
use crate::diagnostic::{Diagnostic, Sink};
use crate::source::{FileId, SourceMap, Span};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEADER: &str = "# Written by `gen ack`: dangerous changes that are meant. Review it like code.\n";

/// The text of the file with one more acknowledgement; `file` is the text so far, None when there is none.
pub fn add(sources: &SourceMap, file: Option<FileId>, new: &Acknowledgement) -> Result<String, Vec<Diagnostic>> {
    let (mut text, before) = match file {
        Some(file) => (sources.text(file).to_owned(), read(sources, file)?),
        None => (HEADER.to_owned(), Acknowledgements::default()),
    };
    if before.entries.is_empty() {
        // An empty list is written as `[]`.
        let rest: Vec<&str> = text.lines().filter(|line| line.trim() != "[]").collect();
        text = rest.join("\n");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let dash = |first: &Entry| line_before(&text, first.whole).chars().take_while(|next| *next == ' ').count();
    let indent = before.entries.first().map_or(0, dash);
    let fields = [
        ("id", json!(new.id)),
        ("address", json!(new.address)),
        ("before", new.before.clone()),
        ("after", new.after.clone()),
        ("reason", json!(new.reason)),
        ("owner", json!(new.owner)),
        ("until", json!(new.until.map(|until| until.to_string()))),
        ("applied_in", json!(new.applied_in)),
    ];
    let mut mark = "- ";
    for (key, value) in fields.iter().filter(|(key, value)| *key != "until" || !value.is_null()) {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{:indent$}{mark}{key}: {}", "", yaml(value));
        mark = "  ";
    }
    let expected = before.iter().cloned().chain([new.clone()]).collect();
    checked(sources, file, text, &expected)
}

/// The text of the file with environments noted in the entries of the changes that are applied there, by their ids; not in one
/// that has ended, which let nothing pass.
pub fn mark_applied(
    sources: &SourceMap,
    file: FileId,
    applied: &BTreeMap<&str, Vec<&str>>,
    today: Date,
) -> Result<String, Vec<Diagnostic>> {
    let before = read(sources, file)?;
    let mut text = sources.text(file).to_owned();
    let mut expected: Vec<Acknowledgement> = before.iter().cloned().collect();
    // From the end, so that the places before it stay right.
    for (entry, expected) in before.entries.iter().zip(&mut expected).rev() {
        let Entry { acknowledgement, applied_in, whole, .. } = entry;
        let here = applied.iter().filter(|(_, ids)| ids.contains(&acknowledgement.id.as_str())).map(|(name, _)| *name);
        let new: Vec<&str> = here.filter(|name| !acknowledgement.applied_in.iter().any(|of| of == name)).collect();
        if new.is_empty() || acknowledgement.ended(today).is_some() {
            continue;
        }
        expected.applied_in.extend(new.into_iter().map(str::to_owned));
        let list = yaml(&json!(expected.applied_in));
        if let Some(span) = applied_in {
            text.replace_range(span.range(), &list);
        } else {
            let body = text.get(whole.range()).unwrap_or_default().trim_end().len();
            let indent = line_before(&text, *whole).chars().count();
            text.insert_str(whole.start as usize + body, &format!("\n{:indent$}applied_in: {list}", ""));
        }
    }
    checked(sources, Some(file), text, &expected)
}

fn read(sources: &SourceMap, file: FileId) -> Result<Acknowledgements, Vec<Diagnostic>> {
    let mut sink = Sink::default();
    Acknowledgements::read(sources, file, &mut sink).ok_or_else(|| sink.into_sorted())
}

/// JSON is YAML, when its keys have a space behind them for readers that want one.
fn yaml(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: Vec<String> = map.iter().map(|(key, value)| format!("{}: {}", json!(key), yaml(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        scalar => scalar.to_string(),
    }
}

/// What stands before a place in its line.
fn line_before(text: &str, span: Span) -> &str {
    let before = text.get(..span.start as usize).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

/// The new text, if it says what was meant.
fn checked(
    sources: &SourceMap,
    file: Option<FileId>,
    text: String,
    expected: &Vec<Acknowledgement>,
) -> Result<String, Vec<Diagnostic>> {
    let mut again = SourceMap::default();
    let new = again.add("acknowledgements.yaml", text.clone());
    let found = read(&again, new).map(|found| found.iter().cloned().collect::<Vec<_>>());
    if found.as_ref() == Ok(expected) {
        return Ok(text);
    }
    let message = "nothing can be added to the file in this form";
    let help = "write it as a list with one `- id: …` a block and one key a line";
    let diagnostic = match file {
        Some(file) => bad(Span::new(file, 0, sources.text(file).len().min(1)), message),
        None => Diagnostic::nowhere(crate::diagnostic::codes::BAD_ACKNOWLEDGEMENT, message),
    };
    Err(vec![diagnostic.help(help)])
}
