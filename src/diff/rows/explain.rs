//! A row as text, for `gen explain`.

use super::{Entry, Row, Variant, table};
use crate::diff::{Confidence, Deploying, Loss, Needs, When};
use crate::schema::Store;
use serde::Serialize;
use std::fmt::Write as _;

/// A row by its id, as Markdown: what changes, what that means on each backend, and the sources. None for an unknown id.
#[must_use]
pub fn explain(rule: &str) -> Option<String> {
    let rows: Vec<&Row> = [Store::Dynamodb, Store::Cql].into_iter().filter_map(|store| table(store).find(rule)).collect();
    let first = rows.first()?;
    let mut text = format!("# {}\n\n{}.\n", first.id, sentence(&first.change));
    for row in rows {
        // Backends that fare alike share a paragraph.
        let mut paragraphs: Vec<(String, Vec<&str>)> = Vec::new();
        for (backend, entry) in &row.backends {
            let body = paragraph(entry);
            match paragraphs.iter_mut().find(|(known, _)| *known == body) {
                Some((_, backends)) => backends.push(backend),
                None => paragraphs.push((body, vec![backend])),
            }
        }
        for (body, backends) in paragraphs {
            let _ = write!(text, "\n## {}\n\n{body}", backends.join(", "));
        }
        if !row.cannot_arise.is_empty() {
            let _ = write!(text, "\nCannot arise on {}.\n", row.cannot_arise.join(", "));
        }
        if let Some(doubt) = &row.doubt {
            let _ = write!(text, "\nDoubt: {doubt}\n");
        }
        text.push_str("\n## Sources\n\n");
        for source in &row.evidence {
            let _ = writeln!(text, "- {source}");
        }
    }
    Some(text)
}

fn paragraph(entry: &Entry) -> String {
    let mut text = outcome(entry.needs, entry.deploying, entry.when, &entry.loses);
    let _ = write!(text, "\n{}\n", entry.reason);
    if entry.confidence != Confidence::Confirmed {
        let _ = writeln!(text, "This is {}.", word(&entry.confidence));
    }
    if let Some(statement) = &entry.statement {
        let _ = write!(text, "\n    {statement}\n");
    }
    steps(&mut text, &entry.steps);
    for variant in &entry.variants {
        condition(&mut text, "If", variant.condition.as_deref(), variant);
    }
    for version in &entry.versions {
        condition(&mut text, "In", version.range.as_deref(), version);
    }
    text
}

fn steps(text: &mut String, steps: &[String]) {
    if !steps.is_empty() {
        text.push('\n');
        for (number, step) in steps.iter().enumerate() {
            let _ = writeln!(text, "{}. {step}", number + 1);
        }
    }
}

fn condition(text: &mut String, word: &str, when: Option<&str>, variant: &Variant) {
    let outcome = outcome(variant.needs, variant.deploying, variant.when, &variant.loses);
    let _ = write!(text, "\n{word} {}: {outcome}", when.unwrap_or_default());
    if let Some(reason) = variant.reason.as_ref().filter(|reason| !reason.is_empty()) {
        let _ = writeln!(text, "{reason}");
    }
    steps(text, variant.steps.as_deref().unwrap_or_default());
}

fn outcome(needs: Needs, deploying: Deploying, when: Option<When>, loses: &[Loss]) -> String {
    let when = when.map_or(String::new(), |when| format!(" at {}", word(&when)));
    let lost = if loses.is_empty() { "nothing".to_owned() } else { loses.iter().map(word).collect::<Vec<_>>().join(", ") };
    format!("needs: {}; deploying: {}{when}; loses: {lost}\n", word(&needs), word(&deploying))
}

/// A word of the format as it is serialised.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|json| json.as_str().map(str::to_owned)).unwrap_or_default()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The rules that there are, for "did you mean".
pub fn rules() -> impl Iterator<Item = &'static str> {
    [Store::Dynamodb, Store::Cql].into_iter().flat_map(|store| table(store).rows.iter().map(|row| row.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_told_with_its_backends_conditions_and_sources() {
        let text = explain("hash-key-change").unwrap();
        for part in [
            "# hash-key-change",
            "## terraform-aws-5, terraform-aws-6",
            "needs: recreation; deploying: replaces; loses: items",
            "deploying: refuses at apply",
            "If no TableName is written",
            "## Sources",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn a_rule_of_both_stores_is_told_for_both() {
        let text = explain("table-kept").unwrap();
        assert!(text.contains("cassandra-5.0") && text.contains("terraform-aws-5"), "{text}");
    }

    #[test]
    fn an_unknown_rule_has_no_text() {
        assert_eq!(explain("no-such-rule"), None);
    }
}
