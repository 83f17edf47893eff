//! What changes of a table that is made anew, and what says nothing of the table that is there.

use super::native::{module, template, terraform};
use super::{all, changes};
use crate::diff::Plan;
use crate::schema::{Backend, Schema};

const TERRAFORM: Backend = Backend::TerraformAws5;
const ANEW: &str = "with-replacement InPlace/Applies/[]";

#[test]
fn what_changes_with_a_new_table_comes_with_it() {
    let indexes = "      GlobalSecondaryIndexes:\n        - { IndexName: by_a, KeySchema: [{ AttributeName: id, KeyType: HASH }], Projection: { ProjectionType: ALL } }\n        \
                   - { IndexName: by_b, KeySchema: [{ AttributeName: id, KeyType: HASH }], Projection: { ProjectionType: ALL } }\n";
    let table = |name: &str, indexes: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: {name}\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n{indexes}"
        ))
    };
    let told = |name: &str| all(&table("one", ""), &table(name, indexes), Backend::CloudformationTable);
    let both = |effect: &str| ["by_a", "by_b"].map(|index| format!("dynamodb.T.gsi.{index} - {effect}"));
    assert_eq!(told("one"), both("gsi-add-two Stages/Refuses/[]"));
    assert_eq!(told("two")[1..], both(ANEW));
    let mut plan = Plan::default();
    plan.add(changes(&table("one", ""), &table("two", indexes), &[Backend::CloudformationTable]));
    assert_eq!((plan.summary.recreate, plan.summary.blocked), (1, 1));
}

#[test]
fn so_do_types_of_keys_local_indexes_and_settings() {
    let table = |name: &str, kind: &str, projection: &str, body: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"t\" {{\n  name = \"{name}\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n  range_key = \"at\"\n  \
             attribute {{\n    name = \"id\"\n    type = \"{kind}\"\n  }}\n  attribute {{\n    name = \"at\"\n    type = \"S\"\n  }}\n  \
             local_secondary_index {{\n    name = \"by_at\"\n    range_key = \"at\"\n    projection_type = \"{projection}\"\n  }}\n{body}}}\n"
        ))
    };
    let ttl = |name: &str| format!("  ttl {{\n    attribute_name = \"{name}\"\n    enabled = true\n  }}\n");
    let previous = table("one", "S", "ALL", &ttl("a"));
    let told = |name: &str, body: &str| all(&previous, &table(name, "N", "KEYS_ONLY", &format!("{}{body}", ttl("b"))), TERRAFORM);
    let rename = "dynamodb.t name table-rename Recreation/Replaces/[Items]";
    let anew = ["attributes.id", "ttl"].map(|path| format!("dynamodb.t {path} {ANEW}"));
    let index = format!("dynamodb.t.lsi.by_at projection {ANEW}");
    assert_eq!(told("two", ""), [anew[0].as_str(), rename, &anew[1], &index]);
    assert!(told("one", "").iter().all(|told| !told.contains("with-replacement")));
    // What is never accepted is not accepted of a new table either.
    let sizes = "  read_capacity = 5\n  write_capacity = 5\n";
    assert!(told("two", sizes).iter().any(|told| told.contains("capacity-on-demand Unsupported/Refuses")));
}

#[test]
fn under_another_logical_id_a_table_of_another_type_is_another_resource() {
    let table = |id: &str, kind: &str, name: &str| {
        template(&format!(
            "Resources:\n  {id}:\n    Type: AWS::DynamoDB::{kind}\n    DeletionPolicy: Retain\n    UpdateReplacePolicy: Retain\n    Properties:\n      \
             TableName: {name}\n      BillingMode: PAY_PER_REQUEST\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      \
             KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      {}\n",
            if kind == "GlobalTable" { "Replicas: [{ Region: us-east-1 }]" } else { "" }
        ))
    };
    let global = |next: &Schema| changes(&table("T", "Table", "t"), next, &[Backend::CloudformationTable]);
    let found = global(&table("G", "GlobalTable", "t"));
    assert!(found.iter().flat_map(|change| change.effects.values()).all(|effect| effect.rule == Some("address-rename")));
    let same = global(&table("T", "GlobalTable", "t"));
    assert!(same.iter().flat_map(|change| change.effects.values()).any(|effect| effect.rule == Some("table-to-globaltable")));
}

