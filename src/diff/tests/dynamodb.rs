//! Tables of DynamoDB: matching, single properties, and changes that meet.

use super::{CLOUDFORMATION, TERRAFORM, all, changes, context, generation};
use crate::diff::{Action, Pair, Plan, diff};
use crate::schema::dynamodb::{
    Billing, Encryption, GlobalIndex, Kept, KeyType, Keys, LocalIndex, Made, PointInTimeRecovery, Projection, Schema as Tables,
    Stream, Table, TableClass, Throughput, Ttl, Units,
};
use crate::schema::{Backend, Parameter, Part, Scalar, Schema, Text};
use std::collections::BTreeMap;

pub(super) fn orders() -> Table {
    let mut table = Table {
        terraform_name: "orders".into(),
        logical_id: "Orders".into(),
        name: Some(Text::literal("orders")),
        partition_key: "id".into(),
        sort_key: Some("at".into()),
        billing: Some(Billing::OnDemand),
        ..Table::default()
    };
    table.global_indexes.insert("by_state".into(), global("by_state", "state", Projection::KeysOnly));
    table.local_indexes.insert("by_total".into(), local("by_total", "total", Projection::KeysOnly));
    for (name, kind) in [("id", KeyType::S), ("at", KeyType::N), ("state", KeyType::S), ("total", KeyType::N)] {
        table.attributes.insert(name.into(), kind);
    }
    table
}

pub(super) fn global(name: &str, key: &str, projection: Projection) -> GlobalIndex {
    GlobalIndex {
        name: name.into(),
        partition_key: Keys::one(key),
        sort_key: Keys::default(),
        projection,
        ..GlobalIndex::default()
    }
}

pub(super) fn local(name: &str, key: &str, projection: Projection) -> LocalIndex {
    let about = crate::schema::About::default();
    LocalIndex { about, name: name.into(), sort_key: key.into(), projection, extra: [].into() }
}

pub(super) fn one(table: Table) -> Schema {
    Schema::from(Tables { tables: [("orders".to_owned(), table)].into(), ..Tables::default() })
}

/// The table as it is and with one edit.
fn edited(edit: impl Fn(&mut Table)) -> Pair<Schema> {
    let mut next = orders();
    edit(&mut next);
    Pair { previous: one(orders()), next: one(next) }
}

fn told(edit: impl Fn(&mut Table), backend: Backend) -> Vec<String> {
    let pair = edited(edit);
    all(&pair.previous, &pair.next, backend)
}

