//! Regions that one side names and the other leaves open.

use super::native::{module, template};
use super::{all, read};
use crate::read::cloudformation;
use crate::schema::{Backend, Schema};

const GLOBAL: Backend = Backend::CloudformationGlobalTable;

/// A global table in two Regions, with settings of the first.
fn global_in(first: &str, second: &str) -> String {
    format!(
        "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      \
         AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
         BillingMode: PAY_PER_REQUEST\n      Replicas:\n        - Region: {first}\n          PointInTimeRecoverySpecification: {{ \
         PointInTimeRecoveryEnabled: true }}\n          Tags: [{{ Key: a, Value: b }}]\n        - Region: {second}\n"
    )
}

#[test]
fn a_region_that_only_one_side_names_may_be_the_stacks_own() {
    let own = template(&global_in("!Ref AWS::Region", "us-east-1"));
    let named = template(&global_in("eu-west-1", "us-east-1"));
    let all = |previous: &Schema, next: &Schema| all(previous, next, GLOBAL);
    let untold = "? Unknown/Unknown/[]";
    assert_eq!(
        all(&own, &named),
        ["point_in_time_recovery", "replicas.eu-west-1", "tags.a"].map(|path| format!("dynamodb.Orders {path} {untold}"))
    );
    let (Schema::Dynamodb(one), Schema::Dynamodb(other)) = (&own, &named) else { panic!("no schema") };
    assert_eq!(cloudformation::own_region(other, one).as_deref(), Some("eu-west-1"));
    assert_eq!(cloudformation::own_region(one, other), None);
    let in_region = read("template.yaml", &global_in("eu-west-1", "us-east-1"), |sources, files, sink| {
        cloudformation::read_in(sources, files, Some("eu-west-1"), sink).map(|contents| contents.schema)
    });
    assert_eq!(all(&own, &in_region), Vec::<String>::new());
    // Of two that are new either may be it; what goes is not.
    let moved = template(&global_in("eu-west-1", "ap-south-1"));
    let Schema::Dynamodb(other) = &moved else { panic!("no schema") };
    assert_eq!(cloudformation::own_region(other, one), None);
    let told = all(&own, &moved);
    assert!(told.contains(&format!("dynamodb.Orders replicas.ap-south-1 {untold}")), "{told:?}");
    assert!(told.contains(&"dynamodb.Orders replicas.us-east-1 replica-region-change Stages/Refuses/[]".to_owned()), "{told:?}");
}

#[test]
fn a_region_that_is_an_expression_may_be_the_one_that_is_written_out() {
    let replica = |region: &str| module(&format!("  replica {{\n    region_name = {region}\n  }}\n"), "");
    let told = all(&replica("data.aws_region.other.name"), &replica("\"eu-west-1\""), Backend::TerraformAws5);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|told| told.ends_with("? Unknown/Unknown/[]")), "{told:?}");
}

#[test]
fn what_a_provider_says_of_tags_and_accounts_is_told_where_both_sides_have_it() {
    let by = |more: &str| module("", &format!("provider \"aws\" {{\n  region = \"eu-west-1\"\n{more}}}\n"));
    let tagged = by("  default_tags {\n    tags = { team = \"a\" }\n  }\n");
    let all = |previous: &Schema, next: &Schema| all(previous, next, Backend::TerraformAws6);
    let told = ["dynamodb.orders extra.\"provider.settings\" ? Unknown/Unknown/[]"];
    assert_eq!(all(&tagged, &by("  default_tags {\n    tags = { team = \"b\" }\n  }\n")), told);
    assert_eq!(all(&by(""), &tagged), told);
    assert_eq!(all(&by(""), &by("  profile = \"other\"\n")), told);
    assert_eq!(all(&by(""), &by("  max_retries = 5\n")), [""; 0]);
    assert_eq!(all(&tagged, &by("  default_tags { tags = { team = \"a\" } }\n")), [""; 0], "only white space");
    assert_eq!(all(&module("", ""), &tagged), [""; 0], "the block may stand in another file");
}
