//! Statements that make no table: functions, aggregates, triggers, roles and grants are carried along as text; the rest is
//! gone over.

use super::super::ast::{Body, Carried, Name, Place, QualifiedName};
use super::super::lexer::{Kind, Token};
use super::cursor::{Cursor, Parsed};
use super::value::{canonical, data_type};
use crate::schema::cql::{identifier, string};
use crate::source::Span;

/// Statements about rows, and questions.
const SKIPPED: &[&str] = &["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "LIST", "PRUNE"];

/// Commands of `cqlsh`: they end with their line.
const SHELL: &[&str] = &[
    "CAPTURE",
    "CLEAR",
    "CLS",
    "CONSISTENCY",
    "COPY",
    "DESC",
    "DESCRIBE",
    "EXIT",
    "EXPAND",
    "HELP",
    "HISTORY",
    "LOGIN",
    "PAGING",
    "QUIT",
    "SERIAL",
    "SHOW",
    "SOURCE",
    "TRACING",
];

/// A statement that starts with none of CREATE, ALTER, DROP, USE.
pub(super) fn other(cursor: &mut Cursor) -> Parsed<Body> {
    if cursor.is_word(0, "GRANT") || cursor.is_word(0, "REVOKE") {
        return Ok(grant(cursor));
    }
    if let Some(body) = attachment(cursor)? {
        return Ok(body);
    }
    if cursor.eat_words(&["ADD", "IDENTITY"]) {
        return add_identity(cursor);
    }
    if cursor.is_word(0, "BEGIN") {
        while cursor.peek().is_some() && !cursor.eat_words(&["APPLY", "BATCH"]) {
            cursor.advance();
        }
        return Ok(Body::Skipped("BEGIN BATCH".to_owned()));
    }
    if let Some(name) = truncated(cursor) {
        return Ok(Body::Truncate(name));
    }
    for word in SKIPPED {
        if cursor.is_word(0, word) {
            to_end(cursor);
            return Ok(Body::Skipped((*word).to_owned()));
        }
    }
    for word in SHELL {
        if cursor.eat_word(word) {
            while cursor.peek().is_some_and(|token| !token.starts_line) && !cursor.is_symbol(0, ";") {
                cursor.advance();
            }
            return Ok(Body::Skipped((*word).to_owned()));
        }
    }
    Err(cursor.expected("a statement"))
}

/// The table that the next statement empties, where it says one and nothing else.
fn truncated(cursor: &mut Cursor) -> Option<QualifiedName> {
    let start = cursor.position();
    if cursor.eat_word("TRUNCATE") {
        let _ = cursor.eat_word("TABLE") || cursor.eat_word("COLUMNFAMILY");
        let name = cursor.qualified("the name of a table").ok();
        if cursor.peek().is_none_or(|next| next.starts_line || cursor.is_symbol(0, ";")) && name.is_some() {
            return name;
        }
    }
    cursor.rewind(start);
    None
}

/// `CREATE` and `ALTER` of what is carried along; the kind of thing is next.
pub(super) fn create(cursor: &mut Cursor, altered: bool) -> Parsed<Body> {
    let kind = kind(cursor)?;
    if !cursor.if_not_exists() {
        cursor.if_exists();
    }
    let start = cursor.position();
    let Subject { what: mut subject, place, own } = subject(cursor, &kind)?;
    to_end(cursor);
    let tokens = cursor.since(start);
    let (mut before, after) = tokens.split_at(own.saturating_sub(start).min(tokens.len()));
    let is_of_cluster = matches!(place, Place::Cluster);
    let (after, secret) = if is_of_cluster { without_password(cursor, after) } else { (after.to_vec(), None) };
    if altered && secret.is_some() && after.len() == 1 {
        return Ok(Body::Skipped(format!("ALTER {}", kind.to_uppercase())));
    }
    if matches!(place, Place::Keyspace(Some(_))) {
        before = before.get(..before.len().saturating_sub(2)).unwrap_or_default();
    }
    let verb = if altered { "ALTER" } else { "CREATE" };
    let head = format!("{verb} {} {}", kind.to_uppercase(), canonical(cursor, before));
    if altered {
        subject.push_str(" (altered)");
    }
    let text = Some((head.trim_end().to_owned(), canonical(cursor, &after)));
    Ok(Body::Carried(Carried { subject, place, text, secret }))
}

/// `DROP` of what is carried along; the kind of thing is next.
pub(super) fn drop(cursor: &mut Cursor) -> Parsed<Body> {
    if cursor.eat_word("IDENTITY") {
        cursor.if_exists();
        let subject = format!("identity {}", string(&identity(cursor)?));
        return Ok(Body::Carried(Carried { subject, place: Place::Cluster, text: None, secret: None }));
    }
    let kind = kind(cursor)?;
    cursor.if_exists();
    let Subject { what: subject, place, .. } = subject(cursor, &kind)?;
    to_end(cursor);
    Ok(Body::Carried(Carried { subject, place, text: None, secret: None }))
}

/// The tokens of a role or user without its password (`PASSWORD = '…'`, `HASHED PASSWORD = '…'`, `SALTED HASH = '…'`), and
/// where that stood: a secret has no place in a lock, a plan or a migration.
fn without_password(cursor: &Cursor, tokens: &[Token]) -> (Vec<Token>, Option<Span>) {
    let is = |at: Option<usize>, words: &[&str]| {
        let token = at.and_then(|at| tokens.get(at)).filter(|token| token.kind == Kind::Word);
        token.is_some_and(|token| words.iter().any(|word| cursor.text(token).eq_ignore_ascii_case(word)))
    };
    let value = |at: usize| {
        let equals = tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Symbol && cursor.text(token) == "=");
        let value = at + 1 + usize::from(equals);
        tokens.get(value).is_some_and(|token| matches!(token.kind, Kind::Text(_))).then_some(value)
    };
    let found = (0..tokens.len()).filter(|at| is(Some(*at), &["PASSWORD", "HASH"])).find_map(|at| Some((at, value(at)?)));
    let Some((at, value)) = found else { return (tokens.to_vec(), None) };
    let mut first = if is(at.checked_sub(1), &["HASHED", "SALTED"]) { at - 1 } else { at };
    let mut last = value;
    if is(Some(value + 1), &["AND"]) {
        last += 1;
    } else if is(first.checked_sub(1), &["AND", "WITH"]) {
        first -= 1;
    }
    let kept = tokens.iter().enumerate().filter(|(at, _)| !(first..=last).contains(at)).map(|(_, token)| token.clone());
    (kept.collect(), tokens.get(at).map(|token| token.span))
}

