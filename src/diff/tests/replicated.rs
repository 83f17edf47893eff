//! Tables in several Regions: their streams and keys, and replicas that are resources of their own.

use super::all;
use super::native::{module, template, terraform};
use crate::schema::Backend;

const TERRAFORM: Backend = Backend::TerraformAws5;
const STREAM: &str = "  stream_enabled = true\n  stream_view_type = \"NEW_AND_OLD_IMAGES\"\n";
const REPLICA: &str = "  replica {\n    region_name = \"eu-west-1\"\n  }\n";
const KEY: &str = "  server_side_encryption {\n    enabled = true\n    kms_key_arn = \"arn:1\"\n  }\n";

/// A replica with a key of its own.
fn with_key() -> String {
    REPLICA.replace("\"\n  }", "\"\n    kms_key_arn = \"arn:2\"\n  }")
}

fn told(previous: &str, next: &str) -> Vec<String> {
    let line = |told: &String| told.replace("dynamodb.orders ", "");
    all(&module(previous, ""), &module(next, ""), TERRAFORM).iter().map(line).collect()
}

#[test]
fn the_stream_of_a_replicated_table_stays() {
    let both = format!("{STREAM}{REPLICA}");
    let keys = both.replace("NEW_AND_OLD_IMAGES", "KEYS_ONLY");
    let disable = "stream stream-disable Stages/Refuses/[]";
    assert_eq!(told(&both, REPLICA), [disable]);
    assert_eq!(told(&both, &keys), ["stream stream-view-type Stages/Refuses/[]"]);
    // The provider changes the stream before it removes the replica.
    assert_eq!(told(&both, ""), ["replicas.eu-west-1 replica-remove InPlace/Applies/[Replica]", disable]);
    assert_eq!(told(STREAM, ""), ["stream stream-disable InPlace/Applies/[Stream]"]);
    // The service switches a stream on that the definition has not.
    assert_eq!(told("", REPLICA), ["replicas.eu-west-1 replica-add FollowUp/Loops/[]"]);
    assert_eq!(told(STREAM, &both), ["replicas.eu-west-1 replica-add FollowUp/Applies/[]"]);
}

#[test]
fn custom_resources_make_replicas_too() {
    let table = |stream: &str, replica: bool| {
        let replica = if replica {
            "  Replica:\n    Type: Custom::DynamoDBReplica\n    Properties: { TableName: !Ref T, Region: eu-west-1, ServiceToken: x }\n"
        } else {
            ""
        };
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: t\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
             {stream}\n{replica}"
        ))
    };
    let view = |view: &str| format!("StreamSpecification: {{ StreamViewType: {view} }}");
    let previous = table(&view("NEW_AND_OLD_IMAGES"), true);
    let told = |next| all(&previous, &next, Backend::CloudformationTable);
    assert_eq!(told(table(&view("KEYS_ONLY"), true)), ["dynamodb.T stream stream-view-type Stages/Refuses/[]"]);
    assert!(told(table("", false)).contains(&"dynamodb.T stream stream-disable Stages/Refuses/[]".to_owned()));
}

#[test]
fn customer_keys_are_for_every_replica_or_for_none() {
    let (both, mixed) = (format!("{STREAM}{REPLICA}"), format!("{STREAM}{KEY}{REPLICA}"));
    let refused = |path: &str| format!("{path} sse-key-mixed Unsupported/Refuses/[]");
    assert_eq!(told(&format!("{STREAM}{KEY}"), &mixed), [refused("replicas.eu-west-1")]);
    assert_eq!(told(&both, &mixed), [refused("encryption")]);
    assert_eq!(told(STREAM, &format!("{STREAM}{}", with_key())), [refused("replicas.eu-west-1")]);
    let keys = format!("{STREAM}{KEY}{}", with_key());
    assert_eq!(told(&format!("{STREAM}{KEY}"), &keys), ["replicas.eu-west-1 replica-add FollowUp/Applies/[]"]);
    // The key of a replica that is there is kept where none is written.
    let recovery = REPLICA.replace("\"\n  }", "\"\n    point_in_time_recovery = true\n  }");
    let told = told(&mixed, &format!("{STREAM}{KEY}{recovery}"));
    assert_eq!(told, ["replicas.eu-west-1 replica-settings InPlace/Applies/[]"]);
}

