//! When a request is sent to another replica: `speculative_retry` and `additional_write_policy`.
//!
//! Sources: Cassandra `service/reads/SpeculativeRetryPolicy.java` and its neighbours (run); ScyllaDB
//! `speculative_retry.cc`, which has no short form of a percentile and no functions.

use crate::schema::{Engine, Family};
use crate::validate::grammar::Flaw;

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Policy {
    /// Above 0, below 100.
    Percentile(f64),
    Milliseconds(u64),
    Always,
    Never,
    /// `MIN` or `MAX` of a percentile and a number of milliseconds.
    Of(&'static str, f64, u64),
}

/// Reads a policy in any spelling that Cassandra takes.
pub(super) fn policy(text: &str) -> Result<Policy, Flaw> {
    let upper = text.trim().to_uppercase();
    for function in ["MIN", "MAX"] {
        let arguments = upper.strip_prefix(function).and_then(|rest| rest.trim_start().strip_prefix('('));
        if let Some((one, other)) = arguments.and_then(|rest| rest.strip_suffix(')')?.split_once(',')) {
            return match (simple(one), simple(other)) {
                (Some(Policy::Percentile(percentile)), Some(Policy::Milliseconds(time)))
                | (Some(Policy::Milliseconds(time)), Some(Policy::Percentile(percentile))) => {
                    Ok(Policy::Of(function, percentile, time))
                }
                _ => Err(Flaw::value(0..text.len(), format!("`{function}` has a percentile and a number of milliseconds"))
                    .instead(format!("{function}(99p,50ms)"))),
            };
        }
    }
    simple(&upper).ok_or_else(|| {
        Flaw::value(0..text.len(), format!("`{text}` does not say when to ask another replica"))
            .help("write `99p`, `50ms`, `ALWAYS`, `NEVER`, or `MIN(99p,50ms)`; a percentile is above 0 and below 100")
    })
}

fn simple(text: &str) -> Option<Policy> {
    let text = text.trim();
    let number = |suffix: &str| text.strip_suffix(suffix).and_then(|number| number.trim().parse::<f64>().ok());
    match text {
        "ALWAYS" => return Some(Policy::Always),
        "NEVER" | "NONE" => return Some(Policy::Never),
        _ => {}
    }
    if let Some(percentile) = number("PERCENTILE").or_else(|| number("P")) {
        return (percentile > 0.0 && percentile < 100.0).then_some(Policy::Percentile(percentile));
    }
    let time = number("MS").filter(|time| (0.0..1e9).contains(time))?;
    // Cassandra cuts the fraction off.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e9")]
    Some(Policy::Milliseconds(time as u64))
}

impl Policy {
    /// As an engine writes it; None: it has none such.
    pub(super) fn on(&self, engine: Engine) -> Option<String> {
        let scylla = engine.family() == Family::Scylla;
        Some(match self {
            Self::Percentile(percentile) if scylla => format!("{percentile:?}PERCENTILE"),
            Self::Percentile(percentile) => format!("{percentile}p"),
            Self::Milliseconds(time) => format!("{time}ms"),
            Self::Always => "ALWAYS".to_owned(),
            Self::Never if scylla => "NONE".to_owned(),
            Self::Never => "NEVER".to_owned(),
            Self::Of(..) if scylla => return None,
            Self::Of(function, percentile, time) => format!("{function}({percentile}p,{time}ms)"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_gets_its_own_spelling() {
        for (text, cassandra, scylla) in [
            ("99p", "99p", Some("99.0PERCENTILE")),
            ("99.95percentile", "99.95p", Some("99.95PERCENTILE")),
            (" 1.5ms", "1ms", Some("1ms")),
            ("none", "NEVER", Some("NONE")),
            ("Always", "ALWAYS", Some("ALWAYS")),
            ("max( 50ms , 99p )", "MAX(99p,50ms)", None),
        ] {
            let policy = policy(text).unwrap();
            assert_eq!(policy.on(Engine::Cassandra50).as_deref(), Some(cassandra));
            assert_eq!(policy.on(Engine::Scylla20251).as_deref(), scylla);
        }
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for text in ["", "50", "0p", "100p", "-1ms", "MIN(1ms,2ms)", "MIN(99p)", "MIN(99p,ALWAYS)", "sometimes", "ü"] {
            assert!(policy(text).is_err(), "{text}");
        }
    }
}
