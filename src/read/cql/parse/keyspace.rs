//! Keyspaces and user types.

use super::super::ast::{Body, KeyspaceStatement, Name, TypeChange, TypeStatement};
use super::cursor::{Cursor, Parsed};
use super::value::{data_type, tags, with_options};

/// Behind `CREATE KEYSPACE`.
pub(super) fn create_keyspace(cursor: &mut Cursor) -> Parsed<Body> {
    let if_not_exists = cursor.if_not_exists();
    let name = cursor.name("the name of a keyspace")?;
    Ok(Body::Keyspace(KeyspaceStatement::Create { name, if_not_exists, options: with_options(cursor)? }))
}

/// Behind `ALTER KEYSPACE`.
pub(super) fn alter_keyspace(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    let name = cursor.name("the name of a keyspace")?;
    if let Some(change) = tags(cursor)? {
        return Ok(Body::Keyspace(KeyspaceStatement::Tag { name, change }));
    }
    Ok(Body::Keyspace(KeyspaceStatement::Alter { name, if_exists, options: with_options(cursor)? }))
}

/// Behind `DROP KEYSPACE`.
pub(super) fn drop_keyspace(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    Ok(Body::Keyspace(KeyspaceStatement::Drop { name: cursor.name("the name of a keyspace")?, if_exists }))
}

/// Behind `CREATE TYPE`.
pub(super) fn create_type(cursor: &mut Cursor) -> Parsed<Body> {
    let if_not_exists = cursor.if_not_exists();
    let name = cursor.new_type("the name of a type")?;
    let fields = cursor.list(true, |cursor| Ok((cursor.name("the name of a field")?, data_type(cursor)?)))?;
    Ok(Body::Type(TypeStatement::Create { name, if_not_exists, fields }))
}

/// Behind `ALTER TYPE`.
pub(super) fn alter_type(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    let name = cursor.qualified("the name of a type")?;
    let change = if cursor.eat_word("ADD") {
        let if_not_exists = cursor.if_not_exists();
        TypeChange::Add { field: cursor.name("the name of a field")?, kind: data_type(cursor)?, if_not_exists }
    } else if cursor.eat_word("RENAME") {
        cursor.if_exists();
        TypeChange::Rename(renames(cursor, "the name of a field")?)
    } else if cursor.eat_word("ALTER") {
        let field = cursor.name("the name of a field")?;
        cursor.words(&["TYPE"])?;
        TypeChange::Retype(field, data_type(cursor)?)
    } else {
        return Err(cursor.expected("ADD, RENAME or ALTER"));
    };
    Ok(Body::Type(TypeStatement::Alter { name, if_exists, change }))
}

/// Behind `DROP TYPE`.
pub(super) fn drop_type(cursor: &mut Cursor) -> Parsed<Body> {
    let if_exists = cursor.if_exists();
    Ok(Body::Type(TypeStatement::Drop { name: cursor.qualified("the name of a type")?, if_exists }))
}

/// `a TO b AND c TO d`.
pub(super) fn renames(cursor: &mut Cursor, what: &str) -> Parsed<Vec<(Name, Name)>> {
    let mut renames = Vec::new();
    loop {
        let previous = cursor.name(what)?;
        cursor.words(&["TO"])?;
        renames.push((previous, cursor.name(what)?));
        if !cursor.eat_word("AND") {
            return Ok(renames);
        }
    }
}
