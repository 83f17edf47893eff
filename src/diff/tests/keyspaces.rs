//! Amazon Keyspaces as Terraform and CloudFormation make it: keyspaces that leave or get another name, and what lets go of them.

use super::{all, read};
use crate::read::{cloudformation, terraform};
use crate::schema::{Backend, Schema};

const TERRAFORM: Backend = Backend::KeyspacesTerraform;
const TEMPLATE: Backend = Backend::KeyspacesCloudformation;

/// What is said of a keyspace and a table of it, in one language.
struct Language {
    backend: Backend,
    /// The keyspace of a name.
    keyspace: fn(&str) -> String,
    /// The table of the keyspace that is called `shop`.
    table: &'static str,
    /// The table of the keyspace, whatever that is called.
    following: &'static str,
}

const COLUMNS: &str = "schema_definition {\n    column {\n      name = \"p\"\n      type = \"text\"\n    }\n    partition_key {\n      \
                       name = \"p\"\n    }\n  }\n}\n";

fn languages() -> [Language; 2] {
    let table =
        format!("resource \"aws_keyspaces_table\" \"t\" {{\n  keyspace_name = \"shop\"\n  table_name = \"orders\"\n  {COLUMNS}");
    let following = table.replace("\"shop\"", "aws_keyspaces_keyspace.k.name");
    let template = "  T:\n    Type: AWS::Cassandra::Table\n    Properties:\n      KeyspaceName: shop\n      TableName: orders\n      \
                    PartitionKeyColumns:\n        - ColumnName: p\n          ColumnType: text\n";
    [
        Language {
            backend: TERRAFORM,
            keyspace: |name| format!("resource \"aws_keyspaces_keyspace\" \"k\" {{\n  name = \"{name}\"\n}}\n"),
            table: table.leak(),
            following: following.leak(),
        },
        Language {
            backend: TEMPLATE,
            keyspace: |name| format!("  K:\n    Type: AWS::Cassandra::Keyspace\n    Properties:\n      KeyspaceName: {name}\n"),
            table: template,
            following: template.replace(": shop", ": !Ref K").leak(),
        },
    ]
}

fn of(backend: Backend, text: &str) -> Schema {
    if backend == TERRAFORM {
        return read("main.tf", text, |sources, files, sink| {
            terraform::read(sources, files, sink).map(|module| module.keyspaces)
        });
    }
    let text = format!("Resources:\n  Q:\n    Type: AWS::SNS::Topic\n{text}");
    read("template.yaml", &text, |sources, files, sink| {
        cloudformation::read_all(sources, files, sink).map(|template| template.keyspaces)
    })
}

#[test]
fn a_keyspace_goes_though_a_table_names_it() {
    for Language { backend, keyspace, table, .. } in languages() {
        let (made, used) = (of(backend, &(keyspace("shop") + table)), of(backend, table));
        assert_eq!(all(&made, &used, backend), ["cql.keyspace(shop) - ks-drop InPlace/Applies/[Items]"]);
    }
}

#[test]
fn a_keyspace_of_one_label_is_renamed() {
    for Language { backend, keyspace, table, following } in languages() {
        let told = |rest: &str| all(&of(backend, &(keyspace("shop") + rest)), &of(backend, &(keyspace("sold") + rest)), backend);
        // With a table that stays behind, with one that goes along, and empty.
        for rest in [table, following, ""] {
            let renamed: Vec<String> = told(rest).iter().map(|told| told.replace("cql.keyspace(sold)", "k")).collect();
            assert_eq!(renamed, ["k name ks-rename Recreation/Replaces/[Items]"], "{rest}");
        }
    }
}

#[test]
fn what_only_a_template_says_of_a_table_is_updated_in_place() {
    let [_, Language { keyspace, table, .. }] = languages();
    let of = |more: &str| of(TEMPLATE, &format!("{}{table}{more}", keyspace("shop")));
    for (property, value, other) in [
        (
            "WarmThroughput",
            "{ ReadUnitsPerSecond: 12000, WriteUnitsPerSecond: 4000 }",
            "{ ReadUnitsPerSecond: 24000, WriteUnitsPerSecond: 4000 }",
        ),
        (
            "ReplicaSpecifications",
            "[{ Region: eu-west-1, ReadCapacityUnits: 5 }]",
            "[{ Region: eu-west-1, ReadCapacityUnits: 9 }]",
        ),
    ] {
        let said = |value: &str| of(&format!("      {property}: {value}\n"));
        let in_place = format!("cql.T extra.{property} opt-template-property InPlace/Applies/[]");
        assert_eq!(all(&of(""), &said(value), TEMPLATE), [in_place.as_str()]);
        assert_eq!(all(&said(value), &said(other), TEMPLATE), [in_place.as_str()]);
        assert!(all(&said(value), &of(""), TEMPLATE)[0].ends_with("Unknown/Unknown/[]"));
    }
}
