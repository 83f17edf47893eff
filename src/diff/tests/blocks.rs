//! What stands beside a table, or is a part of it in a resource of its own, and leaves, comes or moves by a block of Terraform.

use super::native::terraform;
use super::{all, read};
use crate::read;
use crate::schema::{Backend, Schema};

const FIVE: Backend = Backend::TerraformAws5;
const SIX: Backend = Backend::TerraformAws6;
const KEYSPACES: Backend = Backend::KeyspacesTerraform;

const GLOBAL_INDEX: &str = "aws_dynamodb_global_secondary_index";

/// A table, with what overlooks its parts, and what stands beside it.
fn of(ignored: &str, inline: &str, beside: &str) -> Schema {
    terraform(&format!(
        "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n  \
         stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n  attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n  \
         {inline}\n  lifecycle {{\n    ignore_changes = [{ignored}]\n  }}\n}}\n{beside}"
    ))
}

/// A resource that belongs to the table, under a label.
fn resource(kind: &str, label: &str) -> String {
    let body = match kind {
        "aws_dynamodb_table_replica" => "global_table_arn = aws_dynamodb_table.orders.arn\n",
        GLOBAL_INDEX => {
            "table_name = aws_dynamodb_table.orders.name\n  index_name = \"by_a\"\n  projection {\n    projection_type = \"ALL\"\n  }\n  \
             key_schema {\n    attribute_name = \"a\"\n    attribute_type = \"S\"\n    key_type = \"HASH\"\n  }\n"
        }
        "aws_dynamodb_resource_policy" => {
            "resource_arn = aws_dynamodb_table.orders.arn\n  policy = jsonencode({ Version = \"1\" })\n"
        }
        "aws_dynamodb_kinesis_streaming_destination" => "table_name = aws_dynamodb_table.orders.name\n  stream_arn = \"arn:a\"\n",
        _ => "table_name = aws_dynamodb_table.orders.name\n",
    };
    format!("resource \"{kind}\" \"{label}\" {{\n  {body}}}\n")
}

const KINDS: [&str; 5] = [
    "aws_dynamodb_table_replica",
    GLOBAL_INDEX,
    "aws_dynamodb_resource_policy",
    "aws_dynamodb_kinesis_streaming_destination",
    "aws_dynamodb_contributor_insights",
];

fn removed(from: &str) -> String {
    format!("removed {{\n  from = {from}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n")
}

fn import(to: &str) -> String {
    format!("import {{\n  to = {to}\n  id = \"orders,a\"\n}}\n")
}

fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to = {to}\n}}\n")
}

/// The end of each of what is told: the rule and its effect.
fn ends(told: &[String]) -> Vec<&str> {
    told.iter().map(|told| told.splitn(3, ' ').nth(2).unwrap()).collect()
}

#[test]
fn what_is_let_go_of_is_not_lost() {
    for kind in KINDS {
        let told = |blocks: &str| all(&of("replica", "", &resource(kind, "r")), &of("replica", "", blocks), SIX);
        assert_eq!(ends(&told(&removed(&format!("{kind}.r")))), ["beside-kept Nothing/Applies/[]"], "{kind}");
        assert_ne!(ends(&told("")), ["beside-kept Nothing/Applies/[]"], "{kind}");
        // Another one of the same type.
        assert_eq!(told(&removed(&format!("{kind}.q"))), told(""), "{kind}");
    }
    // A table that does not overlook the replica removes it itself.
    let (kind, blocks) = (KINDS[0], removed("aws_dynamodb_table_replica.r"));
    let told = all(&of("", "", &resource(kind, "r")), &of("", "", &blocks), FIVE);
    assert_eq!(ends(&told), ["replica-not-ignored InPlace/Applies/[Replica]"]);
}

#[test]
fn what_is_moved_is_the_same() {
    for kind in KINDS {
        let next = |blocks: &str| of("replica", "", &(resource(kind, "q") + blocks));
        let told = |blocks: &str| all(&of("replica", "", &resource(kind, "r")), &next(blocks), SIX);
        let (from, to) = (format!("{kind}.r"), format!("{kind}.q"));
        assert_eq!(told(&moved(&from, &to)), [""; 0], "{kind}");
        assert_eq!(told(&(removed(&from) + &import(&to))), [""; 0], "{kind}");
        assert_ne!(told(""), [""; 0], "{kind}");
    }
}

