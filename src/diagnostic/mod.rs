//! Everything `gen` has to say about a user's text.

mod code;
mod limit;

pub use code::{Code, CodeKind, codes};
pub use limit::{Limited, Limits, Thresholds, Unit, level};

use crate::source::Span;
use std::fmt::Write as _;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth knowing; counted, not shown in text.
    Info,
    /// Worth a look.
    Warning,
    /// The design will fail under its own numbers.
    Error,
}

/// An error is about the text or a hard limit and stops the run; a finding is a judgement about the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text is wrong; exit code 1.
    Error,
    /// A judgement with a level.
    Finding(Level),
}

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
}

/// Replacements that would mend the problem; together they are one fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What the fix does, in the imperative: "write `order: …`".
    pub message: String,
    /// Texts and the spans they replace; an empty span inserts.
    pub edits: Vec<(Span, String)>,
}

/// One thing to say about a user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, with its documentation.
    pub code: Code,
    /// Error or finding.
    pub severity: Severity,
    /// Where; None only when no text is at fault (a missing file has its own error).
    pub primary: Option<Label>,
    /// One sentence without a full stop, which names the thing.
    pub message: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// Facts that explain, one sentence each.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// A fix that can be applied as it stands.
    pub suggestion: Option<Box<Suggestion>>,
    /// The property of what it is about, by its path (`ttl.attribute`); empty for all of it.
    pub property: Option<String>,
    /// What it is about, the most specific first: an `allow` on one of them, or on what contains it, silences a finding.
    pub subjects: Vec<Subject>,
    /// The environments it holds in; none when it does not depend on one, or where there are none.
    pub environments: Vec<String>,
}

/// A thing of the model or of a schema that a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An access pattern; `create-account[0]` is an entry of one.
    Pattern(String),
    /// An entity.
    Entity(String),
    /// An entity and its attribute.
    Attribute(String, String),
    /// A user type.
    Type(String),
    /// A parameter.
    Parameter(String),
    /// A table, index, view or keyspace, by its address.
    Address(String),
}

impl Diagnostic {
    /// A diagnostic at a place, with the severity its code has by default.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { primary: Some(Label { span, text: String::new() }), ..Self::nowhere(code, message) }
    }

    /// A diagnostic at a place, where there is one.
    pub fn somewhere(code: Code, place: Option<Span>, message: impl Into<String>) -> Self {
        match place {
            Some(span) => Self::new(code, span, message),
            None => Self::nowhere(code, message),
        }
    }

    /// A diagnostic about no place in a text.
    pub fn nowhere(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: match code.kind() {
                CodeKind::Error => Severity::Error,
                CodeKind::Finding(level) => Severity::Finding(level),
            },
            message: visible(message.into()),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            suggestion: None,
            property: None,
            subjects: Vec::new(),
            environments: Vec::new(),
        }
    }

    /// Words for the underlined place itself.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Another place that matters.
    #[must_use]
    pub fn context(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// A fact that explains.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        // Nearly always the only one, of thousands of findings.
        self.notes.reserve_exact(1);
        self.notes.push(visible(text.into()));
        self
    }

    /// What to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(visible(text.into()));
        self
    }

    /// A fix: replace `span` by `text`.
    #[must_use]
    pub fn suggest(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.suggestion = Some(Box::new(Suggestion { message: message.into(), edits: vec![(span, text.into())] }));
        self
    }

    /// The table, index, view or keyspace it is about.
    #[must_use]
    pub fn at(self, address: impl std::fmt::Display) -> Self {
        self.about(Subject::Address(address.to_string()))
    }

    /// The property of what it is about.
    #[must_use]
    pub fn of_property(mut self, path: impl Into<String>) -> Self {
        self.property = Some(path.into());
        self
    }

    /// The access pattern it is about.
    #[must_use]
    pub fn of_pattern(self, name: impl Into<String>) -> Self {
        self.about(Subject::Pattern(name.into()))
    }

    /// The entity it is about.
    #[must_use]
    pub fn of_entity(self, name: impl Into<String>) -> Self {
        self.about(Subject::Entity(name.into()))
    }

    /// The attribute it is about.
    #[must_use]
    pub fn of_attribute(self, entity: impl Into<String>, name: impl Into<String>) -> Self {
        self.about(Subject::Attribute(entity.into(), name.into()))
    }

    /// Another thing it is about.
    #[must_use]
    pub fn about(mut self, subject: Subject) -> Self {
        self.subjects.reserve_exact(1);
        self.subjects.push(subject);
        self
    }

    /// Whether it is an error, not a finding.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The environments it holds in.
    #[must_use]
    pub fn in_environments<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.environments = names.into_iter().map(str::to_owned).collect();
        self
    }

    /// The first address among its subjects.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.subjects.iter().find_map(|subject| match subject {
            Subject::Address(address) => Some(address.as_str()),
            _ => None,
        })
    }

    /// Another level than the code's own, for a finding whose level depends on the numbers.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.severity = Severity::Finding(level);
        self
    }
}

