//! Blocks that name a part of a table: one instance of several, one resource of a module.

use super::all;
use super::native::{module, terraform};
use crate::schema::{Backend, Schema};

const TERRAFORM: Backend = Backend::TerraformAws5;

/// A resource or module with a line of its own, and blocks beside it.
fn of(head: &str, label: &str, rest: &str, blocks: &str) -> Schema {
    let body = match head {
        "module" => "source = \"terraform-aws-modules/dynamodb-table/aws\"\n  attributes = [{ name = \"id\", type = \"S\" }]",
        _ => "billing_mode = \"PAY_PER_REQUEST\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }",
    };
    terraform(&format!("{head} \"{label}\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  {body}\n{rest}}}\n{blocks}"))
}

const RESOURCE: &str = "resource \"aws_dynamodb_table\"";

fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to = {to}\n}}\n")
}

/// What is told of the address of a table that gets another label.
fn told(head: &str, rest: [&str; 2], from: &str, to: &str) -> String {
    let (previous, next) = (of(head, "a", rest[0], ""), of(head, "b", rest[1], &moved(from, to)));
    let told = all(&previous, &next, TERRAFORM);
    told.iter()
        .find(|told| told.contains(" terraform_name "))
        .and_then(|told| told.split_once(" terraform_name "))
        .unwrap()
        .1
        .to_owned()
}

const MOVED: &str = "address-rename Nothing/Applies/[]";
const ANEW: &str = "address-rename Nothing/Replaces/[Items]";
const UNKNOWN: &str = "? Unknown/Unknown/[]";

#[test]
fn one_instance_is_not_the_others() {
    for (head, a, b) in [(RESOURCE, "aws_dynamodb_table.a", "aws_dynamodb_table.b"), ("module", "module.a", "module.b")] {
        let told = |rest: [&str; 2], from: &str, to: &str| told(head, rest, &format!("{a}{from}"), &format!("{b}{to}"));
        let (none, two, each) = ("", "  count = 2\n", "  for_each = toset([\"x\", \"y\"])\n");
        assert_eq!(told([none, none], "", ""), MOVED);
        assert_eq!(told([two, two], "", ""), MOVED);
        assert_eq!(told([two, two], "[0]", "[0]"), UNKNOWN);
        assert_eq!(told([each, each], "[\"x\"]", "[\"x\"]"), UNKNOWN);
        assert_eq!(told([none, each], "", "[\"x\"]"), UNKNOWN);
        assert_eq!(told([each, none], "[\"x\"]", ""), UNKNOWN);
        // The first instance is the table itself, where there is but one; there is no other.
        assert_eq!(told([none, none], "[0]", ""), MOVED);
        assert_eq!(told([none, none], "[\"x\"]", ""), ANEW);
        assert_eq!(told([none, none], "[1]", "[0]"), ANEW);
    }
}

#[test]
fn a_module_makes_one_of_its_resources() {
    let told = |rest: [&str; 2], from: &str, to: &str| {
        let inside = |module: &str, name: &str| format!("module.{module}.aws_dynamodb_table.{name}[0]");
        told("module", rest, &inside("a", from), &inside("b", to))
    };
    let (fixed, scaled) = ("", "  autoscaling_enabled = true\n");
    assert_eq!(told([fixed, fixed], "this", "this"), MOVED);
    assert_eq!(told([fixed, fixed], "autoscaled", "this"), ANEW);
    assert_eq!(told([fixed, fixed], "this", "autoscaled"), ANEW);
    assert_eq!(told([scaled, scaled], "autoscaled", "autoscaled"), MOVED);
    assert_eq!(told([scaled, fixed], "autoscaled", "this"), MOVED);
    let unknown = "  autoscaling_enabled = var.scaled\n";
    assert_eq!(told([unknown, unknown], "this", "this"), "? Unknown/Unknown/[]");
    let inside = |next: &str| {
        let block = moved("module.a.aws_dynamodb_table.this[0]", &format!("module.a.aws_dynamodb_table.{next}[0]"));
        all(&of("module", "a", fixed, ""), &of("module", "a", scaled, &block), TERRAFORM)
    };
    let path = "dynamodb.\"module.a\" ignore_changes";
    assert_eq!(inside("autoscaled"), [format!("{path} {MOVED}")]);
    assert_eq!(inside("autoscaled_gsi_ignore"), [format!("{path} {ANEW}")]);
}

#[test]
fn what_is_kept_and_taken_in_is_what_the_module_makes() {
    let removed = |from: &str| format!("removed {{\n  from = {from}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n");
    let left = |inside: &str| {
        let blocks = removed(&format!("module.a.aws_dynamodb_table.{inside}"));
        all(&of("module", "a", "", ""), &terraform(&blocks), TERRAFORM)
    };
    assert_eq!(left("this"), ["dynamodb.\"module.a\" - table-kept Nothing/Applies/[]"]);
    assert_eq!(left("autoscaled"), ["dynamodb.\"module.a\" - table-drop InPlace/Applies/[Items]"]);
    let taken_in = |inside: &str| {
        let import = format!("import {{\n  to = module.b.aws_dynamodb_table.{inside}[0]\n  id = \"orders\"\n}}\n");
        let next = of("module", "b", "", &(removed("aws_dynamodb_table.a") + &import));
        let told = all(&of(RESOURCE, "a", "", ""), &next, TERRAFORM);
        told.into_iter().find(|told| told.contains(" terraform_name ")).unwrap()
    };
    assert!(taken_in("this").contains(" table-returns "), "{}", taken_in("this"));
    assert!(taken_in("autoscaled").contains(" table-add InPlace/Refuses"), "{}", taken_in("autoscaled"));
}

