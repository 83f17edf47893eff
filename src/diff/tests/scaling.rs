//! Scaling as resources beside a table say it, with what they carry along.

use super::all;
use super::native::{template, terraform};
use crate::schema::{Backend, Schema};

/// A table whose reads are scaled: what its target and its policy say beside the limits.
fn scaled(target: &str, policy: &str) -> Schema {
    scaled_by(SCALED, target, policy)
}

fn scaled_by(beside: &str, target: &str, policy: &str) -> Schema {
    terraform(&format!("{TABLE}{}", beside.replace("TARGET", target).replace("POLICY", policy)))
}

const SCALED: &str = "resource \"aws_appautoscaling_target\" \"r\" {\n  service_namespace = \"dynamodb\"\n  \
                      resource_id = \"table/${aws_dynamodb_table.orders.name}\"\n  \
                      scalable_dimension = \"dynamodb:table:ReadCapacityUnits\"\n  min_capacity = 5\n  max_capacity = 50\n  TARGET\n}\n\
                      resource \"aws_appautoscaling_policy\" \"r\" {\n  name = \"p\"\n  policy_type = \"TargetTrackingScaling\"\n  \
                      resource_id = aws_appautoscaling_target.r.resource_id\n  \
                      scalable_dimension = aws_appautoscaling_target.r.scalable_dimension\n  \
                      service_namespace = aws_appautoscaling_target.r.service_namespace\n  \
                      target_tracking_scaling_policy_configuration {\n    predefined_metric_specification {\n      \
                      predefined_metric_type = \"DynamoDBReadCapacityUtilization\"\n    }\n    target_value = 70\n    POLICY\n  }\n}\n";

const TABLE: &str = "resource \"aws_dynamodb_table\" \"orders\" {\n  name = \"orders\"\n  read_capacity = 5\n  write_capacity = 5\n  \
                     hash_key = \"id\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n";

#[test]
fn what_a_target_carries_comes_and_goes_with_it_and_settings_are_updated() {
    let (role, cooldown) = ("role_arn = \"arn\"", "scale_in_cooldown = 60\n    scale_out_cooldown = 60");
    let (fixed, with) = (terraform(TABLE), scaled(role, cooldown));
    let told = |previous: &Schema, next: &Schema| all(previous, next, Backend::TerraformAws5);
    for (changes, effect) in [
        (told(&fixed, &with), "autoscaling-add FollowUp/Applies/[]"),
        (told(&with, &fixed), "autoscaling-remove FollowUp/Applies/[]"),
        (told(&with, &scaled("role_arn = \"other\"", &cooldown.replace("60", "90"))), "autoscaling-limits InPlace/Applies/[]"),
        (told(&with, &scaled("", "disable_scale_in = true")), "autoscaling-limits InPlace/Applies/[]"),
    ] {
        assert!(changes.len() >= 3 && changes.iter().all(|told| told.ends_with(effect)), "{changes:?}");
    }
    let odd = told(&with, &scaled(role, &format!("{cooldown}\n    customized_metric_specification {{\n      a = 1\n    }}")));
    assert!(odd.iter().all(|told| told.ends_with("? Unknown/Unknown/[]")) && !odd.is_empty(), "{odd:?}");
}

#[test]
fn a_role_of_a_target_in_a_template_comes_with_it() {
    let of = |resources: &str| {
        template(&format!(
            "Resources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: orders\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
             ProvisionedThroughput: {{ ReadCapacityUnits: 5, WriteCapacityUnits: 5 }}\n{resources}"
        ))
    };
    let scaled = of(
        "  Target:\n    Type: AWS::ApplicationAutoScaling::ScalableTarget\n    Properties: { MinCapacity: 5, MaxCapacity: 50, RoleARN: r, \
         ResourceId: table/orders, ScalableDimension: dynamodb:table:ReadCapacityUnits, ServiceNamespace: dynamodb }\n  Policy:\n    \
         Type: AWS::ApplicationAutoScaling::ScalingPolicy\n    Properties: { PolicyName: p, PolicyType: TargetTrackingScaling, \
         ScalingTargetId: !Ref Target, TargetTrackingScalingPolicyConfiguration: { TargetValue: 70, ScaleInCooldown: 60, \
         PredefinedMetricSpecification: { PredefinedMetricType: DynamoDBReadCapacityUtilization } } }\n",
    );
    let told = all(&of(""), &scaled, Backend::CloudformationTable);
    assert!(told.len() == 3 && told.iter().all(|told| told.ends_with("autoscaling-add FollowUp/Applies/[]")), "{told:?}");
}

