//! The template engine: embedded templates, a platform team's own laid over them, and values that become correct literals
//! of the language by the template's file name.
//!
//! - `{{ value }}` prints a literal: text is quoted and escaped, a list or a map is an error ("loop over it").
//! - The language is that of the *root* template (`.tf.j2`, `.yaml.j2`, `.cql.j2`); what it extends or includes follows it.
//! - `{% extends "gen/terraform/table.tf.j2" %}` reaches the embedded template of that name from the overlay's own.
//! - All see `vars`, the team's own data, and `gen.context`, the version of what templates are given.
//! - Undefined values, endless loops and endless recursion are errors with their place.

use super::literal;
use crate::diagnostic::{Diagnostic, Sink, codes, nearest};
use crate::schema::cql;
use crate::source::{FileId, SourceMap, Span};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ObjectRepr, Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
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

/// The prefix by which an overlay reaches the embedded template that it replaces.
const EMBEDDED_PREFIX: &str = "gen/";

/// The version of what templates are given, which `docs/templates.md` documents. It rises when a value goes or means something
/// else; a value that comes does not raise it.
pub const CONTEXT: u32 = 1;

/// Steps a single rendering may take: far more than any model needs, a few seconds at most.
const FUEL: u64 = 20_000_000;

/// How deep templates may include and call one another.
const RECURSION: usize = 64;

/// A finished piece of source text: `var.environment`, `!Ref Environment`, an identifier. Templates print it as it is.
/// Only this crate makes them; a template cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Literal(String);

impl Literal {
    /// Takes source text as it is; the caller vouches for it.
    pub(crate) fn verbatim(source: impl Into<String>) -> Self {
        Self(source.into())
    }
}

/// What a [`Literal`] becomes when a template makes it a part of a longer text. The formatter refuses it: the result would
/// show the source of an expression instead of its value. A noncharacter, which no text may hold.
const PART_OF_TEXT: char = '\u{fdd0}';

impl Object for Literal {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PART_OF_TEXT}{}", self.0)
    }
}

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_object(self.clone()).serialize(serializer)
    }
}

/// A language that templates are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Language {
    Hcl,
    Yaml,
    Cql,
}

impl Language {
    const ALL: [Self; 3] = [Self::Hcl, Self::Yaml, Self::Cql];

    /// By the root template's file name.
    fn of(template: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| template.ends_with(language.suffix()))
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Hcl => ".tf.j2",
            Self::Yaml => ".yaml.j2",
            Self::Cql => ".cql.j2",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Hcl => "hcl",
            Self::Yaml => "yaml",
            Self::Cql => "cql",
        }
    }

    fn string(self, text: &str) -> String {
        match self {
            Self::Hcl => literal::hcl::string(text),
            Self::Yaml => literal::yaml::scalar(text),
            Self::Cql => cql::string(text),
        }
    }

    fn format(self, out: &mut Output, state: &State, value: &Value) -> Result<(), Error> {
        let refuse = |why: String| Err(Error::new(ErrorKind::InvalidOperation, why));
        if !matches!(state.auto_escape(), AutoEscape::Custom(name) if name == self.name()) {
            return refuse("`{% autoescape %}` is not available: every value becomes a literal of the language".to_owned());
        }
        if let Some(literal) = value.downcast_object_ref::<Literal>() {
            return Ok(out.write_str(&literal.0)?);
        }
        match value.kind() {
            // What a macro or a `{% set %}` block printed: its values are literals already.
            ValueKind::String if value.is_safe() => Ok(out.write_str(value.as_str().unwrap_or_default())?),
            ValueKind::String => {
                let text = value.as_str().unwrap_or_default();
                if !text.is_ascii() && text.contains(PART_OF_TEXT) {
                    return refuse(
                        "a value with parameters cannot be a part of a longer text: print it alone, or refer to the resource"
                            .to_owned(),
                    );
                }
                Ok(out.write_str(&self.string(text))?)
            }
            ValueKind::Bool => Ok(out.write_str(if value.is_true() { "true" } else { "false" })?),
            ValueKind::Number => Ok(write!(out, "{value}")?),
            ValueKind::None => Ok(out.write_str("null")?),
            ValueKind::Undefined => Err(Error::new(ErrorKind::UndefinedError, "nothing has that name here")),
            ValueKind::Seq | ValueKind::Map | ValueKind::Iterable => {
                refuse(format!("a {} is not a single value: loop over it", value.kind()))
            }
            other => refuse(format!("a {other} cannot be printed")),
        }
    }

    fn environment(self, overlay: &Arc<BTreeMap<String, Overlay>>) -> Environment<'static> {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        if let Ok(syntax) = syntax.build() {
            environment.set_syntax(syntax);
        }
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(RECURSION);
        environment.set_auto_reload(false);
        environment.set_auto_escape_callback(move |_| AutoEscape::Custom(self.name().into()));
        environment.set_formatter(move |out, state, value| self.format(out, state, value));
        for makes_raw_text in ["safe", "tojson", "urlencode"] {
            environment.remove_filter(makes_raw_text);
        }
        environment.add_filter("comment", comment);
        environment.add_filter("identifier", identifier);
        let overlay = Arc::clone(overlay);
        environment.set_loader(move |name| {
            let text = match name.strip_prefix(EMBEDDED_PREFIX) {
                Some(name) => embedded(name).map(ToOwned::to_owned),
                None => overlay.get(name).map(|file| file.text.clone()).or_else(|| embedded(name).map(ToOwned::to_owned)),
            };
            Ok(text)
        });
        environment
    }
}

