//! Literals against the types of their attributes.

use super::allow::days;
use super::report::Report;
use crate::diagnostic::{Diagnostic, codes, listed, nearest};
use crate::model::{Attribute, AttributeType, Literal};
use crate::source::Span;

/// Checks a literal that is compared with an attribute's whole value.
pub(super) fn check(name: &str, attribute: &Attribute, literal: &Literal, span: Span, report: &mut Report<'_>) {
    if let (Some(values), Literal::Text(text)) = (&attribute.values, literal) {
        if !values.contains_key(text) {
            let diagnostic = Diagnostic::new(codes::NOT_IN_ENUM, span, format!("`{name}` is never '{text}'"))
                .context(attribute.span, "its values are a closed set");
            report.push(match nearest(text, values.keys().map(String::as_str)) {
                Some(near) => diagnostic.help(format!("did you mean '{near}'?")),
                None => diagnostic.help(format!("it is one of {}", listed(values.keys()))),
            });
        }
        return;
    }
    check_type(name, &attribute.kind, literal, span, report);
}

/// Checks a literal against a type.
pub(super) fn check_type(name: &str, kind: &AttributeType, literal: &Literal, span: Span, report: &mut Report<'_>) {
    let Err(wanted) = fits(kind, literal) else { return };
    let diagnostic = Diagnostic::new(codes::LITERAL_TYPE, span, format!("`{name}` is {kind}, which `{literal}` is not"));
    report.push(diagnostic.help(format!("write {wanted}")));
}

/// Whether a literal is a value of a type; else how one is written.
pub(super) fn fits(kind: &AttributeType, literal: &Literal) -> Result<(), &'static str> {
    use AttributeType as T;
    let (good, wanted) = match (kind, literal) {
        (T::Text | T::Ulid | T::Ksuid, Literal::Text(_)) => (true, ""),
        (T::Text | T::Ulid | T::Ksuid | T::Ascii, literal) => {
            (matches!(literal, Literal::Text(text) if text.is_ascii()), "text in single quotes, such as `'x'`")
        }
        (T::Int, literal) => (integer(literal, 32), "a whole number of 32 bits"),
        (T::Bigint | T::Counter | T::Snowflake, literal) => (integer(literal, 64), "a whole number of 64 bits"),
        (T::Smallint, literal) => (integer(literal, 16), "a whole number of 16 bits"),
        (T::Tinyint, literal) => (integer(literal, 8), "a whole number of 8 bits"),
        (T::Varint, literal) => (matches!(literal, Literal::Number(text) if !text.contains('.')), "a whole number"),
        (T::Decimal | T::Float | T::Double, literal) => (matches!(literal, Literal::Number(_)), "a number"),
        (T::Boolean, literal) => (matches!(literal, Literal::Bool(_)), "`true` or `false`"),
        (T::Uuid | T::Timeuuid, literal) => {
            (matches!(literal, Literal::Text(text) if uuid(text)), "a UUID in single quotes and lower case")
        }
        (T::Date, literal) => (matches!(literal, Literal::Text(text) if date(text)), "a date such as `'2026-11-30'`"),
        (T::Time, literal) => (matches!(literal, Literal::Text(text) if time(text)), "a time such as `'11:10:07.123'`"),
        (T::Timestamp, literal) => {
            (matches!(literal, Literal::Text(text) if timestamp(text)), "a timestamp such as `'2026-11-30T11:10:07.123Z'`")
        }
        (T::Inet, literal) => {
            (matches!(literal, Literal::Text(text) if text.parse::<std::net::IpAddr>().is_ok()), "an IP address in single quotes")
        }
        (T::Blob | T::Duration, literal) => (matches!(literal, Literal::Text(_)), "text in single quotes"),
        (T::List(_) | T::Set(_) | T::Map(..) | T::Tuple(_) | T::Vector(..) | T::User(_), _) => {
            (false, "`?`: such a value has no literal")
        }
        (T::Frozen(inner), literal) => return fits(inner, literal),
    };
    if good { Ok(()) } else { Err(wanted) }
}

fn integer(literal: &Literal, bits: u32) -> bool {
    let Literal::Number(text) = literal else { return false };
    text.parse::<i128>().is_ok_and(|number| {
        let limit = 1_i128 << (bits - 1);
        (-limit..limit).contains(&number)
    })
}

fn uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
}

fn date(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>| {
        text.get(range).filter(|text| text.bytes().all(|digit| digit.is_ascii_digit()))?.parse::<u32>().ok()
    };
    let dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    match (number(0..4), number(5..7), number(8..10)) {
        (Some(year), Some(month @ 1..=12), Some(day)) => dashes && day >= 1 && day <= days(year, month),
        _ => false,
    }
}

fn time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<Option<u32>> = whole.split(':').map(|part| (part.len() == 2).then(|| part.parse().ok()).flatten()).collect();
    let digits = !fraction.is_empty() && fraction.len() <= 9 && fraction.bytes().all(|digit| digit.is_ascii_digit());
    matches!(parts.as_slice(), [Some(0..=23), Some(0..=59), Some(0..=59)]) && digits
}

fn timestamp(text: &str) -> bool {
    text.strip_suffix('Z').and_then(|text| text.split_once('T')).is_some_and(|(day, clock)| date(day) && time(clock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_fits_its_type_or_is_told_how_to_be_written() {
        let text = |text: &str| Literal::Text(text.into());
        let number = |text: &str| Literal::Number(text.into());
        for (kind, literal) in [
            ("int", number("-5")),
            ("tinyint", number("-128")),
            ("bigint", number("9223372036854775807")),
            ("decimal", number("1.5")),
            ("boolean", Literal::Bool(true)),
            ("uuid", text("123e4567-e89b-12d3-a456-426614174000")),
            ("date", text("2024-02-29")),
            ("time", text("23:59:59.5")),
            ("timestamp", text("2026-11-30T11:10:07.123Z")),
            ("inet", text("::1")),
            ("text", text("ü")),
        ] {
            assert_eq!(fits(&AttributeType::scalar(kind).unwrap(), &literal), Ok(()), "{kind} {literal}");
        }
        for (kind, literal) in [
            ("int", number("1.5")),
            ("int", number("2147483648")),
            ("tinyint", number("128")),
            ("text", number("5")),
            ("ascii", text("ü")),
            ("boolean", text("true")),
            ("uuid", text("123E4567-e89b-12d3-a456-426614174000")),
            ("date", text("2026-02-29")),
            ("date", text("2026-2-9")),
            ("time", text("24:00:00")),
            ("timestamp", text("2026-11-30")),
            ("inet", text("300.1.1.1")),
        ] {
            assert!(fits(&AttributeType::scalar(kind).unwrap(), &literal).is_err(), "{kind} {literal}");
        }
    }
}
