//! Texts with parameters: `${name}`.

use super::Flaw;
use crate::diagnostic::codes;
use crate::schema::{Part, Text};
use std::ops::Range;

/// A parameter and where the text mentions it.
pub(crate) type Mention = (String, Range<usize>);

/// Reads a text with parameters; each parameter comes with its place.
pub(crate) fn text(source: &str) -> Result<(Text, Vec<Mention>), Flaw> {
    let mut parts = Vec::new();
    let mut parameters = Vec::new();
    let mut at = 0;
    while let Some(rest) = source.get(at..) {
        let Some(offset) = rest.find("${") else {
            parts.push(Part::Literal(rest.to_owned()));
            break;
        };
        parts.push(Part::Literal(rest.get(..offset).unwrap_or_default().to_owned()));
        let start = at + offset;
        let Some(width) = source.get(start..).and_then(|rest| rest.find('}')) else {
            return Err(Flaw::value(start..source.len(), "a `${` that is never closed").help("a parameter is written `${name}`"));
        };
        let range = start..start + width + 1;
        let name = source.get(start + 2..start + width).unwrap_or_default();
        let fits = name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
        if name.is_empty() || !fits || name.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(Flaw::new(codes::UNKNOWN_PARAMETER, range, format!("`{name}` is no parameter"))
                .help("a parameter is written `${name}`"));
        }
        parts.push(Part::Parameter(name.to_owned()));
        parameters.push((name.to_owned(), range.clone()));
        at = range.end;
    }
    Ok((Text::from_parts(parts), parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found() {
        let (read, parameters) = text("${env}-shop-${x}$ $a").unwrap();
        assert_eq!(read.to_string(), "${env}-shop-${x}$$ $$a");
        assert_eq!(parameters, [("env".to_owned(), 0..6), ("x".to_owned(), 12..16)]);
        assert_eq!(text("").unwrap().0, Text::default());
    }

    #[test]
    fn what_is_no_parameter_is_told() {
        assert_eq!(text("a${b").unwrap_err().range, 1..4);
        for wrong in ["${}", "${a b}", "${1}", "${${a}}", "${=x=}", "${ü}"] {
            assert_eq!(text(wrong).unwrap_err().code, codes::UNKNOWN_PARAMETER, "{wrong}");
        }
    }
}
