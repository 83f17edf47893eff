//! What is rendered is read back, whatever the schema.

use super::*;
use crate::emit::strategies::{self, insights};

/// Text that could break out of its quotes.
fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        "\\PC{0,6}",
        prop::collection::vec(
            prop::sample::select(vec![
                "$", "${", "%{", "}", "\"", "\\", "\n", "\r", "\t", "#", "'", "{{", "x", "\u{0}", "é", "<<EOT", "~"
            ]),
            0..6
        )
        .prop_map(|pieces| pieces.concat()),
    ]
}

/// A key has a name.
fn name() -> impl Strategy<Value = String> {
    nasty().prop_filter("empty", |name| !name.is_empty())
}

fn text() -> impl Strategy<Value = Text> {
    prop::collection::vec(prop_oneof![nasty().prop_map(Part::Literal), parameter_name().prop_map(Part::Parameter)], 0..4)
        .prop_map(Text::from_parts)
}

fn parameter_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["environment", "capacity", "guard"]).prop_map(str::to_owned)
}

fn value<T: Clone + std::fmt::Debug + 'static>(literal: impl Strategy<Value = T> + 'static) -> impl Strategy<Value = Value<T>> {
    prop_oneof![literal.prop_map(Value::Literal), parameter_name().prop_map(Value::Parameter)]
}

fn projection() -> impl Strategy<Value = Projection> {
    prop_oneof![
        Just(Projection::All),
        Just(Projection::KeysOnly),
        prop::collection::btree_set(nasty(), 1..4).prop_map(Projection::Include)
    ]
}

fn throughput() -> impl Strategy<Value = Throughput> {
    (value(1..9000_u64), value(1..9000_u64)).prop_map(|(read, write)| Throughput { read, write })
}

/// Provider 6 takes no less of warm throughput.
fn units(least: u64) -> BoxedStrategy<Units> {
    let side = move || prop::option::of(value(least..90_000_u64));
    (side(), side()).prop_map(|(read, write)| Units { read, write }).boxed()
}

fn autoscaling() -> BoxedStrategy<Autoscaling> {
    let range = (value(1..9_u64), value(9..90_u64), value(20..91_u64));
    strategies::autoscaling(range.prop_map(|(min, max, target)| Range { min, max, target }).boxed())
}

/// A JSON document.
fn document() -> BoxedStrategy<serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        nasty().prop_map(Into::into)
    ];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
            prop::collection::btree_map(nasty(), inner, 0..3).prop_map(|fields| fields.into_iter().collect())
        ]
    });
    prop::collection::btree_map(nasty(), value, 1..3).prop_map(|fields| fields.into_iter().collect()).boxed()
}

fn local_index() -> BoxedStrategy<LocalIndex> {
    (nasty(), nasty(), projection())
        .prop_map(|(name, sort_key, projection)| LocalIndex {
            about: About::default(),
            name,
            sort_key,
            projection,
            extra: BTreeMap::new(),
        })
        .boxed()
}

fn global_index() -> BoxedStrategy<GlobalIndex> {
    let keys = |least| prop::collection::vec(name(), least..3).prop_map(Keys);
    let capacity = (
        prop::option::of(throughput()),
        prop::option::of(units(1)),
        prop::option::of(units(12_000)),
        prop::option::of(autoscaling()),
        prop::option::of(insights()),
    );
    (nasty(), keys(1), keys(0), projection(), capacity)
        .prop_map(|(name, partition_key, sort_key, projection, capacity)| {
            let (throughput, on_demand_maximum, warm_throughput, autoscaling, contributor_insights) = capacity;
            GlobalIndex {
                name,
                partition_key,
                sort_key,
                projection,
                throughput,
                autoscaling,
                on_demand_maximum,
                warm_throughput,
                contributor_insights,
                ..GlobalIndex::default()
            }
        })
        .boxed()
}

fn encryption() -> impl Strategy<Value = Encryption> {
    prop_oneof![Just(Encryption::AwsOwned), Just(Encryption::AwsManaged), text().prop_map(Encryption::KmsKey)]
}

fn stream() -> impl Strategy<Value = Stream> {
    prop::sample::select(vec![Stream::Off, Stream::KeysOnly, Stream::NewImage, Stream::OldImage, Stream::NewAndOldImages])
}

