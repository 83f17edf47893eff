//! Materialized views.

use super::super::ast::{Body, CreateView, Relation, ViewStatement};
use super::super::lexer::Kind;
use super::cursor::{Cursor, Parsed};
use super::table::primary_key;
use super::value::{canonical, properties, with};

const VIEW: &str = "the name of a view";
const COLUMN: &str = "the name of a column";

/// Behind `CREATE MATERIALIZED VIEW`.
pub(super) fn create(cursor: &mut Cursor) -> Parsed<Body> {
    let if_not_exists = cursor.if_not_exists();
    let name = cursor.qualified(VIEW)?;
    cursor.words(&["AS", "SELECT"])?;
    let columns = if cursor.eat_symbol("*") {
        None
    } else {
        let mut columns = vec![cursor.name("`*` or the name of a column")?];
        while cursor.eat_symbol(",") {
            columns.push(cursor.name(COLUMN)?);
        }
        Some(columns)
    };
    cursor.words(&["FROM"])?;
    let base = cursor.qualified("the name of a table")?;
    let mut relations = Vec::new();
    if cursor.eat_word("WHERE") {
        relations.push(relation(cursor)?);
        while cursor.eat_word("AND") {
            relations.push(relation(cursor)?);
        }
    }
    let key = primary_key(cursor)?;
    let properties = with(cursor)?;
    Ok(Body::View(ViewStatement::Create(Box::new(CreateView { name, if_not_exists, base, columns, relations, key, properties }))))
}

/// `column IS NOT NULL` or `column = value`.
fn relation(cursor: &mut Cursor) -> Parsed<Relation> {
    let column = cursor.name(COLUMN)?;
    if cursor.eat_words(&["IS", "NOT", "NULL"]) {
        return Ok(Relation { column, rest: "IS NOT NULL".to_owned() });
    }
    let symbols = ["=", "<", ">", "<=", ">=", "!="];
    let operator = if let Some(operator) = symbols.into_iter().find(|symbol| cursor.eat_symbol(symbol)) {
        operator
    } else if cursor.eat_word("IN") {
        "IN"
    } else if cursor.eat_words(&["CONTAINS", "KEY"]) {
        "CONTAINS KEY"
    } else if cursor.eat_word("CONTAINS") {
        "CONTAINS"
    } else if cursor.eat_word("LIKE") {
        "LIKE"
    } else {
        return Err(cursor.expected("IS NOT NULL or a comparison"));
    };
    let start = cursor.position();
    let mut depth = 0_usize;
    while let Some(token) = cursor.peek() {
        let symbol = if token.kind == Kind::Symbol { cursor.text(token) } else { "" };
        match symbol {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            ";" => break,
            _ if depth == 0 && (cursor.is_word(0, "AND") || cursor.is_word(0, "PRIMARY")) => break,
            _ => {}
        }
        cursor.advance();
    }
    if cursor.position() == start {
        return Err(cursor.expected("a value"));
    }
    Ok(Relation { column, rest: format!("{operator} {}", canonical(cursor, cursor.since(start))) })
}

/// Behind `ALTER MATERIALIZED VIEW`.
pub(super) fn alter(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    let name = cursor.qualified(VIEW)?;
    cursor.words(&["WITH"])?;
    Ok(Body::View(ViewStatement::Alter { name, if_exists, properties: properties(cursor)? }))
}

/// Behind `DROP MATERIALIZED VIEW`.
pub(super) fn drop(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    Ok(Body::View(ViewStatement::Drop { name: cursor.qualified(VIEW)?, if_exists }))
}
