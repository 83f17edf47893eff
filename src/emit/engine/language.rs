//! The languages that templates are written in, and how a value becomes a literal of each.

use super::{Overlay, blocks, embedded};
use crate::emit::literal;
use crate::schema::cql;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Object, ObjectRepr, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The prefix by which an overlay reaches the embedded template that it replaces.
pub(super) const EMBEDDED_PREFIX: &str = "gen/";

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
pub(super) enum Language {
    Hcl,
    Yaml,
    Cql,
}

impl Language {
    pub(super) const ALL: [Self; 3] = [Self::Hcl, Self::Yaml, Self::Cql];

    /// By the root template's file name.
    pub(super) fn of(template: &str) -> Option<Self> {
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

    fn string(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Hcl => literal::hcl::string(text).into(),
            Self::Yaml => literal::yaml::scalar(text),
            Self::Cql => cql::string(text).into(),
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

    pub(super) fn environment(self, overlay: &Arc<BTreeMap<String, Overlay>>) -> Environment<'static> {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        if let Ok(syntax) = syntax.build() {
            environment.set_syntax(syntax);
        }
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        // The embedded templates end; to count their steps takes a tenth of a rendering.
        environment.set_fuel((!overlay.is_empty()).then_some(FUEL));
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
        let replaces_blocks = overlay.values().any(|file| blocks::extends(&file.text));
        let embedded =
            move |name: &str| embedded(name).map(|text| if replaces_blocks { text.to_owned() } else { blocks::dissolved(text) });
        environment.set_loader(move |name| {
            Ok(match name.strip_prefix(EMBEDDED_PREFIX) {
                Some(name) => embedded(name),
                None => overlay.get(name).map(|file| file.text.replace("\r\n", "\n")).or_else(|| embedded(name)),
            })
        });
        environment
    }
}

/// Text for one line of a comment, of a list its items with commas between them: control characters and line ends become
/// spaces. The template writes the comment's sign.
fn comment(value: &Value) -> Result<Value, Error> {
    let text: Cow<'_, str> = match value.kind() {
        ValueKind::Undefined => return Err(ErrorKind::UndefinedError.into()),
        ValueKind::Seq => listed(value)?.into(),
        _ => value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed),
    };
    if is_one_line(&text) {
        return Ok(Value::from_safe_string(text.into_owned()));
    }
    let invisible = |character: char| literal::is_invisible(character) || character == PART_OF_TEXT;
    let clean: String = text.chars().map(|character| if invisible(character) { ' ' } else { character }).collect();
    Ok(Value::from_safe_string(clean.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// About how long a list in a comment gets, in bytes.
const LIST: usize = 64;

/// The items of a list with commas between them.
fn listed(list: &Value) -> Result<String, Error> {
    let mut text = String::with_capacity(LIST);
    for (number, item) in list.try_iter()?.enumerate() {
        if number > 0 {
            text.push_str(", ");
        }
        match item.as_str() {
            Some(item) => text.push_str(item),
            None => text.push_str(&item.to_string()),
        }
    }
    Ok(text)
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
