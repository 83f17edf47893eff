//! Tables.

use super::super::ast::{Body, ColumnDefinition, Key, Name, TableChange, TableStatement};
use super::super::lexer::Kind;
use super::cursor::{Cursor, Parsed};
use super::keyspace::renames;
use super::value::{canonical, data_type, properties, tags, with};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::Type;
use crate::source::Span;

const TABLE: &str = "the name of a table";
const COLUMN: &str = "the name of a column";

/// Behind `CREATE TABLE`.
pub(super) fn create(cursor: &mut Cursor) -> Parsed<Body> {
    let if_not_exists = cursor.if_not_exists();
    let name = cursor.qualified(TABLE)?;
    let mut columns = Vec::new();
    let mut keys: Vec<Key> = Vec::new();
    let end = cursor.position();
    cursor.list(true, |cursor| {
        if cursor.is_word(0, "PRIMARY") {
            keys.push(primary_key(cursor)?);
            return Ok(());
        }
        let column = column(cursor)?;
        if cursor.eat_word("PRIMARY") {
            cursor.words(&["KEY"])?;
            let span = column.name.span;
            keys.push(Key { partition: vec![column.name.clone()], clustering: Vec::new(), span });
        }
        columns.push(column);
        Ok(())
    })?;
    let mut keys = keys.into_iter();
    let Some(key) = keys.next() else {
        let span = cursor.span_since(end).unwrap_or(name.name.span);
        let message = format!("the table `{}` has no PRIMARY KEY", name.name);
        return Err(Box::new(Diagnostic::new(codes::BAD_CQL, Span { end: span.start + 1, ..span }, message)));
    };
    if let Some(second) = keys.next() {
        let message = format!("the table `{}` has two primary keys", name.name);
        return Err(Box::new(Diagnostic::new(codes::BAD_CQL, second.span, message).context(key.span, "the first")));
    }
    let properties = with(cursor)?;
    Ok(Body::Table(TableStatement::Create { name, if_not_exists, columns, key, properties }))
}

/// `PRIMARY KEY ((a, b), c)`.
pub(super) fn primary_key(cursor: &mut Cursor) -> Parsed<Key> {
    let start = cursor.position();
    cursor.words(&["PRIMARY", "KEY"])?;
    let mut partition = Vec::new();
    let mut clustering: Vec<Name> = Vec::new();
    cursor.list(false, |cursor| {
        if !partition.is_empty() {
            clustering.push(cursor.name("a clustering column")?);
        } else if cursor.is_symbol(0, "(") {
            partition = cursor.list(false, |cursor| cursor.name("a partition key column"))?;
        } else {
            partition.push(cursor.name("a partition key column")?);
        }
        Ok(())
    })?;
    let span = cursor.span_since(start).or(cursor.here());
    span.map(|span| Key { partition, clustering, span }).ok_or_else(|| cursor.expected("a primary key"))
}

fn column(cursor: &mut Cursor) -> Parsed<ColumnDefinition> {
    let name = cursor.name(COLUMN)?;
    let is_reversed = cursor.peek().is_some_and(|next| matches!(&next.kind, Kind::Text(class) if Type::is_reversed(class)));
    let kind = data_type(cursor)?;
    let is_static = cursor.eat_word("STATIC");
    if cursor.is_word(0, "TTL") {
        return Err(per_row_ttl(cursor));
    }
    let mask = if cursor.is_word(0, "MASKED") { Some(mask(cursor)?) } else { None };
    Ok(ColumnDefinition { name, kind, is_static, is_reversed, mask })
}

/// `expires bigint TTL`, `ALTER TABLE t TTL expires`: the documentation of ScyllaDB has it from 2026.2 on
/// (<https://docs.scylladb.com/manual/branch-2026.2/cql/time-to-live.html>), that of 2026.1 does not.
fn per_row_ttl(cursor: &Cursor) -> Box<Diagnostic> {
    let message = "`TTL` of a column, per-row TTL, is not read";
    let diagnostic = Diagnostic::somewhere(codes::BAD_CQL, cursor.here(), message);
    let diagnostic = diagnostic.note("it came to ScyllaDB after 2026.1; no engine that gen knows takes it");
    Box::new(diagnostic.help("take it out of the text to have the rest of the table compared"))
}