#[test]
fn a_table_removes_replicas_that_it_does_not_overlook() {
    let beside = "provider \"aws\" {\n  alias = \"b\"\n  region = \"eu-west-1\"\n}\nresource \"aws_dynamodb_table_replica\" \"r\" {\n  \
                  provider = aws.b\n  global_table_arn = aws_dynamodb_table.orders.arn\n}\n";
    let ignored = |names: &str| format!("{STREAM}  lifecycle {{\n    ignore_changes = [{names}]\n  }}\n");
    let told = |previous: &str, next: &str, was_there: bool| {
        all(&module(previous, if was_there { beside } else { "" }), &module(next, beside), TERRAFORM)
    };
    let (with, without) = (ignored("replica, tags"), ignored("tags"));
    let gone = "dynamodb.orders ignore_changes replica-not-ignored InPlace/Applies/[Replica]";
    assert_eq!(told(&with, &without, true), [gone]);
    assert_eq!(told(&with, STREAM, true), [gone]);
    assert_eq!(told(&without, &with, true), ["dynamodb.orders ignore_changes guard-change Nothing/Nothing/[]"]);
    assert_eq!(told(&with, &with, false), ["dynamodb.orders replicas.eu-west-1 replica-add FollowUp/Applies/[]"]);
    assert_eq!(told(STREAM, STREAM, false), ["dynamodb.orders replicas.eu-west-1 replica-add FollowUp/Loops/[Replica]"]);
}

#[test]
fn indexes_are_scaled_too_before_a_replica_comes() {
    let table = |index: &str, replica: &str| {
        terraform(&format!(
            "resource \"aws_dynamodb_table\" \"orders\" {{\n  name = \"orders\"\n  hash_key = \"id\"\n  read_capacity = 5\n  write_capacity = 5\n  \
             attribute {{\n    name = \"id\"\n    type = \"S\"\n  }}\n{STREAM}{index}{replica}  lifecycle {{\n    \
             ignore_changes = [read_capacity, write_capacity]\n  }}\n}}\n"
        ))
    };
    let index = "  global_secondary_index {\n    name = \"by_id\"\n    hash_key = \"id\"\n    projection_type = \"ALL\"\n    \
                 read_capacity = 5\n    write_capacity = 5\n  }\n";
    for (index, effect) in [("", "FollowUp/Applies/[]"), (index, "Stages/Refuses/[]")] {
        let told = all(&table(index, ""), &table(index, REPLICA), TERRAFORM);
        assert_eq!(told, [format!("dynamodb.orders replicas.eu-west-1 replica-add {effect}")]);
    }
}

/// One change may do several things, and loses what all of them lose.
#[test]
fn all_that_changes_of_a_replica_counts() {
    let table = |recovery: &str, stream: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: t\n      BillingMode: PAY_PER_REQUEST\n      \
             AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, KeyType: HASH }}]\n      \
             Replicas:\n        - Region: us-east-1\n          PointInTimeRecoverySpecification: {{ PointInTimeRecoveryEnabled: {recovery} }}\n          \
             KinesisStreamSpecification: {{ StreamArn: {stream} }}\n"
        ))
    };
    let pair = [table("true", "arn:a"), table("false", "arn:b")];
    let found = super::changes(&pair[0], &pair[1], &[Backend::CloudformationGlobalTable]);
    let effect = &found[0].effects[&Backend::CloudformationGlobalTable];
    assert_eq!(super::words(effect), "InPlace/Applies/[Stream, History]");
    for row in ["pitr-disable", "kinesis-change"] {
        let alone = crate::diff::rows::Pick::rule(row).effect(Backend::CloudformationGlobalTable, |_| None);
        assert!(effect.reason.contains(&*alone.reason), "{}", effect.reason);
    }
}

#[test]
fn what_a_replica_says_of_an_index_is_what_it_is() {
    let table = |of_index: &str| {
        template(&format!(
            "Resources:\n  T:\n    Type: AWS::DynamoDB::GlobalTable\n    Properties:\n      TableName: orders\n      BillingMode: \
             PAY_PER_REQUEST\n      AttributeDefinitions: [{{ AttributeName: id, AttributeType: S }}]\n      KeySchema: [{{ AttributeName: id, \
             KeyType: HASH }}]\n      StreamSpecification: {{ StreamViewType: NEW_AND_OLD_IMAGES }}\n      GlobalSecondaryIndexes: [{{ \
             IndexName: by_id, KeySchema: [{{ AttributeName: id, KeyType: HASH }}], Projection: {{ ProjectionType: ALL }} }}]\n      \
             Replicas:\n        - Region: !Ref AWS::Region\n        - Region: eu-west-2\n          GlobalSecondaryIndexes: [{{ IndexName: \
             by_id{of_index} }}]\n"
        ))
    };
    let told = |of_index: &str| all(&table(""), &table(of_index), Backend::CloudformationGlobalTable);
    let path = "dynamodb.T replicas.eu-west-2";
    let insights = ", ContributorInsightsSpecification: { Enabled: true }";
    assert_eq!(told(insights), [format!("{path} contributor-insights InPlace/Applies/[]")]);
    let most = ", ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 5 }";
    assert_eq!(told(most), [format!("{path} gsi-ondemand-max-set InPlace/Applies/[]")]);
    assert_eq!(told(", Unheard: 1"), [format!("{path} ? Unknown/Unknown/[]")]);
}