fn kind(cursor: &mut Cursor) -> Parsed<String> {
    for kind in ["function", "aggregate", "trigger", "role", "user"] {
        if cursor.eat_word(kind) {
            return Ok(kind.to_owned());
        }
    }
    if is_service_level(cursor) {
        return Ok("service level".to_owned());
    }
    Err(cursor.expected("KEYSPACE, TYPE, TABLE, INDEX, MATERIALIZED VIEW, FUNCTION, AGGREGATE, TRIGGER or ROLE"))
}

/// What a carried statement is about.
struct Subject {
    what: String,
    place: Place,
    /// The position of the name that a keyspace may stand before.
    own: usize,
}

fn subject(cursor: &mut Cursor, kind: &str) -> Parsed<Subject> {
    let what = format!("the name of a {kind}");
    match kind {
        "function" | "aggregate" => {
            let name = cursor.qualified(&what)?;
            let own = cursor.position() - 1;
            let mut subject = format!("{kind} {}", name.name);
            if cursor.eat_symbol("(") {
                let mut types = Vec::new();
                while !cursor.eat_symbol(")") {
                    if !types.is_empty() {
                        cursor.symbol(",")?;
                    }
                    types.push(argument(cursor)?);
                }
                subject = format!("{subject}({})", types.join(", "));
            }
            Ok(Subject { what: subject, place: Place::Keyspace(name.keyspace), own })
        }
        "trigger" => {
            let name: Name = cursor.name(&what)?;
            cursor.words(&["ON"])?;
            let table = cursor.qualified("the name of a table")?;
            let own = cursor.position() - 1;
            Ok(Subject { what: format!("trigger {name} on {}", table.name), place: Place::Keyspace(table.keyspace), own })
        }
        _ => {
            let own = cursor.position();
            let name = named(cursor, &what)?;
            Ok(Subject { what: format!("{kind} {name}"), place: Place::Cluster, own })
        }
    }
}

