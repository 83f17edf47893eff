use super::*;
use crate::baseline::Lock;
use crate::model::{Dynamodb, DynamodbTable, Owner, Settings};
use crate::schema::dynamodb::{Autoscaling, GlobalIndex, Insights, Kept, Made, Range, Table, Ttl};
use crate::schema::{Text, Value, cql, dynamodb};
use crate::source::SourceMap;

fn at() -> Span {
    Span::new(SourceMap::default().add("m.yaml", ""), 0, 0)
}

fn here<T>(value: T) -> Spanned<T> {
    Spanned::new(value, at())
}

/// A table as it comes out of the design: named after its key.
fn table(key: &str, name: &str) -> (String, Table) {
    let names = Table { terraform_name: key.into(), logical_id: key.to_uppercase(), ..Table::default() };
    (key.into(), Table { name: Some(Text::literal(name)), partition_key: "id".into(), ..names })
}

fn schema(tables: impl IntoIterator<Item = (String, Table)>) -> dynamodb::Schema {
    dynamodb::Schema { tables: tables.into_iter().collect(), ..dynamodb::Schema::default() }
}

fn model(dynamodb: Option<Dynamodb>, cql: Option<crate::model::Cql>) -> Model {
    Model {
        name: here("shop".into()),
        description: None,
        parameters: Named::default(),
        types: Named::default(),
        entities: Named::default(),
        patterns: Named::default(),
        dynamodb,
        cql,
        written_parameters: [].into(),
        allow: Vec::new(),
    }
}

fn section(tables: &[(&str, Option<&str>)], removed: &[(&str, Removal)]) -> Dynamodb {
    let table = |(key, from): &(&str, Option<&str>)| {
        let table = DynamodbTable {
            span: at(),
            key: (*key).into(),
            description: None,
            owner: Owner::This,
            holds: Vec::new(),
            others: Vec::new(),
            partition_key: here("id".into()),
            sort_key: None,
            name: here(Text::literal(*key)),
            local_indexes: Named::default(),
            global_indexes: Named::default(),
            ttl: None,
            discriminator: None,
            warm_throughput: None,
            kinesis_stream: None,
            resource_policy: None,
            settings: Settings::default(),
            terraform_name: None,
            logical_id: None,
            renamed_from: from.map(|from| here(from.to_owned())),
            allow: Vec::new(),
        };
        ((*key).to_owned(), table)
    };
    Dynamodb {
        span: at(),
        tables: tables.iter().map(table).collect(),
        shared: Named::default(),
        removed: removed.iter().map(|(key, removal)| ((*key).to_owned(), here(*removal))).collect(),
    }
}

fn lock(schema: dynamodb::Schema) -> Lock {
    let generation = [(Backend::TerraformAws5, Schema::from(schema))].into();
    Lock { model: "shop".into(), generation, completed: BTreeMap::new(), files: BTreeMap::new() }
}

/// One generation after another: what the second becomes, and what is said about it.
fn carried(previous: &dynamodb::Schema, section: Dynamodb, next: dynamodb::Schema) -> (dynamodb::Schema, Vec<String>) {
    let (mut next, mut sink) = (Some(next), Sink::default());
    carry(&lock(previous.clone()), &model(Some(section), None), &mut next, &mut BTreeMap::new(), &mut sink);
    let told = sink.into_sorted().into_iter().map(|told| format!("{} {}", told.code.slug(), told.message)).collect();
    (next.unwrap_or_default(), told)
}

fn moves(schema: &dynamodb::Schema) -> Vec<(&str, &str)> {
    schema.moved.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect()
}

#[test]
fn names_that_were_given_out_stay() {
    let mut before = schema([table("orders", "orders")]);
    let orders = before.tables.get_mut("orders").unwrap();
    (orders.terraform_name, orders.logical_id) = ("adopted".into(), "AdoptedTable".into());
    let (next, told) = carried(&before, section(&[("orders", None)], &[]), schema([table("orders", "orders")]));
    assert_eq!((next.tables["orders"].terraform_name.as_str(), &*next.tables["orders"].logical_id), ("adopted", "AdoptedTable"));
    assert!(told.is_empty() && next.moved.is_empty(), "{told:?}");
    // Unless the model says otherwise: then Terraform's state moves along.
    let mut model = section(&[("orders", None)], &[]);
    model.tables["orders"].terraform_name = Some(here("orders".into()));
    let (next, _) = carried(&before, model, schema([table("orders", "orders")]));
    assert_eq!(moves(&next), [("adopted", "orders")]);
}