/// Text for one line of a comment: control characters and line ends become spaces. The template writes the comment's sign.
fn comment(value: &Value) -> Result<Value, Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    if let Some(text) = value.as_str().filter(|text| is_one_line(text)) {
        return Ok(Value::from_safe_string(text.to_owned()));
    }
    let invisible = |character: char| literal::is_invisible(character) || character == PART_OF_TEXT;
    let clean: String = value.to_string().chars().map(|character| if invisible(character) { ' ' } else { character }).collect();
    Ok(Value::from_safe_string(clean.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Whether a text is one line of visible characters already, its words one space apart.
fn is_one_line(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// A text as a bare name in the source, as a part of a reference. Only a text that is one.
fn identifier(value: &Value) -> Result<Value, Error> {
    let text = value.as_str().unwrap_or_default();
    let mut letters = text.chars();
    let starts = letters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    if starts && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-')) {
        return Ok(Value::from_safe_string(text.to_owned()));
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("`{value}` is not an identifier")))
}

fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// One file of an overlay.
#[derive(Clone, Debug)]
struct Overlay {
    file: FileId,
    text: String,
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
    /// A file that replaces no template and that no other file names is Error `unknown-template`.
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
        text.split("{%").skip(1).filter_map(|tag| {
            let words = tag.trim_start_matches(['-', '+']).trim_start().strip_prefix("block ")?;
            words.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).find(|word| !word.is_empty())
        })
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
                let range = innermost.range().unwrap_or_else(|| line_range(&overlay.text, innermost.line().unwrap_or(1)));
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

/// What templates were given, for the test that holds `docs/templates.md` to it.
#[cfg(test)]
pub(crate) mod record {
    use minijinja::Value;
    use minijinja::value::ValueKind;
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};

    type Given = BTreeMap<String, BTreeSet<String>>;

    thread_local! {
        static GIVEN: RefCell<Given> = RefCell::default();
    }

    /// Root template → paths of its values (`tables.name`), of all renderings of this thread.
    pub(crate) fn take() -> Given {
        GIVEN.take()
    }

    pub(super) fn add(template: &str, context: &Value) {
        GIVEN.with_borrow_mut(|given| walk("", context, given.entry(template.to_owned()).or_default()));
    }

    fn walk(path: &str, value: &Value, found: &mut BTreeSet<String>) {
        match value.kind() {
            ValueKind::Map => {
                for key in value.try_iter().unwrap() {
                    let below = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                    walk(&below, &value.get_item(&key).unwrap(), found);
                    found.insert(below);
                }
            }
            ValueKind::Seq => value.try_iter().unwrap().for_each(|item| walk(path, &item, found)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
