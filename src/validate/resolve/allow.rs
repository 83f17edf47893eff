//! `allow` and `renamed_from` (sections 11 and 12). Whether a code exists and is a finding is judged with the findings.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::Allow;
use crate::source::{Span, Spanned};
use crate::validate::document::{Allowance, Field, Map};
use crate::validate::grammar::Flaw;
use std::collections::BTreeMap;

pub(super) fn resolve(document: &Field<Map<Allowance>>, report: &mut Report<'_>) -> Vec<Allow> {
    let Some(allowances) = document.get() else { return Vec::new() };
    let mut allow = Vec::new();
    for (code, allowance) in allowances.good() {
        let (reason, until) = match &allowance.value {
            Allowance::Text(reason) => (Some(reason.clone()), None),
            Allowance::Map(details) => {
                if details.reason.is_broken() {
                    continue;
                }
                let until = details.until.get().filter(|until| report.read(*until, date).is_some());
                (details.reason.get().map(|reason| reason.value.clone()), until.cloned())
            }
        };
        match reason.filter(|reason| !reason.trim().is_empty()) {
            Some(reason) => allow.push(Allow { code: code.clone(), reason, until }),
            None => report.push(
                Diagnostic::new(codes::ALLOW_WITHOUT_REASON, code.span, format!("`{}` is allowed without a reason", code.value))
                    .help(format!("say why: `{}: \"…\"`", code.value)),
            ),
        }
    }
    allow
}

/// `2027-06-30`
fn date(text: &str) -> Result<(), Flaw> {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |text: &str, width: usize| (text.len() == width).then(|| text.parse::<u32>().ok()).flatten();
    let fits = match parts.as_slice() {
        [year, month, day] => match (number(year, 4), number(month, 2), number(day, 2)) {
            (Some(year), Some(month), Some(day)) => (1..=12).contains(&month) && day >= 1 && day <= days(year, month),
            _ => false,
        },
        _ => false,
    };
    if fits { Ok(()) } else { Err(Flaw::value(0..text.len(), format!("`{text}` is no day")).help("write it as `2027-06-30`")) }
}

/// The days of a month.
pub(super) fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Checks that no two things were renamed from one name, nor one from its own.
pub(super) fn renames<'a>(things: impl Iterator<Item = (&'a str, Option<&'a Spanned<String>>)>, report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, from) in things {
        let Some(from) = from else { continue };
        if from.value == name {
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, from.span, format!("`{name}` is renamed from its own name"));
            report.push(diagnostic.help("name what it was called before, or remove the line"));
        } else if let Some(first) = seen.insert(&from.value, from.span) {
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, from.span, format!("two are renamed from `{}`", from.value));
            report.push(diagnostic.context(first, "the other"));
        }
    }
}
