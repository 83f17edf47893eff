use crate::diagnostic::Sink;
use crate::read::cloudformation::read;
use crate::schema::Value;
use crate::schema::dynamodb::{Range, Schema};
use crate::source::SourceMap;

/// A template with a table `Orders` that has an index, and further resources.
fn template(more: &str) -> (Schema, Vec<String>) {
    let before = "
Parameters: { Env: { Type: String, Default: dev }, By: { Type: String, Default: by_day } }
Conditions: { IsProd: !Equals [!Ref Env, prod] }
Resources:
  Users: { Type: AWS::DynamoDB::Table, Properties: { KeySchema: [{ AttributeName: pk, KeyType: HASH }] } }
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub orders-${Env}
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
      KeySchema: [{ AttributeName: pk, KeyType: HASH }]
      GlobalSecondaryIndexes:
        - { IndexName: by_day, KeySchema: [{ AttributeName: pk, KeyType: HASH }], Projection: { ProjectionType: ALL } }
";
    let mut sources = SourceMap::default();
    let file = sources.add("a.yaml", format!("{before}{more}"));
    let mut sink = Sink::default();
    let schema = read(&sources, &[file], &mut sink);
    let messages: Vec<String> = sink.into_sorted().into_iter().map(|found| found.message).collect();
    (schema.unwrap_or_else(|| panic!("{messages:?}")), messages)
}

fn target(name: &str, id: &str, more: &str) -> String {
    format!(
        "  {name}:\n    Type: AWS::ApplicationAutoScaling::ScalableTarget\n    Properties:\n      ServiceNamespace: dynamodb\n      \
         ResourceId: {id}\n      ScalableDimension: dynamodb:table:ReadCapacityUnits\n      MinCapacity: 1\n      MaxCapacity: 9\n{more}"
    )
}

fn policy(target: &str, more: &str) -> String {
    format!(
        "  {target}Policy:\n    Type: AWS::ApplicationAutoScaling::ScalingPolicy\n    Properties:\n      PolicyName: keep\n      \
         PolicyType: TargetTrackingScaling\n      ScalingTargetId: !Ref {target}\n      TargetTrackingScalingPolicyConfiguration:\n        \
         TargetValue: 70\n        PredefinedMetricSpecification: {{ PredefinedMetricType: DynamoDBReadCapacityUtilization }}\n{more}"
    )
}

/// What `Orders` carries along of its scaling.
fn carried(schema: &Schema) -> Vec<(&str, &str)> {
    let extra = schema.tables["Orders"].extra.iter();
    extra.map(|(path, text)| (path.as_str(), text.as_str())).filter(|(path, _)| path.starts_with("autoscaling")).collect()
}

fn range() -> Range {
    Range { min: Value::Literal(1), max: Value::Literal(9), target: Value::Literal(70) }
}

#[test]
fn a_target_may_have_a_fraction() {
    let of = |value: &str| {
        let policy = policy("Reads", "").replace("TargetValue: 70", &format!("TargetValue: {value}"));
        let (schema, said) = template(&(target("Reads", "!Sub 'table/${Orders}'", "") + &policy));
        assert_eq!(said, Vec::<String>::new());
        schema.tables["Orders"].autoscaling.clone().unwrap().read.unwrap().target
    };
    assert_eq!(of("70.5"), Value::Expression("70.5".to_owned()));
    assert_eq!(of("\"70.5\""), of("70.5"));
    assert_eq!(of("70.0"), Value::Literal(70));
}

