//! Tags of tables: what a key and a value may be is the same for DynamoDB and Amazon Keyspaces.
//!
//! Sources: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TaggingRestrictions.html>,
//! <https://docs.aws.amazon.com/keyspaces/latest/devguide/TaggingRestrictions.html>; that a key is of one line, the schema of
//! `AWS::DynamoDB::Table` and `AWS::Cassandra::Table` (`^(?!aws:).+$`).

use super::in_force::InForce;
use super::report::Report;
use crate::schema::{Part, Text};
use crate::source::Spanned;
use crate::validate::document;
use crate::validate::grammar::name::Name;

/// The value of a tag, whose key and value are checked as they are written and as they are in force.
pub(super) fn read(key: &Spanned<String>, value: &Spanned<document::Value>, report: &mut Report<'_>) -> Option<Spanned<Text>> {
    report.name(Name::TagKey, key, "the key of a tag");
    let text = report.text(value)?;
    let literal = |part: &Part| if let Part::Literal(text) = part { Some(text.clone()) } else { None };
    let what = "the value of a tag";
    // The letters that are written are told where they are, if they alone are too many.
    let letters: String = text.value.parts().iter().filter_map(literal).collect();
    if report.read(&Spanned::new(letters, value.span), |letters| Name::TagValue.check_letters(letters, what)).is_some() {
        InForce::of(&text.value, report).check(Name::TagValue, &text, what, report);
    }
    Some(text)
}