/// Names and values come from files: their control characters are shown as escapes, so that a message stays one line and
/// cannot steer a terminal.
fn visible(text: String) -> String {
    // Nearly always it is ASCII, which is looked at in one go, without a stop at each byte.
    if text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~')) || !text.contains(char::is_control) {
        return text;
    }
    text.chars()
        .flat_map(|next| {
            let escaped = next.is_control().then(|| next.escape_default());
            let plain = escaped.is_none().then_some(next);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

/// Collects diagnostics; a stage pushes and goes on.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    /// Whether an error is among them. It is asked for often, and there can be thousands.
    has_errors: bool,
}

impl From<Vec<Diagnostic>> for Sink {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let has_errors = diagnostics.iter().any(Diagnostic::is_error);
        Self { diagnostics, has_errors }
    }
}

impl Sink {
    /// Takes one in.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.has_errors |= diagnostic.is_error();
        self.diagnostics.push(diagnostic);
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.diagnostics.reserve_exact(more);
    }

    /// Takes several in.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let has_errors = &mut self.has_errors;
        self.diagnostics.extend(diagnostics.into_iter().inspect(|diagnostic| *has_errors |= diagnostic.is_error()));
    }

    /// Whether any error (not finding) is in it.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// What is in it so far.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// All of it, in order of file and place, exact repetitions once.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        let place = |diagnostic: &Diagnostic| (diagnostic.primary.as_ref().map(|label| label.span), diagnostic.code.slug());
        // A large model has thousands: they are sorted once, and each is moved once. Few are at the same place.
        if self.diagnostics.is_sorted_by(|one, next| place(one) < place(next)) {
            return self.diagnostics;
        }
        self.diagnostics.sort_by_cached_key(place);
        for said in self.diagnostics.chunk_by_mut(|one, next| place(one) == place(next)) {
            said.sort_by(|one, next| one.message.cmp(&next.message));
        }
        self.diagnostics.dedup();
        self.diagnostics
    }
}

/// Names as a message lists them: "`a`, `b`, `c`".
pub fn listed(names: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let mut list = String::new();
    for name in names {
        let before = if list.is_empty() { "" } else { ", " };
        // Writing to a text cannot fail.
        let _ = write!(list, "{before}`{name}`");
    }
    list
}

/// Words as a sentence lists them: `a`, `b` and `c`.
pub(crate) fn in_words(words: impl IntoIterator<Item = String>) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// The first of some names as a sentence lists them, and how many more there are.
pub(crate) fn first_in_words(names: impl IntoIterator<Item = impl std::fmt::Display>, most: usize) -> String {
    let mut names = names.into_iter();
    let mut words: Vec<String> = names.by_ref().take(most).map(|name| format!("`{name}`")).collect();
    let more = names.count();
    words.extend((more > 0).then(|| format!("{more} more")));
    in_words(words)
}

/// The nearest of some known names, for "did you mean".
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(visible("größe `a\nb\u{1b}[31m`\t".into()), "größe `a\\nb\\u{1b}[31m`\\t");
        assert_eq!(visible("plain".into()), "plain");
    }
}