#[test]
fn a_renamed_table_is_moved_and_the_block_stays() {
    let first = schema([table("a", "physical")]);
    let (second, told) = carried(&first, section(&[("b", Some("a"))], &[]), schema([table("b", "physical")]));
    assert_eq!((moves(&second), second.tables["b"].logical_id.as_str()), (vec![("a", "b")], "A"));
    assert!(told.is_empty() && second.kept.is_empty());
    let (third, told) = carried(&second, section(&[("b", Some("a"))], &[]), schema([table("b", "physical")]));
    assert_eq!(
        (third, told),
        (second.clone(), vec!["rename-done the lock has `b` already and no `a`; this line may go".to_owned()])
    );
    let (fourth, told) = carried(&second, section(&[("c", Some("b"))], &[]), schema([table("c", "physical")]));
    assert_eq!((moves(&fourth), told.len()), (vec![("a", "b"), ("b", "c")], 0));
    // Back again: the block from `a` goes, because `a` is in use; that from `b` is what those need who deployed `b`.
    let (back, _) = carried(&second, section(&[("a", Some("b"))], &[]), schema([table("a", "physical")]));
    assert_eq!((moves(&back), back.tables["a"].logical_id.as_str()), (vec![("b", "a")], "A"));
    // The same by taking the commit back, without a word in the model.
    let (reverted, _) = carried(&second, section(&[("a", None)], &[]), schema([table("a", "physical")]));
    assert_eq!(reverted, back);
}

/// A table with one of everything that Terraform has in a resource of its own.
fn with_all_beside(key: &str, index: &str) -> (String, Table) {
    let range = Range { min: Value::Literal(1), max: Value::Literal(9), target: Value::Literal(70) };
    let index = (
        index.to_owned(),
        GlobalIndex {
            name: "by_status".into(),
            autoscaling: Some(Autoscaling { read: None, write: Some(range.clone()) }),
            contributor_insights: Some(Insights::ThrottledKeys),
            ..GlobalIndex::default()
        },
    );
    let (key, table) = table(key, "physical");
    let table = Table {
        autoscaling: Some(Autoscaling { read: Some(range), write: None }),
        contributor_insights: Some(Insights::Off),
        kinesis_stream: Some(Text::literal("arn:aws:kinesis:eu-west-1:123456789012:stream/a")),
        resource_policy: Some(serde_json::json!({ "Statement": [] })),
        global_indexes: [index].into_iter().collect(),
        ..table
    };
    (key, table)
}

fn beside(label: &str, index: &str) -> Vec<String> {
    [
        format!("aws_appautoscaling_policy.{label}_index_{index}_write"),
        format!("aws_appautoscaling_policy.{label}_read"),
        format!("aws_appautoscaling_target.{label}_index_{index}_write"),
        format!("aws_appautoscaling_target.{label}_read"),
        format!("aws_dynamodb_contributor_insights.{label}_index_{index}"),
        format!("aws_dynamodb_kinesis_streaming_destination.{label}"),
        format!("aws_dynamodb_resource_policy.{label}"),
    ]
    .into()
}

#[test]
fn what_stands_beside_a_table_moves_along() {
    let first = schema([with_all_beside("a", "i")]);
    let (second, _) = carried(&first, section(&[("b", Some("a"))], &[]), schema([with_all_beside("b", "i")]));
    let from_and_to = beside("a", "i").into_iter().zip(beside("b", "i"));
    assert_eq!(second.moved, from_and_to.chain([("a".to_owned(), "b".to_owned())]).collect());
    // Also where only the key of an index is another one.
    let (third, _) = carried(&first, section(&[("a", None)], &[]), schema([with_all_beside("a", "j")]));
    let of_index = |address: &String| address.contains("_index_");
    let from_and_to = beside("a", "i").into_iter().zip(beside("a", "j")).filter(|(from, _)| of_index(from));
    assert_eq!(third.moved, from_and_to.collect());
    // Back again: what is in use moves nowhere.
    let (back, _) = carried(&third, section(&[("a", None)], &[]), schema([with_all_beside("a", "i")]));
    let from_and_to = beside("a", "j").into_iter().zip(beside("a", "i")).filter(|(from, _)| of_index(from));
    assert_eq!(back.moved, from_and_to.collect());
}