#[test]
fn keys_that_are_overlooked_stay_with_their_definitions() {
    let table = |key: &str, rest: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  \
             hash_key = \"{key}\"\n  attribute {{\n    name = \"{key}\"\n    type = \"S\"\n  }}\n  {rest}\n}}\n"
        ))
    };
    let told = |ignored: &str| {
        let told = all(&table("a", ""), &table("b", &format!("lifecycle {{ ignore_changes = [{ignored}] }}")), TERRAFORM);
        told.into_iter().find(|told| told.contains(" partition_key ")).unwrap()
    };
    assert!(told("hash_key").ends_with(" attribute-unused Recreation/Refuses/[]"), "{}", told("hash_key"));
    assert!(told("\"hash_key\", attribute").ends_with(" ignore-changes Recreation/Ignores/[]"));
}

#[test]
fn the_policy_of_a_stream_and_limits_at_times_are_not_those_of_the_table() {
    let policy = |label: &str, of: &str, effect: &str| {
        let policy = format!("jsonencode({{ Statement = [{{ Effect = \"{effect}\" }}] }})");
        format!(
            "resource \"aws_dynamodb_resource_policy\" \"{label}\" {{\n  resource_arn = aws_dynamodb_table.orders.{of}\n  policy = {policy}\n}}\n"
        )
    };
    let both = |effect: &str, of_stream: &str| module("", &(policy("a", "arn", effect) + &policy("b", "stream_arn", of_stream)));
    let told = all(&both("Allow", "Allow"), &both("Deny", "Allow"), TERRAFORM);
    assert!(matches!(told.as_slice(), [told] if told.starts_with("dynamodb.orders resource_policy ")), "{told:?}");
    let told = all(&both("Allow", "Allow"), &both("Allow", "Deny"), TERRAFORM);
    assert!(
        matches!(told.as_slice(), [told] if told.starts_with("dynamodb.orders extra.\"stream.resource_policy.policy\" ?")),
        "{told:?}"
    );
    let scaled = |most: u32| {
        let action = "service_namespace = \"dynamodb\"\n  scalable_dimension = \"dynamodb:table:WriteCapacityUnits\"";
        let id = "resource_id = \"table/${aws_dynamodb_table.orders.name}\"";
        let target = format!(
            "resource \"aws_appautoscaling_target\" \"w\" {{\n  min_capacity = 1\n  max_capacity = 9\n  {id}\n  {action}\n}}\n"
        );
        let limits = format!("scalable_target_action {{\n    max_capacity = {most}\n  }}");
        let night =
            format!("resource \"aws_appautoscaling_scheduled_action\" \"night\" {{\n  {id}\n  {action}\n  {limits}\n}}\n");
        module("", &(target + &night))
    };
    let told = all(&scaled(9), &scaled(1), TERRAFORM);
    let path = "extra.\"autoscaling.write.scheduled_action.night.scalable_target_action.max_capacity\"";
    assert_eq!(told, [format!("dynamodb.orders {path} ? Unknown/Unknown/[]")]);
}

#[test]
fn what_stands_beside_a_table_is_followed_too() {
    let of = |kinesis: &str, target: &str, blocks: &str| {
        let scaled = "service_namespace = \"dynamodb\"\n  resource_id = \"table/orders\"\n  scalable_dimension = \
                      \"dynamodb:table:ReadCapacityUnits\"\n  min_capacity = 5\n  max_capacity = 50";
        let beside = format!(
            "resource \"aws_dynamodb_kinesis_streaming_destination\" \"{kinesis}\" {{\n  table_name = \"orders\"\n  stream_arn = \
             \"arn:aws:kinesis:eu-west-1:111122223333:stream/s\"\n}}\nresource \"aws_appautoscaling_target\" \"{target}\" {{\n  \
             {scaled}\n}}\n"
        );
        of(RESOURCE, "a", "", &format!("{beside}{blocks}"))
    };
    let told = |next: &Schema| all(&of("x", "y", ""), next, TERRAFORM);
    let kind = "aws_dynamodb_kinesis_streaming_destination";
    let effect = "beside-address-rename FollowUp/Unknown/[]";
    assert_eq!(told(&of("x", "y", "")), [""; 0]);
    assert_eq!(told(&of("z", "y", "")), [format!("dynamodb.a beside.{kind} {effect}")]);
    assert_eq!(told(&of("z", "y", &moved(&format!("{kind}.x"), &format!("{kind}.z")))), [""; 0]);
    assert_eq!(told(&of("x", "z", "")), [format!("dynamodb.a beside.\"aws_appautoscaling_target.read\" {effect}")]);
}
