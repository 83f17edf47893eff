//! Types, properties and their values, and text in one spelling.

use super::super::ast::{Name, Properties, Property, TagChange};
use super::super::lexer::{Kind, Token};
use super::cursor::{Cursor, Parsed};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::{OptionValue, Type, short_class, string, type_identifier};
use crate::source::Spanned;
use std::collections::BTreeMap;

/// How deep maps may nest in a value.
const MAX_DEPTH: usize = 16;

/// Words that are printed in upper case in text that is carried along. Outside quotes case means nothing.
const KEYWORDS: &[&str] = &[
    "aggregate",
    "all",
    "alter",
    "and",
    "as",
    "asc",
    "called",
    "create",
    "desc",
    "finalfunc",
    "from",
    "function",
    "functions",
    "grant",
    "in",
    "initcond",
    "input",
    "keyspace",
    "keyspaces",
    "language",
    "level",
    "login",
    "not",
    "null",
    "on",
    "options",
    "password",
    "permissions",
    "returns",
    "role",
    "service",
    "service_level",
    "sfunc",
    "stype",
    "superuser",
    "table",
    "to",
    "trigger",
    "user",
    "using",
    "with",
];

/// A type.
pub(super) fn data_type(cursor: &mut Cursor) -> Parsed<Spanned<Type>> {
    let Some(first) = cursor.peek() else { return Err(cursor.expected("a type")) };
    if let Kind::Text(class) = &first.kind {
        cursor.advance();
        return Ok(Spanned::new(Type::of_class(class), first.span));
    }
    // Nearly every type is one word.
    let is_alone = first.kind == Kind::Word && !cursor.is_symbol(1, "<") && !cursor.is_symbol(1, ".");
    let kind = match Type::native(cursor.text(first)).filter(|_| is_alone) {
        Some(kind) => {
            cursor.advance();
            Spanned::new(kind, first.span)
        }
        None => composed(cursor)?,
    };
    // Amazon Keyspaces also takes the word behind the type.
    Ok(if cursor.eat_word("FROZEN") { kind.map(|kind| Type::Frozen(Box::new(kind))) } else { kind })
}

/// A type of several parts, or one of a user.
fn composed(cursor: &mut Cursor) -> Parsed<Spanned<Type>> {
    let start = cursor.position();
    // The only type whose name is a reserved word.
    if !(cursor.is_symbol(1, "<") && cursor.eat_word("SET")) {
        cursor.qualified("a type")?;
    }
    if cursor.eat_symbol("<") {
        let mut depth = 1;
        while depth > 0 {
            let Some(token) = cursor.peek() else { return Err(cursor.expected("`>`")) };
            match (&token.kind, cursor.text(token)) {
                (Kind::Symbol, "<") => depth += 1,
                (Kind::Symbol, ">") => depth -= 1,
                (Kind::Symbol, "," | ".") | (Kind::Word | Kind::Quoted(_) | Kind::Constant | Kind::Text(_), _) => {}
                _ => return Err(cursor.expected("a type or `>`")),
            }
            cursor.advance();
        }
    }
    let Some(span) = cursor.span_since(start) else { return Err(cursor.expected("a type")) };
    let written: Vec<&str> = cursor.since(start).iter().map(|token| cursor.text(token)).collect();
    let kind = match written.as_slice() {
        [name] => Type::parse(name),
        written => Type::parse(&written.join(" ")),
    };
    let Some(kind) = kind else {
        let message = format!("`{}` is not a CQL type", written.concat());
        return Err(Box::new(Diagnostic::new(codes::BAD_CQL, span, message)));
    };
    Ok(Spanned::new(kind, span))
}

/// `WITH … AND …`, when it is there.
pub(super) fn with(cursor: &mut Cursor) -> Parsed<Properties> {
    if cursor.eat_word("WITH") { properties(cursor) } else { Ok(Properties::default()) }
}

/// `WITH … AND …` of what has no clustering order.
pub(super) fn with_options(cursor: &mut Cursor) -> Parsed<Vec<Property>> {
    cursor.words(&["WITH"])?;
    let properties = properties(cursor)?;
    match properties.order {
        Some(order) => {
            Err(Box::new(Diagnostic::new(codes::BAD_CQL, order.span, "only a table or a view has a clustering order")))
        }
        None => Ok(properties.options),
    }
}

/// `ADD TAGS {…}` and `DROP TAGS {…}`, when one of them is there. A column may be called `tags`, too.
pub(super) fn tags(cursor: &mut Cursor) -> Parsed<Option<TagChange>> {
    let added = cursor.is_word(0, "ADD");
    if !(added || cursor.is_word(0, "DROP")) || !cursor.is_word(1, "TAGS") || !cursor.is_symbol(2, "{") {
        return Ok(None);
    }
    cursor.advance();
    cursor.advance();
    match value(cursor, MAX_DEPTH)? {
        OptionValue::Map(tags) => Ok(Some(TagChange { added, tags })),
        _ => Err(cursor.expected("a map of texts")),
    }
}

