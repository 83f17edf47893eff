//! When a request is sent to another replica: `speculative_retry` and `additional_write_policy`.

use crate::schema::cql::engine::{Policy, policy_function};
use crate::validate::grammar::Flaw;

/// Reads a policy in any spelling that Cassandra takes.
pub(super) fn policy(text: &str) -> Result<Policy, Flaw> {
    Policy::read(text).ok_or_else(|| match policy_function(&text.trim().to_uppercase()) {
        Some((function, ..)) => Flaw::value(0..text.len(), format!("`{function}` has a percentile and a number of milliseconds"))
            .instead(format!("{function}(99p,50ms)")),
        None => Flaw::value(0..text.len(), format!("`{text}` does not say when to ask another replica"))
            .help("write `99p`, `50ms`, `ALWAYS`, `NEVER`, or `MIN(99p,50ms)`; a percentile is above 0 and below 100"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_policy_is_refused() {
        for text in ["", "50", "0p", "100p", "-1ms", "MIN(1ms,2ms)", "MIN(99p)", "MIN(99p,ALWAYS)", "sometimes", "ü"] {
            assert!(policy(text).is_err(), "{text}");
        }
        assert!(policy("min(99p,50ms)").is_ok());
    }
}
