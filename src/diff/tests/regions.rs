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

#[test]
fn another_region_of_the_provider_is_another_table() {
    let at = |region: &str| module("", &format!("provider \"aws\" {{\n  region = \"{region}\"\n}}\n"));
    assert_eq!(
        all(&at("eu-west-1"), &at("eu-west-2"), Backend::TerraformAws6),
        ["dynamodb.orders extra.\"provider.region\" region-change Recreation/Replaces/[Items]"]
    );
    assert_eq!(all(&module("", ""), &at("eu-west-2"), Backend::TerraformAws6), [""; 0]);
    let by = |table: &str, provider: &str| {
        let default = "provider \"aws\" {\n  region = \"eu-west-1\"\n}\n";
        module(table, &format!("{default}provider \"aws\" {{\n  alias = \"a\"\n{provider}}}\n"))
    };
    let told = all(&by("", ""), &by("  provider = aws.a\n", "  region = \"eu-west-2\"\n"), Backend::TerraformAws6);
    assert!(told.iter().all(|told| told.ends_with("region-change Recreation/Replaces/[Items]")) && told.len() == 2, "{told:?}");
    let untold = ["dynamodb.orders extra.provider ? Unknown/Unknown/[]"];
    assert_eq!(all(&module("  provider = aws.a\n", ""), &module("  provider = aws.b\n", ""), Backend::TerraformAws6), untold);
    for (region, told) in [("  region = \"eu-west-1\"\n", &[][..]), ("  region = var.region\n", &untold)] {
        for backend in [Backend::TerraformAws5, Backend::TerraformAws6] {
            assert_eq!(all(&by("", region), &by("  provider = aws.a\n", region), backend), told, "{region}");
        }
    }
    // Another account, or none.
    let role = "  region = \"eu-west-1\"\n  assume_role {\n    role_arn = \"arn:aws:iam::2:role/x\"\n  }\n";
    assert!(all(&by("", role), &by("  provider = aws.a\n", role), Backend::TerraformAws6).contains(&untold[0].to_owned()));
}

#[test]
fn the_region_of_the_provider_is_not_another_one() {
    let at = |table: &str| module(table, "provider \"aws\" {\n  region = \"eu-west-1\"\n}\n");
    let (none, same, other) = (at(""), at("  region = \"eu-west-1\"\n"), at("  region = \"eu-west-2\"\n"));
    assert_eq!(all(&none, &same, Backend::TerraformAws6), [""; 0]);
    assert_eq!(all(&same, &none, Backend::TerraformAws6), [""; 0]);
    assert_eq!(all(&none, &same, Backend::TerraformAws5), ["dynamodb.orders extra.region region-change Unsupported/Refuses/[]"]);
    assert_eq!(
        all(&none, &other, Backend::TerraformAws6),
        ["dynamodb.orders extra.region region-change Recreation/Replaces/[Items]"]
    );
}

#[test]
fn the_region_of_the_stack_stays_among_its_replicas() {
    let of = |regions: &[&str]| {
        let replicas = regions.iter().map(|region| format!("{{ Region: {region} }}")).collect::<Vec<_>>().join(", ");
        template(&format!(
            "Resources:\n  Orders:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
             BillingMode: PAY_PER_REQUEST\n      StreamSpecification: {{ StreamViewType: NEW_AND_OLD_IMAGES }}\n      Replicas: [{replicas}]\n"
        ))
    };
    let own = "!Ref AWS::Region";
    let refused = "dynamodb.Orders replicas.\"AWS::Region\" replica-own-region Unsupported/Refuses/[]";
    for others in [&["us-east-1"][..], &["eu-west-1", "us-east-1"]] {
        let (with, without) = (of(&[&[own], others].concat()), of(others));
        assert_eq!(all(&with, &without, GLOBAL), [refused]);
        assert_eq!(all(&without, &with, GLOBAL), [refused], "it is one of those, which would stand there twice");
    }
    // One of those that are named may be it.
    assert_eq!(all(&of(&[own, "us-east-1"]), &of(&["eu-west-1", "us-east-1"]), GLOBAL).len(), 1);
    let fewer = all(&of(&[own, "eu-west-1", "us-east-1"]), &of(&["us-east-1"]), GLOBAL);
    assert!(fewer.contains(&refused.to_owned()), "{fewer:?}");
}
