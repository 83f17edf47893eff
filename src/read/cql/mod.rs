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
    // Between the markers stand two histories: what either says is wrong with the other is of no use.
    let conflicts: Vec<_> = files.iter().filter_map(|file| conflict(sources.text(*file), *file, codes::BAD_CQL)).collect();
    if !conflicts.is_empty() {
        sink.extend(conflicts);
        return None;
    }
    let mut session = apply::Session::new(schema, engine);
    let mut own = Sink::default();
    for &file in files {
        let text = sources.text(file);
        let tokens = lexer::lex(file, text, &mut own);
        let statements = parse::parse(text, &tokens, &mut own);
        session.apply(statements, &mut own);
    }
    let failed = own.has_errors();
    for diagnostic in own.into_sorted() {
        sink.push(diagnostic);
    }
    (!failed).then(|| session.into_schema())
}

/// The places of a file's statements, each without its `;`, in their order; what cannot be read is told.
pub fn statements(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Vec<Span> {
    let text = sources.text(file);
    let tokens = lexer::lex(file, text, sink);
    let statements = parse::parse(text, &tokens, sink).into_iter();
    statements.filter(|statement| !matches!(statement.body, ast::Body::Omitted(_))).map(|statement| statement.span).collect()
}