/// `MASKED WITH DEFAULT` or `MASKED WITH f(…)`. An engine prints its own functions with `system.` in front.
fn mask(cursor: &mut Cursor) -> Parsed<String> {
    cursor.words(&["MASKED", "WITH"])?;
    if cursor.eat_word("DEFAULT") {
        return Ok("MASKED WITH mask_default()".to_owned());
    }
    let start = cursor.position();
    cursor.qualified("a masking function")?;
    cursor.symbol("(")?;
    while !cursor.eat_symbol(")") {
        if cursor.peek().is_none() || cursor.is_symbol(0, ";") {
            return Err(cursor.expected("`)`"));
        }
        cursor.advance();
    }
    let call = canonical(cursor, cursor.since(start));
    Ok(format!("MASKED WITH {}", call.strip_prefix("system.").unwrap_or(&call)))
}

/// Behind `ALTER TABLE`.
pub(super) fn alter(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    let name = cursor.qualified(TABLE)?;
    let change = if let Some(change) = tags(cursor)? {
        TableChange::Tags(change)
    } else if cursor.eat_word("ADD") {
        let if_not_exists = cursor.if_not_exists();
        TableChange::Add { columns: one_or_listed(cursor, column)?, if_not_exists }
    } else if cursor.eat_words(&["DROP", "COMPACT", "STORAGE"]) {
        TableChange::DropCompactStorage
    } else if cursor.eat_word("DROP") {
        let if_exists = cursor.if_exists();
        let columns = one_or_listed(cursor, |cursor| cursor.name(COLUMN))?;
        if cursor.eat_words(&["USING", "TIMESTAMP"]) {
            cursor.eat_symbol("-");
            cursor.advance();
        }
        TableChange::Drop { columns, if_exists }
    } else if cursor.eat_word("RENAME") {
        cursor.if_exists();
        TableChange::Rename(renames(cursor, COLUMN)?)
    } else if cursor.eat_word("ALTER") {
        let column = cursor.name(COLUMN)?;
        if cursor.eat_words(&["DROP", "MASKED"]) {
            TableChange::Mask(column, None)
        } else if cursor.is_word(0, "MASKED") {
            TableChange::Mask(column, Some(mask(cursor)?))
        } else if cursor.eat_word("TYPE") {
            TableChange::Retype(column, data_type(cursor)?)
        } else {
            return Err(cursor.expected("TYPE, MASKED or DROP MASKED"));
        }
    } else if cursor.is_word(0, "TTL") {
        return Err(per_row_ttl(cursor));
    } else if cursor.eat_word("WITH") {
        TableChange::With(properties(cursor)?)
    } else {
        return Err(cursor.expected("ADD, DROP, RENAME, ALTER or WITH"));
    };
    Ok(Body::Table(TableStatement::Alter { name, if_exists, change }))
}

/// One column, or several in brackets.
fn one_or_listed<T>(cursor: &mut Cursor, item: impl Fn(&mut Cursor) -> Parsed<T>) -> Parsed<Vec<T>> {
    if cursor.is_symbol(0, "(") {
        return cursor.list(false, item);
    }
    let one = item(cursor)?;
    if cursor.is_symbol(0, ",") {
        let several = "several columns stand in brackets: `ADD (a int, b int)`, `DROP (a, b)`";
        return Err(Box::new(cursor.expected("`;`").help(several)));
    }
    Ok(vec![one])
}

/// Behind `DROP TABLE`.
pub(super) fn drop(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    Ok(Body::Table(TableStatement::Drop { name: cursor.qualified(TABLE)?, if_exists }))
}
