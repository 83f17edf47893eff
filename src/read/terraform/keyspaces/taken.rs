//! Values that the provider does not take. It says so when it plans, and before anything is deployed.
//!
//! Source: `internal/service/keyspaces/table.go`; each was given to AWS provider 5.100.0, whose `terraform validate` refused it.

use crate::schema::is_computed;

/// The words of an argument, by its block. They are in capitals, and what cannot be switched off has one.
const WORDS: [(&str, &str, &[&str]); 6] = [
    ("capacity_specification", "throughput_mode", &["PAY_PER_REQUEST", "PROVISIONED"]),
    ("client_side_timestamps", "status", &["ENABLED"]),
    ("clustering_key", "order_by", &["ASC", "DESC"]),
    ("encryption_specification", "type", &["AWS_OWNED_KMS_KEY", "CUSTOMER_MANAGED_KMS_KEY"]),
    ("point_in_time_recovery", "status", &["DISABLED", "ENABLED"]),
    ("ttl", "status", &["ENABLED"]),
];

/// Whether the provider takes a value of an argument. What an expression comes to is not known.
pub(super) fn takes(block: &str, argument: &str, value: &str) -> bool {
    if is_computed(value) {
        return true;
    }
    match (block, argument) {
        // What a type is made of is judged by the type itself.
        ("column", "type") => is_spelled(value),
        ("capacity_specification", "read_capacity_units" | "write_capacity_units") => value.parse() != Ok(0_u64),
        _ => {
            let row = WORDS.iter().find(|(of, name, _)| (*of, *name) == (block, argument));
            row.is_none_or(|(_, _, words)| words.contains(&value))
        }
    }
}

/// Whether a type is in lower case, without blanks but behind a comma.
fn is_spelled(kind: &str) -> bool {
    let mut before = ' ';
    kind.chars().all(|letter| {
        let is_taken = !letter.is_ascii_uppercase() && (letter != ' ' || before == ',');
        if letter != ' ' {
            before = letter;
        }
        is_taken
    })
}

#[cfg(test)]
mod tests {
    use super::takes;

    #[test]
    fn words_are_those_of_the_provider() {
        for (block, argument, good, bad) in [
            ("ttl", "status", "ENABLED", "DISABLED"),
            ("client_side_timestamps", "status", "ENABLED", "DISABLED"),
            ("point_in_time_recovery", "status", "DISABLED", "ON"),
            ("point_in_time_recovery", "status", "ENABLED", "enabled"),
            ("capacity_specification", "throughput_mode", "PAY_PER_REQUEST", "ON_DEMAND"),
            ("capacity_specification", "read_capacity_units", "1", "0"),
            ("encryption_specification", "type", "AWS_OWNED_KMS_KEY", "aws_owned_kms_key"),
            ("clustering_key", "order_by", "DESC", "desc"),
            ("column", "type", "map<text,  int>", "map<text ,int>"),
            ("column", "type", "text", "TEXT"),
        ] {
            assert!(takes(block, argument, good) && !takes(block, argument, bad), "{block}.{argument}");
        }
        assert!(takes("ttl", "status", "${var.status}") && takes("ttl", "other", "x"));
    }
}
