//! What a template printed, read back and compared with the schema: a template that loses anything is an error and not an
//! incident.

use super::{Artifact, Templates};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::{Difference, differences};
use crate::source::Span;
use serde::Serialize;
use serde_json::Value;

/// Compares a schema, as the format expresses it, with what was read back. `template` tells which template prints the item
/// of a difference. The problems name address, property, expected and found, and the file of a replaced template.
pub(crate) fn compare<T: Serialize>(
    expected: &T,
    found: &T,
    templates: &Templates,
    template: impl Fn(&Difference) -> &'static str,
) -> Vec<Diagnostic> {
    match differences(expected, found) {
        Ok(differences) => differences
            .iter()
            .map(|difference| {
                let name = template(difference);
                loses(message(difference), name, templates, difference)
            })
            .collect(),
        Err(error) => vec![Diagnostic::nowhere(codes::TEMPLATE_LOSES, format!("the schema cannot be compared: {error}"))],
    }
}

fn message(difference: &Difference) -> String {
    let item = difference.address.as_ref().map(ToString::to_string);
    let what = match (&item, difference.path.as_str()) {
        (Some(item), "") => format!("`{item}`"),
        (Some(item), path) => format!("`{path}` of `{item}`"),
        (None, path) => format!("`{path}`"),
    };
    match (&difference.before, &difference.after) {
        (Some(_), None) if difference.path.is_empty() => format!("{what} is missing in what the template prints"),
        (None, Some(_)) if difference.path.is_empty() => format!("the template prints {what}, which is not in the schema"),
        (Some(before), None) => format!("{what} should be {}, but the template does not print it", brief(before)),
        (None, Some(after)) => format!("the template prints {} as {what}, which the schema does not say", brief(after)),
        (before, after) => {
            let text = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), brief);
            format!("{what} should be {}, but the template prints {}", text(before), text(after))
        }
    }
}

/// A value as JSON, cut off where it gets too long to read.
fn brief(value: &Value) -> String {
    const LIMIT: usize = 120;
    let text = value.to_string();
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

fn loses(message: String, template: &str, templates: &Templates, difference: &Difference) -> Diagnostic {
    let mut diagnostic = match templates.replaced(template) {
        Some(file) => Diagnostic::new(codes::TEMPLATE_LOSES, Span::new(file, 0, 0), message),
        None => Diagnostic::nowhere(codes::TEMPLATE_LOSES, message),
    };
    if let Some(address) = &difference.address {
        diagnostic = diagnostic.at(address.to_string());
    }
    diagnostic.note(format!("printed by the template `{template}`"))
}

pub(crate) fn terraform(_: &crate::schema::dynamodb::Schema, _: &[Artifact], _: &Templates) -> Result<(), Vec<Diagnostic>> {
    Ok(())
}