/// `name type` of a function, `type` of an aggregate or of a DROP; the type.
fn argument(cursor: &mut Cursor) -> Parsed<String> {
    let start = cursor.position();
    let only_type = data_type(cursor)?;
    if cursor.is_symbol(0, ",") || cursor.is_symbol(0, ")") {
        return Ok(only_type.to_string());
    }
    cursor.rewind(start);
    cursor.name("the name of an argument")?;
    Ok(data_type(cursor)?.to_string())
}

/// ScyllaDB has two words for it.
fn is_service_level(cursor: &mut Cursor) -> bool {
    cursor.eat_word("SERVICE_LEVEL") || cursor.eat_words(&["SERVICE", "LEVEL"])
}

/// `ATTACH SERVICE LEVEL level TO role` and `DETACH SERVICE LEVEL FROM role` of ScyllaDB, which has one level for a role: what
/// `DESCRIBE SCHEMA WITH INTERNALS` prints of it (`service_level_controller.cc`).
fn attachment(cursor: &mut Cursor) -> Parsed<Option<Body>> {
    let attached = cursor.eat_word("ATTACH");
    if !attached && !cursor.eat_word("DETACH") {
        return Ok(None);
    }
    if !is_service_level(cursor) {
        return Err(cursor.expected("SERVICE LEVEL"));
    }
    let level = if attached { Some(named(cursor, "the name of a service level")?) } else { None };
    cursor.words(&[if attached { "TO" } else { "FROM" }])?;
    let role = named(cursor, "the name of a role")?;
    let subject = format!("attachment of role {role}");
    let text = level.map(|level| ("ATTACH SERVICE LEVEL".to_owned(), format!("{} TO {}", identifier(&level), identifier(&role))));
    Ok(Some(Body::Carried(Carried { subject, place: Place::Cluster, text, secret: None })))
}

/// `ADD IDENTITY 'id' TO ROLE role` of Cassandra 5.0, behind its first two words.
fn add_identity(cursor: &mut Cursor) -> Parsed<Body> {
    cursor.if_not_exists();
    let identity = string(&identity(cursor)?);
    cursor.words(&["TO", "ROLE"])?;
    let role = named(cursor, "the name of a role")?;
    let text = Some(("ADD IDENTITY".to_owned(), format!("{identity} TO ROLE {}", identifier(&role))));
    Ok(Body::Carried(Carried { subject: format!("identity {identity}"), place: Place::Cluster, text, secret: None }))
}

/// What a certificate says of who has it: text, or a name in double quotes.
fn identity(cursor: &mut Cursor) -> Parsed<Name> {
    named(cursor, "an identity, in quotes")
}

/// The name of a role, which may be a string.
fn named(cursor: &mut Cursor, what: &str) -> Parsed<Name> {
    cursor.string(what).or_else(|_| cursor.name(what))
}

/// `GRANT … TO role`; `REVOKE … FROM role` takes that very grant back.
fn grant(cursor: &mut Cursor) -> Body {
    let revoked = !cursor.eat_word("GRANT");
    if revoked {
        cursor.advance();
    }
    let start = cursor.position();
    to_end(cursor);
    let mut text = canonical(cursor, cursor.since(start));
    if revoked && let Some((what, role)) = text.rsplit_once(" FROM ") {
        text = format!("{what} TO {role}");
    }
    let subject = format!("grant {}", text.to_lowercase());
    let text = (!revoked).then(|| ("GRANT".to_owned(), text));
    Body::Carried(Carried { subject, place: Place::Cluster, text, secret: None })
}

/// To the `;` or to the end of the file.
fn to_end(cursor: &mut Cursor) {
    while cursor.peek().is_some() && !cursor.is_symbol(0, ";") {
        cursor.advance();
    }
}
