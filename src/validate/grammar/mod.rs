//! The grammars of the language: scalars with units, conditions, key templates, types, texts with parameters. Each reads a
//! text and gives a value, or a [`Flaw`] at a place inside the text.

pub(crate) mod condition;
mod lexer;
pub(crate) mod name;
mod operand;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod types;
pub(crate) mod units;
mod words;

use crate::diagnostic::{Code, Diagnostic, codes};
use crate::source::Inside;
use std::ops::Range;

/// What is wrong with a text, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// The code.
    pub(crate) code: Code,
    /// One sentence.
    pub(crate) message: String,
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    /// What to do.
    pub(crate) help: Option<String>,
    /// What to write instead of `range`.
    pub(crate) instead: Option<String>,
}

impl Flaw {
    /// A flaw at a place.
    pub(crate) fn new(code: Code, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), range, help: None, instead: None }
    }

    /// A value of the wrong grammar.
    pub(crate) fn value(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(codes::BAD_VALUE, range, message)
    }

    /// What to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to write instead.
    pub(crate) fn instead(mut self, text: impl Into<String>) -> Self {
        self.instead = Some(text.into());
        self
    }

    /// As a diagnostic.
    pub(crate) fn into_diagnostic(self, inside: &Inside) -> Diagnostic {
        let span = inside.part(self.range);
        let mut diagnostic = Diagnostic::new(self.code, span, self.message);
        diagnostic.help = self.help;
        match self.instead {
            Some(text) => diagnostic.suggest(format!("write `{text}`"), span, text),
            None => diagnostic,
        }
    }
}
