//! What Terraform is told to overlook.

use super::all;
use super::native::{module, terraform};
use crate::schema::Backend;

const TERRAFORM: Backend = Backend::TerraformAws5;

#[test]
fn an_argument_in_ignore_changes_stays_as_it_is() {
    let table = |tag: &str, ignored: &str| {
        let lifecycle = format!("  lifecycle {{\n    ignore_changes = {ignored}\n  }}\n");
        let replica = format!("  replica {{\n    region_name = \"eu-west-1\"\n    propagate_tags = {}\n  }}\n", tag == "a");
        module(&format!("  tags = {{ team = \"{tag}\", b = \"{tag}\" }}\n{replica}{lifecycle}"), "")
    };
    let told = |ignored: &str| all(&table("a", ignored), &table("b", ignored), TERRAFORM);
    let paths = ["replicas.eu-west-1", "tags.b", "tags.team"];
    let same = |effects: [&str; 3]| -> Vec<String> {
        paths.iter().zip(effects).map(|(path, effect)| format!("dynamodb.orders {path} {effect}")).collect()
    };
    let (replica, tags) = ("replica-settings InPlace/Applies/[]", "tags InPlace/Applies/[]");
    let ignored = "ignore-changes InPlace/Ignores/[]";
    assert_eq!(told("[]"), same([replica, tags, tags]));
    assert_eq!(told("[replica]"), same([ignored, tags, tags]));
    assert_eq!(told("[replica, tags]"), same([ignored; 3]));
    assert_eq!(told("all"), same([ignored; 3]));
    assert_eq!(told("[tags[\"team\"]]"), same([replica, tags, ignored]));
    assert_eq!(told("[tags.team, replica]"), same([ignored, tags, ignored]));
}

#[test]
fn what_stands_apart_is_not_overlooked_with_the_blocks() {
    let ignored = "  lifecycle {\n    ignore_changes = [replica, global_secondary_index]\n  }\n";
    let replica = |on: &str| {
        let provider = "provider \"aws\" {\n  alias = \"b\"\n  region = \"eu-west-1\"\n}\n";
        let resource = "resource \"aws_dynamodb_table_replica\" \"r\" {\n  provider = aws.b\n  global_table_arn = aws_dynamodb_table.orders.arn";
        module(ignored, &format!("{provider}{resource}\n  point_in_time_recovery = {on}\n}}\n"))
    };
    let told = all(&replica("false"), &replica("true"), TERRAFORM);
    assert_eq!(told.len(), 1);
    assert!(!told[0].contains("ignore-changes"), "{told:?}");
}

#[test]
fn of_capacity_what_is_overlooked_is_judged_by_itself() {
    let table = |read: u8, write: u8, ignored: &str| {
        let lifecycle = format!("  lifecycle {{\n    ignore_changes = [{ignored}]\n  }}\n");
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  read_capacity = {read}\n  \
             write_capacity = {write}\n  attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n{lifecycle}}}\n"
        ))
    };
    let ignored = "dynamodb.orders throughput ignore-changes InPlace/Ignores/[]";
    assert!(all(&table(1, 1, ""), &table(2, 1, "read_capacity"), TERRAFORM).contains(&ignored.to_owned()));
    let told = all(&table(1, 1, ""), &table(2, 2, "read_capacity"), TERRAFORM);
    assert!(told.contains(&"dynamodb.orders throughput ? Unknown/Unknown/[]".to_owned()), "{told:?}");
}
