//! The laws of Amazon Keyspaces as infrastructure code: what is written is read back as it was, for any schema that the format
//! can express.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use nosql_gen::diagnostic::{Diagnostic, Severity, Sink};
use nosql_gen::emit::keyspaces::lacks;
use nosql_gen::emit::terraform::keyspaces::Beside;
use nosql_gen::emit::{Artifact, Project, Templates, cloudformation, terraform};
use nosql_gen::read;
use nosql_gen::schema::cql::{Clustering, Column, Keyspace, Managed, OptionValue, Schema, Table, Type, UserType};
use nosql_gen::schema::{Backend, Engine, TemplateFormat, pascal_case};
use nosql_gen::source::SourceMap;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Texts that are dangerous somewhere: quotes, interpolation of HCL and of `Fn::Sub`, YAML's own words, ends of lines.
const TEXTS: &[&str] = &[
    "plain",
    "it's \"all\"",
    "${x} %{y} $${z}",
    "yes",
    "0123",
    "!Ref a: b # c",
    "a\\b",
    "line\nline\r\n\ttab",
    "ünïcode 🗝",
    " spaced ",
    "{{ x }}",
];
const REGIONS: &[&[&str]] = &[&[], &["eu-west-1", "us-east-1"], &["eu-west-1", "us-east-1", "us-east-2"]];
const USERS: &[&str] = &["place", "person"];
const NAMES: &[&str] = &["id", "at", "yes", "null", "on", "the_name", "a1", "select", "name", "type", "order_by"];
const TYPES: &[&str] = &["text", "uuid", "timeuuid", "int", "bigint", "timestamp", "blob"];
const OTHERS: &[&str] = &["text", "list<int>", "set<text>", "map<text, uuid>", "tuple<int, text>", "decimal", "counter"];

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(TEXTS).prop_map(str::to_owned)
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![Just(1), Just(40_000), 1..9_999_u64]
}