#[test]
fn what_stands_beside_a_table_is_kept_with_it() {
    let first = schema([with_all_beside("a", "i")]);
    let (second, _) = carried(&first, section(&[], &[]), schema([]));
    assert_eq!(second.removed, beside("a", "i").into_iter().map(|address| (address, false)).collect());
    let (third, _) = carried(&second, section(&[], &[]), schema([]));
    assert_eq!(third, second);
    // It comes back with the table.
    let (back, _) = carried(&second, section(&[("a", None)], &[]), schema([with_all_beside("a", "i")]));
    assert!(back.removed.is_empty() && back.kept.is_empty());
    // It goes with a table that goes.
    let (destroyed, _) = carried(&first, section(&[], &[("a", Removal::Destroy)]), schema([]));
    assert!(destroyed.removed.is_empty() && destroyed.kept["a"].destroy);
}

#[test]
fn a_new_physical_name_is_another_table() {
    let first = schema([table("a", "a")]);
    let (next, _) = carried(&first, section(&[("b", Some("a"))], &[]), schema([table("b", "b")]));
    assert!(moves(&next).is_empty() && next.kept.keys().eq(["a"]));
    assert_eq!(next.tables["b"].logical_id, "B");
}

#[test]
fn a_name_of_the_lock_may_meet_a_new_one() {
    let mut first = schema([table("a", "a")]);
    first.tables.get_mut("a").unwrap().terraform_name = "b".into();
    let (_, told) = carried(&first, section(&[("a", None), ("b", None)], &[]), schema([table("a", "a"), table("b", "b")]));
    assert_eq!(told, ["name-taken `b` and `a` have one Terraform label: `b`"]);
}

#[test]
fn a_table_that_leaves_is_kept_until_the_model_says_otherwise() {
    let first = schema([table("a", "a"), table("b", "b")]);
    let only_a = || schema([table("a", "a")]);
    let (second, told) = carried(&first, section(&[("a", None)], &[]), only_a());
    let kept = |destroy| Kept {
        terraform_name: "b".into(),
        logical_id: "B".into(),
        name: Some(Text::literal("b")),
        destroy,
        made: Some(Box::new(Made { table: table("b", "b").1, parameters: BTreeMap::new() })),
        ..Kept::default()
    };
    assert_eq!((second.kept.clone(), told.len()), ([("b".to_owned(), kept(false))].into(), 0));
    let (third, told) = carried(&second, section(&[("a", None)], &[]), only_a());
    assert_eq!((&third, told), (&second, vec!["table-kept `dynamodb.b` left the model and is kept".to_owned()]));
    let (fourth, told) = carried(&third, section(&[("a", None)], &[("b", Removal::Retain)]), only_a());
    assert_eq!((fourth, told), (second.clone(), vec![]));
    let (gone, told) = carried(&third, section(&[("a", None)], &[("b", Removal::Destroy)]), only_a());
    assert_eq!((gone.kept.clone(), told.len()), ([("b".to_owned(), kept(true))].into(), 0));
    // What is to be destroyed is not kept again because a line left the model.
    assert_eq!(carried(&gone, section(&[("a", None)], &[]), only_a()).0, gone);
    // Without the whole section all of it is kept.
    let mut none = None;
    carry(&lock(first), &model(None, None), &mut none, &mut BTreeMap::new(), &mut Sink::default());
    assert_eq!(none.unwrap().kept.len(), 2);
}

#[test]
fn a_kept_table_that_returns_is_imported_under_its_names() {
    let mut first = schema([table("a", "a"), table("b", "b")]);
    first.tables.get_mut("b").unwrap().terraform_name = "label".into();
    let (second, _) = carried(&first, section(&[("a", None)], &[]), schema([table("a", "a")]));
    let both = || schema([table("a", "a"), table("b", "b")]);
    let (third, told) = carried(&second, section(&[("a", None), ("b", None)], &[]), both());
    assert_eq!((third.kept.len(), told.len(), &*third.tables["b"].terraform_name), (0, 0, "label"));
    assert_eq!(third.imported, [("label".to_owned(), Text::literal("b"))].into());
    assert_eq!(carried(&third, section(&[("a", None), ("b", None)], &[]), both()).0, third);
    // A table of the same key under another name is new, and the label is its own.
    let (other, _) = carried(&second, section(&[("a", None), ("b", None)], &[]), schema([table("a", "a"), table("b", "b2")]));
    assert!(other.imported.is_empty() && other.kept.contains_key("b") && other.tables["b"].terraform_name == "b");
}