#[test]
fn a_table_is_found_by_reference_and_by_name() {
    for id in ["!Sub 'table/${Orders}'", "!Join ['/', [table, !Ref Orders]]", "!Sub 'table/orders-${Env}'", "table/orders-dev"] {
        let (schema, said) = template(&(target("Reads", id, "") + &policy("Reads", "")));
        assert_eq!(schema.tables["Orders"].autoscaling.as_ref().unwrap().read, Some(range()), "{id}");
        assert_eq!((carried(&schema), said), (vec![], vec![]), "{id}");
    }
    for id in ["!Sub 'table/${Orders}/index/by_day'", "!Join [/, [table, !Ref Orders, index, !Ref By]]"] {
        let (schema, said) = template(&(target("Reads", id, "") + &policy("Reads", "")));
        assert_eq!(schema.tables["Orders"].global_indexes["by_day"].autoscaling.as_ref().unwrap().read, Some(range()), "{id}");
        assert_eq!(said, Vec::<String>::new(), "{id}");
    }
}

#[test]
fn an_id_that_names_one_table_is_kept_with_what_decides_it() {
    let id = "!If [IsProd, !Sub 'table/${Orders}', table/none]";
    let (schema, _) = template(&(target("Reads", id, "") + &policy("Reads", "")));
    assert_eq!(schema.tables["Orders"].autoscaling.as_ref().unwrap().read, Some(range()));
    assert!(carried(&schema).iter().any(|(path, _)| *path == "autoscaling.read.ResourceId"));
    assert!(schema.tables["Orders"].extra.contains_key("Conditions.IsProd"), "{:?}", schema.tables["Orders"].extra);
}

#[test]
fn what_is_not_known_is_said() {
    for id in [
        "!If [IsProd, !Sub 'table/${Orders}', !Sub 'table/${Users}']",
        "!ImportValue orders",
        "!Sub 'table/${Env}'",
        "!Sub 'table/${Orders}/index/none'",
    ] {
        let (schema, said) = template(&(target("Reads", id, "") + &policy("Reads", "")));
        assert!(schema.tables["Orders"].autoscaling.is_none(), "{id}");
        assert_eq!(said, ["it is not known which table is meant by `Reads`"], "{id}");
    }
}

#[test]
fn what_is_of_another_stack_or_service_is_passed_over() {
    assert_eq!(template(&target("Reads", "table/others", "")).1, Vec::<String>::new());
    let service = target("Reads", "!Sub 'service/${Env}'", "").replace("dynamodb", "ecs");
    let stepped = "  Steps: { Type: AWS::ApplicationAutoScaling::ScalingPolicy, Properties: { ScalingTargetId: !Ref Reads } }\n";
    assert_eq!(template(&(service + stepped)).1, Vec::<String>::new());
}

#[test]
fn what_is_not_modelled_is_carried_along() {
    let id = "!Sub 'table/${Orders}'";
    let more = "      SuspendedState: { DynamicScalingInSuspended: true }\n    Condition: IsProd\n";
    let (schema, _) = template(&(target("Reads", id, more) + &policy("Reads", "        DisableScaleIn: true\n")));
    assert_eq!(
        carried(&schema),
        [
            ("autoscaling.read.SuspendedState", r#"{"DynamicScalingInSuspended":true}"#),
            ("autoscaling.read.TargetTrackingScalingPolicyConfiguration.DisableScaleIn", "true"),
            ("autoscaling.read.target.Condition", r#"{"Condition":"IsProd"}"#),
        ]
    );
    assert!(schema.tables["Orders"].extra.contains_key("Conditions.IsProd"));
    let (schema, _) = template(&target("Reads", id, ""));
    assert_eq!(carried(&schema), [("autoscaling.read.max", "9"), ("autoscaling.read.min", "1")]);
}

#[test]
fn a_second_target_of_the_same_capacity_replaces_none() {
    let id = "!Sub 'table/${Orders}'";
    let second = target("More", id, "").replace("MaxCapacity: 9", "MaxCapacity: 99");
    let (schema, _) = template(&(target("Reads", id, "") + &policy("Reads", "") + &second));
    assert_eq!(schema.tables["Orders"].autoscaling.as_ref().unwrap().read, Some(range()));
    let [(path, text)] = carried(&schema)[..] else { panic!("{:?}", carried(&schema)) };
    assert!(path == "autoscaling.read.More" && text.contains("\"MaxCapacity\":99"), "{path}: {text}");
}
