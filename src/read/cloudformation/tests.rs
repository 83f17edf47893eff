//! Templates in, schemas out: the forms that mean the same, what is carried along, and what is wrong.

use super::*;
use crate::schema::dynamodb::{
    Billing, Encryption, Insights, KeyType, Keys, Projection, Range, Replica, ReplicaConsistency, Stream, TableClass, Throughput,
    Ttl, Units,
};
use crate::schema::{ParameterKind, Part, Scalar, Text, Value};

pub(in crate::read::cloudformation) fn read_all(texts: &[&str]) -> (Option<Schema>, Vec<String>) {
    let mut sources = SourceMap::default();
    let files: Vec<_> = texts.iter().enumerate().map(|(index, text)| sources.add(format!("{index}.yaml"), *text)).collect();
    let mut sink = Sink::default();
    let schema = read(&sources, &files, &mut sink);
    let messages = sink.into_sorted().into_iter().map(|diagnostic| {
        let span = diagnostic.primary.as_ref().unwrap().span;
        let position = sources.position(span);
        format!("{}:{} {} {}", position.line, position.column, diagnostic.code.slug(), diagnostic.message)
    });
    (schema, messages.collect())
}

/// The one table of a template whose text below `Properties` is given, beside a key `pk`.
fn table_of(properties: &str) -> Table {
    let (schema, messages) = read_all(&[&template(properties)]);
    let mut schema = schema.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!(messages, Vec::<String>::new());
    schema.tables.remove("Orders").unwrap()
}