#[test]
fn one_edit_is_one_change_with_an_effect_on_each_backend() {
    type Edit = fn(&mut Table);
    let edits: &[(Edit, &str, &str)] = &[
        (
            |table| {
                table.attributes.remove("id");
                table.attributes.insert("key".into(), KeyType::S);
                table.partition_key = "key".into();
            },
            "partition_key",
            "hash-key-change",
        ),
        (|table| table.sort_key = None, "sort_key", "range-key-remove"),
        (|table| table.name = Some(Text::literal("Orders")), "name", "table-rename"),
        (|table| table.ttl = Some(Ttl { attribute: "gone".into(), enabled: true }), "ttl", "ttl-enable"),
        (|table| table.ttl = Some(Ttl { attribute: "gone".into(), enabled: false }), "ttl", "ttl-off-declared"),
        (|table| table.stream = Some(Stream::NewImage), "stream", "stream-enable"),
        (|table| table.encryption = Some(Encryption::AwsManaged), "encryption", "sse-enable-managed"),
        (|table| table.encryption = Some(Encryption::AwsOwned), "encryption", "sse-off-declared"),
        (
            |table| table.point_in_time_recovery = Some(PointInTimeRecovery { enabled: true.into(), days: None }),
            "point_in_time_recovery",
            "pitr-enable",
        ),
        (|table| table.deletion_protection = Some(true.into()), "deletion_protection", "deletion-protection-on"),
        (
            |table| {
                table.tags.insert("team".into(), Text::literal("a"));
            },
            "tags.team",
            "tags",
        ),
        (
            |table| {
                table.attributes.insert("state".into(), KeyType::N);
            },
            "attributes.state",
            "gsi-key-type-change",
        ),
        (
            |table| {
                table.attributes.insert("total".into(), KeyType::S);
            },
            "attributes.total",
            "lsi-key-type-change",
        ),
        (
            |table| {
                table.attributes.insert("id".into(), KeyType::B);
            },
            "attributes.id",
            "table-key-type-change",
        ),
        (
            |table| {
                table.attributes.insert("unused".into(), KeyType::S);
            },
            "attributes.unused",
            "attribute-unused",
        ),
        (
            |table| {
                table.table_class = Some(TableClass::StandardInfrequentAccess);
            },
            "table_class",
            "table-class",
        ),
        (
            |table| {
                table.on_demand_maximum = Some(Units { read: Some(9.into()), write: None });
            },
            "on_demand_maximum",
            "ondemand-max-set",
        ),
        (
            |table| {
                table.warm_throughput = Some(Units { read: Some(12_000.into()), write: None });
            },
            "warm_throughput",
            "warm-increase",
        ),
        (
            |table| {
                table.global_indexes.get_mut("by_state").unwrap().warm_throughput =
                    Some(Units { read: Some(12_000.into()), write: None });
            },
            "warm_throughput",
            "gsi-warm-increase",
        ),
        (
            |table| {
                table.extra.insert("no_such_thing".into(), "1".into());
            },
            "extra.no_such_thing",
            "?",
        ),
        (
            |table| {
                table.local_indexes.remove("by_total");
                table.attributes.remove("total");
            },
            "-",
            "lsi-remove",
        ),
        (
            |table| {
                table.global_indexes.remove("by_state");
                table.attributes.remove("state");
            },
            "-",
            "gsi-remove",
        ),
    ];
    let backends = [TERRAFORM, Backend::TerraformAws6, CLOUDFORMATION, Backend::CloudformationGlobalTable];
    for (edit, path, rule) in edits {
        let pair = edited(edit);
        let found = changes(&pair.previous, &pair.next, &backends);
        assert_eq!(found.len(), 1, "{path} {rule}: {found:?}");
        assert_eq!(found[0].path.as_deref().unwrap_or("-"), *path);
        for backend in backends {
            let effect = found[0].effects.get(&backend).unwrap_or_else(|| panic!("{path} has no effect on {backend}"));
            assert_eq!(effect.rule.unwrap_or("?"), *rule, "{path}");
            assert!(!effect.reason.is_empty());
        }
        // And back again: it is never overlooked, only where nothing said means that it stays as it was.
        let back = changes(&pair.next, &pair.previous, &backends);
        assert!(back.len() == 1 || rule.ends_with("-off-declared"), "{path} {rule} and back: {back:?}");
    }
}

#[test]
fn what_means_the_same_is_no_change() {
    let same: &[fn(&mut Table)] = &[
        |table| table.stream = Some(Stream::Off),
        |table| table.deletion_protection = Some(false.into()),
        |table| {
            let index = table.global_indexes.get_mut("by_state").unwrap();
            index.throughput = Some(Throughput { read: 0.into(), write: 0.into() });
        },
        |table| table.about.description = Some("other words".into()),
    ];
    for edit in same {
        assert_eq!(told(edit, TERRAFORM), [""; 0]);
    }
}

#[test]
fn terraform_and_cloudformation_disagree_about_local_indexes() {
    let widen = |table: &mut Table| table.local_indexes.get_mut("by_total").unwrap().projection = Projection::All;
    assert_eq!(told(widen, TERRAFORM), ["dynamodb.orders.lsi.by_total projection lsi-projection-type Recreation/Ignores/[]"]);
    assert_eq!(
        told(widen, CLOUDFORMATION),
        ["dynamodb.orders.lsi.by_total projection lsi-projection-type Recreation/Refuses/[]"]
    );
    let with_another = |table: &mut Table| {
        widen(table);
        table.local_indexes.insert("by_id".into(), local("by_id", "at", Projection::All));
    };
    assert_eq!(
        told(with_another, TERRAFORM),
        [
            "dynamodb.orders.lsi.by_id - lsi-add Recreation/Replaces/[Items]",
            "dynamodb.orders.lsi.by_total projection lsi-edit-with-add-remove Recreation/Replaces/[Items]",
        ]
    );
    let sort_by = |attribute: &'static str| {
        move |table: &mut Table| {
            table.local_indexes.get_mut("by_total").unwrap().sort_key = attribute.into();
            table.attributes.remove("total");
            table.attributes.insert(attribute.into(), KeyType::S);
        }
    };
    assert_eq!(
        told(sort_by("state"), TERRAFORM),
        ["dynamodb.orders.lsi.by_total sort_key lsi-range-key-declared-attr Recreation/Ignores/[]"]
    );
    assert_eq!(
        told(sort_by("fresh"), TERRAFORM),
        ["dynamodb.orders.lsi.by_total sort_key lsi-range-key-new-attr Recreation/Loops/[]"]
    );
}