/// What follows WITH.
pub(super) fn properties(cursor: &mut Cursor) -> Parsed<Properties> {
    let mut properties = Properties::default();
    loop {
        let start = cursor.position();
        if cursor.eat_words(&["CLUSTERING", "ORDER", "BY"]) {
            let columns = cursor.list(false, |cursor| {
                let column = cursor.name("a clustering column")?;
                let descending = cursor.eat_word("DESC");
                if !descending && !cursor.eat_word("ASC") {
                    return Err(cursor.expected("ASC or DESC"));
                }
                Ok((column, descending))
            })?;
            let span = cursor.span_since(start).or(cursor.here());
            if let Some(span) = span {
                if properties.order.is_some() {
                    return Err(twice("CLUSTERING ORDER", span));
                }
                properties.order = Some(Spanned::new(columns, span));
            }
        } else {
            let property = match cursor.here().filter(|_| cursor.eat_words(&["COMPACT", "STORAGE"])) {
                Some(span) => Property { name: Spanned::new("compact_storage".to_owned(), span), value: OptionValue::Bool(true) },
                None => property(cursor)?,
            };
            if properties.options.iter().any(|other| other.name.value == property.name.value) {
                return Err(twice(&property.name.value, property.name.span));
            }
            properties.options.push(property);
        }
        if !cursor.eat_word("AND") {
            return Ok(properties);
        }
    }
}

fn twice(name: &str, span: crate::source::Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::BAD_CQL, span, format!("`{name}` is given twice")))
}

/// `name = value`. Engines look for classes in packages of their own: only the short name is kept.
fn property(cursor: &mut Cursor) -> Parsed<Property> {
    let name: Name = cursor.name("an option")?;
    cursor.symbol("=")?;
    let mut value = value(cursor, MAX_DEPTH)?;
    if let OptionValue::Map(map) = &mut value {
        for key in ["class", "sstable_compression"] {
            if let Some(class) = map.get_mut(key) {
                *class = short_class(class).to_owned();
            }
        }
    }
    Ok(Property { name, value })
}

/// A value of an option.
fn value(cursor: &mut Cursor, depth: usize) -> Parsed<OptionValue> {
    let Some(depth) = depth.checked_sub(1) else { return Err(cursor.expected("a value that is not nested so deep")) };
    let start = cursor.position();
    if cursor.eat_symbol("{") {
        return map(cursor, depth);
    }
    if cursor.eat_symbol("[") {
        return racks(cursor, start);
    }
    let negative = cursor.eat_symbol("-");
    let Some(token) = cursor.peek() else { return Err(cursor.expected("a value")) };
    let written = cursor.text(token);
    let value = match &token.kind {
        Kind::Constant if negative => OptionValue::Number(format!("-{written}")),
        _ if negative => return Err(cursor.expected("a number")),
        Kind::Constant => OptionValue::Number(written.to_owned()),
        Kind::Text(text) => OptionValue::Text(text.clone()),
        Kind::Word if written.eq_ignore_ascii_case("true") => OptionValue::Bool(true),
        Kind::Word if written.eq_ignore_ascii_case("false") => OptionValue::Bool(false),
        _ => return Err(cursor.expected("a string, a number, true, false or a map")),
    };
    cursor.advance();
    Ok(value)
}

/// The entries of a map, behind its opening brace.
fn map(cursor: &mut Cursor, depth: usize) -> Parsed<OptionValue> {
    let mut entries = BTreeMap::new();
    while !cursor.eat_symbol("}") {
        if !entries.is_empty() {
            cursor.symbol(",")?;
        }
        let place = cursor.here();
        let Some(key) = value(cursor, depth)?.scalar() else { return Err(cursor.expected("a key that is text")) };
        cursor.symbol(":")?;
        if let (Some(_), Some(span)) = (entries.insert(key.clone(), value(cursor, depth)?), place) {
            return Err(twice(&key, span));
        }
    }
    Ok(OptionValue::from_entries(entries))
}

/// A rack list of ScyllaDB (`'dc1': ['r1', 'r2']`), behind its opening bracket: kept as text in one spelling.
fn racks(cursor: &mut Cursor, start: usize) -> Parsed<OptionValue> {
    while !cursor.eat_symbol("]") {
        if cursor.since(start).last().is_none_or(|token| cursor.text(token) != "[") {
            cursor.symbol(",")?;
        }
        cursor.string("the name of a rack")?;
    }
    Ok(OptionValue::Text(canonical(cursor, cursor.since(start))))
}

/// Tokens in one spelling: names and words folded, keywords in upper case, one way to space and to quote.
pub(super) fn canonical(cursor: &Cursor, tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut previous: Option<String> = None;
    for token in tokens {
        let written = cursor.text(token);
        let piece = match &token.kind {
            Kind::Word => {
                let folded = written.to_lowercase();
                if KEYWORDS.contains(&folded.as_str()) { folded.to_uppercase() } else { folded }
            }
            Kind::Quoted(name) => type_identifier(name),
            Kind::Text(value) => string(value),
            _ => written.to_owned(),
        };
        let apart = previous.as_deref().is_some_and(|previous| {
            let callee = !KEYWORDS.contains(&previous.to_lowercase().as_str())
                && previous.ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == '"');
            let joins = matches!(piece.as_str(), "," | ")" | "]" | "}" | ":" | "." | "<" | ">" | ";")
                || matches!(previous, "(" | "[" | "{" | "." | "<" | "-")
                || (piece == "(" && callee);
            !joins
        });
        if apart {
            text.push(' ');
        }
        text.push_str(&piece);
        previous = Some(piece);
    }
    text
}
