//! `key_types`: the types of key columns that are no attribute, and the constants that must be of them.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::model::{AttributeType, Holding, Literal, Named, TemplatePart};
use crate::source::Spanned;
use crate::validate::grammar::types;
use crate::validate::resolve::literal;
use crate::validate::resolve::report::Report;

impl Reader<'_> {
    /// The types of key columns, by their names.
    pub(super) fn key_types(&self, columns: &[&str], report: &mut Report<'_>) -> Named<Spanned<AttributeType>> {
        let mut key_types = Named::default();
        let user: Vec<&str> = self.model.types.keys().map(String::as_str).collect();
        for (column, kind) in self.table.key_types.get().into_iter().flat_map(|types| types.good()) {
            if !columns.contains(&column.value.as_str()) {
                let diagnostic = Diagnostic::new(
                    codes::UNKNOWN_ATTRIBUTE,
                    column.span,
                    format!("`{}` is no key column of `{}`", column.value, self.key.value),
                );
                report.push(match nearest(&column.value, columns.iter().copied()) {
                    Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), column.span, near),
                    None => diagnostic,
                });
            }
            if let Some(read) = report.read(kind, |text| types::attribute_type(text, &user)) {
                key_types.insert(column.value.clone(), Spanned::new(read, kind.span));
            }
        }
        key_types
    }
}

/// Error `literal-type` for constants that are no values of their columns' types.
pub(super) fn constants(holds: &[Holding], key_types: &Named<Spanned<AttributeType>>, report: &mut Report<'_>) {
    for (column, kind) in key_types {
        for value in holds.iter().filter_map(|holding| holding.keys.get(column)) {
            let [TemplatePart::Literal(text)] = value.template.parts.as_slice() else { continue };
            if literal::fits(&kind.value, &constant(text, &kind.value)).is_err() {
                let message = format!("`{text}` is no {}, the type of `{column}`", kind.value);
                report.push(Diagnostic::new(codes::LITERAL_TYPE, value.template.span, message).context(kind.span, "its type"));
            }
        }
    }
}

/// The value of a column that is the same in all rows, as a literal of some type is written.
fn constant(text: &str, kind: &AttributeType) -> Literal {
    match text {
        "true" | "false" if *kind == AttributeType::Boolean => Literal::Bool(text == "true"),
        _ if kind.is_number() && text.parse::<f64>().is_ok() => Literal::Number(text.to_owned()),
        _ => Literal::Text(text.to_owned()),
    }
}
