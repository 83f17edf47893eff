//! What a template printed, read back and compared with the schema: a template that loses anything is an error and not an
//! incident.

use super::complete::complete;
use super::verified::Tables;
use super::{Artifact, Templates};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::read;
use crate::schema::dynamodb::{Schema, Table};
use crate::schema::{Address, Backend, Described, Difference, Format, differences};
use crate::source::{FileId, SourceMap, Span};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Compares a schema, as the format expresses it, with what was read back, both in the schema's words. What the template added
/// completes the schema; None when there is nothing. `template` tells which template prints the item of a difference. The
/// problems name address, property, expected and found, and the file of a replaced template.
pub(crate) fn compare<S: PartialEq + Described + Serialize + DeserializeOwned>(
    schema: &S,
    expected: &S,
    found: &S,
    templates: &Templates,
    template: impl Fn(&Difference) -> &'static str,
) -> Result<Option<S>, Vec<Diagnostic>> {
    // Nearly always equal: only a difference is worth its name.
    if expected == found {
        return Ok(None);
    }
    let completed = differences(expected, found)
        .and_then(|differences| complete(schema, differences))
        .map_err(|error| vec![Diagnostic::nowhere(codes::TEMPLATE_LOSES, format!("the schema cannot be compared: {error}"))])?;
    if completed.refused.is_empty() {
        return Ok(completed.schema);
    }
    let problem = |difference: &Difference| {
        let problem = place(message(difference), template(difference), templates).of_property(difference.path.clone());
        difference.address.iter().fold(problem, |problem, address| problem.at(address.to_string()))
    };
    Err(completed.refused.iter().map(problem).collect())
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
        (None, Some(_)) if difference.path.is_empty() => format!("the template prints {what}, which is not in the model"),
        (Some(before), None) => format!("{what} should be {}, but the template does not print it", brief(before)),
        (None, Some(after)) => format!("the template prints {} as {what}, which the model does not say", brief(after)),
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

/// At the file of a replaced template; an embedded one has no place.
fn place(message: String, template: &str, templates: &Templates) -> Diagnostic {
    let diagnostic = match templates.replaced(template) {
        Some(file) => Diagnostic::new(codes::TEMPLATE_LOSES, Span::new(file, 0, 0), message),
        None => Diagnostic::nowhere(codes::TEMPLATE_LOSES, message),
    };
    diagnostic.note(format!("printed by the template `{template}`"))
}

/// Reads a rendered Terraform module back and compares it with the schema.
pub(crate) fn terraform(
    schema: &Schema,
    backend: Backend,
    artifacts: &[Artifact],
    templates: &Templates,
    verified: Tables<'_>,
) -> Result<Option<Schema>, Vec<Diagnostic>> {
    let template = |difference: &Difference| match (&difference.address, difference.path.split('.').next()) {
        (Some(Address::Parameter(_)), _) => "terraform/variables.tf.j2",
        (None, Some("moved")) => "terraform/moved.tf.j2",
        (None, Some("imported")) => "terraform/imports.tf.j2",
        (None, Some("kept" | "removed")) => "terraform/removed.tf.j2",
        _ => "terraform/table.tf.j2",
    };
    if terraform_in_parts(schema, backend, artifacts, verified) {
        return Ok(None);
    }
    let module = read_back(artifacts, read::terraform::read)?;
    // What a module cannot say, and where its tables are, is no loss of the template's; the schema holds it, so plans tell.
    let in_modules = schema.in_modules_of(&module.schema);
    let schema = in_modules.as_ref().unwrap_or(schema);
    let words = |expressed: Schema| expressed.in_words_of(schema, Format::Terraform);
    let (expected, found) = (words(schema.project(Format::Terraform)), words(module.schema));
    let compared = compare(schema, &expected, &found, templates, template);
    let compared = compared.map(|completed| completed.or_else(|| in_modules.clone()));
    let Some(printed) = module.backend.filter(|printed| *printed != backend) else { return compared };
    let message = format!("the template asks for a provider of `{printed}`, but `{backend}` is generated");
    let mut problems = compared.err().unwrap_or_default();
    problems.push(place(message, "terraform/versions.tf.j2", templates));
    Err(problems)
}

/// How many tables are read back at a time.
const PART: usize = 64;

/// What files beside the tables hold none of by themselves: it may say something of any table, wherever its file is.
const ADDITIONS: [&str; 4] = ["resource ", "module ", "provider ", "data "];

/// Whether a module, read back part by part so that its trees need not be held at once, is exactly its schema. A part is some
/// tables with the files that give names their meaning. What is not equal is looked at whole, for its reason.
fn terraform_in_parts(schema: &Schema, backend: Backend, artifacts: &[Artifact], verified: Tables<'_>) -> bool {
    if verified.all_stand(artifacts) {
        return true;
    }
    let labels: BTreeSet<&str> = schema.tables.values().map(|table| table.terraform_name.as_str()).collect();
    let (mut of_tables, mut shared) = (BTreeMap::new(), Vec::new());
    for artifact in artifacts {
        let label = artifact.path.as_str().strip_prefix("terraform/table_").and_then(|name| name.strip_suffix(".tf"));
        match label.filter(|label| labels.contains(label)) {
            Some(label) => _ = of_tables.insert(label, artifact),
            None => shared.push(artifact),
        }
    }
    // What belongs to a table may be of any of them; only a template of somebody's own puts it there.
    let adds = |file: &&Artifact| file.text.lines().any(|line| ADDITIONS.iter().any(|word| line.starts_with(word)));
    if shared.iter().any(adds) {
        return false;
    }
    let of = |table: &Table| of_tables.get(table.terraform_name.as_str()).copied();
    let defines = |file: &&Artifact| ["variable", "locals"].iter().any(|word| file.text.contains(word));
    let defining: Vec<&Artifact> = shared.iter().copied().filter(defines).collect();
    let is_read = |(key, table): &(&String, &Table)| !of(table).is_some_and(|file| verified.stand([key.as_str()], file));
    let tables: Vec<(&String, &Table)> = schema.tables.iter().filter(is_read).collect();
    // What is beside the tables holds something of each of them.
    let rest = tables.get(PART..).unwrap_or_default().chunks(PART);
    let parts = std::iter::once(tables.get(..PART).unwrap_or(&tables)).chain(rest);
    parts.enumerate().all(|(number, tables)| {
        let tables = schema.tables.only(tables.iter().map(|(key, _)| *key));
        let (beside, part) = if number == 0 {
            (&shared, Schema { tables, ..schema.without_tables() })
        } else {
            (&defining, Schema { tables, parameters: schema.parameters.clone(), ..Schema::default() })
        };
        let own = part.tables.values().filter_map(of);
        let Ok(module) = read_back(beside.iter().copied().chain(own), read::terraform::read) else { return false };
        module.backend.is_none_or(|printed| printed == backend)
            && part.project(Format::Terraform).in_words_of(&part, Format::Terraform)
                == module.schema.in_words_of(&part, Format::Terraform)
    })
}

/// Reads what was rendered. An error there is the template's: it has printed text that is not of its language, so it is told
/// with the printed line, which is in no file yet.
pub(crate) fn read_back<'a, T>(
    artifacts: impl IntoIterator<Item = &'a Artifact>,
    read: impl FnOnce(&SourceMap, &[FileId], &mut Sink) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let files: Vec<FileId> =
        artifacts.into_iter().map(|artifact| sources.add(artifact.path.clone(), artifact.text.clone())).collect();
    let mut sink = Sink::default();
    if let Some(found) = read(&sources, &files, &mut sink) {
        return Ok(found);
    }
    let errors = sink.into_sorted().into_iter().filter(Diagnostic::is_error);
    Err(errors
        .map(|problem| {
            let message = format!("what the templates print cannot be read back: {}", problem.message);
            let printed = problem.primary.map(|label| {
                let line = sources.position(label.span).line;
                let text = sources.text(label.span.file).lines().nth(line.saturating_sub(1)).unwrap_or_default();
                format!("line {line} of {}: `{}`", sources.path(label.span.file), text.trim())
            });
            let diagnostic = Diagnostic::nowhere(codes::TEMPLATE_LOSES, message);
            printed.into_iter().fold(diagnostic, Diagnostic::note)
        })
        .collect())
}