fn template(properties: &str) -> String {
    let mut text = "Parameters: { Env: { Type: String }, Protect: { Type: String } }\nResources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      KeySchema: [{ AttributeName: pk, KeyType: HASH }]\n".to_owned();
    for line in properties.lines() {
        text.push_str("      ");
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[test]
fn every_modelled_property_is_read() {
    let (schema, messages) = read_all(&[r#"
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Env: { Type: String, AllowedValues: [dev, prod], Default: dev, Description: Where }
  Protect: { Type: String, AllowedValues: ["true", "false"], Default: "true" }
  Units: { Type: Number, Default: "5" }
Resources:
  Bucket: { Type: AWS::S3::Bucket }
  Orders:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    UpdateReplacePolicy: Delete
    DependsOn: Bucket
    Properties:
      TableName: !Sub "${Env}-orders"
      BillingMode: PROVISIONED
      ProvisionedThroughput: { ReadCapacityUnits: !Ref Units, WriteCapacityUnits: "7" }
      AttributeDefinitions:
        - { AttributeName: pk, AttributeType: S }
        - { AttributeName: sk, AttributeType: N }
        - { AttributeName: by, AttributeType: B }
      KeySchema:
        - { AttributeName: pk, KeyType: HASH }
        - { AttributeName: sk, KeyType: RANGE }
      LocalSecondaryIndexes:
        - IndexName: local
          KeySchema:
            - { AttributeName: pk, KeyType: HASH }
            - { AttributeName: by, KeyType: RANGE }
          Projection: { ProjectionType: KEYS_ONLY }
      GlobalSecondaryIndexes:
        - IndexName: global
          KeySchema:
            - { AttributeName: by, KeyType: HASH }
            - { AttributeName: pk, KeyType: HASH }
            - { AttributeName: sk, KeyType: RANGE }
          Projection: { ProjectionType: INCLUDE, NonKeyAttributes: [z, a] }
          ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 }
          OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: !Ref Units }
          WarmThroughput: { ReadUnitsPerSecond: 12000 }
          ContributorInsightsSpecification: { Enabled: true }
      TimeToLiveSpecification: { AttributeName: expires, Enabled: false }
      StreamSpecification: { StreamViewType: NEW_IMAGE }
      SSESpecification: { SSEEnabled: true, SSEType: KMS, KMSMasterKeyId: !GetAtt Key.Arn }
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: "true", RecoveryPeriodInDays: 7 }
      DeletionProtectionEnabled: !Ref Protect
      TableClass: STANDARD
      ImportSourceSpecification: {}
      Tags:
        - { Key: env, Value: !Ref Env }
"#]);
    assert_eq!(messages, Vec::<String>::new());
    let schema = schema.unwrap();
    assert_eq!(schema.parameters["Env"].values, [Scalar::Text("dev".into()), Scalar::Text("prod".into())]);
    assert_eq!(schema.parameters["Env"].about.description.as_deref(), Some("Where"));
    assert_eq!(
        (schema.parameters["Protect"].kind, &schema.parameters["Protect"].default),
        (ParameterKind::Bool, &Some(Scalar::Bool(true)))
    );
    assert_eq!(schema.parameters["Units"].default, Some(Scalar::Number("5".into())));
    assert_eq!(schema.tables.len(), 1);
    let table = &schema.tables["Orders"];
    assert_eq!(table.logical_id, "Orders");
    assert_eq!(table.name, Some(Text::from_parts([Part::Parameter("Env".into()), Part::Literal("-orders".into())])));
    assert_eq!((table.deletion_policy.as_deref(), table.update_replace_policy.as_deref()), (Some("Retain"), Some("Delete")));
    assert_eq!(table.billing, Some(Billing::Provisioned));
    let throughput = table.throughput.as_ref().unwrap();
    assert_eq!((&throughput.read, &throughput.write), (&Value::Parameter("Units".into()), &Value::Literal(7)));
    assert_eq!(
        table.attributes.iter().map(|(name, kind)| (name.as_str(), *kind)).collect::<Vec<_>>(),
        [("by", KeyType::B), ("pk", KeyType::S), ("sk", KeyType::N)]
    );
    assert_eq!((table.partition_key.as_str(), table.sort_key.as_deref()), ("pk", Some("sk")));
    let local = &table.local_indexes["local"];
    assert_eq!((local.sort_key.as_str(), &local.projection), ("by", &Projection::KeysOnly));
    let global = &table.global_indexes["global"];
    assert_eq!(global.partition_key, Keys(vec!["by".into(), "pk".into()]));
    assert_eq!(global.sort_key, Keys::one("sk"));
    assert_eq!(global.projection, Projection::Include(["a".to_owned(), "z".to_owned()].into()));
    assert_eq!(global.throughput.as_ref().unwrap().write, Value::Literal(2));
    assert_eq!(global.contributor_insights, Some(Insights::AccessedAndThrottledKeys));
    assert_eq!(table.ttl, Some(Ttl { attribute: "expires".into(), enabled: false }));
    assert_eq!(table.stream, Some(Stream::NewImage));
    let key = Text::from_parts([Part::Expression(r#"{"Fn::GetAtt":["Key","Arn"]}"#.into())]);
    assert_eq!(table.encryption, Some(Encryption::KmsKey(key)));
    let recovery = table.point_in_time_recovery.as_ref().unwrap();
    assert_eq!((&recovery.enabled, recovery.days), (&Value::Literal(true), Some(7)));
    assert_eq!(table.deletion_protection, Some(Value::Parameter("Protect".into())));
    assert_eq!(table.tags["env"], Text::from_parts([Part::Parameter("Env".into())]));
    assert_eq!(table.table_class, Some(TableClass::Standard));
    assert_eq!(global.on_demand_maximum, Some(Units { read: None, write: Some(Value::Parameter("Units".into())) }));
    assert_eq!(global.warm_throughput, Some(Units { read: Some(Value::Literal(12_000)), write: None }));
    assert_eq!(
        table.extra.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>(),
        [("ImportSourceSpecification", "{}")]
    );
    assert!(table.about.properties.contains_key("tags.env"));
}

#[test]
fn forms_that_mean_the_same_are_one() {
    let expected = Text::from_parts([
        Part::Parameter("Env".into()),
        Part::Literal("-${x}-".into()),
        Part::Expression(r#"{"Ref":"AWS::Region"}"#.into()),
    ]);
    for name in [
        "!Sub \"${Env}-${!x}-${AWS::Region}\"",
        "!Sub '${ Env }-${!x}-${AWS::Region}'",
        "{ \"Fn::Sub\": \"${Env}-${!x}-${AWS::Region}\" }",
        "{ \"Fn::Sub\": [\"${e}-${!x}-${AWS::Region}\", { e: !Ref Env }] }",
        "!Join [\"\", [!Ref Env, \"-${x}-\", { Ref: AWS::Region }]]",
        "!Join [\"-\", [!Ref Env, \"${x}\", !Sub \"${AWS::Region}\"]]",
    ] {
        assert_eq!(table_of(&format!("TableName: {name}")).name, Some(expected.clone()), "{name}");
    }
    let attribute = Text::from_parts([Part::Expression(r#"{"Fn::GetAtt":["Nested","Outputs.Arn"]}"#.into())]);
    for key in [
        "!GetAtt Nested.Outputs.Arn",
        "{ \"Fn::GetAtt\": [Nested, Outputs.Arn] }",
        "{ Fn::GetAtt: Nested.Outputs.Arn }",
        "!Sub \"${Nested.Outputs.Arn}\"",
    ] {
        let table = table_of(&format!("SSESpecification: {{ SSEEnabled: true, KMSMasterKeyId: {key} }}"));
        assert_eq!(table.encryption, Some(Encryption::KmsKey(attribute.clone())), "{key}");
    }
    let order = |text: &str| table_of(text).extra;
    assert_eq!(
        order("ImportSourceSpecification: { b: [1, yes], a: !Select [0, x] }"),
        order("ImportSourceSpecification: { a: { Fn::Select: [0, x] }, b: [1, \"yes\"] }")
    );
}

#[test]
fn literals_are_taken_as_they_are() {
    for (name, expected) in
        [("\"${Env}\"", "${Env}"), ("12", "12"), ("!Sub \"${!Env} ${ $\"", "${Env} ${ $"), ("!Sub \"${!!x}\"", "${!x}")]
    {
        assert_eq!(table_of(&format!("TableName: {name}")).name, Some(Text::literal(expected)), "{name}");
    }
    for (text, expected) in [("true", true), ("\"True\"", true), ("no", false), ("\"false\"", false)] {
        assert_eq!(
            table_of(&format!("DeletionProtectionEnabled: {text}")).deletion_protection,
            Some(Value::Literal(expected)),
            "{text}"
        );
    }
    let table =
        table_of("TableName: !Ref AWS::NoValue\nBillingMode: !Ref AWS::NoValue\nTags: [!Ref AWS::NoValue]\nStreamSpecification:");
    assert_eq!((table.name, table.billing, table.tags.len(), table.stream), (None, None, 0, None));
}

#[test]
fn yaml_and_json_are_one() {
    let json = "{\r\n\t\"Resources\": {\"T\": {\"Type\": \"AWS::DynamoDB::Table\", \"Properties\": {\"TableName\": {\"Fn::Sub\": \"${AWS::StackName}-t\"},\n\"KeySchema\": [{\"AttributeName\": \"id\", \"KeyType\": \"HASH\"}]}}}}";
    let yaml = "\u{feff}Resources:\r\n  T:\r\n    Type: AWS::DynamoDB::Table\r\n    Properties:\r\n      TableName: !Sub ${AWS::StackName}-t\r\n      KeySchema:\r\n        - AttributeName: id\r\n          KeyType: HASH\r\n";
    assert_eq!(read_all(&[json]).0, read_all(&[yaml]).0);
    assert!(read_all(&[json]).0.is_some());
}

#[test]
fn what_only_cloudformation_can_compute_is_carried_along_and_said() {
    let (schema, messages) = read_all(&[&template(
        "AttributeDefinitions:\n  - { AttributeName: pk, AttributeType: S }\n  - !If [Home, { AttributeName: x, AttributeType: S }, !Ref AWS::NoValue]\nGlobalSecondaryIndexes: !If [Home, [], !Ref AWS::NoValue]\nTimeToLiveSpecification: { Enabled: !If [Home, true, false], AttributeName: t }\nBillingMode: !If [Home, PROVISIONED, PAY_PER_REQUEST]",
    )]);
    let table = &schema.unwrap().tables["Orders"];
    assert_eq!(
        table.extra.keys().collect::<Vec<_>>(),
        ["AttributeDefinitions[1]", "BillingMode", "GlobalSecondaryIndexes", "TimeToLiveSpecification"]
    );
    assert_eq!(table.extra["BillingMode"], r#"{"Fn::If":["Home","PROVISIONED","PAY_PER_REQUEST"]}"#);
    assert_eq!(messages.len(), 4);
    assert!(messages.iter().all(|message| message.contains("not-evaluated `Fn::If`")), "{messages:?}");
}

#[test]
fn the_region_of_the_stack_has_the_settings_of_the_table() {
    let (schema, messages) = read_all(&["
Resources:
  T:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      BillingMode: PROVISIONED
      WriteProvisionedThroughputSettings:
        WriteCapacityAutoScalingSettings: { MinCapacity: 2, MaxCapacity: 9, SeedCapacity: 5, TargetTrackingScalingPolicyConfiguration: { TargetValue: 70.0 } }
      SSESpecification: { SSEEnabled: true, SSEType: KMS }
      GlobalSecondaryIndexes:
        - IndexName: i
          KeySchema: [{ AttributeName: a, KeyType: HASH }]
          Projection: { ProjectionType: ALL }
          WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 5 }
      MultiRegionConsistency: STRONG
      GlobalTableWitnesses: [{ Region: us-east-2 }]
      Replicas:
        - Region: us-west-2
          TableClass: STANDARD
          SSESpecification: { KMSMasterKeyId: there }
          ReadProvisionedThroughputSettings: { ReadCapacityUnits: 4 }
          Tags: [{ Key: a, Value: b }]
          ContributorInsightsSpecification: { Enabled: true }
        - Region: !Ref AWS::Region
          TableClass: STANDARD
          SSESpecification: { KMSMasterKeyId: here }
          ReadProvisionedThroughputSettings: { ReadCapacityUnits: 3 }
          Tags: [{ Key: a, Value: b }]
          GlobalSecondaryIndexes: [{ IndexName: i, ContributorInsightsSpecification: { Enabled: true } }]
"]);
    let schema = schema.unwrap_or_else(|| panic!("{messages:?}"));
    let table = &schema.tables["T"];
    assert_eq!(table.resource, Resource::GlobalTable);
    assert_eq!(table.extra, BTreeMap::new());
    assert_eq!((table.replica_consistency, table.witness.as_deref()), (ReplicaConsistency::Strong, Some("us-east-2")));
    assert_eq!(table.throughput, Some(Throughput { read: 3.into(), write: 5.into() }));
    let scaled = table.autoscaling.as_ref().and_then(|scaling| scaling.write.clone());
    assert_eq!(scaled, Some(Range { min: 2.into(), max: 9.into(), target: 70.into() }));
    assert_eq!(table.encryption, Some(Encryption::KmsKey(Text::literal("here"))));
    assert_eq!(table.table_class, Some(TableClass::Standard));
    let index = &table.global_indexes["i"];
    assert_eq!(index.on_demand_maximum, Some(Units { read: None, write: Some(5.into()) }));
    assert_eq!(index.contributor_insights, Some(Insights::AccessedAndThrottledKeys));
    let west = Replica {
        kms_key: Some(Text::literal("there")),
        propagate_tags: true,
        extra: [
            ("ContributorInsightsSpecification".to_owned(), "{\"Enabled\":true}".to_owned()),
            ("ReadProvisionedThroughputSettings".to_owned(), "{\"ReadCapacityUnits\":4}".to_owned()),
        ]
        .into(),
        ..Replica::default()
    };
    assert_eq!(table.replicas, [("us-west-2".to_owned(), west)].into());
    assert_eq!((table.regions(), table.own_region_named), (2, false));
}

#[test]
fn a_template_may_name_all_its_regions() {
    let (schema, messages) = read_all(&["
Resources:
  T:
    Type: AWS::DynamoDB::GlobalTable
    Properties:
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      Replicas: [{ Region: us-east-1, DeletionProtectionEnabled: true }, { Region: eu-west-1, TableClass: STANDARD }]
"]);
    let schema = schema.unwrap_or_else(|| panic!("{messages:?}"));
    let table = &schema.tables["T"];
    assert_eq!(table.replicas.keys().collect::<Vec<_>>(), ["eu-west-1", "us-east-1"]);
    assert_eq!(table.replicas["eu-west-1"].table_class, Some(TableClass::Standard));
    assert_eq!((table.regions(), table.own_region_named, &table.deletion_protection), (2, true, &None));
}

#[test]
fn all_errors_come_in_one_run() {
    let (schema, messages) = read_all(&["
Parameters: { P: { Default: x } }
Resources:
  NoType: { Properties: {} }
  NoProperties: { Type: AWS::DynamoDB::Table }
  T:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: [a]
      BillingMode: FREE
      KeySchema: [{ AttributeName: a, KeyType: RANGE }]
      AttributeDefinitions: [{ AttributeName: a }, { AttributeName: a, AttributeType: SS }]
      GlobalSecondaryIndexes: [{ IndexName: i, KeySchema: [], Projection: { ProjectionType: SOME } }]
      LocalSecondaryIndexes: [{ IndexName: l, KeySchema: [{ AttributeName: b, KeyType: HASH }, { AttributeName: c, KeyType: RANGE }] }]
      ProvisionedThroughput: { ReadCapacityUnits: many }
      PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 99 }
      Tags: { a: b }
  Elsewhere:
    Type: AWS::DynamoDB::Table
    Properties:
      KeySchema: { Fn::Transform: [{ Name: AWS::Include }] }
"]);
    assert_eq!(schema, None);
    let expected = [
        "2:15 bad-cloudformation the parameter `P` has no `Type`",
        "4:3 bad-cloudformation the resource `NoType` has no `Type`",
        "5:3 bad-cloudformation the table `NoProperties` has no `Properties`",
        "9:18 bad-cloudformation this has to be text",
        "10:20 bad-cloudformation `BillingMode` has to be `PAY_PER_REQUEST` or `PROVISIONED`",
        "11:18 bad-cloudformation the key of a table has 1 HASH and 0 to 1 RANGE attributes",
        "12:30 bad-cloudformation `AttributeType` is missing here",
        "12:87 bad-cloudformation `AttributeType` has to be `S`, `N` or `B`",
        "13:59 bad-cloudformation the key of a global index has 1 to 4 HASH and 0 to 4 RANGE attributes",
        "13:93 bad-cloudformation `ProjectionType` has to be `ALL`, `KEYS_ONLY` or `INCLUDE`",
        "14:31 bad-cloudformation `Projection` is missing here",
        "14:58 bad-cloudformation the partition key of a local index is that of its table, not `b`",
        "15:30 bad-cloudformation `WriteCapacityUnits` is missing here",
        "15:51 bad-cloudformation this has to be a whole number",
        "16:65 bad-cloudformation the period has to be 1 to 35 days",
        "17:13 bad-cloudformation this has to be a list",
        "21:18 bad-cloudformation `KeySchema` is computed by `Fn::Transform`, so it cannot be read",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn what_is_no_template_is_refused() {
    for text in [
        "",
        "Resources: {}\nResources: {}",
        "a: b",
        "[]",
        "Resources: []",
        "Resources: { T: x }",
        "Resources:\n  T: {",
        "text",
        "{\"Resources\": null}",
    ] {
        let (schema, messages) = read_all(&[text]);
        assert_eq!(schema, None, "{text}");
        assert!(!messages.is_empty(), "{text}");
    }
    assert_eq!(read_all(&["Resources: {}"]), (Some(Schema::default()), Vec::new()));
}

#[test]
fn one_logical_id_in_two_templates_is_an_error() {
    let text = template("");
    let (schema, messages) = read_all(&[&text, &text]);
    assert_eq!((schema, messages.as_slice()), (None, &["3:3 duplicate-name two templates have a table `Orders`".to_owned()][..]));
}

#[test]
fn what_may_make_tables_elsewhere_is_named() {
    let (_, messages) = read_all(&[
        "Resources:\n  N: { Type: AWS::CloudFormation::Stack }\n  S: { Type: AWS::Serverless::SimpleTable }\n  M: { Type: Our::Tables::MODULE }\n  \
         Q: { Type: AWS::SQS::Queue }",
    ]);
    let expected = [
        "2:14 not-read what the nested stack `N` makes is not read",
        "3:14 not-read the table `S` is not read: it is an `AWS::Serverless::SimpleTable`",
        "4:14 not-read what the module `M` makes is not read",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn macros_are_named_but_for_those_of_cloudformation() {
    let said = |transform: &str| read_all(&[&format!("Transform: {transform}\nResources: {{}}\n")]).1;
    assert_eq!(said("[AWS::LanguageExtensions, AWS::Serverless-2016-10-31]"), Vec::<String>::new());
    assert_eq!(said("Mine"), ["1:12 not-evaluated what `Mine` makes of the template is not known"]);
    let several = "[AWS::Serverless-2016-10-31, Mine, { Name: AWS::Include, Parameters: { Location: s3://a/b } }]";
    assert_eq!(said(several), ["1:12 not-evaluated what `Mine` and `AWS::Include` make of the template is not known"]);
}
