//! CQL to a schema: the statements are applied in order, as an engine would.
//!
//! [`lexer`] → [`parse`] → statements ([`ast`]) → [`apply`] → [`cql::Schema`].

mod apply;
mod ast;
mod lexer;
mod parse;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Sink, codes};
use crate::schema::{Engine, cql};
use crate::source::{FileId, SourceMap, Span, conflict};

/// Reads files in their order, as one history: each may build on those before it. None when anything in them is wrong; all
/// of it is in the sink.
pub fn read(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<cql::Schema> {
    apply(sources, files, None, cql::Schema::default(), sink)
}

/// Applies files in their order to a schema: what a cluster that has `schema` has when they have been run on it. Where the
/// engine is known, what it makes of a statement counts.
pub fn apply(
    sources: &SourceMap,
    files: &[FileId],
    engine: Option<Engine>,
    schema: cql::Schema,
    sink: &mut Sink,
) -> Option<cql::Schema> {
    session(sources, files, (engine, usize::MAX), schema, sink)
}

/// What a cluster that has `previous` has when the rest of `next` has been run on it, with what these statements take from what was
/// there. None where `next` is no longer history than `previous`: it does not begin with the same statements, or ends with them.
pub fn run_on(sources: &SourceMap, previous: &[FileId], next: &[FileId], engine: Option<Engine>) -> Option<cql::Schema> {
    let (known, all) = (words(sources, previous), words(sources, next));
    let same = |(one, other): (&Vec<String>, &Vec<String>)| one == other;
    if known.len() >= all.len() || !known.iter().zip(&all).all(same) {
        return None;
    }
    session(sources, next, (engine, known.len()), cql::Schema::default(), &mut Sink::default())
}

/// The statements of files in their order, each by its words: without comments and spaces, keywords and bare names in lower case.
fn words(sources: &SourceMap, files: &[FileId]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for &file in files {
        let text = sources.text(file);
        let tokens = lexer::lex(file, text, &mut Sink::default());
        let mut rest = tokens.as_slice();
        for statement in parse::parse(text, &tokens, None, &mut Sink::default()) {
            let (before, after) = rest.split_at(rest.partition_point(|token| token.span.end <= statement.span.end));
            rest = after;
            let own = before.iter().filter(|token| token.span.start >= statement.span.start && token.kind != lexer::Kind::End);
            found.push(own.map(|token| token.word(text)).collect());
        }
    }
    found
}

/// Applies the statements of files to a schema. Those behind the first `known` are run on what is there.
fn session(
    sources: &SourceMap,
    files: &[FileId],
    (engine, known): (Option<Engine>, usize),
    schema: cql::Schema,
    sink: &mut Sink,
) -> Option<cql::Schema> {
    // Between the markers stand two histories: what either says is wrong with the other is of no use.
    let conflicts: Vec<_> = files.iter().filter_map(|file| conflict(sources.text(*file), *file, codes::BAD_CQL)).collect();
    if !conflicts.is_empty() {
        sink.extend(conflicts);
        return None;
    }
    let mut session = apply::Session::new(schema, engine, known);
    let mut own = Sink::default();
    for &file in files {
        let text = sources.text(file);
        let tokens = lexer::lex(file, text, &mut own);
        let statements = parse::parse(text, &tokens, engine, &mut own);
        session.apply(statements, &mut own);
    }
    let failed = own.has_errors();
    for diagnostic in own.into_sorted() {
        sink.push(diagnostic);
    }
    (!failed).then(|| session.into_schema())
}

/// The places of a file's statements that take rows, values or what holds them from a cluster.
pub fn destroying(sources: &SourceMap, file: FileId) -> Vec<Span> {
    let text = sources.text(file);
    let tokens = lexer::lex(file, text, &mut Sink::default());
    let statements = parse::parse(text, &tokens, None, &mut Sink::default()).into_iter();
    statements
        .filter(|statement| statement.body.destroys(sources.snippet(statement.span)))
        .map(|statement| statement.span)
        .collect()
}

/// The places of a file's statements, each without its `;`, in their order; what cannot be read is told.
pub fn statements(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Vec<Span> {
    let text = sources.text(file);
    let tokens = lexer::lex(file, text, sink);
    let statements = parse::parse(text, &tokens, None, sink).into_iter();
    statements.filter(|statement| !matches!(statement.body, ast::Body::Omitted(_))).map(|statement| statement.span).collect()
}
