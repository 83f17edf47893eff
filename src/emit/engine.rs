//! The template engine: embedded templates, a platform team's own laid over them, and values that become correct literals
//! of the language by the template's file name.
//!
//! - `{{ value }}` prints a literal: text is quoted and escaped, a list or a map is an error ("loop over it").
//! - The language is that of the *root* template (`.tf.j2`, `.yaml.j2`, `.cql.j2`); what it extends or includes follows it.
//! - `{% extends "gen/terraform/table.tf.j2" %}` reaches the embedded template of that name from the overlay's own.
//! - All see `vars`, the team's own data, and `gen.context`, the version of what templates are given.
//! - Undefined values, endless loops and endless recursion are errors with their place.

mod blocks;
mod language;
#[cfg(test)]
pub(crate) mod record;

pub(crate) use language::Literal;

use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::source::{FileId, SourceMap, Span};
use language::{EMBEDDED_PREFIX, Language};
use minijinja::value::Serde;
use minijinja::{Environment, Error, Value};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The templates of this build, by name.
const EMBEDDED: &[(&str, &str)] = &[
    ("cloudformation/autoscaling.yaml.j2", include_str!("../../templates/cloudformation/autoscaling.yaml.j2")),
    ("cloudformation/index.yaml.j2", include_str!("../../templates/cloudformation/index.yaml.j2")),
    ("cloudformation/keyspaces.yaml.j2", include_str!("../../templates/cloudformation/keyspaces.yaml.j2")),
    ("cloudformation/keyspaces_table.yaml.j2", include_str!("../../templates/cloudformation/keyspaces_table.yaml.j2")),
    ("cloudformation/replica.yaml.j2", include_str!("../../templates/cloudformation/replica.yaml.j2")),
    ("cloudformation/outputs.yaml.j2", include_str!("../../templates/cloudformation/outputs.yaml.j2")),
    ("cloudformation/table.yaml.j2", include_str!("../../templates/cloudformation/table.yaml.j2")),
    ("cloudformation/template.yaml.j2", include_str!("../../templates/cloudformation/template.yaml.j2")),
    ("cql/index.cql.j2", include_str!("../../templates/cql/index.cql.j2")),
    ("cql/keyspace.cql.j2", include_str!("../../templates/cql/keyspace.cql.j2")),
    ("cql/migration.cql.j2", include_str!("../../templates/cql/migration.cql.j2")),
    ("cql/schema.cql.j2", include_str!("../../templates/cql/schema.cql.j2")),
    ("cql/table.cql.j2", include_str!("../../templates/cql/table.cql.j2")),
    ("cql/type.cql.j2", include_str!("../../templates/cql/type.cql.j2")),
    ("cql/view.cql.j2", include_str!("../../templates/cql/view.cql.j2")),
    ("terraform/imports.tf.j2", include_str!("../../templates/terraform/imports.tf.j2")),
    ("terraform/keyspaces_keyspace.tf.j2", include_str!("../../templates/terraform/keyspaces_keyspace.tf.j2")),
    ("terraform/keyspaces_outputs.tf.j2", include_str!("../../templates/terraform/keyspaces_outputs.tf.j2")),
    ("terraform/keyspaces_table.tf.j2", include_str!("../../templates/terraform/keyspaces_table.tf.j2")),
    ("terraform/moved.tf.j2", include_str!("../../templates/terraform/moved.tf.j2")),
    ("terraform/outputs.tf.j2", include_str!("../../templates/terraform/outputs.tf.j2")),
    ("terraform/removed.tf.j2", include_str!("../../templates/terraform/removed.tf.j2")),
    ("terraform/table.tf.j2", include_str!("../../templates/terraform/table.tf.j2")),
    ("terraform/variables.tf.j2", include_str!("../../templates/terraform/variables.tf.j2")),
    ("terraform/versions.tf.j2", include_str!("../../templates/terraform/versions.tf.j2")),
];

/// The version of what templates are given, which `docs/templates.md` documents. It rises when a value goes or means something
/// else; a value that comes does not raise it.
pub const CONTEXT: u32 = 1;

fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// One file of an overlay.
#[derive(Clone, Debug)]
struct Overlay {
    file: FileId,
    text: String,
}

/// A part of what templates are given, made once and given at several places.
#[derive(Clone, Debug)]
pub(crate) struct Given(Value);

