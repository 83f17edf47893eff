//! Conditions as they stand in WHERE.

use crate::model::{AttributeType, Comparison, Condition, InValues, Literal, Operand};
use crate::schema::cql::{Type, identifier, string};

pub(super) fn between(column: &str, low: &str, high: &str) -> String {
    match successor(high) {
        Some(end) => format!("{column} >= {} AND {column} < {}", string(low), string(&end)),
        None => format!("{column} >= {}", string(low)),
    }
}

/// The smallest text behind all texts that begin with this one: its last code point raised. None when there is none.
fn successor(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        // The step from U+D7FF leads over the surrogates.
        let next = if last == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(last) + 1) };
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

/// Conditions on one column as CQL. What CQL cannot say is refused before this is asked.
pub(in crate::design::cql) fn comparisons(
    column: &str,
    kind: Option<&AttributeType>,
    conditions: &[(usize, &Condition)],
) -> String {
    let name = identifier(column);
    let value = |operand: &Operand| operand_text(operand, kind);
    let texts: Vec<String> = conditions
        .iter()
        .map(|(_, condition)| match &condition.comparison {
            Comparison::Equal(operand) => format!("{name} = {}", value(operand)),
            Comparison::NotEqual(operand) => format!("{name} != {}", value(operand)),
            Comparison::Less(operand) => format!("{name} < {}", value(operand)),
            Comparison::LessOrEqual(operand) => format!("{name} <= {}", value(operand)),
            Comparison::Greater(operand) => format!("{name} > {}", value(operand)),
            Comparison::GreaterOrEqual(operand) => format!("{name} >= {}", value(operand)),
            Comparison::Between(low, high) => format!("{name} >= {} AND {name} <= {}", value(low), value(high)),
            Comparison::In(InValues::Parameter(parameter)) => format!("{name} IN :{}", identifier(parameter)),
            Comparison::In(InValues::List(list)) => {
                let list: Vec<String> = list.iter().map(value).collect();
                format!("{name} IN ({})", list.join(", "))
            }
            Comparison::BeginsWith(Operand::Literal(Literal::Text(text))) => between(&name, text, text),
            Comparison::BeginsWith(operand @ Operand::Parameter(parameter)) => {
                format!("{name} >= {} AND {name} < :{}", value(operand), marker(parameter, "_end"))
            }
            Comparison::BeginsWith(Operand::Literal(other)) => format!("{name} = {}", literal_text(other, kind)),
            Comparison::Contains(operand) => format!("{name} CONTAINS {}", operand_text(operand, element(kind))),
            Comparison::ContainsKey(operand) => format!("{name} CONTAINS KEY {}", operand_text(operand, element(kind))),
            Comparison::Exists => format!("{name} != null"),
            Comparison::NotExists => format!("{name} = null"),
        })
        .collect();
    texts.join(" AND ")
}

fn element(kind: Option<&AttributeType>) -> Option<&AttributeType> {
    match kind? {
        AttributeType::List(of) | AttributeType::Set(of) | AttributeType::Map(of, _) => Some(of),
        AttributeType::Frozen(of) => element(Some(of)),
        _ => None,
    }
}

pub(super) fn marker(name: &str, suffix: &str) -> String {
    identifier(&format!("{name}{suffix}"))
}

/// A value as it stands in a statement: a named marker, or the literal.
fn operand_text(operand: &Operand, kind: Option<&AttributeType>) -> String {
    match operand {
        Operand::Parameter(name) => format!(":{}", identifier(name)),
        Operand::Literal(literal) => literal_text(literal, kind),
    }
}

fn literal_text(literal: &Literal, kind: Option<&AttributeType>) -> String {
    match (literal, kind) {
        // These types have literals of their own, without quotes.
        (
            Literal::Text(text),
            Some(AttributeType::Uuid | AttributeType::Timeuuid | AttributeType::Blob | AttributeType::Duration),
        ) if !text.is_empty() && text.chars().all(|next| next.is_ascii_alphanumeric() || next == '-') => text.clone(),
        (Literal::Text(text), _) => string(text),
        (Literal::Number(text), _) => text.clone(),
        (Literal::Bool(value), _) => value.to_string(),
    }
}

/// A constant of a key column as it stands in a statement.
pub(super) fn constant(text: &str, kind: &Type) -> String {
    let has_quotes = ["ascii", "date", "inet", "text", "time", "timestamp"];
    if matches!(kind, Type::Native(name) if !has_quotes.contains(name)) { text.to_owned() } else { string(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_prefix_is_found() {
        assert_eq!(successor("ORDER#").as_deref(), Some("ORDER$"));
        assert_eq!(successor("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(successor("\u{d7ff}").as_deref(), Some("\u{e000}"));
        assert_eq!(successor(""), None);
        assert_eq!(between("sk", "it's", "it's"), "sk >= 'it''s' AND sk < 'it''t'");
    }
}
