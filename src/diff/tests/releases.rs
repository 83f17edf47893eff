//! What a release of the provider does, where the module says which ones it takes.

use crate::diff::{Change, Context, Needs, Pair, diff};
use crate::read::terraform;
use crate::schema::{Backend, Generation};
use crate::source::SourceMap;

const SIX: Backend = Backend::TerraformAws6;

/// The one change of a table's body, with a version constraint.
fn change(constraint: &str, bodies: Pair<&str>) -> Change {
    let module = |body: &str| {
        let mut sources = SourceMap::default();
        let text = format!(
            "terraform {{\n  required_providers {{\n    aws = {{\n      version = \"{constraint}\"\n    }}\n  }}\n}}\nresource \
             \"aws_dynamodb_table\" \"t\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"a\"\n{body}}}\n"
        );
        let file = sources.add("main.tf", text);
        terraform::read(&sources, &[file], &mut crate::diagnostic::Sink::default()).unwrap()
    };
    let (previous, next) = (module(bodies.previous), module(bodies.next));
    let context = Context { releases: next.releases, ..Context::default() };
    let of = |schema| -> Generation { [(SIX, schema)].into() };
    let pair = Pair { previous: &of(previous.schema.into()), next: &of(next.schema.into()) };
    diff(&context, pair).remove(0)
}

fn attribute(kind: &str) -> String {
    format!("  attribute {{\n    name = \"a\"\n    type = \"{kind}\"\n  }}\n")
}

fn index(key: &str) -> String {
    format!("  global_secondary_index {{\n    name = \"by_a\"\n    {key}\n    projection_type = \"ALL\"\n  }}\n")
}

const KEY_SCHEMA: &str = "key_schema {\n      attribute_name = \"a\"\n      key_type = \"HASH\"\n    }";

/// A global index whose key gets the other syntax.
fn told(constraint: &str) -> Change {
    let of = |key: &str| format!("{}{}", attribute("S"), index(key));
    change(constraint, Pair { previous: &of("hash_key = \"a\""), next: &of(KEY_SCHEMA) })
}

#[test]
fn what_came_with_a_later_release_is_not_known_before() {
    let plain = attribute("S");
    let words = |constraint: &str, previous: &str, added: &str| {
        let pair = Pair { previous: &*format!("{plain}{previous}"), next: &*format!("{plain}{added}") };
        super::told(&change(constraint, pair), SIX)
    };
    let warm = |units: u64| {
        format!("  warm_throughput {{\n    read_units_per_second = {units}\n    write_units_per_second = 20000\n  }}\n")
    };
    let index = index(KEY_SCHEMA);
    let backup = "  restore_backup_arn = \"arn:aws:dynamodb:eu-west-1:111122223333:table/s/backup/b\"\n";
    for (previous, added, before, after) in [("", index.as_str(), "6.28.0", "6.29.0"), ("", backup, "6.37.0", "6.38.0")] {
        assert!(words(before, previous, added).ends_with("Unsupported/Refuses/[]"), "{added}");
        assert!(!words(after, previous, added).contains("Refuses"), "{added}");
    }
    // The release in which it became an error is not known, only that it is a later one.
    let lowered = |constraint: &str| words(constraint, &warm(20000), &warm(15000));
    assert!(lowered("6.38.0").ends_with("warm-decrease Recreation/Replaces/[Items]"));
    assert!(lowered("6.60.0").ends_with("warm-decrease Unsupported/Refuses/[]"));
    assert!(lowered("~> 6.0").ends_with("warm-decrease Unsupported/Refuses/[]"));
}

#[test]
fn the_release_that_is_pinned_is_the_one_that_is_told_of() {
    let words = |constraint: &str| super::told(&told(constraint), SIX);
    for constraint in ["6.20.0", "= 6.28", "~> 6.20.0", ">= 6.0, < 6.29"] {
        assert_eq!(
            words(constraint),
            "dynamodb.t.gsi.by_a extra.key_schema gsi-syntax-key-schema Unsupported/Refuses/[]",
            "{constraint}"
        );
    }
    for constraint in ["6.29.0", ">= 6.30", "~> 6.0", "5.100.0"] {
        assert_eq!(
            words(constraint),
            "dynamodb.t.gsi.by_a extra.key_schema gsi-syntax-key-schema Nothing/Nothing/[]",
            "{constraint}"
        );
    }
    // No number is too large.
    let largest = u64::MAX;
    for constraint in [format!("= 6.{largest}.{largest}"), format!("~> 6.{largest}.0"), format!("~> 6.29, > {largest}.0")] {
        assert!(words(&constraint).ends_with("Nothing/Nothing/[]"), "{constraint}");
    }
    assert_eq!(
        told("6.20.0").effects[&SIX].reason,
        "With a release before 6.29, as the constraint asks for: No key_schema block."
    );
    let some = |constraint: &str| told(constraint).effects[&SIX].reason.contains("With a release before 6.29");
    assert!(some("~> 6.0") && some(">= 5.0") && !some("6.29.0") && !some("5.100.0"));
    assert_eq!(told("6.20.0").effects[&SIX].needs, Needs::Unsupported);
}