#[test]
fn a_policy_of_steps_is_none_that_dynamodb_has_and_the_one_without_a_type() {
    let with = scaled("", "");
    let text = |kind: &str| {
        let policy = "  policy_type = \"TargetTrackingScaling\"\n";
        all(&with, &scaled_by(&SCALED.replace(policy, kind), "", ""), Backend::TerraformAws5)
    };
    let refused = ["dynamodb.orders extra.\"autoscaling.read.policy_type\" autoscaling-policy-type Unsupported/Refuses/[]"];
    assert_eq!(text(""), refused);
    assert_eq!(text("  policy_type = \"StepScaling\"\n"), refused);
}

#[test]
fn limits_that_cross_and_targets_that_the_service_does_not_take_are_refused() {
    let base = scaled("", "");
    for (from, to, effect) in [
        ("min_capacity = 5", "min_capacity = 51", "autoscaling-range-refused Unsupported/Refuses/[]"),
        ("target_value = 70", "target_value = 95", "autoscaling-range-refused Unsupported/Refuses/[]"),
        ("target_value = 70", "target_value = 19", "autoscaling-range-refused Unsupported/Refuses/[]"),
        ("target_value = 70", "target_value = 90", "autoscaling-limits InPlace/Applies/[]"),
        ("min_capacity = 5", "min_capacity = 50", "autoscaling-limits InPlace/Applies/[]"),
        ("min_capacity = 5", "min_capacity = var.least", "autoscaling-limits InPlace/Applies/[]"),
    ] {
        let told = all(&base, &scaled_by(&SCALED.replace(from, to), "", ""), Backend::TerraformAws6);
        assert_eq!(told, [format!("dynamodb.orders autoscaling {effect}")], "{to}");
    }
}

#[test]
fn of_capacity_that_is_scaled_what_is_written_counts_for_nothing() {
    let scaled = scaled("", "");
    let ignored = |read: &str, scaled: bool| {
        let text = TABLE.replace("read_capacity = 5", read);
        let text = text.replace("  attribute {", "  lifecycle {\n    ignore_changes = [read_capacity]\n  }\n  attribute {");
        let beside = if scaled { SCALED.replace("TARGET", "").replace("POLICY", "") } else { String::new() };
        terraform(&format!("{text}{beside}"))
    };
    let told = |previous: &Schema, next: &Schema| all(previous, next, Backend::TerraformAws6);
    let added = told(&terraform(TABLE), &ignored("read_capacity = 1", true));
    assert_eq!(added, ["dynamodb.orders autoscaling autoscaling-add FollowUp/Applies/[]"]);
    assert!(told(&scaled, &scaled).is_empty());
    // Nothing that is here scales it: what is written and what is there differ from then on.
    assert_eq!(
        told(&ignored("read_capacity = 5", false), &ignored("read_capacity = 9", false)),
        ["dynamodb.orders throughput ignore-changes InPlace/Ignores/[]"]
    );
}

/// The moment that a table was restored from forces a new one when it is taken away, the source does not.
#[test]
fn a_restore_that_is_forgotten_makes_the_table_anew_where_it_names_a_moment() {
    let of = |arguments: &str| terraform(&TABLE.replace("  hash_key", &format!("{arguments}  hash_key")));
    let told = |previous: &str, next: &str| all(&of(previous), &of(next), Backend::TerraformAws6);
    let (source, latest) = ("  restore_source_name = \"o\"\n", "  restore_to_latest_time = true\n");
    let anew = |argument: &str| format!("dynamodb.orders extra.{argument} restore-source-cleared Recreation/Replaces/[Items]");
    let forgotten = "dynamodb.orders extra.restore_source_name restore-source-cleared Nothing/Nothing/[]".to_owned();
    assert_eq!(told(source, ""), std::slice::from_ref(&forgotten));
    assert_eq!(told(&format!("{source}{latest}"), source), [anew("restore_to_latest_time")]);
    assert_eq!(
        told(&format!("{source}  restore_date_time = \"2026-01-01T00:00:00Z\"\n"), ""),
        [anew("restore_date_time"), forgotten]
    );
    assert_eq!(
        told("  restore_to_latest_time = false\n", ""),
        ["dynamodb.orders extra.restore_to_latest_time restore-source-cleared Nothing/Nothing/[]"]
    );
}