#[test]
fn what_is_taken_in_exists() {
    for kind in KINDS {
        let blocks = resource(kind, "r") + &import(&format!("{kind}.r"));
        let told = all(&of("replica", "", ""), &of("replica", "", &blocks), SIX);
        // Of a part a plan alone shows what becomes of it.
        let is_part = kind.ends_with("_replica") || kind == GLOBAL_INDEX;
        let expected = if is_part { "? Unknown/Unknown/[]" } else { "beside-taken-in Nothing/Applies/[]" };
        assert_eq!(ends(&told), [expected], "{kind}");
    }
    let table = "resource \"aws_dynamodb_table\" \"sales\" {\n  name = \"sales\"\n  hash_key = \"id\"\n  billing_mode = \
                 \"PAY_PER_REQUEST\"\n  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n}\n";
    let told = |blocks: &str| all(&terraform(""), &terraform(&format!("{table}{blocks}")), FIVE);
    assert_eq!(told(""), ["dynamodb.sales - table-add InPlace/Applies/[]"]);
    assert_eq!(told(&import("aws_dynamodb_table.sales")), ["dynamodb.sales - ? Unknown/Unknown/[]"]);
}

#[test]
fn a_block_of_the_table_becomes_a_resource() {
    let replica = ("replica", "replica {\n    region_name = \"eu-west-2\"\n  }", "replica-inline-to-resource");
    let attribute = "attribute {\n    name = \"a\"\n    type = \"S\"\n  }\n  ";
    let index = format!(
        "{attribute}global_secondary_index {{\n    name = \"by_a\"\n    hash_key = \"a\"\n    projection_type = \"ALL\"\n  }}"
    );
    let index = ("global_secondary_index", index.as_str(), "gsi-inline-to-resource");
    let provider = "provider \"aws\" {\n  alias = \"b\"\n  region = \"eu-west-2\"\n}\n";
    for ((argument, inline, rule), kind) in [replica, index].into_iter().zip(KINDS) {
        let apart = resource(kind, "r").replace(".arn\n", ".arn\n  provider = aws.b\n") + provider;
        let told = |ignored: &str, blocks: &str| {
            let told = all(&of(argument, inline, ""), &of(ignored, "", &(apart.clone() + blocks)), SIX);
            let found = told.into_iter().find_map(|told| told.split_once(rule).map(|(_, end)| end.trim().to_owned()));
            found.unwrap_or_default()
        };
        let taken_in = import(&format!("{kind}.r"));
        assert_eq!(told(argument, &taken_in), "Nothing/Applies/[]", "{kind}");
        assert_eq!(told(argument, ""), "Unknown/Unknown/[]", "{kind}");
        let lost = ["Nothing/Replaces/[Replica]", "IndexRebuild/Applies/[IndexOffline]"];
        assert!(lost.contains(&told("", &taken_in).as_str()), "{kind}: {}", told("", &taken_in));
        let back = all(&of(argument, "", &apart), &of("", inline, &removed(&format!("{kind}.r"))), SIX);
        let end = format!("{rule} Nothing/Applies/[]");
        assert!(back.iter().any(|told| told.ends_with(&end)), "{back:?}");
    }
}

/// What a module says of Amazon Keyspaces.
fn keyspaces(text: &str) -> Schema {
    read("main.tf", text, |sources, files, sink| read::terraform::read(sources, files, sink).map(|module| module.keyspaces))
}

#[test]
fn blocks_count_of_keyspaces_too() {
    let keyspace = |label: &str| format!("resource \"aws_keyspaces_keyspace\" \"{label}\" {{\n  name = \"shop\"\n}}\n");
    let told = |previous: &str, next: &str| all(&keyspaces(previous), &keyspaces(next), KEYSPACES);
    let (k, q) = ("aws_keyspaces_keyspace.k", "aws_keyspaces_keyspace.q");
    assert_eq!(told(&keyspace("k"), ""), ["cql.keyspace(shop) - ks-drop InPlace/Applies/[Items]"]);
    assert_eq!(told(&keyspace("k"), &removed(k)), ["cql.keyspace(shop) - ks-kept Nothing/Applies/[]"]);
    assert_eq!(told("", &(keyspace("k") + &import(k))), ["cql.keyspace(shop) - ks-taken-in Nothing/Applies/[]"]);
    let relabelled = |blocks: &str| told(&keyspace("k"), &(keyspace("q") + blocks));
    assert_eq!(relabelled(&moved(k, q)), ["cql.keyspace(shop) terraform_name address-rename Nothing/Applies/[]"]);
    assert_eq!(relabelled(""), ["cql.keyspace(shop) terraform_name address-rename Nothing/Replaces/[Items]"]);
}
