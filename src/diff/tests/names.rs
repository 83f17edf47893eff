//! Physical names of tables that two of them have.

use super::all;
use super::native::{template, terraform};
use crate::schema::Backend;

const TERRAFORM: Backend = Backend::TerraformAws6;
const TEMPLATE: Backend = Backend::CloudformationTable;

fn resource(label: &str, name: &str, rest: &str) -> String {
    format!(
        "resource \"aws_dynamodb_table\" \"{label}\" {{\n  name = {name}\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n  \
         attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n{rest}}}\n"
    )
}

#[test]
fn a_name_is_had_once_in_one_place() {
    let told = |name: &str, rest: &str| {
        let orders = resource("t", "\"orders\"", "");
        all(&terraform(&orders), &terraform(&(orders.clone() + &resource("u", name, rest))), TERRAFORM)
    };
    assert_eq!(told("\"orders\"", ""), ["dynamodb.u - table-add InPlace/Refuses/[]"]);
    for (name, rest) in [
        ("\"sales\"", ""),
        ("var.name", ""),
        // Elsewhere, or maybe not made.
        ("\"orders\"", "  region = \"eu-west-2\"\n"),
        ("\"orders\"", "  provider = aws.there\n"),
        ("\"orders\"", "  count = var.made ? 1 : 0\n"),
    ] {
        assert_eq!(told(name, rest), ["dynamodb.u - table-add InPlace/Applies/[]"], "{name} {rest}");
    }
}

#[test]
fn a_name_is_had_once_in_a_stack() {
    let table = |id: &str, condition: &str| {
        format!(
            "  {id}:\n    Type: AWS::DynamoDB::Table\n{condition}    Properties:\n      TableName: orders\n      BillingMode: \
             PAY_PER_REQUEST\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ \
             AttributeName: id, KeyType: HASH }}]\n"
        )
    };
    let told = |condition: &str| {
        let conditions = "Parameters:\n  P: { Type: String }\nConditions:\n  Made: !Equals [!Ref P, x]\nResources:\n";
        let previous = template(&(conditions.to_owned() + &table("T", "")));
        all(&previous, &template(&(conditions.to_owned() + &table("T", "") + &table("U", condition))), TEMPLATE)
    };
    assert_eq!(told(""), ["dynamodb.U - table-add InPlace/Refuses/[]"]);
    assert!(!told("    Condition: Made\n")[0].contains("Refuses"));
}

#[test]
fn a_name_that_a_condition_may_leave_out_holds_nothing_back() {
    let of = |name: &str, key: &str| {
        template(&format!(
            "Conditions: {{ Live: !Equals [!Ref AWS::Region, eu-west-1] }}\nResources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      \
             TableName: {name}\n      BillingMode: PAY_PER_REQUEST\n      AttributeDefinitions: [{{ AttributeName: {key}, AttributeType: S }}]\n      \
             KeySchema: [{{ AttributeName: {key}, KeyType: HASH }}]\n"
        ))
    };
    for (name, told) in [
        ("orders", "Recreation/Refuses/[]"),
        ("!If [Live, orders, others]", "Recreation/Refuses/[]"),
        ("!If [Live, orders, !Ref AWS::NoValue]", "Recreation/Replaces/[Items]"),
    ] {
        assert_eq!(all(&of(name, "a"), &of(name, "b"), TEMPLATE), [format!("dynamodb.T partition_key hash-key-change {told}")]);
    }
}
