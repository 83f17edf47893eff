//! The words of a condition or an order, one after the other, and the attribute that either begins with.

use super::Flaw;
use super::lexer::{Placed, Token};
use crate::diagnostic::codes;
use crate::source::{Inside, Span, Spanned};
use std::ops::Range;

/// What is wrong with a condition or an order.
pub(super) fn flaw(range: Range<usize>, message: impl Into<String>) -> Flaw {
    Flaw::new(codes::BAD_CONDITION, range, message)
}

/// Where reading stands in a text.
pub(super) struct Words<'a> {
    text: &'a str,
    tokens: &'a [Placed],
    at: usize,
    inside: &'a Inside,
    /// No value is a parameter.
    pub(super) all_written: bool,
}

impl<'a> Words<'a> {
    /// From the first word on.
    pub(super) fn new(text: &'a str, tokens: &'a [Placed], inside: &'a Inside) -> Self {
        Self { text, tokens, at: 0, inside, all_written: false }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.peek_at(0)
    }

    /// The token behind the next ones.
    pub(super) fn peek_at(&self, offset: usize) -> Option<&Token> {
        self.tokens.get(self.at + offset).map(|(token, _)| token)
    }

    /// The next token, where it is a word.
    pub(super) fn peek_word(&self) -> Option<&str> {
        if let Some(Token::Word(word)) = self.peek() { Some(word) } else { None }
    }

    /// Whether the next token is a word, in letters of any size.
    pub(super) fn is_next(&self, word: &str) -> bool {
        self.peek_word().is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    pub(super) fn next(&mut self) -> Option<Placed> {
        let next = self.tokens.get(self.at).cloned();
        self.at += 1;
        next
    }

    /// The place of the next token, else the end of the text.
    pub(super) fn range(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.text.len()..self.text.len(), |(_, range)| range.clone())
    }

    /// Where a token behind the next ones ends.
    pub(super) fn end_of(&self, offset: usize) -> Option<usize> {
        self.tokens.get(self.at + offset).map(|(_, range)| range.end)
    }

    /// Where the next `)` ends, else the text.
    pub(super) fn close(&self) -> usize {
        let close = self.tokens.iter().skip(self.at).find(|(token, _)| *token == Token::Close);
        close.map_or(self.text.len(), |(_, range)| range.end)
    }

    /// From a place to the end of the token that was read last.
    pub(super) fn span_since(&self, start: Range<usize>) -> Span {
        let end = self.tokens.get(self.at.saturating_sub(1)).map_or(start.end, |(_, range)| range.end);
        self.inside.part(start.start..end)
    }

    pub(super) fn source(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// An attribute, bare or in double quotes.
    pub(super) fn attribute(&mut self) -> Result<Spanned<String>, Flaw> {
        let range = self.range();
        match self.next() {
            Some((Token::Quoted(name), _)) if !name.is_empty() => Ok(Spanned::new(name, self.inside.part(range))),
            Some((Token::Word(word), _)) if KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword)) => {
                Err(flaw(range, format!("`{word}` is a keyword, not an attribute"))
                    .help(format!("an attribute of that name is written `\"{word}\"`")))
            }
            Some((Token::Word(word), _)) if !word.starts_with(|first: char| first.is_ascii_digit()) => {
                Ok(Spanned::new(word, self.inside.part(range)))
            }
            Some((Token::Open, _)) => Err(Flaw::new(
                codes::NOT_IN_FORMAT,
                range,
                "conditions on several attributes at once (tuples) are not in format 1",
            )
            .help("write one condition for each attribute")),
            Some((Token::Text(text), _)) => {
                Err(flaw(range, "a condition begins with an attribute").instead(format!("\"{text}\"")))
            }
            None => Err(flaw(range, "a condition is missing")),
            Some(_) => Err(flaw(range, "a condition begins with an attribute")),
        }
    }
}

/// Words that are no attribute unless quoted.
const KEYWORDS: [&str; 14] = [
    "and",
    "or",
    "not",
    "between",
    "in",
    "begins_with",
    "contains",
    "contains_key",
    "exists",
    "true",
    "false",
    "asc",
    "desc",
    "is",
];