#[test]
fn global_indexes_that_come_and_go_are_taken_together() {
    let add = |table: &mut Table, name: &str| {
        table.global_indexes.insert(name.into(), global(name, "at", Projection::All));
    };
    assert_eq!(told(|table| add(table, "one"), CLOUDFORMATION), ["dynamodb.orders.gsi.one - gsi-add IndexBuild/Applies/[]"]);
    let two = told(
        |table| {
            add(table, "one");
            add(table, "two");
        },
        CLOUDFORMATION,
    );
    assert!(two.len() == 2 && two.iter().all(|change| change.ends_with("gsi-add-two Stages/Refuses/[]")), "{two:?}");
    let swapped = told(
        |table| {
            add(table, "one");
            table.global_indexes.remove("by_state");
            table.attributes.remove("state");
        },
        TERRAFORM,
    );
    assert!(
        swapped.len() == 2 && swapped.iter().all(|change| change.contains("gsi-add-and-remove IndexBuild/Applies/[Index]")),
        "{swapped:?}"
    );
    let renamed = |table: &mut Table| {
        let mut index = table.global_indexes.remove("by_state").unwrap();
        index.name = "by_status".into();
        table.global_indexes.insert("by_status".into(), index);
    };
    let pair = edited(renamed);
    let found = changes(&pair.previous, &pair.next, &[TERRAFORM, CLOUDFORMATION]);
    assert_eq!((found.len(), found[0].action), (1, Action::Rename));
    assert_eq!(
        (found[0].before.clone(), found[0].after.clone()),
        (Some(serde_json::json!("by_state").into()), Some(serde_json::json!("by_status").into()))
    );
    assert_eq!(told(renamed, TERRAFORM), ["dynamodb.orders.gsi.by_status name gsi-rename IndexRebuild/Applies/[IndexOffline]"]);
}

#[test]
fn capacity_follows_the_mode_and_what_an_index_keeps_is_seen() {
    let fixed = |table: &mut Table| {
        table.billing = Some(Billing::Provisioned);
        table.throughput = Some(Throughput { read: 5.into(), write: 5.into() });
        table.global_indexes.get_mut("by_state").unwrap().throughput = Some(Throughput { read: 4.into(), write: 4.into() });
    };
    let mut previous = orders();
    fixed(&mut previous);
    let mut next = orders();
    next.global_indexes.get_mut("by_state").unwrap().throughput = Some(Throughput { read: 4.into(), write: 4.into() });
    let found = all(&one(previous.clone()), &one(next), CLOUDFORMATION);
    assert!(found.iter().all(|change| change.contains("billing-to-ondemand Unsupported/Refuses")), "{found:?}");
    let mut lower = previous.clone();
    lower.throughput = Some(Throughput { read: 5.into(), write: 4.into() });
    assert_eq!(all(&one(previous), &one(lower), TERRAFORM), ["dynamodb.orders throughput capacity-decrease InPlace/Applies/[]"]);
}

#[test]
fn a_changed_default_reaches_every_property_that_holds_it() {
    let with = |default: &str| {
        let mut table = orders();
        table.name = Some(Text::from_parts([Part::Parameter("env".into()), Part::Literal("-orders".into())]));
        table.tags.insert("env".into(), Text::from_parts([Part::Parameter("env".into())]));
        let parameter = Parameter { default: Some(Scalar::Text(default.into())), ..Parameter::default() };
        Schema::from(Tables {
            tables: [("orders".to_owned(), table)].into(),
            parameters: [("env".to_owned(), parameter)].into(),
            ..Tables::default()
        })
    };
    let found = changes(&with("dev"), &with("prod"), &[TERRAFORM]);
    let paths: Vec<_> = found.iter().filter_map(|change| change.path.as_deref()).collect();
    assert_eq!(paths, ["name", "tags.env"]);
    let name = serde_json::json!({"expression": "${env}-orders", "value": "prod-orders"});
    assert_eq!(found[0].after, Some(name.into()));
    assert_eq!(found[0].effects[&TERRAFORM].rule, Some("table-rename"));
    // A value that is written out instead is the same while the default is in force.
    let mut literal = orders();
    literal.tags.insert("env".into(), Text::literal("dev"));
    literal.name = Some(Text::literal("dev-orders"));
    assert_eq!(all(&with("dev"), &one(literal), TERRAFORM), [""; 0]);
}

