//! Secondary indexes.

use super::super::ast::{Body, CreateIndex, IndexStatement, Name};
use super::cursor::{Cursor, Parsed};
use super::value::with_options;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::OptionValue;
use std::collections::BTreeMap;

/// Behind `CREATE INDEX` or `CREATE CUSTOM INDEX`.
pub(super) fn create(cursor: &mut Cursor, is_custom: bool) -> Parsed<Body> {
    let if_not_exists = cursor.if_not_exists();
    let name = if cursor.is_word(0, "ON") { None } else { Some(cursor.qualified("the name of an index or ON")?.name) };
    cursor.words(&["ON"])?;
    let table = cursor.qualified("the name of a table")?;
    cursor.symbol("(")?;
    let start = cursor.position();
    let mut local = Vec::new();
    if cursor.is_symbol(0, "(") {
        local = cursor.list(false, |cursor| cursor.name("a partition key column"))?;
        cursor.symbol(",")?;
    }
    let (target, column) = if local.is_empty() && cursor.is_symbol(0, ")") {
        (None, None)
    } else {
        let (target, column) = target(cursor)?;
        (target, Some(column))
    };
    let mut further = Vec::new();
    while column.is_some() && cursor.eat_symbol(",") {
        further.push(cursor.name("the name of a column")?);
    }
    let columns = cursor.span_since(start).or(cursor.here());
    cursor.symbol(")")?;
    let using = if cursor.eat_word("USING") { Some(cursor.string("the class of the index, in quotes")?) } else { None };
    if using.is_none() && (column.is_none() || !further.is_empty()) {
        return Err(Box::new(Diagnostic::somewhere(codes::BAD_CQL, columns, "an index has one column, unless it is of a class")));
    }
    let options = if cursor.is_word(0, "WITH") { options(cursor)? } else { BTreeMap::new() };
    let create = CreateIndex { is_custom, name, if_not_exists, table, local, column, further, target, using, options };
    Ok(Body::Index(IndexStatement::Create(Box::new(create))))
}

/// `column` or `KEYS(column)`.
fn target(cursor: &mut Cursor) -> Parsed<(Option<String>, Name)> {
    for target in ["keys", "values", "entries", "full"] {
        if cursor.is_word(0, target) && cursor.is_symbol(1, "(") {
            cursor.advance();
            cursor.advance();
            let column = cursor.name("the name of a column")?;
            cursor.symbol(")")?;
            return Ok((Some(target.to_owned()), column));
        }
    }
    Ok((None, cursor.name("the name of a column")?))
}

/// `WITH OPTIONS = {…}`.
fn options(cursor: &mut Cursor) -> Parsed<BTreeMap<String, String>> {
    let mut options = BTreeMap::new();
    for property in with_options(cursor)? {
        match property.value {
            OptionValue::Map(map) if property.name.value == "options" => options = map,
            _ => {
                let message = "expected OPTIONS = { … } of an index";
                return Err(Box::new(Diagnostic::new(codes::BAD_CQL, property.name.span, message)));
            }
        }
    }
    Ok(options)
}

/// Behind `DROP INDEX`.
pub(super) fn drop(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    Ok(Body::Index(IndexStatement::Drop { name: cursor.qualified("the name of an index")?, if_exists }))
}
