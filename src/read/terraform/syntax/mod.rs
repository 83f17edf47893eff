//! From text to a tree, as strict as Terraform itself. Most files are simple and read without the parser, `hcl::edit`; what it
//! reads becomes the same tree (ADR 26).

mod expression;
mod lines;
mod parser;
mod simple;
mod tree;

use super::fields::Source;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{Span, conflict};
pub(super) use expression::{Element, Equality, Expression, FuncCall, Kind, ObjectKey, TraversalOperator};
pub(super) use tree::{Block, Body, Name, Ranged, Structure};

/// Reads one file.
pub(super) fn parse(source: Source<'_>) -> Result<Body<'_>, Vec<Diagnostic>> {
    simple::read(source.text).map_or_else(|| parse_in_full(source), Ok)
}

/// Reads one file with the parser.
fn parse_in_full(source: Source<'_>) -> Result<Body<'_>, Vec<Diagnostic>> {
    match source.text.parse() {
        Ok(body) => {
            let problems = lines::lines_in_quotes(source, &body);
            if problems.is_empty() { Ok(parser::tree(source.text, &body)) } else { Err(problems) }
        }
        Err(error) => {
            if let Some(conflict) = conflict(source.text, source.file, codes::BAD_TERRAFORM) {
                return Err(vec![conflict]);
            }
            let start = error.location().offset().min(source.text.len());
            let length = source.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            let span = Span::new(source.file, start, start + length);
            Err(vec![Diagnostic::new(codes::BAD_TERRAFORM, span, format!("this is not HCL: {}", error.message()))])
        }
    }
}
