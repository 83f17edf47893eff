//! Templates of a folder: each is a stack of its own.

use crate::diagnostic::Sink;
use crate::diff::{Context, Pair, diff};
use crate::read::cloudformation;
use crate::schema::{Backend, Generation, Schema};
use crate::source::SourceMap;

/// Templates by the names of their files, and what is in each.
type Folder<'a> = &'a [(&'a str, &'a str)];

const OTHER: &str = "Resources:\n  Q: { Type: AWS::SNS::Topic }\n";

fn table(policy: &str) -> String {
    format!(
        "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n{policy}    Properties:\n      TableName: orders\n      BillingMode: \
         PAY_PER_REQUEST\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, \
         KeyType: HASH }}]\n"
    )
}

fn told(backend: Backend, previous: Folder<'_>, next: Folder<'_>) -> Vec<String> {
    let read = |folder: Folder<'_>, side: &str| {
        let mut sources = SourceMap::default();
        let add = |(name, text): &(&str, &str)| sources.add(format!("{side}/{name}"), (*text).to_owned());
        let files: Vec<_> = folder.iter().map(add).collect();
        let read = cloudformation::read_all(&sources, &files, &mut Sink::default()).unwrap();
        if backend == Backend::KeyspacesCloudformation { Schema::from(read.keyspaces) } else { Schema::from(read.schema) }
    };
    let names = |folder: Folder<'_>| folder.iter().map(|(name, _)| (*name).to_owned()).collect();
    let templates = Pair { previous: names(previous), next: names(next) };
    let context = Context { templates, ..Context::default() };
    let of = |schema| -> Generation { [(backend, schema)].into() };
    let pair = Pair { previous: &of(read(previous, "a")), next: &of(read(next, "b")) };
    diff(&context, pair).iter().map(|change| super::told(change, backend)).collect()
}

#[test]
fn a_table_of_another_template_is_of_another_stack() {
    let told = |previous: Folder<'_>, next: Folder<'_>| told(Backend::CloudformationTable, previous, next);
    let (plain, kept) = (table(""), table("    DeletionPolicy: Retain\n"));
    let moved = |text: &str| told(&[("a.yaml", text), ("b.yaml", OTHER)], &[("a.yaml", OTHER), ("b.yaml", text)]);
    assert_eq!(moved(&plain), ["dynamodb.T template stack-change Stages/Replaces/[Items]"]);
    assert_eq!(moved(&kept), ["dynamodb.T template stack-change Stages/Refuses/[]"]);
    assert_eq!(told(&[("a.yaml", &plain), ("b.yaml", OTHER)], &[("a.yaml", &plain), ("b.yaml", OTHER)]), [""; 0]);
    // A file that has another name, and one that was and is compared alone.
    assert_eq!(told(&[("a.yaml", &plain), ("b.yaml", OTHER)], &[("c.yaml", &plain), ("b.yaml", OTHER)]), [""; 0]);
    assert_eq!(told(&[("a.yaml", &plain)], &[("b.yaml", &plain)]), [""; 0]);
    // Two stacks may be in two Regions, where both have a table of one name.
    let both = told(&[("a.yaml", &plain), ("b.yaml", OTHER)], &[("a.yaml", &plain), ("b.yaml", &plain.replace("  T:", "  U:"))]);
    assert_eq!(both, ["dynamodb.U - table-add InPlace/Applies/[]"]);
}

#[test]
fn so_is_what_amazon_keyspaces_has() {
    let all = |policy: &str| {
        let key = "PartitionKeyColumns: [{ ColumnName: id, ColumnType: uuid }]";
        let resource = |kind: &str, properties: &str| {
            format!("  {kind}:\n    Type: AWS::Cassandra::{kind}\n{policy}    Properties: {{ KeyspaceName: shop{properties} }}\n")
        };
        format!("Resources:\n{}{}", resource("Keyspace", ""), resource("Table", &format!(", TableName: orders, {key}")))
    };
    let moved = |text: &str| {
        let (previous, next) = ([("a.yaml", text), ("b.yaml", OTHER)], [("a.yaml", OTHER), ("b.yaml", text)]);
        told(Backend::KeyspacesCloudformation, &previous, &next)
    };
    let told = |effect: &str| ["keyspace(shop)", "Table"].map(|name| format!("cql.{name} template stack-change Stages/{effect}"));
    assert_eq!(moved(&all("")), told("Replaces/[Items]"));
    assert_eq!(moved(&all("    DeletionPolicy: Retain\n")), told("Refuses/[]"));
}
