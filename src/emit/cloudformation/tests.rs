//! What is written is read back, YAML and JSON are one tree, and the text is the one people expect.

mod law;
mod several;

use super::*;

use crate::schema::dynamodb::{
    Autoscaling, Billing, Encryption, GlobalIndex, KeyType, Keys, LocalIndex, PointInTimeRecovery, Projection, Range, Replica,
    ReplicaConsistency, Resource, Stream, Table, TableClass, Throughput, Ttl, Units,
};
use crate::schema::{About, Notes, Parameter, ParameterKind, Part, Scalar, Text, Value};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn project() -> Project {
    Project { name: "shop".to_owned(), environment: None, description: Some("Orders: \"all\" of them\nand more".to_owned()) }
}

fn render(schema: &Schema, format: TemplateFormat) -> String {
    let artifacts = emit(&project(), schema, format, &Templates::default(), Verified::default())
        .unwrap_or_else(|problems| panic!("{problems:?}"))
        .artifacts;
    artifacts.into_iter().map(|artifact| artifact.text).collect()
}

fn read_back(text: &str) -> Schema {
    let mut sources = SourceMap::default();
    let file = sources.add("template.yaml", text);
    let mut sink = Sink::default();
    let schema = crate::read::cloudformation::read(&sources, &[file], &mut sink);
    assert!(sink.diagnostics().is_empty(), "{:?}\n{text}", sink.diagnostics());
    schema.unwrap()
}

fn orders() -> Schema {
    let about = |serves: &[&str]| {
        About::from(Notes { serves: serves.iter().map(|name| (*name).to_owned()).collect(), ..Notes::default() })
    };
    let index = GlobalIndex {
        about: about(&["orders-by-day"]),
        name: "by-day".to_owned(),
        partition_key: Keys::one("day"),
        sort_key: Keys::one("n"),
        projection: Projection::Include(["total".to_owned(), "yes".to_owned()].into()),
        throughput: Some(Throughput { read: 1.into(), write: 2.into() }),
        ..GlobalIndex::default()
    };
    let local = LocalIndex {
        about: About::default(),
        name: "local".to_owned(),
        sort_key: "day".to_owned(),
        projection: Projection::KeysOnly,
        extra: BTreeMap::new(),
    };
    let table = Table {
        about: About::from(Notes {
            description: Some("All orders\n# of the shop".to_owned()),
            ..(*about(&["get-order", "orders-of-customer"])).clone()
        }),
        terraform_name: "orders".to_owned(),
        logical_id: "Orders".to_owned(),
        name: Some(Text::from_parts([Part::Parameter("environment".into()), Part::Literal("-orders".into())])),
        attributes: [("day".to_owned(), KeyType::S), ("id".to_owned(), KeyType::S), ("n".to_owned(), KeyType::N)].into(),
        partition_key: "id".to_owned(),
        sort_key: Some("n".to_owned()),
        local_indexes: [("local".to_owned(), local)].into(),
        global_indexes: [("by_day".to_owned(), index)].into(),
        ttl: Some(Ttl { attribute: "expires".to_owned(), enabled: false }),
        stream: Some(Stream::NewAndOldImages),
        billing: Some(Billing::Provisioned),
        throughput: Some(Throughput { read: Value::Parameter("units".into()), write: 5.into() }),
        encryption: Some(Encryption::KmsKey(Text::from_parts([Part::Parameter("kms_key".into())]))),
        point_in_time_recovery: Some(PointInTimeRecovery { enabled: true.into(), days: Some(7) }),
        deletion_protection: Some(Value::Parameter("protect".into())),
        tags: [("team".to_owned(), Text::literal("shop ${x}"))].into(),
        prevent_destroy: true,
        deletion_policy: Some("Retain".to_owned()),
        update_replace_policy: Some("Retain".to_owned()),
        ..Table::default()
    };
    let parameter = |kind, values: &[&str], default: Option<Scalar>| Parameter {
        kind,
        values: values.iter().map(|value| Scalar::Text((*value).to_owned())).collect(),
        default,
        about: About::from(Notes { description: Some("what: it is".to_owned()), ..Notes::default() }),
    };
    let parameters = [
        ("environment", parameter(ParameterKind::Text, &["dev", "no"], Some(Scalar::Text("dev".into())))),
        ("protect", parameter(ParameterKind::Bool, &[], Some(Scalar::Bool(true)))),
        ("units", parameter(ParameterKind::Number, &[], Some(Scalar::Number("5".into())))),
        ("kms_key", parameter(ParameterKind::Text, &[], None)),
    ];
    let parameters = parameters.into_iter().map(|(name, parameter)| (name.to_owned(), parameter)).collect();
    Schema { parameters, tables: [("orders".to_owned(), table)].into(), ..Schema::default() }
}

