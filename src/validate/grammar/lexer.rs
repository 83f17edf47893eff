//! Tokens of conditions.

use super::Flaw;
use crate::diagnostic::codes;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A word without quotes.
    Word(String),
    /// A name in double quotes.
    Quoted(String),
    /// Text in single quotes.
    Text(String),
    Number(String),
    /// `?`
    Anonymous,
    /// `:name`
    Parameter(String),
    /// `=`, `<=`, … and what is no operator: `==`, `<>`, `+`
    Operator(&'static str),
    Open,
    Close,
    Comma,
}

/// A token and its place.
pub(crate) type Placed = (Token, Range<usize>);

const OPERATORS: [&str; 16] = ["==", "<>", "<=", ">=", "!=", "&&", "||", "=", "<", ">", "+", "*", "/", "%", "!", "-"];

/// Splits a condition into tokens.
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed>, Flaw> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or_default();
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, width) = token(rest, at)?;
        tokens.push((token, at..at + width));
        at += width;
    }
    Ok(tokens)
}

fn token(rest: &str, at: usize) -> Result<(Token, usize), Flaw> {
    let first = rest.chars().next().unwrap_or_default();
    let after = rest.get(first.len_utf8()..).unwrap_or_default();
    let run = |text: &str, fits: fn(char) -> bool| text.find(|next| !fits(next)).unwrap_or(text.len());
    let number = |rest: &str| {
        let width = run(rest, |next| next.is_ascii_digit() || next == '.');
        rest.get(..width).unwrap_or_default().trim_end_matches('.').to_owned()
    };
    Ok(match first {
        '?' => (Token::Anonymous, 1),
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        ',' => (Token::Comma, 1),
        '\'' | '"' => {
            let (value, width) = quoted(rest, first, at)?;
            (if first == '"' { Token::Quoted(value) } else { Token::Text(value) }, width)
        }
        ':' => {
            let width = run(after, is_word);
            let name = after.get(..width).unwrap_or_default();
            if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
                return Err(Flaw::new(codes::BAD_CONDITION, at..at + 1 + width, "a parameter is `:` and a name"));
            }
            (Token::Parameter(name.to_owned()), 1 + width)
        }
        '-' if after.starts_with(|next: char| next.is_ascii_digit()) => {
            let digits = number(after);
            (Token::Number(format!("-{digits}")), 1 + digits.len())
        }
        _ if first.is_ascii_digit() => {
            let digits = number(rest);
            let width = digits.len();
            (Token::Number(digits), width)
        }
        _ if is_word(first) => {
            let width = run(rest, is_word);
            (Token::Word(rest.get(..width).unwrap_or_default().to_owned()), width)
        }
        _ => match OPERATORS.into_iter().find(|operator| rest.starts_with(operator)) {
            Some(operator) => (Token::Operator(operator), operator.len()),
            None => {
                return Err(Flaw::new(codes::BAD_CONDITION, at..at + first.len_utf8(), format!("`{first}` has no meaning here")));
            }
        },
    })
}

fn is_word(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_'
}

/// Text in quotes; a doubled quote stands for one.
fn quoted(rest: &str, quote: char, at: usize) -> Result<(String, usize), Flaw> {
    let mut value = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((offset, next)) = characters.next() {
        if next != quote {
            value.push(next);
        } else if characters.next_if(|(_, next)| *next == quote).is_some() {
            value.push(quote);
        } else {
            return Ok((value, offset + 1));
        }
    }
    Err(Flaw::new(codes::BAD_CONDITION, at..at + rest.len(), format!("the quote `{quote}` is never closed")))
}
