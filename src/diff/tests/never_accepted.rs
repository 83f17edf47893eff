//! Definitions that a backend never accepts: made anew, or come to by a change.

use super::all;
use super::native::{module, template, terraform};
use crate::schema::{Backend, Schema};

const TERRAFORM: [Backend; 2] = [Backend::TerraformAws5, Backend::TerraformAws6];
const TABLE: Backend = Backend::CloudformationTable;
const GLOBAL: Backend = Backend::CloudformationGlobalTable;

/// A table of Terraform with no more than its key and what is said.
fn table(body: &str) -> Schema {
    terraform(&format!(
        "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  attribute {{\n    name = \"id\"\n    \
         type = \"S\"\n  }}\n{body}\n}}\n"
    ))
}

/// A table of a template with no more than its key and what is said.
fn resource(kind: &str, properties: &str) -> Schema {
    template(&format!(
        "Resources:\n  Orders:\n    Type: AWS::DynamoDB::{kind}\n    Properties:\n      TableName: orders\n      \
         AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n{properties}"
    ))
}

/// All that is said of a change, less the addresses.
fn told(previous: &Schema, next: &Schema, backend: Backend) -> Vec<String> {
    let words = |told: String| told.split_once(' ').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    all(previous, next, backend).into_iter().map(words).collect()
}

const CAPACITY: &str = "  read_capacity = 5\n  write_capacity = 5\n";
const ON_DEMAND: &str = "  billing_mode = \"PAY_PER_REQUEST\"\n";
const PROVISIONED: &str = "  billing_mode = \"PROVISIONED\"\n";

#[test]
fn terraform_takes_capacity_with_provisioned_tables_and_with_no_other() {
    let none = terraform("");
    let of = |previous: &Schema, next: &str| TERRAFORM.map(|backend| told(previous, &table(next), backend).join(", "));
    let missing = "capacity-missing Unsupported/Refuses/[]";
    for next in ["", PROVISIONED, "  read_capacity = 5\n", "  read_capacity = 0\n  write_capacity = 5\n"] {
        assert_eq!(of(&none, next), [(); 2].map(|()| format!("- {missing}")), "{next}");
    }
    let left = format!("{ON_DEMAND}{CAPACITY}");
    assert_eq!(of(&none, &left), [(); 2].map(|()| "- capacity-on-demand Unsupported/Refuses/[]".to_owned()));
    let on_demand = table(ON_DEMAND);
    assert_eq!(of(&on_demand, &left), [(); 2].map(|()| "throughput capacity-on-demand Unsupported/Refuses/[]".to_owned()));
    // The plan that switches the mode lets both pass.
    let provisioned = table(CAPACITY);
    assert_eq!(of(&provisioned, &left), [(); 2].map(|()| "billing billing-to-ondemand FollowUp/Applies/[]".to_owned()));
    assert_eq!(
        of(&provisioned, ON_DEMAND)[0],
        "billing billing-to-ondemand InPlace/Applies/[], throughput billing-to-ondemand InPlace/Applies/[]"
    );
    assert_eq!(of(&on_demand, PROVISIONED), [(); 2].map(|()| "billing billing-to-provisioned InPlace/Applies/[]".to_owned()));
    let zero = "  read_capacity = 0\n  write_capacity = 0\n";
    assert_eq!(of(&provisioned, zero), [(); 2].map(|()| format!("throughput {missing}")));
    // What is overlooked does not count, nor does what is not known here.
    let ignored = format!("{ON_DEMAND}{CAPACITY}  lifecycle {{\n    ignore_changes = [read_capacity, write_capacity]\n  }}\n");
    assert_eq!(
        of(&provisioned, &ignored)[0],
        "billing billing-to-ondemand InPlace/Applies/[], ignore_changes guard-change Nothing/Nothing/[]"
    );
    assert_eq!(of(&none, "  billing_mode = var.mode\n")[0], "- table-add InPlace/Applies/[]");
}

#[test]
fn cloudformation_takes_capacity_with_provisioned_tables_and_with_no_other() {
    let none = template("Resources:\n  Topic: { Type: AWS::SNS::Topic }\n");
    let of = |previous: &Schema, next: &str| told(previous, &resource("Table", next), TABLE);
    let (on_demand, provisioned) = ("      BillingMode: PAY_PER_REQUEST\n", "      BillingMode: PROVISIONED\n");
    let capacity = "      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }\n";
    let zero = "      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 5 }\n";
    for next in ["", provisioned, zero] {
        assert_eq!(of(&none, next), ["- capacity-missing Unsupported/Refuses/[]"], "{next}");
    }
    let left = format!("{on_demand}{capacity}");
    assert_eq!(of(&none, &left), ["- capacity-on-demand Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", capacity), &left), ["billing capacity-on-demand Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", on_demand), provisioned), ["billing capacity-missing Unsupported/Refuses/[]"]);
    assert_eq!(of(&resource("Table", on_demand), ""), ["billing capacity-missing Unsupported/Refuses/[]"]);
    assert_eq!(of(&none, "      BillingMode: !Ref Mode\n"), ["- table-add InPlace/Applies/[]"]);
    let global =
        |properties: &str| resource("GlobalTable", &format!("      Replicas: [{{ Region: !Ref AWS::Region }}]\n{properties}"));
    let refused = "capacity-missing Unsupported/Refuses/[]";
    assert_eq!(told(&none, &global(provisioned), GLOBAL), [format!("- {refused}")]);
    let of_a_table = format!("{provisioned}{capacity}");
    let changes = told(&global(on_demand), &global(&of_a_table), GLOBAL);
    assert_eq!(changes, ["billing", "throughput"].map(|path| format!("{path} {refused}")));
}

#[test]
fn provider_5_refuses_what_only_a_later_one_knows() {
    let keys = "  attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n";
    let index = format!(
        "{keys}  global_secondary_index {{\n    name = \"by_a\"\n    projection_type = \"ALL\"\n    key_schema {{\n      \
         attribute_name = \"a\"\n      key_type = \"HASH\"\n    }}\n  }}\n"
    );
    let replica = |arguments: &str| format!("  replica {{\n    region_name = \"eu-west-1\"\n    {arguments}\n  }}\n");
    let (none, plain) = (terraform(""), module("", ""));
    let (strong, protected) = (replica("consistency_mode = \"STRONG\""), replica("deletion_protection_enabled = true"));
    let cases = [
        ("  warm_throughput {\n    read_units_per_second = 12000\n  }\n", "warm-increase", "warm_throughput"),
        ("  region = \"eu-west-1\"\n", "region-change", "extra.region"),
        ("  restore_backup_arn = \"arn\"\n", "restore-source-set", "extra.restore_backup_arn"),
        (&index, "gsi-syntax-key-schema", "-"),
        (&strong, "table-to-mrsc", "replica_consistency"),
        (&protected, "replica-settings", "replicas.eu-west-1"),
    ];
    for (arguments, rule, path) in cases {
        let refused = format!("{rule} Unsupported/Refuses/[]");
        let next = module(arguments, "");
        assert_eq!(told(&none, &next, Backend::TerraformAws5), [format!("- {refused}")]);
        let changes = told(&plain, &next, Backend::TerraformAws5);
        assert!(changes.contains(&format!("{path} {refused}")), "{changes:?}");
        let later = told(&plain, &next, Backend::TerraformAws6);
        assert!(rule == "table-to-mrsc" || !later.iter().any(|told| told.ends_with("Unsupported/Refuses/[]")), "{later:?}");
    }
}