#[test]
fn ttl_that_is_switched_off_names_its_attribute() {
    let mut first = schema([table("a", "a")]);
    first.tables.get_mut("a").unwrap().ttl = Some(Ttl { attribute: "expires".into(), enabled: true });
    let (second, _) = carried(&first, section(&[("a", None)], &[]), schema([table("a", "a")]));
    assert_eq!(second.tables["a"].ttl, Some(Ttl { attribute: "expires".into(), enabled: false }));
    assert_eq!(carried(&second, section(&[("a", None)], &[]), schema([table("a", "a")])).0, second);
}

fn cql_table(name: &str, columns: &[(&str, &str)]) -> cql::Table {
    let column = |kind: &str| cql::Column { kind: cql::Type::parse(kind).unwrap(), is_static: false, extra: None };
    cql::Table {
        name: name.into(),
        columns: columns.iter().map(|(name, kind)| ((*name).to_owned(), column(kind))).collect(),
        partition_key: vec![columns[0].0.into()],
        ..cql::Table::default()
    }
}

fn keyspace(name: &str, tables: &[(&str, cql::Table)], types: &[(&str, &[&str])]) -> cql::Schema {
    let fields = |fields: &[&str]| fields.iter().map(|field| ((*field).to_owned(), cql::Type::Native("int"))).collect();
    let of_type = |(name, of): &(&str, &[&str])| ((*name).to_owned(), cql::UserType { fields: fields(of), ..Default::default() });
    let keyspace = cql::Keyspace {
        replication: [("class".to_owned(), "NetworkTopologyStrategy".to_owned())].into(),
        tables: tables.iter().map(|(key, table)| ((*key).to_owned(), table.clone())).collect(),
        types: types.iter().map(of_type).collect(),
        ..cql::Keyspace::default()
    };
    cql::Schema { keyspaces: [(name.to_owned(), keyspace)].into(), ..cql::Schema::default() }
}

fn carried_cql(previous: &cql::Schema, removed: &[(&str, Removal)], next: cql::Schema) -> (cql::Schema, Vec<String>) {
    let section = crate::model::Cql {
        span: at(),
        engines: vec![here(Engine::Cassandra50)],
        keyspace: crate::model::CqlKeyspace {
            span: at(),
            name: here(Text::literal("ks")),
            replication: Named::default(),
            regions: Vec::new(),
            durable_writes: None,
            tablets: None,
        },
        tables: Named::default(),
        removed: removed.iter().map(|(key, removal)| ((*key).to_owned(), here(*removal))).collect(),
    };
    let generation = [(Backend::Cql(Engine::Cassandra50), Schema::from(previous.clone()))].into();
    let lock = Lock { model: "shop".into(), generation, completed: BTreeMap::new(), files: BTreeMap::new() };
    let mut next: BTreeMap<Engine, cql::Schema> = [(Engine::Cassandra50, next)].into();
    let mut sink = Sink::default();
    carry(&lock, &model(None, Some(section)), &mut None, &mut next, &mut sink);
    let told = sink.into_sorted().into_iter().map(|told| format!("{} {}", told.code.slug(), told.message)).collect();
    (next.remove(&Engine::Cassandra50).unwrap(), told)
}

#[test]
fn dropped_columns_are_remembered_until_they_come_back() {
    let columns = |columns: &[(&str, &str)]| keyspace("ks", &[("t", cql_table("t", columns))], &[]);
    let dropped = |schema: &cql::Schema| schema.keyspaces["ks"].tables["t"].dropped.keys().cloned().collect::<Vec<_>>();
    let first = columns(&[("id", "uuid"), ("a", "int"), ("b", "text")]);
    let (second, _) = carried_cql(&first, &[], columns(&[("id", "uuid"), ("b", "text")]));
    assert_eq!(dropped(&second), ["a"]);
    let (third, _) = carried_cql(&second, &[], columns(&[("id", "uuid")]));
    assert_eq!(dropped(&third), ["a", "b"]);
    let (back, _) = carried_cql(&third, &[], columns(&[("id", "uuid"), ("a", "int")]));
    assert_eq!(dropped(&back), ["b"]);
}

