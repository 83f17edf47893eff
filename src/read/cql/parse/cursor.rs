//! The place in the tokens, and the small pieces every statement is made of.

use super::super::ast::{Name, QualifiedName};
use super::super::lexer::{Kind, Token};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::Engine;
use crate::schema::cql::{is_reserved_by, is_reserved_everywhere, is_type_name};
use crate::source::{Span, Spanned};

/// What was parsed, or what was expected instead.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// A place in the tokens of one file.
pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Whose statements they are, where that is known: what it reserves is no name.
    engine: Option<Engine>,
}

impl<'a> Cursor<'a> {
    /// At the first token. The last token must be the end of the file.
    pub(super) fn new(text: &'a str, tokens: &'a [Token], engine: Option<Engine>) -> Self {
        Self { text, tokens, at: 0, engine }
    }

    /// How many tokens lie behind.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Back to a position.
    pub(super) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// The token some places ahead; None beyond the end.
    pub(super) fn ahead(&self, by: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + by)
    }

    /// The next token, unless the file ends here.
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.ahead(0).filter(|token| token.kind != Kind::End)
    }

    /// The tokens since a position.
    pub(super) fn since(&self, position: usize) -> &'a [Token] {
        self.tokens.get(position..self.at).unwrap_or_default()
    }

    /// Goes over one token; stays at the end of the file.
    pub(super) fn advance(&mut self) {
        if self.peek().is_some() {
            self.at += 1;
        }
    }

    /// The place of the next token.
    pub(super) fn here(&self) -> Option<Span> {
        self.ahead(0).or(self.tokens.last()).map(|token| token.span)
    }

    /// From a position to the last token gone over.
    pub(super) fn span_since(&self, position: usize) -> Option<Span> {
        let tokens = self.since(position);
        Some(tokens.first()?.span.to(tokens.last()?.span))
    }

    /// The source text of a token.
    pub(super) fn text(&self, token: &Token) -> &'a str {
        self.text.get(token.span.range()).unwrap_or("")
    }

    /// Whether the token some places ahead is this bare word, in any case.
    pub(super) fn is_word(&self, by: usize, word: &str) -> bool {
        self.ahead(by).is_some_and(|token| token.kind == Kind::Word && self.text(token).eq_ignore_ascii_case(word))
    }

    /// Whether the next tokens are these bare words.
    pub(super) fn are_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(by, word)| self.is_word(by, word))
    }

    /// Whether the token some places ahead is this punctuation.
    pub(super) fn is_symbol(&self, by: usize, symbol: &str) -> bool {
        self.ahead(by).is_some_and(|token| token.kind == Kind::Symbol && self.text(token) == symbol)
    }

    /// Goes over these bare words when they are next.
    pub(super) fn eat_words(&mut self, words: &[&str]) -> bool {
        let found = self.are_words(words);
        if found {
            self.at += words.len();
        }
        found
    }

    /// Goes over a bare word when it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.eat_words(&[word])
    }

    /// Goes over punctuation when it is next.
    pub(super) fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(0, symbol);
        if found {
            self.at += 1;
        }
        found
    }

    /// Goes over bare words that must be next.
    pub(super) fn words(&mut self, words: &[&str]) -> Parsed<()> {
        for word in words {
            if !self.eat_word(word) {
                return Err(self.expected(word));
            }
        }
        Ok(())
    }

    /// Goes over punctuation that must be next.
    pub(super) fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// `IF NOT EXISTS`, when it is there.
    pub(super) fn if_not_exists(&mut self) -> bool {
        self.eat_words(&["IF", "NOT", "EXISTS"])
    }

    /// `IF EXISTS`, when it is there.
    pub(super) fn if_exists(&mut self) -> bool {
        self.eat_words(&["IF", "EXISTS"])
    }

    /// A name: bare (folded to lower case) or quoted.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        let Some(token) = self.peek() else { return Err(self.expected(what)) };
        let written = self.text(token);
        let value = match &token.kind {
            Kind::Quoted(name) if name.is_empty() => {
                return Err(Box::new(Diagnostic::new(codes::BAD_CQL, token.span, format!("an empty name for {what}"))));
            }
            Kind::Quoted(name) => name.clone(),
            Kind::Word | Kind::Constant => {
                let folded = written.to_ascii_lowercase();
                let by_all = is_reserved_everywhere(&folded);
                let by_engine = self.engine.filter(|engine| is_reserved_by(*engine, &folded));
                let reserved = token.kind == Kind::Word && (by_all || by_engine.is_some());
                let plain = written.bytes().all(|next| next.is_ascii_alphanumeric() || next == b'_');
                let starts = written.starts_with(|first: char| first.is_ascii_alphabetic());
                if reserved || !starts || !plain {
                    let note = if reserved {
                        let by = by_engine.filter(|_| !by_all).map_or("every engine", Engine::name);
                        format!("`{written}` is a word that {by} reserves: as a name it needs double quotes")
                    } else {
                        "a name needs double quotes unless it is ASCII letters, digits and `_`, a letter first".to_owned()
                    };
                    let quoted = format!("\"{written}\"");
                    let expected = self.expected(what).note(note);
                    let fix = format!("write `{quoted}`, if it is meant as a name");
                    return Err(Box::new(expected.suggest(fix, token.span, quoted)));
                }
                folded
            }
            _ => return Err(self.expected(what)),
        };
        self.at += 1;
        Ok(Spanned::new(value, token.span))
    }

    /// A name with or without a keyspace in front of it.
    pub(super) fn qualified(&mut self, what: &str) -> Parsed<QualifiedName> {
        let name = self.name(what)?;
        if self.eat_symbol(".") {
            let keyspace = Some(name);
            return Ok(QualifiedName { keyspace, name: self.name(what)? });
        }
        Ok(QualifiedName { keyspace: None, name })
    }

    /// The same for a type that is made: more words than elsewhere need quotes.
    pub(super) fn new_type(&mut self, what: &str) -> Parsed<QualifiedName> {
        let name = self.qualified(what)?;
        let last = self.at.saturating_sub(1);
        let is_bare = self.tokens.get(last).is_some_and(|token| token.kind != Kind::Quoted(name.name.value.clone()));
        if is_bare && !is_type_name(&name.name.value, self.engine) {
            self.at = last;
            let (written, span) = (&name.name.value, name.name.span);
            let note =
                format!("`{written}` is another type or a word of the language: as the name of a type it needs double quotes");
            let quoted = format!("\"{written}\"");
            let fix = format!("write `{quoted}`, if it is meant as a name");
            return Err(Box::new(self.expected(what).note(note).suggest(fix, span, quoted)));
        }
        Ok(name)
    }

    /// A string.
    pub(super) fn string(&mut self, what: &str) -> Parsed<Spanned<String>> {
        match self.peek() {
            Some(Token { kind: Kind::Text(text), span, .. }) => {
                self.at += 1;
                Ok(Spanned::new(text.clone(), *span))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// `( item, item )`, at least one; `trailing` allows a comma before the end.
    pub(super) fn list<T>(&mut self, trailing: bool, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.symbol("(")?;
        let mut items = vec![item(self)?];
        while self.eat_symbol(",") {
            if trailing && self.is_symbol(0, ")") {
                break;
            }
            items.push(item(self)?);
        }
        if !self.eat_symbol(")") {
            return Err(self.expected("`,` or `)`"));
        }
        Ok(items)
    }

    /// What stands here instead of what was expected.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let Some((token, span)) = self.ahead(0).or(self.tokens.last()).map(|token| (token, token.span)) else {
            return Box::new(Diagnostic::nowhere(codes::BAD_CQL, format!("expected {what}")));
        };
        let written = self.text(token);
        if token.kind == Kind::Placeholder {
            let message = format!("`{written}` is a placeholder of a template, not CQL");
            let help = "render the template first, and read what it gives";
            return Box::new(Diagnostic::new(codes::BAD_CQL, span, message).help(help));
        }
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            Kind::Text(_) => "a string".to_owned(),
            _ => format!("`{written}`"),
        };
        Box::new(Diagnostic::new(codes::BAD_CQL, span, format!("expected {what}, found {found}")))
    }
}