#[test]
fn ttl_is_switched_off_under_the_name_that_it_has() {
    let ttl = |name: &str, on: bool| {
        let name = if name.is_empty() { String::new() } else { format!("    attribute_name = \"{name}\"\n") };
        module(&format!("  ttl {{\n{name}    enabled = {on}\n  }}\n"), "")
    };
    for (name, effect) in [("a", "Applies"), ("b", "Refuses"), ("", "Refuses")] {
        let told = all(&ttl("a", true), &ttl(name, false), TERRAFORM);
        assert_eq!(told, [format!("dynamodb.orders ttl ttl-disable InPlace/{effect}/[]")], "{name}");
    }
    // The table module names what it is given, which is nothing.
    let of_module = |inputs: &str| {
        terraform(&format!(
            "module \"t\" {{\n  source = \"terraform-aws-modules/dynamodb-table/aws\"\n  name = \"t\"\n  hash_key = \"id\"\n  \
             attributes = [{{ name = \"id\", type = \"S\" }}]\n{inputs}}}\n"
        ))
    };
    let on = of_module("  ttl_enabled = true\n  ttl_attribute_name = \"a\"\n");
    for off in ["", "  ttl_enabled = false\n"] {
        let told = all(&on, &of_module(off), TERRAFORM);
        assert_eq!(told, ["dynamodb.\"module.t\" ttl ttl-disable InPlace/Refuses/[]"], "{off}");
    }
}

#[test]
fn in_a_template_it_is_switched_off_under_its_name_alone() {
    let of = |kind: &str, ttl: &str| {
        let replicas = if kind == "GlobalTable" { ", Replicas: [{ Region: !Ref AWS::Region }]" } else { "" };
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::{kind}\n    Properties: {{ BillingMode: PAY_PER_REQUEST, AttributeDefinitions: [{{ \
             AttributeName: id, AttributeType: S }}], KeySchema: [{{ AttributeName: id, KeyType: HASH }}], \
             TimeToLiveSpecification: {{ {ttl} }}{replicas} }}\n"
        ))
    };
    for (kind, backend) in [("Table", Backend::CloudformationTable), ("GlobalTable", Backend::CloudformationGlobalTable)] {
        for (off, effect) in [("Enabled: false, AttributeName: a", "Applies"), ("Enabled: false", "Refuses")] {
            let told = all(&of(kind, "Enabled: true, AttributeName: a"), &of(kind, off), backend);
            assert_eq!(told, [format!("dynamodb.T ttl ttl-disable InPlace/{effect}/[]")], "{off}");
        }
        assert_eq!(all(&of(kind, "Enabled: false, AttributeName: a"), &of(kind, "Enabled: false"), backend).len(), 1);
    }
}

#[test]
fn a_period_that_is_no_longer_written_stays() {
    let table = |days: &str| module(&format!("  point_in_time_recovery {{\n    enabled = true\n{days}  }}\n"), "");
    let days = |days: u8| table(&format!("    recovery_period_in_days = {days}\n"));
    let path = "dynamodb.orders point_in_time_recovery pitr-period";
    assert_eq!(all(&days(7), &table(""), TERRAFORM), [format!("{path} InPlace/Ignores/[]")]);
    assert_eq!(all(&days(7), &days(3), TERRAFORM), [format!("{path} InPlace/Applies/[History]")]);
    assert_eq!(all(&days(35), &table(""), TERRAFORM), [""; 0]);
}

#[test]
fn capacity_that_is_overlooked_goes_when_a_table_goes_on_demand() {
    let table = |mode: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"t\" {{\n  name = \"t\"\n  hash_key = \"id\"\n{mode}  attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n  \
             lifecycle {{\n    ignore_changes = [read_capacity, write_capacity]\n  }}\n}}\n"
        ))
    };
    let told =
        all(&table("  read_capacity = 5\n  write_capacity = 5\n"), &table("  billing_mode = \"PAY_PER_REQUEST\"\n"), TERRAFORM);
    assert_eq!(told, ["billing", "throughput"].map(|path| format!("dynamodb.t {path} billing-to-ondemand InPlace/Applies/[]")));
}

#[test]
fn a_table_has_no_snapshot() {
    let table = |policy: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    DeletionPolicy: {policy}\n    Properties:\n      TableName: t\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n"
        ))
    };
    for (policy, effect) in [("Snapshot", "Unsupported/Unknown/[]"), ("Retain", "Nothing/Applies/[]")] {
        let told = all(&table("Delete"), &table(policy), Backend::CloudformationTable);
        assert_eq!(told, [format!("dynamodb.T deletion_policy guard-change {effect}")]);
    }
}