#[test]
fn a_label_that_moved_block_carries_over_is_no_loss() {
    let tables = |label: &str, moved: &[(&str, &str)]| {
        let table = Table { terraform_name: label.into(), ..orders() };
        let moved = moved.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        Schema::from(Tables { tables: [(label.to_owned(), table)].into(), moved, ..Tables::default() })
    };
    let carried = all(&tables("orders", &[]), &tables("sales", &[("orders", "shop"), ("shop", "sales")]), TERRAFORM);
    assert_eq!(carried, ["dynamodb.sales terraform_name address-rename Nothing/Applies/[]"]);
    let lost = all(&tables("orders", &[]), &tables("sales", &[]), TERRAFORM);
    assert_eq!(lost, ["dynamodb.sales terraform_name address-rename Nothing/Replaces/[Items]"]);
}

#[test]
fn a_table_that_leaves_is_kept_dropped_and_taken_back() {
    let none = Tables::default();
    let kept = |destroy| Kept {
        terraform_name: "orders".into(),
        logical_id: "Orders".into(),
        name: Some(Text::literal("orders")),
        destroy,
        ..Kept::default()
    };
    let with_kept = |destroy| Schema::from(Tables { kept: [("orders".to_owned(), kept(destroy))].into(), ..none.clone() });
    assert_eq!(all(&one(orders()), &with_kept(false), TERRAFORM), ["dynamodb.orders - table-kept Nothing/Applies/[]"]);
    assert_eq!(all(&one(orders()), &with_kept(true), TERRAFORM), ["dynamodb.orders - table-drop InPlace/Applies/[Items]"]);
    assert_eq!(all(&one(orders()), &with_kept(true), CLOUDFORMATION), ["dynamodb.orders - table-kept Nothing/Applies/[]"]);
    assert_eq!(
        all(&one(orders()), &Schema::from(none.clone()), TERRAFORM),
        ["dynamodb.orders - table-drop InPlace/Applies/[Items]"]
    );
    assert_eq!(all(&with_kept(false), &one(orders()), TERRAFORM), ["dynamodb.orders kept ? Unknown/Unknown/[]"]);
    let made = |table| {
        let made = Some(Box::new(Made { table, parameters: BTreeMap::new() }));
        Schema::from(Tables { kept: [("orders".to_owned(), Kept { made, ..kept(false) })].into(), ..none.clone() })
    };
    assert_eq!(all(&made(orders()), &one(orders()), TERRAFORM), ["dynamodb.orders kept table-returns Nothing/Applies/[]"]);
    assert_eq!(
        all(&made(Table { sort_key: Some("total".into()), ..orders() }), &one(orders()), TERRAFORM),
        [
            "dynamodb.orders kept table-returns Nothing/Applies/[]",
            "dynamodb.orders sort_key range-key-change Recreation/Replaces/[Items]"
        ]
    );
    assert_eq!(all(&with_kept(false), &with_kept(false), TERRAFORM), [""; 0]);
    assert_eq!(all(&with_kept(false), &with_kept(true), TERRAFORM), ["dynamodb.orders - table-drop InPlace/Applies/[Items]"]);

    let mut plan = Plan::default();
    plan.add(changes(&one(orders()), &with_kept(false), &[TERRAFORM]));
    assert_eq!((plan.summary.kept, plan.summary.drop, plan.summary.blocked), (1, 0, 0));
}

#[test]
fn backends_that_see_one_change_share_it_and_its_id() {
    let pair = edited(|table| table.sort_key = None);
    let backends = [TERRAFORM, CLOUDFORMATION];
    let found =
        diff(&context(), Pair { previous: &generation(&pair.previous, &backends), next: &generation(&pair.next, &backends) });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].effects.keys().copied().collect::<Vec<_>>(), backends);
    assert!(found[0].id().starts_with("table-orders-"), "{}", found[0].id());
    let alone = changes(&pair.previous, &pair.next, &[TERRAFORM]);
    assert_eq!(alone[0].id(), found[0].id());
}