impl Given {
    pub(crate) fn new(part: &impl Serialize) -> Self {
        Self(Value::from(Serde(part)))
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Templates, ready to render.
#[derive(Debug)]
pub struct Templates {
    overlay: Arc<BTreeMap<String, Overlay>>,
    environments: BTreeMap<Language, Environment<'static>>,
}

impl Default for Templates {
    fn default() -> Self {
        Self::with(BTreeMap::new())
    }
}

impl Templates {
    /// The embedded templates with a team's own laid over them: name (`terraform/table.tf.j2`) → file.
    /// A file that replaces no template and that no other file names is Error `unknown-template`, a block that nothing prints
    /// Error `unknown-block`.
    #[must_use]
    pub fn new(overlay: &BTreeMap<String, FileId>, sources: &SourceMap, sink: &mut Sink) -> Self {
        let overlay: BTreeMap<String, Overlay> =
            overlay.iter().map(|(name, &file)| (name.clone(), Overlay { file, text: sources.text(file).to_owned() })).collect();
        for (name, file) in &overlay {
            let named = || {
                let quotes = [format!("\"{name}\""), format!("'{name}'")];
                overlay
                    .iter()
                    .any(|(other, file)| other != name && quotes.iter().any(|quoted| file.text.contains(quoted.as_str())))
            };
            if embedded(name).is_none() && !named() {
                let place = Span::new(file.file, 0, 0);
                let message = format!("`{name}` replaces no template, and no other template includes it");
                let mut diagnostic = Diagnostic::new(codes::UNKNOWN_TEMPLATE, place, message);
                if let Some(near) = nearest(name, EMBEDDED.iter().map(|(name, _)| *name)) {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
                sink.push(diagnostic);
            }
        }
        blocks::check(&overlay, sink);
        Self::with(overlay)
    }

    fn with(overlay: BTreeMap<String, Overlay>) -> Self {
        let overlay = Arc::new(overlay);
        let environments = Language::ALL.into_iter().map(|language| (language, language.environment(&overlay))).collect();
        let mut templates = Self { overlay, environments };
        templates.see("vars", &serde_json::Value::Object(serde_json::Map::new()));
        templates.see("gen", &serde_json::json!({ "context": CONTEXT }));
        templates
    }

    /// The same with a team's own data: what templates see as `vars`.
    #[must_use]
    pub fn with_vars(mut self, vars: &serde_json::Map<String, serde_json::Value>) -> Self {
        self.see("vars", vars);
        self
    }

    fn see(&mut self, name: &'static str, value: &impl Serialize) {
        for environment in self.environments.values_mut() {
            environment.add_global(name, Value::from(Serde(value)));
        }
    }

    /// Names of the embedded templates, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// The text of an embedded template.
    #[must_use]
    pub fn embedded(name: &str) -> Option<&'static str> {
        embedded(name)
    }

    /// Names of the team's own files, sorted.
    pub fn own(&self) -> impl Iterator<Item = (&str, FileId)> {
        self.overlay.iter().map(|(name, overlay)| (name.as_str(), overlay.file))
    }

    /// The blocks of a template's text, in their order.
    pub fn blocks(text: &str) -> impl Iterator<Item = &str> {
        blocks::names(text)
    }

    /// The overlay's file of a template, when the team replaced it.
    #[must_use]
    pub fn replaced(&self, name: &str) -> Option<FileId> {
        self.overlay.get(name).map(|overlay| overlay.file)
    }

    /// Renders one template. Whatever goes wrong in it is Error `template-failed`.
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, Box<Diagnostic>> {
        let environment = Language::of(name).and_then(|language| self.environments.get(&language));
        let Some(environment) = environment else {
            let message = format!("`{name}` is no template of a known language (`.tf.j2`, `.yaml.j2`, `.cql.j2`)");
            return Err(Box::new(Diagnostic::nowhere(codes::TEMPLATE_FAILED, message)));
        };
        let context = Value::from(Serde(context));
        #[cfg(test)]
        record::add(name, &context);
        environment
            .get_template(name)
            .and_then(|template| template.render(context))
            .map_err(|error| Box::new(self.diagnose(name, &error)))
    }

    /// The innermost error says what is wrong; those around it say how it was reached.
    fn diagnose(&self, root: &str, error: &Error) -> Diagnostic {
        let mut chain = vec![error];
        while let Some(inner) = chain.last().and_then(|last| std::error::Error::source(*last)?.downcast_ref::<Error>()) {
            chain.push(inner);
        }
        let innermost = chain.last().copied().unwrap_or(error);
        let name = innermost.name().unwrap_or(root);
        let what = match innermost.detail() {
            Some(detail) => format!("{}: {detail}", innermost.kind()),
            None => innermost.kind().to_string(),
        };
        let message = format!("the template `{name}` failed: {what}");
        let mut diagnostic = match self.overlay.get(name) {
            Some(overlay) => {
                // What is rendered has no line ends of Windows, so that a place in it is one of the file only by its line.
                let range = innermost.range().filter(|_| !overlay.text.contains('\r'));
                let range = range.unwrap_or_else(|| line_range(&overlay.text, innermost.line().unwrap_or(1)));
                Diagnostic::new(codes::TEMPLATE_FAILED, Span::new(overlay.file, range.start, range.end), message)
            }
            None => Diagnostic::nowhere(codes::TEMPLATE_FAILED, format!("{message} (line {})", innermost.line().unwrap_or(1))),
        };
        if name != root {
            diagnostic = diagnostic.note(format!("reached while rendering `{root}`"));
        }
        diagnostic
    }
}

/// The bytes of one line, counted from 1, without its end.
fn line_range(text: &str, line: usize) -> std::ops::Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let length = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
    start..start + length
}

#[cfg(test)]
mod tests;
