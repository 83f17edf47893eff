//! When a request is sent to another replica: `speculative_retry` and `additional_write_policy`.
//!
//! Sources: Cassandra `service/reads/SpeculativeRetryPolicy.java` and its neighbours (run); ScyllaDB
//! `speculative_retry.cc`, which has no short form of a percentile and no functions.

use crate::schema::{Engine, Family};

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// Above 0, below 100.
    Percentile(f64),
    /// Whole ones.
    Milliseconds(u64),
    /// To two replicas at once.
    Always,
    /// To one.
    Never,
    /// `MIN` or `MAX` of a percentile and a number of milliseconds.
    Of(&'static str, f64, u64),
}

impl Policy {
    /// Reads a policy in any spelling that an engine takes.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let upper = text.to_uppercase();
        match function(&upper) {
            Some((function, one, other)) => match (simple(one)?, simple(other)?) {
                (Self::Percentile(percentile), Self::Milliseconds(time))
                | (Self::Milliseconds(time), Self::Percentile(percentile)) => Some(Self::Of(function, percentile, time)),
                _ => None,
            },
            None => simple(&upper),
        }
    }

    /// As an engine writes it; None: it has none such.
    #[must_use]
    pub fn on(&self, engine: Engine) -> Option<String> {
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

    /// Whether an engine takes a text for a policy.
    #[must_use]
    pub fn is_taken(text: &str, engine: Engine) -> bool {
        let Some(policy) = Self::read(text) else { return false };
        // Cassandra looks for digits and points alone.
        let is_plain = text.bytes().all(|next| next.is_ascii_alphanumeric() || b".(), ".contains(&next));
        let has_exponent = text.to_ascii_lowercase().split(|next: char| !next.is_ascii_alphanumeric()).any(has_exponent);
        if engine.family() != Family::Scylla && (!is_plain || has_exponent) {
            return false;
        }
        let upper = text.to_uppercase();
        let is_short = matches!(policy, Self::Percentile(_)) && !upper.ends_with("PERCENTILE") || upper == "NEVER";
        policy.on(engine).is_some() && !(engine.family() == Family::Scylla && is_short)
    }
}

/// The name of a function of two, and what stands between its parentheses; of a text in capitals.
pub fn function(upper: &str) -> Option<(&'static str, &str, &str)> {
    ["MIN", "MAX"].into_iter().find_map(|function| {
        let arguments = upper.strip_prefix(function)?.strip_prefix('(')?;
        let (one, other) = arguments.strip_suffix(')')?.split_once(',')?;
        // Spaces stand beside the comma alone (run).
        Some((function, one.trim_end(), other.trim_start()))
    })
}

/// Whether a word in lower case is a number with an exponent.
fn has_exponent(word: &str) -> bool {
    word.split_once('e').is_some_and(|(before, after)| {
        before.ends_with(|next: char| next.is_ascii_digit()) && after.starts_with(|next: char| next.is_ascii_digit())
    })
}

fn simple(text: &str) -> Option<Policy> {
    let number = |suffix: &str| text.strip_suffix(suffix).and_then(|number| number.parse::<f64>().ok());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_has_its_own_spelling() {
        for (text, cassandra, scylla) in [
            ("99p", "99p", Some("99.0PERCENTILE")),
            ("99.95percentile", "99.95p", Some("99.95PERCENTILE")),
            ("1.5ms", "1ms", Some("1ms")),
            (".5MS", "0ms", Some("0ms")),
            ("99.p", "99p", Some("99.0PERCENTILE")),
            ("none", "NEVER", Some("NONE")),
            ("Always", "ALWAYS", Some("ALWAYS")),
            ("max(50ms , 99p)", "MAX(99p,50ms)", None),
        ] {
            let policy = Policy::read(text).unwrap();
            assert_eq!(policy.on(Engine::Cassandra50).as_deref(), Some(cassandra));
            assert_eq!(policy.on(Engine::Scylla20251).as_deref(), scylla);
            assert!(Policy::is_taken(text, Engine::Cassandra40), "{text}");
        }
        for (text, taken) in
            [("99p", false), ("99.0percentile", true), ("never", false), ("none", true), ("MIN(99p,1ms)", false), ("1ms", true)]
        {
            assert_eq!(Policy::is_taken(text, Engine::Scylla20251), taken, "{text}");
        }
    }
}