fn table() -> BoxedStrategy<Table> {
    let keys = (nasty(), prop::option::of(name()), prop::option::of(text()), prop::option::of(nasty()), nasty());
    let types = prop::collection::btree_map(nasty(), prop::sample::select(vec![KeyType::S, KeyType::N, KeyType::B]), 0..4);
    let indexes = (prop::collection::vec(local_index(), 0..3), prop::collection::vec(global_index(), 0..3));
    let settings = (
        prop::option::of((nasty(), any::<bool>()).prop_map(|(attribute, enabled)| Ttl { attribute, enabled })),
        prop::option::of(stream()),
        prop::option::of(prop::sample::select(vec![Billing::OnDemand, Billing::Provisioned])),
        prop::option::of(throughput()),
        prop::option::of(encryption()),
        prop::option::of(
            (value(any::<bool>()), prop::option::of(1..36_u8)).prop_map(|(enabled, days)| PointInTimeRecovery { enabled, days }),
        ),
        prop::option::of(value(any::<bool>())),
        any::<bool>(),
    );
    let tags = prop::collection::btree_map(nasty(), text(), 0..4);
    let more = (
        prop::option::of(units(1)),
        prop::option::of(units(12_000)),
        prop::option::of(prop::sample::select(TableClass::ALL.to_vec())),
        prop::option::of(autoscaling()),
        prop::option::of(insights()),
        prop::option::of(text()),
        prop::option::of(document()),
        prop::collection::btree_set("[a-z_]{1,8}", 0..3),
        replicas(),
    );
    (keys, types, indexes, settings, tags, more)
        .prop_map(|(keys, attributes, (local, global), settings, tags, more)| {
            let (
                on_demand_maximum,
                warm_throughput,
                table_class,
                autoscaling,
                contributor_insights,
                kinesis_stream,
                policy,
                overlooked,
                (replicas, replica_consistency, witness),
            ) = more;
            let (partition_key, sort_key, name, description, served) = keys;
            let (ttl, stream, billing, throughput, encryption, point_in_time_recovery, deletion_protection, prevent_destroy) =
                settings;
            Table {
                about: About::from(Notes { description, serves: vec![served], ..Notes::default() }),
                name,
                attributes,
                partition_key,
                sort_key,
                local_indexes: local.into_iter().map(|index| (index.name.clone(), index)).collect(),
                global_indexes: global.into_iter().map(|index| (index.name.clone(), index)).collect(),
                ttl,
                stream,
                billing,
                throughput,
                on_demand_maximum,
                warm_throughput,
                table_class,
                autoscaling,
                contributor_insights,
                kinesis_stream,
                resource_policy: policy,
                ignore_changes: overlooked,
                encryption,
                point_in_time_recovery,
                deletion_protection,
                replicas,
                replica_consistency,
                witness,
                tags,
                prevent_destroy,
                ..Table::default()
            }
        })
        .boxed()
}

/// Other Regions, the consistency between them, a witness.
fn replicas() -> BoxedStrategy<(BTreeMap<String, Replica>, ReplicaConsistency, Option<String>)> {
    let switch = || prop::option::of(value(any::<bool>()));
    let replica = (prop::option::of(text()), switch(), switch(), any::<bool>());
    let replica = replica.prop_map(|(kms_key, recovery, deletion_protection, propagate_tags)| Replica {
        kms_key,
        point_in_time_recovery: recovery.map(|enabled| PointInTimeRecovery { enabled, days: None }),
        deletion_protection,
        propagate_tags,
        ..Replica::default()
    });
    let replicas = prop::collection::btree_map(nasty(), replica, 0..3);
    (replicas, any::<bool>(), prop::option::of(nasty()))
        .prop_map(|(replicas, strong, witness)| {
            // The mode is an argument of each replica.
            let strong = strong && !replicas.is_empty();
            (replicas, if strong { ReplicaConsistency::Strong } else { ReplicaConsistency::Eventual }, witness)
        })
        .boxed()
}

fn schema() -> impl Strategy<Value = Schema> {
    let label = "[a-z_][a-zA-Z0-9_-]{0,6}";
    let scalar = prop_oneof![
        (nasty(), prop::collection::vec(nasty(), 0..3)).prop_map(|(default, values)| Parameter {
            kind: ParameterKind::Text,
            values: values.into_iter().map(Scalar::Text).collect(),
            default: Some(Scalar::Text(default)),
            about: About::from(Notes { description: Some("a \"b\" ${c}\n".to_owned()), ..Notes::default() }),
        }),
        any::<i32>().prop_map(|number| Parameter {
            kind: ParameterKind::Number,
            values: vec![Scalar::Number(number.to_string())],
            default: None,
            about: About::default(),
        }),
        any::<bool>().prop_map(|value| Parameter {
            kind: ParameterKind::Bool,
            values: Vec::new(),
            default: Some(Scalar::Bool(value)),
            about: About::default(),
        }),
    ];
    (
        prop::collection::btree_map(label, table(), 0..3),
        prop::collection::btree_map(parameter_name(), scalar, 0..3),
        prop::collection::btree_map(label, any::<bool>(), 0..2),
        prop::collection::btree_map(label, label, 0..2),
        prop::collection::btree_map((prop::sample::select(&beside::TYPES[..]), label), label, 0..2),
    )
        .prop_map(|(tables, parameters, mut kept, mut moved, beside)| {
            // What is there has not left: Terraform refuses a block that says so.
            kept.retain(|label, _| !tables.contains_key(label));
            moved.retain(|from, to| from == to || !tables.contains_key(from));
            (tables, parameters, kept, moved, beside)
        })
        .prop_map(|(tables, parameters, kept, moved, beside)| Schema {
            tables: tables.into_iter().map(|(label, table)| (label.clone(), Table { terraform_name: label, ..table })).collect(),
            parameters,
            kept: kept
                .into_iter()
                .map(|(label, destroy)| (label.clone(), Kept { terraform_name: label, destroy, ..Kept::default() }))
                .collect(),
            imported: moved.values().map(|to| (to.clone(), Text::literal("${x} \"quoted\""))).collect(),
            removed: beside.iter().map(|((kind, from), to)| (format!("{kind}.{from}"), from == to)).collect(),
            moved: beside
                .into_iter()
                .map(|((kind, from), to)| (format!("{kind}.{from}"), format!("{kind}.{to}")))
                .chain(moved)
                .collect(),
            parts: Parts::default(),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_rendered_is_read_back(schema in schema()) {
        match emit(&project(), &schema, Backend::TerraformAws6, &Templates::default(), Verified::default()) {
            Ok(Rendered { artifacts, .. }) => {
                for artifact in &artifacts {
                    prop_assert_eq!(&terraform_fmt::format(&artifact.text), &artifact.text);
                }
            }
            Err(problems) => {
                let messages: Vec<_> = problems.iter().map(|problem| (&problem.message, &problem.notes)).collect();
                prop_assert!(false, "{:#?}", messages);
            }
        }
    }
}