#[test]
fn a_template_reads_as_people_write_it() {
    assert_eq!(render(&orders(), TemplateFormat::Yaml), include_str!("orders.yaml"));
}

#[test]
fn json_is_the_same_tree_without_comments() {
    let json: serde_json::Value = serde_json::from_str(&render(&orders(), TemplateFormat::Json)).unwrap();
    let properties = &json["Resources"]["Orders"]["Properties"];
    assert_eq!(properties["TableName"], serde_json::json!({ "Fn::Sub": "${Environment}-orders" }));
    assert_eq!(properties["DeletionProtectionEnabled"], serde_json::json!({ "Ref": "Protect" }));
    assert_eq!(json["Outputs"]["OrdersStream"]["Value"], serde_json::json!({ "Fn::GetAtt": ["Orders", "StreamArn"] }));
    assert_eq!(properties["AttributeDefinitions"][2]["AttributeType"], "N");
    assert!(!json.to_string().contains("Serves"));
}

#[test]
fn no_tables_no_template() {
    assert_eq!(
        emit(&project(), &Schema::default(), TemplateFormat::Yaml, &Templates::default(), Verified::default()),
        Ok(Rendered::default())
    );
}

/// The messages of rendering `orders` through a team's own templates.
fn problems_with(files: &[(&str, &str)]) -> Vec<String> {
    let mut sources = SourceMap::default();
    let overlay = files.iter().map(|(name, text)| (format!("cloudformation/{name}"), sources.add(*name, *text))).collect();
    let templates = Templates::new(&overlay, &sources, &mut Sink::default());
    let problems = emit(&project(), &orders(), TemplateFormat::Yaml, &templates, Verified::default()).err().unwrap_or_default();
    problems.into_iter().map(|problem| [vec![problem.message], problem.notes].concat().join("; ")).collect()
}

#[test]
fn a_template_that_loses_or_changes_anything_is_an_error() {
    let messages = problems_with(&[(
        "table.yaml.j2",
        "{% extends \"gen/cloudformation/table.yaml.j2\" %}{% block global_indexes %}{% endblock %}",
    )]);
    assert_eq!(
        messages,
        [
            "`dynamodb.orders.gsi.by_day` is missing in what the template prints; printed by the template `cloudformation/table.yaml.j2`"
        ]
    );
    let extends = "{% extends \"gen/cloudformation/table.yaml.j2\" %}";
    let messages = problems_with(&[(
        "table.yaml.j2",
        &format!("{extends}{{% block settings %}}{{{{ super() }}}}      BillingMode: FREE\n{{% endblock %}}"),
    )]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("`BillingMode` is given twice"), "{messages:?}");
    assert!(messages[0].ends_with("of cloudformation/template.yaml: `BillingMode: FREE`"), "{messages:?}");
    let messages = problems_with(&[("index.yaml.j2", "        - {{ index.name }}\n")]);
    assert!(messages.iter().any(|message| message.contains("this has to be a map")), "{messages:?}");
}

#[test]
fn a_template_may_add_what_is_not_modelled() {
    let extends = "{% extends \"gen/cloudformation/table.yaml.j2\" %}";
    let more = "{% block more %}      ImportSourceSpecification: { InputFormat: CSV }\n{% endblock %}";
    let alarm = "{% extends \"gen/cloudformation/template.yaml.j2\" %}{% block resources %}  Alarm: { Type: AWS::CloudWatch::Alarm }\n{% endblock %}";
    assert_eq!(
        problems_with(&[("table.yaml.j2", &format!("{extends}{more}")), ("template.yaml.j2", alarm)]),
        Vec::<String>::new()
    );
}
