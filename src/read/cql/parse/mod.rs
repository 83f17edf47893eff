//! Tokens to statements. One bad statement does not hide the next: after an error reading goes on behind the next `;`, or
//! at the next line that starts a statement.

mod carried;
mod cursor;
mod index;
mod keyspace;
mod table;
mod value;
mod view;

use super::ast::{Body, Statement};
use super::lexer::{Kind, Token};
use crate::diagnostic::Sink;
use crate::schema::Engine;
use crate::source::Span;
use cursor::{Cursor, Parsed};

/// The statements of one file, for an engine where that is known; what cannot be read is told.
pub(super) fn parse(text: &str, tokens: &[Token], engine: Option<Engine>, sink: &mut Sink) -> Vec<Statement> {
    let mut cursor = Cursor::new(text, tokens, engine);
    let mut statements = Vec::new();
    while cursor.peek().is_some() {
        if cursor.eat_symbol(";") {
            continue;
        }
        let start = cursor.position();
        match statement(&mut cursor) {
            Ok(body) => {
                let condition = condition(&cursor, start, &body);
                statements.extend(cursor.span_since(start).map(|span| Statement { span, condition, body }));
            }
            Err(diagnostic) => {
                sink.push(*diagnostic);
                recover(&mut cursor, start);
            }
        }
    }
    statements
}

/// The condition of an ALTER that has been read: every engine reserves the word IF, so that it is nothing else.
fn condition(cursor: &Cursor, start: usize, body: &Body) -> Option<Span> {
    let tokens = cursor.since(start);
    let is = |at: usize, word: &str| {
        tokens.get(at).is_some_and(|token| token.kind == Kind::Word && cursor.text(token).eq_ignore_ascii_case(word))
    };
    if !is(0, "ALTER") || !matches!(body, Body::Keyspace(_) | Body::Type(_) | Body::Table(_) | Body::View(_)) {
        return None;
    }
    let at = (1..tokens.len()).find(|at| is(*at, "IF"))?;
    let end = (at..tokens.len()).find(|at| is(*at, "EXISTS"))?;
    Some(tokens.get(at)?.span.to(tokens.get(end)?.span))
}

fn statement(cursor: &mut Cursor) -> Parsed<Body> {
    let body = if cursor.eat_word("CREATE") {
        create(cursor)?
    } else if cursor.eat_word("ALTER") {
        alter(cursor)?
    } else if cursor.eat_word("DROP") {
        drop(cursor)?
    } else if cursor.eat_word("USE") {
        Body::Use(cursor.name("the name of a keyspace")?)
    } else if cursor.peek().is_some_and(|next| next.kind == Kind::Omitted) {
        cursor.advance();
        Body::Omitted(cursor.qualified("the name of a table")?)
    } else {
        carried::other(cursor)?
    };
    let ends_by_itself = match body {
        Body::Skipped(_) | Body::Truncate(_) => cursor.peek().is_some_and(|next| next.starts_line),
        Body::Omitted(_) => true,
        _ => false,
    };
    if cursor.peek().is_some() && !cursor.is_symbol(0, ";") && !ends_by_itself {
        return Err(cursor.expected("`;`"));
    }
    Ok(body)
}

fn create(cursor: &mut Cursor) -> Parsed<Body> {
    if cursor.eat_word("KEYSPACE") || cursor.eat_word("SCHEMA") {
        keyspace::create_keyspace(cursor)
    } else if cursor.eat_word("TYPE") {
        keyspace::create_type(cursor)
    } else if cursor.eat_word("TABLE") || cursor.eat_word("COLUMNFAMILY") {
        table::create(cursor)
    } else if cursor.eat_words(&["CUSTOM", "INDEX"]) {
        index::create(cursor, true)
    } else if cursor.eat_word("INDEX") {
        index::create(cursor, false)
    } else if cursor.eat_words(&["MATERIALIZED", "VIEW"]) {
        view::create(cursor)
    } else {
        cursor.eat_words(&["OR", "REPLACE"]);
        carried::create(cursor, false)
    }
}

fn alter(cursor: &mut Cursor) -> Parsed<Body> {
    if cursor.eat_word("KEYSPACE") || cursor.eat_word("SCHEMA") {
        keyspace::alter_keyspace(cursor)
    } else if cursor.eat_word("TYPE") {
        keyspace::alter_type(cursor)
    } else if cursor.eat_word("TABLE") || cursor.eat_word("COLUMNFAMILY") {
        table::alter(cursor)
    } else if cursor.eat_words(&["MATERIALIZED", "VIEW"]) {
        view::alter(cursor)
    } else {
        carried::create(cursor, true)
    }
}

fn drop(cursor: &mut Cursor) -> Parsed<Body> {
    if cursor.eat_word("KEYSPACE") || cursor.eat_word("SCHEMA") {
        keyspace::drop_keyspace(cursor)
    } else if cursor.eat_word("TYPE") {
        keyspace::drop_type(cursor)
    } else if cursor.eat_word("TABLE") || cursor.eat_word("COLUMNFAMILY") {
        table::drop(cursor)
    } else if cursor.eat_word("INDEX") {
        index::drop(cursor)
    } else if cursor.eat_words(&["MATERIALIZED", "VIEW"]) {
        view::drop(cursor)
    } else {
        carried::drop(cursor)
    }
}

/// What follows CREATE, ALTER or DROP at the start of a statement, but not inside one.
const OBJECTS: &[&str] =
    &["KEYSPACE", "SCHEMA", "TYPE", "TABLE", "COLUMNFAMILY", "INDEX", "CUSTOM", "MATERIALIZED", "FUNCTION", "AGGREGATE", "OR"];

/// Behind the next `;`, or to the next line that starts a statement (its `;` may be what is missing).
fn recover(cursor: &mut Cursor, start: usize) {
    while let Some(token) = cursor.peek() {
        let begins = token.starts_line
            && cursor.position() > start
            && ["CREATE", "ALTER", "DROP"].iter().any(|word| cursor.is_word(0, word))
            && OBJECTS.iter().any(|word| cursor.is_word(1, word));
        if begins || cursor.eat_symbol(";") {
            return;
        }
        cursor.advance();
    }
}