#[test]
fn a_target_without_a_policy_is_scaling_too() {
    let target = |end: &str, most: u32| {
        super::native::module(
            "",
            &format!(
                "resource \"aws_appautoscaling_target\" \"a\" {{\n  min_capacity = 1\n  max_capacity = {most}\n  resource_id = \
                 \"table/orders\"\n  scalable_dimension = \"dynamodb:table:{end}CapacityUnits\"\n  service_namespace = \"dynamodb\"\n}}\n"
            ),
        )
    };
    let told = |previous: &Schema, next: &Schema| -> std::collections::BTreeSet<String> {
        let all = all(previous, next, Backend::TerraformAws5).into_iter();
        all.map(|told| told.rsplitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let none = super::native::module("", "");
    let only = |words: &str| std::collections::BTreeSet::from([words.to_owned()]);
    assert_eq!(told(&none, &target("Read", 10)), only("FollowUp/Applies/[] autoscaling-add"));
    assert_eq!(told(&target("Read", 10), &none), only("FollowUp/Applies/[] autoscaling-remove"));
    assert_eq!(told(&target("Read", 10), &target("Read", 20)), only("InPlace/Applies/[] autoscaling-limits"));
}

#[test]
fn a_global_table_that_gets_provisioned_says_all_of_its_capacity() {
    let table = |billing: &str, writes: &str, of_index: &str, of_replica: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      BillingMode: \
             {billing}\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, \
             KeyType: HASH }}]\n{writes}      GlobalSecondaryIndexes:\n        - IndexName: by_id\n          KeySchema: [{{ AttributeName: \
             id, KeyType: HASH }}]\n          Projection: {{ ProjectionType: ALL }}\n{of_index}      Replicas:\n        - Region: \
             eu-west-1\n{of_replica}"
        ))
    };
    let writes = |indent: &str, seed: &str| {
        format!(
            "{indent}WriteProvisionedThroughputSettings: {{ WriteCapacityAutoScalingSettings: {{ MinCapacity: 1, MaxCapacity: 9{seed}, \
             TargetTrackingScalingPolicyConfiguration: {{ TargetValue: 70 }} }} }}\n"
        )
    };
    let told = |seeds: [&str; 2], of_index: &str| {
        let reads = format!(
            "          ReadProvisionedThroughputSettings: {{ ReadCapacityUnits: 5 }}\n          GlobalSecondaryIndexes: [{{ IndexName: \
             by_id{of_index} }}]\n"
        );
        let (own, index) = (writes("      ", seeds[0]), writes("          ", seeds[1]));
        let next = table("PROVISIONED", &own, &index, &reads);
        let told = all(&table("PAY_PER_REQUEST", "", "", ""), &next, Backend::CloudformationGlobalTable);
        told.into_iter().find(|told| told.contains("T billing ")).unwrap()
    };
    let (seed, reads) = (", SeedCapacity: 1", ", ReadProvisionedThroughputSettings: { ReadCapacityUnits: 5 }");
    let rule = "dynamodb.T billing billing-to-provisioned";
    assert_eq!(told([seed, seed], reads), format!("{rule} InPlace/Applies/[]"));
    assert_eq!(told(["", seed], reads), format!("{rule} Unsupported/Refuses/[]"));
    assert_eq!(told([seed, ""], reads), format!("{rule} Unsupported/Refuses/[]"));
    assert_eq!(told([seed, seed], ""), format!("{rule} Unsupported/Refuses/[]"));
}
