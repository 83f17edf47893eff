//! Laws, on random schemas.

use super::{CLOUDFORMATION, TERRAFORM, changes};
use crate::schema::dynamodb::{
    Billing, Encryption, GlobalIndex, KeyType, Keys, LocalIndex, Projection, Schema as Tables, Stream, Table, Throughput, Ttl,
};
use crate::schema::{About, Backend, Engine, Schema, Text, Value, cql};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z][a-z_]{0,8}", 1 => "[ -~äß日\\$\\{\\}\"'\\\\.]{1,8}"]
}

fn projection() -> impl Strategy<Value = Projection> {
    prop_oneof![
        Just(Projection::All),
        Just(Projection::KeysOnly),
        proptest::collection::btree_set(name(), 1..3).prop_map(Projection::Include)
    ]
}

fn table() -> impl Strategy<Value = Table> {
    let indexes = (btree_map(name(), (name(), projection()), 0..3), btree_map(name(), (vec(name(), 1..3), projection()), 0..3));
    let settings = (
        of((name(), any::<bool>()).prop_map(|(attribute, enabled)| Ttl { attribute, enabled })),
        of(prop_oneof![Just(Stream::Off), Just(Stream::NewImage), Just(Stream::KeysOnly)]),
        of(prop_oneof![Just(Billing::OnDemand), Just(Billing::Provisioned)]),
        of((0..9_u64, 0..9_u64)
            .prop_map(|(read, write)| Throughput { read: Value::Literal(read), write: Value::Literal(write) })),
        of(prop_oneof![Just(Encryption::AwsOwned), name().prop_map(|key| Encryption::KmsKey(Text::literal(key)))]),
        btree_map(name(), name().prop_map(Text::literal), 0..3),
        btree_map(name(), name(), 0..3),
    );
    (name(), of(name()), any::<bool>(), indexes, settings).prop_map(
        |(partition_key, sort_key, prevent_destroy, indexes, settings)| {
            let about = About::default;
            let local = |(name, (sort_key, projection)): (String, _)| {
                (name.clone(), LocalIndex { about: about(), name, sort_key, projection, extra: [].into() })
            };
            let global = |(name, (keys, projection)): (String, _)| {
                let (partition_key, sort_key) = (Keys(keys), Keys::default());
                let index = GlobalIndex { name: name.clone(), partition_key, sort_key, projection, ..GlobalIndex::default() };
                (name, index)
            };
            let mut table = Table {
                partition_key,
                sort_key,
                prevent_destroy,
                local_indexes: indexes.0.into_iter().map(local).collect(),
                global_indexes: indexes.1.into_iter().map(global).collect(),
                ttl: settings.0,
                stream: settings.1,
                billing: settings.2,
                throughput: settings.3,
                encryption: settings.4,
                tags: settings.5,
                extra: settings.6,
                ..Table::default()
            };
            let keys: Vec<String> = std::iter::once(&table.partition_key)
                .chain(&table.sort_key)
                .chain(table.local_indexes.values().map(|index| &index.sort_key))
                .chain(table.global_indexes.values().flat_map(|index| &index.partition_key.0))
                .cloned()
                .collect();
            table.attributes = keys.into_iter().map(|key| (key, KeyType::S)).collect();
            table
        },
    )
}

fn tables() -> impl Strategy<Value = Schema> {
    btree_map(name(), table(), 0..4).prop_map(|mut tables| {
        for (key, table) in &mut tables {
            table.name = Some(Text::literal(key.clone()));
            table.terraform_name.clone_from(key);
            table.logical_id.clone_from(key);
        }
        Schema::from(Tables { tables: tables.into(), ..Tables::default() })
    })
}

fn kind() -> impl Strategy<Value = cql::Type> {
    let native = prop::sample::select(&["text", "int", "uuid", "counter", "blob"][..]).prop_map(cql::Type::Native);
    native.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|of| cql::Type::List(Box::new(of))),
            inner.clone().prop_map(|of| cql::Type::Frozen(Box::new(of))),
            (inner.clone(), inner).prop_map(|(key, value)| cql::Type::Map(Box::new(key), Box::new(value))),
        ]
    })
}

fn keyspace() -> impl Strategy<Value = Schema> {
    let column = kind().prop_map(|kind| cql::Column { kind, is_static: false, extra: None });
    let options = prop_oneof![
        name().prop_map(cql::OptionValue::Text),
        (0..99_u32).prop_map(|number| cql::OptionValue::Number(number.to_string())),
        btree_map(name(), name(), 0..3).prop_map(cql::OptionValue::Map),
    ];
    let option = prop_oneof!["comment", "compaction", "gc_grace_seconds", "cdc", "made_up"];
    let table = (btree_map(name(), column, 1..5), btree_map(option, options, 0..3), 0..3_usize);
    btree_map(name(), table, 0..4).prop_map(|tables| {
        let tables = tables.into_iter().map(|(name, (columns, options, clustering))| {
            let mut keys = columns.keys().cloned();
            let partition_key = keys.next().into_iter().collect();
            let clustering = keys.take(clustering).map(|column| cql::Clustering { column, descending: false }).collect();
            let table = cql::Table { name: name.clone(), columns, partition_key, clustering, options, ..cql::Table::default() };
            (name, table)
        });
        let replication = BTreeMap::from([("class".to_owned(), "SimpleStrategy".to_owned())]);
        let keyspace = cql::Keyspace { replication, tables: tables.collect(), ..cql::Keyspace::default() };
        Schema::from(cql::Schema { keyspaces: [("shop".to_owned(), keyspace)].into(), ..cql::Schema::default() })
    })
}

const CQL: [Backend; 3] = [Backend::Cql(Engine::Cassandra50), Backend::Cql(Engine::Scylla20261), Backend::Cql(Engine::Keyspaces)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_differs_from_itself(tables in tables(), keyspace in keyspace()) {
        prop_assert!(changes(&tables, &tables, &[TERRAFORM, CLOUDFORMATION]).is_empty());
        prop_assert!(changes(&keyspace, &keyspace, &CQL).is_empty());
    }

    #[test]
    fn whatever_differs_has_an_effect_and_an_id_of_its_own(one in tables(), other in tables(), left in keyspace(), right in keyspace()) {
        let found = [changes(&one, &other, &[TERRAFORM, CLOUDFORMATION]), changes(&left, &right, &CQL)].concat();
        let ids: std::collections::BTreeSet<&str> = found.iter().map(crate::diff::Change::id).collect();
        prop_assert_eq!(ids.len(), found.len());
        for change in &found {
            prop_assert!(!change.effects.is_empty());
            prop_assert!(change.before != change.after || change.path.is_none());
            for effect in change.effects.values() {
                prop_assert!(!effect.reason.is_empty());
                // What no row knows is never taken for harmless.
                prop_assert!(effect.rule.is_some() || effect.blocks());
            }
        }
    }

    #[test]
    fn the_other_way_round_there_are_changes_too(one in tables(), other in tables()) {
        // Only "as it was" may be said one way and not the other.
        let there = changes(&one, &other, &[TERRAFORM]);
        let back = changes(&other, &one, &[TERRAFORM]);
        let settles = |path: Option<&str>| matches!(path, Some("ttl" | "encryption" | "point_in_time_recovery"));
        let count = |found: &[crate::diff::Change]| found.iter().filter(|change| !settles(change.path.as_deref())).count();
        prop_assert_eq!(count(&there), count(&back));
    }
}
