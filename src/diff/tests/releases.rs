//! What a release of the provider does, where the module says which ones it takes.

use crate::diff::{Change, Context, Needs, Pair, diff};
use crate::read::terraform;
use crate::schema::{Backend, Generation};
use crate::source::SourceMap;

const SIX: Backend = Backend::TerraformAws6;

/// The one change of a global index whose key gets the other syntax, with a version constraint.
fn told(constraint: &str) -> Change {
    let module = |key: &str| {
        let mut sources = SourceMap::default();
        let text = format!(
            "terraform {{\n  required_providers {{\n    aws = {{\n      version = \"{constraint}\"\n    }}\n  }}\n}}\nresource \
             \"aws_dynamodb_table\" \"t\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"a\"\n  attribute \
             {{\n    name = \"a\"\n    type = \"S\"\n  }}\n  global_secondary_index {{\n    name = \"by_a\"\n    {key}\n    \
             projection_type = \"ALL\"\n  }}\n}}\n"
        );
        let file = sources.add("main.tf", text);
        terraform::read(&sources, &[file], &mut crate::diagnostic::Sink::default()).unwrap()
    };
    let previous = module("hash_key = \"a\"");
    let next = module("key_schema {\n      attribute_name = \"a\"\n      key_type = \"HASH\"\n    }");
    let context = Context { releases: next.releases, ..Context::default() };
    let of = |schema| -> Generation { [(SIX, schema)].into() };
    let pair = Pair { previous: &of(previous.schema.into()), next: &of(next.schema.into()) };
    diff(&context, pair).remove(0)
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
