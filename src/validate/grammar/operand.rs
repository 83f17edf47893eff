//! What an attribute is compared with: a parameter, a literal, or several of them.

use super::Flaw;
use super::lexer::Token;
use super::words::{Words, flaw};
use crate::model::{InValues, Literal, Operand};
use std::ops::Range;

impl Words<'_> {
    /// What stands behind `in`: a parameter, or a list of values.
    pub(super) fn in_values(&mut self, attribute: &str) -> Result<InValues, Flaw> {
        self.no_parameter()?;
        let range = self.range();
        match self.next() {
            Some((Token::Anonymous, _)) => return Ok(InValues::Parameter(attribute.to_owned())),
            Some((Token::Parameter(name), _)) => return Ok(InValues::Parameter(name)),
            Some((Token::Open, _)) => {}
            _ => {
                return Err(flaw(range, "expected `?`, a parameter or a list")
                    .help(format!("write `{attribute} in ?` or `{attribute} in ('x', 'y')`")));
            }
        }
        let mut values = Vec::new();
        loop {
            let number = format!("_{}", values.len() + 1);
            values.push(self.value(attribute, &number)?);
            let range = self.range();
            match self.next() {
                Some((Token::Comma, _)) => {}
                Some((Token::Close, _)) => return Ok(InValues::List(values)),
                _ => return Err(flaw(range, "expected `,` or `)`")),
            }
        }
    }

    /// `?` is named after its attribute, with a suffix where one attribute may have several.
    pub(super) fn value(&mut self, attribute: &str, suffix: &str) -> Result<Operand, Flaw> {
        self.no_parameter()?;
        let range = self.range();
        let value = match self.next() {
            Some((Token::Anonymous, _)) => Operand::Parameter([attribute, suffix].concat()),
            Some((Token::Parameter(name), _)) => Operand::Parameter(name),
            Some((Token::Text(text), _)) => Operand::Literal(Literal::Text(text)),
            Some((Token::Number(number), _)) => Operand::Literal(Literal::Number(number)),
            Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("true") => Operand::Literal(Literal::Bool(true)),
            Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("false") => Operand::Literal(Literal::Bool(false)),
            Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("null") => {
                return Err(
                    flaw(range, "there is no `null`").help("an attribute that is absent: `not exists`, in `filter` and `if`")
                );
            }
            Some((Token::Quoted(text), _)) => {
                return Err(flaw(range, "text stands in single quotes; double quotes are for names")
                    .instead(format!("'{}'", text.replace('\'', "''"))));
            }
            Some((Token::Word(word), _)) => {
                return Err(flaw(range, format!("`{word}` is no value"))
                    .help(format!("write `?`, `:{word}` for a parameter, or `'{word}'` for a text")));
            }
            None => return Err(flaw(range, "a value is missing").help("write `?` for a parameter")),
            Some(_) => {
                return Err(
                    flaw(range, "expected a value").help("a value is `?`, `:name`, `'text'`, a number, `true` or `false`")
                );
            }
        };
        let sign = self.range();
        match self.peek() {
            Some(Token::Operator(operator @ ("+" | "-" | "*" | "/" | "%"))) => Err(arithmetic(sign, operator)),
            Some(Token::Number(number)) if number.starts_with('-') => Err(arithmetic(sign, "-")),
            _ => Ok(value),
        }
    }
}

impl Words<'_> {
    /// No parameter comes next, where there is no request that could bring its value.
    fn no_parameter(&self) -> Result<(), Flaw> {
        if !self.all_written || !matches!(self.peek(), Some(Token::Anonymous | Token::Parameter(_))) {
            return Ok(());
        }
        Err(flaw(self.range(), "which items have a key is decided when they are written: no request brings a value")
            .help("write the value: `'OPEN'`, `5`, `true`"))
    }
}

/// A condition that calculates.
pub(super) fn arithmetic(range: Range<usize>, sign: &str) -> Flaw {
    flaw(range, format!("`{sign}`: conditions do not calculate")).help("let the caller pass the result as a parameter")
}