fn map<const N: usize>(entries: [(&str, String); N]) -> OptionValue {
    OptionValue::Map(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

fn nested<const N: usize>(entries: [(&str, OptionValue); N]) -> OptionValue {
    OptionValue::Nested(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

fn scaling() -> impl Strategy<Value = OptionValue> {
    (number(), number(), 20..91_u64).prop_map(|(min, max, target)| {
        let policy = nested([("target_tracking_scaling_policy_configuration", map([("target_value", target.to_string())]))]);
        let number = |number: u64| OptionValue::Number(number.to_string());
        nested([("minimum_units", number(min)), ("maximum_units", number(max)), ("scaling_policy", policy)])
    })
}

fn custom() -> impl Strategy<Value = BTreeMap<String, OptionValue>> {
    let capacity = prop::option::of((number(), number()));
    (capacity, any::<Option<bool>>(), prop::option::of(text()), any::<bool>(), any::<bool>()).prop_map(
        |(capacity, recovery, key, timestamps, ttl)| {
            let status = |on: bool| map([("status", if on { "enabled" } else { "disabled" }.to_owned())]);
            let mut custom = BTreeMap::new();
            if let Some((read, write)) = capacity {
                let mode = ("throughput_mode", "PROVISIONED".to_owned());
                let units = [("read_capacity_units", read.to_string()), ("write_capacity_units", write.to_string())];
                let [read, write] = units;
                custom.insert("capacity_mode".to_owned(), map([mode, read, write]));
            }
            custom.extend(recovery.map(|on| ("point_in_time_recovery".to_owned(), status(on))));
            if let Some(key) = key {
                let entries =
                    [("encryption_type", "CUSTOMER_MANAGED_KMS_KEY".to_owned()), ("kms_key_identifier", format!("arn:{key}"))];
                custom.insert("encryption_specification".to_owned(), map(entries));
            }
            custom.extend(timestamps.then(|| ("client_side_timestamps".to_owned(), status(true))));
            custom.extend(ttl.then(|| ("ttl".to_owned(), status(true))));
            custom
        },
    )
}

fn options() -> impl Strategy<Value = BTreeMap<String, OptionValue>> {
    let tags = prop::collection::btree_map(text(), text(), 0..3);
    let scaled = (prop::option::of(scaling()), prop::option::of(scaling()));
    (custom(), prop::option::of(number()), prop::option::of(text()), tags, scaled, any::<Option<bool>>()).prop_map(
        |(custom, ttl, comment, tags, (read, write), capture)| {
            let mut options = BTreeMap::new();
            if !custom.is_empty() {
                options.insert("custom_properties".to_owned(), OptionValue::Nested(custom));
            }
            options.extend(ttl.map(|ttl| ("default_time_to_live".to_owned(), OptionValue::Number(ttl.to_string()))));
            options.extend(comment.map(|comment| ("comment".to_owned(), OptionValue::Text(comment))));
            if !tags.is_empty() {
                options.insert("tags".to_owned(), OptionValue::Map(tags));
            }
            let scaled = [("read", read), ("write", write)].into_iter();
            let scaled: BTreeMap<_, _> =
                scaled.filter_map(|(what, by)| Some((format!("provisioned_{what}_capacity_autoscaling_update"), by?))).collect();
            if !scaled.is_empty() {
                options.insert("autoscaling_settings".to_owned(), OptionValue::Nested(scaled));
            }
            options.extend(capture.map(|on| ("cdc".to_owned(), OptionValue::Bool(on))));
            options
        },
    )
}

fn columns() -> impl Strategy<Value = (Vec<String>, Vec<Clustering>, BTreeMap<String, Column>)> {
    let names = prop::sample::subsequence(NAMES, 1..NAMES.len());
    (names, 1..3_usize, 0..3_usize, prop::collection::vec((0..TYPES.len(), 0..OTHERS.len(), any::<bool>()), NAMES.len()))
        .prop_map(|(names, partition, clustering, choices)| {
            let mut key = Vec::new();
            let mut order = Vec::new();
            let mut columns = BTreeMap::new();
            for (at, (name, (native, other, flag))) in names.into_iter().zip(choices).enumerate() {
                let in_key = at < partition + clustering;
                let kind = Type::parse(if in_key { TYPES[native] } else { OTHERS[other] }).unwrap();
                columns.insert(name.to_owned(), Column { kind, is_static: !in_key && flag && !order.is_empty(), extra: None });
                if at < partition {
                    key.push(name.to_owned());
                } else if in_key {
                    order.push(Clustering { column: name.to_owned(), descending: flag });
                }
            }
            (key, order, columns)
        })
}

fn table() -> impl Strategy<Value = Table> {
    (columns(), options(), any::<bool>()).prop_map(|((partition_key, clustering, columns), options, kept)| Table {
        partition_key,
        clustering,
        columns,
        options,
        kept,
        ..Table::default()
    })
}

fn schema() -> impl Strategy<Value = Schema> {
    let regions = prop::sample::select(REGIONS);
    let types = prop::collection::btree_map(prop::sample::select(USERS), 0..TYPES.len(), 0..2);
    (regions, types, prop::collection::vec(table(), 0..4), any::<bool>()).prop_map(|(regions, types, tables, moved)| {
        let class = if regions.is_empty() { "SingleRegionStrategy" } else { "NetworkTopologyStrategy" };
        let regions = regions.iter().map(|region| ((*region).to_owned(), "3".to_owned()));
        let managed =
            |label: &str| Managed { terraform_name: label.to_owned(), logical_id: pascal_case(label), ..Managed::default() };
        let types = types.into_iter().map(|(name, kind)| {
            let fields = vec![
                ("x".to_owned(), Type::parse(TYPES[kind]).unwrap()),
                ("y".to_owned(), Type::parse("list<frozen<set<int>>>").unwrap()),
            ];
            (name.to_owned(), UserType { managed: managed(&format!("{name}_type")), ..UserType::of(fields) })
        });
        let tables = tables.into_iter().enumerate().map(|(at, table)| {
            let label = format!("table_{at}");
            (format!("key {at}"), Table { name: format!("t{at}"), managed: managed(&label), ..table })
        });
        let keyspace = Keyspace {
            managed: managed("shop_keyspace"),
            replication: regions.chain([("class".to_owned(), class.to_owned())]).collect(),
            types: types.collect(),
            tables: tables.collect(),
            ..Keyspace::default()
        };
        let blocks =
            |from: &str, to: &str| if moved { BTreeMap::from([(from.to_owned(), to.to_owned())]) } else { BTreeMap::new() };
        Schema {
            keyspaces: [("shop".to_owned(), keyspace)].into(),
            moved: blocks("table_before", "table_0"),
            imported: blocks("aws_keyspaces_table.table_0", "shop/t0"),
            ..Schema::default()
        }
    })
}

/// What a backend can express of a schema: static columns, user types, change capture and scaling in several Regions are not for
/// all.
fn expressible(mut schema: Schema, backend: Backend) -> Schema {
    if backend == Backend::KeyspacesTerraform {
        let in_regions = schema.keyspaces.values_mut().filter(|keyspace| keyspace.replication.len() > 2);
        in_regions.flat_map(|keyspace| keyspace.tables.values_mut()).for_each(|table| {
            table.options.remove("autoscaling_settings");
        });
    }
    for table in schema.keyspaces.values_mut().flat_map(|keyspace| keyspace.tables.values_mut()) {
        if backend == Backend::KeyspacesTerraform {
            table.options.remove("cdc");
        } else {
            table.columns.values_mut().for_each(|column| column.is_static = false);
            if !table.options.contains_key("default_time_to_live") {
                let mut custom = table.custom();
                custom.remove("ttl");
                table.set_custom(custom);
            }
        }
    }
    let errors: Vec<Diagnostic> =
        lacks(&schema.on(backend), backend).into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    schema.on(backend)
}

fn read_back(backend: Backend, artifacts: &[Artifact]) -> Schema {
    let mut sources = SourceMap::default();
    let files: Vec<_> = artifacts.iter().map(|artifact| sources.add(artifact.path.clone(), artifact.text.clone())).collect();
    let mut sink = Sink::default();
    let read = match backend {
        Backend::KeyspacesTerraform => read::terraform::read(&sources, &files, &mut sink).map(|module| module.keyspaces),
        _ => read::cloudformation::read_all(&sources, &files, &mut sink).map(|template| template.keyspaces),
    };
    read.unwrap_or_else(|| panic!("{:#?}\n{artifacts:#?}", sink.diagnostics()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(schema in schema()) {
        let project = Project { name: "law".to_owned(), environment: None, description: Some(TEXTS.join(" ")) };
        let templates = Templates::default();
        let terraform = expressible(schema.clone(), Backend::KeyspacesTerraform);
        let files = terraform::keyspaces::emit(&project, &terraform, Beside::Nothing { six: false }, &templates).unwrap().artifacts;
        let normal = |schema: &Schema| schema.normalise(Engine::Keyspaces);
        let expected = terraform.as_managed(Backend::KeyspacesTerraform);
        prop_assert_eq!(normal(&read_back(Backend::KeyspacesTerraform, &files)), normal(&expected));
        let stack = expressible(schema, Backend::KeyspacesCloudformation);
        let expected = stack.as_managed(Backend::KeyspacesCloudformation);
        for format in [TemplateFormat::Yaml, TemplateFormat::Json] {
            let files = cloudformation::keyspaces::emit(&project, &stack, format, &templates).unwrap().artifacts;
            prop_assert_eq!(normal(&read_back(Backend::KeyspacesCloudformation, &files)), normal(&expected));
        }
    }

    #[test]
    fn what_is_written_out_once_is_written_out(schema in schema()) {
        for backend in [Backend::KeyspacesTerraform, Backend::KeyspacesCloudformation] {
            let once = schema.on(backend);
            prop_assert_eq!(&once.on(backend), &once);
            let json = serde_json::to_string(&once).unwrap();
            prop_assert_eq!(serde_json::from_str::<Schema>(&json).unwrap(), once);
        }
    }
}