#[test]
fn cql_tables_are_kept_with_the_types_they_use() {
    let old = cql_table("old", &[("id", "uuid"), ("at", "frozen<place>")]);
    let first =
        keyspace("ks", &[("old", old), ("t", cql_table("t", &[("id", "uuid")]))], &[("place", &["x"]), ("unused", &["x"])]);
    let next = || keyspace("ks", &[("t", cql_table("t", &[("id", "uuid")]))], &[]);
    let (second, told) = carried_cql(&first, &[], next());
    let after = &second.keyspaces["ks"];
    assert!(after.tables["old"].kept && !after.tables["t"].kept && told.is_empty());
    assert_eq!(after.types.keys().collect::<Vec<_>>(), ["place"]);
    let (third, told) = carried_cql(&second, &[], next());
    assert_eq!((&third, told), (&second, vec!["table-kept `cql.old` left the model and is kept".to_owned()]));
    assert!(carried_cql(&second, &[("old", Removal::Retain)], next()).1.is_empty());
    assert_eq!(carried_cql(&second, &[("old", Removal::Destroy)], next()).0, next());
    // It returns under another key: it is the same table, and no longer kept.
    let returned = keyspace("ks", &[("new", cql_table("old", &[("id", "uuid")]))], &[]);
    let (returned, _) = carried_cql(&second, &[], returned);
    let tables = &returned.keyspaces["ks"].tables;
    assert!(!tables["new"].kept && tables["new"].dropped.contains_key("at") && !tables.contains_key("old"));
    // A new table takes the key, but not the place.
    let (other, _) = carried_cql(&second, &[], keyspace("ks", &[("old", cql_table("old_v2", &[("id", "uuid")]))], &[]));
    let names: Vec<(&String, &String)> = other.keyspaces["ks"].tables.iter().map(|(key, table)| (key, &table.name)).collect();
    assert_eq!(names, [(&"old".to_owned(), &"old_v2".to_owned()), (&"old-2".into(), &"old".into()), (&"t".into(), &"t".into())]);
}

#[test]
fn a_keyspace_that_leaves_takes_nothing_along_but_a_renamed_one_does() {
    let first = keyspace("before", &[("t", cql_table("t", &[("id", "uuid")]))], &[]);
    let (renamed, _) = carried_cql(&first, &[], keyspace("after", &[("t", cql_table("t", &[("id", "uuid")]))], &[]));
    assert_eq!(renamed.keyspaces.keys().collect::<Vec<_>>(), ["after"]);
    let (other, _) = carried_cql(&first, &[], keyspace("after", &[("u", cql_table("u", &[("id", "uuid")]))], &[]));
    assert!(other.keyspaces["before"].tables["t"].kept && !other.keyspaces["before"].replication.is_empty());
}

#[test]
fn fields_of_a_type_keep_their_order() {
    let first = keyspace("ks", &[], &[("place", &["street", "city"])]);
    let (next, _) = carried_cql(&first, &[], keyspace("ks", &[], &[("place", &["area", "city", "street"])]));
    let fields: Vec<&str> = next.keyspaces["ks"].types["place"].fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(fields, ["street", "city", "area"]);
}

#[test]
fn what_is_new_has_no_name_of_a_table_that_is_kept() {
    let with = |name: &str, index: Option<&str>, view: Option<&str>| cql::Table {
        indexes: index.map(|name| (name.to_owned(), cql::Index::default())).into_iter().collect(),
        views: view.map(|name| (name.to_owned(), cql::View::default())).into_iter().collect(),
        ..cql_table(name, &[("id", "uuid")])
    };
    let first = keyspace("ks", &[("tab", with("tab", Some("ix"), Some("vv")))], &[]);
    let told = |key: &str, table: cql::Table| carried_cql(&first, &[], keyspace("ks", &[(key, table)], &[])).1;
    let of = |what: &str| format!("duplicate-name {what} `cql.tab`, which left the model and is kept");
    assert_eq!(told("tab2", with("tab2", Some("ix"), None)), [of("the index `ix` has the name of an index of")]);
    assert_eq!(told("tab", with("other", Some("ix"), None)), [of("the index `ix` has the name of an index of")]);
    assert_eq!(told("tab2", with("tab2", None, Some("vv"))), [of("the view `vv` has the name of a view of")]);
    assert_eq!(told("tab2", with("tab2", None, Some("tab"))), [of("the view `tab` has the name of")]);
    assert_eq!(told("vv", with("vv", None, None)), [of("the table `vv` has the name of a view of")]);
    // An index may be called like a table, and one that is destroyed takes its names along.
    assert!(told("tab2", with("tab2", Some("vv"), Some("ix"))).is_empty());
    let next = keyspace("ks", &[("tab2", with("tab2", Some("ix"), Some("vv")))], &[]);
    assert!(carried_cql(&first, &[("tab", Removal::Destroy)], next).1.is_empty());
}
