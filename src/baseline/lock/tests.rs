use super::*;
use crate::diagnostic::{Diagnostic, Sink};
use crate::schema::{Engine, Schema, Text, cql, dynamodb};
use crate::source::SourceMap;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;

fn read(text: &str) -> Result<Lock, Vec<(&'static str, String)>> {
    let mut sources = SourceMap::default();
    let file = sources.add("gen.lock", text);
    let mut sink = Sink::default();
    let lock = Lock::read(&sources, file, &mut sink);
    let told = sink.into_sorted();
    assert_eq!(lock.is_some(), told.is_empty(), "{told:?}");
    lock.ok_or_else(|| {
        let place = |diagnostic: &Diagnostic| {
            let position = sources.position(diagnostic.primary.as_ref().unwrap().span);
            format!("{}:{} {}", position.line, position.column, diagnostic.message)
        };
        told.iter().map(|diagnostic| (diagnostic.code.slug(), place(diagnostic))).collect()
    })
}

const LOCK: &str = r#"gen-lock 1
backends = ["terraform-aws-5","cassandra-5.0","scylla-2025.1"]
cql.keyspace(shop).replication = {"class":"NetworkTopologyStrategy","dc1":"3"}
cql.orders.columns.email = {"type":"text"}
cql.orders.columns.id = {"type":"uuid"}
cql.orders.name = "orders"
cql.orders.options.memtable = "trie"
cql.orders.options.memtable @scylla-2025.1 = null
cql.orders.partition_key = ["id"]
dynamodb.moved(baskets) = "orders"
dynamodb.orders.attributes.customer_id = "S"
dynamodb.orders.attributes.status = "S"
dynamodb.orders.gsi.by_status.name = "by_status"
dynamodb.orders.gsi.by_status.partition_key = "status"
dynamodb.orders.gsi.by_status.projection = "all"
dynamodb.orders.name = "${environment}-orders"
dynamodb.orders.partition_key = "customer_id"
model = "shop"
parameters.environment = {"type":"text","values":["dev","prod"],"default":"dev"}
[files]
terraform/table_orders.tf 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
"#;

#[test]
fn a_lock_is_read_and_written_as_it_was() {
    let lock = read(LOCK).unwrap();
    assert_eq!(lock.to_string(), LOCK);
    assert_eq!(lock.model, "shop");
    let Schema::Dynamodb(tables) = &lock.generation[&Backend::TerraformAws5] else { panic!("not DynamoDB") };
    assert_eq!(tables.tables["orders"].global_indexes["by_status"].projection, dynamodb::Projection::All);
    assert_eq!(tables.tables["orders"].name, Some(Text::decode("${environment}-orders")));
    let options = |engine| match &lock.generation[&Backend::Cql(engine)] {
        Schema::Cql(schema) => schema.keyspaces["shop"].tables["orders"].options.len(),
        Schema::Dynamodb(_) => panic!("not CQL"),
    };
    assert_eq!((options(Engine::Cassandra50), options(Engine::Scylla20251)), (1, 0));
}

#[test]
fn line_ends_order_and_empty_lines_do_not_matter() {
    let lock = read(LOCK).unwrap();
    assert_eq!(read(&LOCK.replace('\n', "\r\n")).unwrap(), lock);
    assert_eq!(read(&format!("\u{feff}{}", LOCK.replace('\n', "\n\n"))).unwrap(), lock);
    let (facts, files) = LOCK.split_once("[files]").unwrap();
    let mut lines: Vec<&str> = facts.lines().skip(1).collect();
    lines.reverse();
    assert_eq!(read(&format!("gen-lock 1\n{}\n[files]{files}", lines.join("\n"))).unwrap(), lock);
}

#[test]
fn every_wrong_line_is_said_with_its_place() {
    let broken = LOCK
        .replace("= \"shop\"", "= shop")
        .replace(".gsi.by_status.projection = \"all\"", ".gsi.by_status.projection = 7")
        .replace("dynamodb.orders.partition_key = ", "dynamodb.orders.partition_kye = ")
        .replace("terraform/table", "../table");
    assert_eq!(
        read(&broken).unwrap_err(),
        [
            ("bad-lock", "1:1 the line `model = …` is missing".to_owned()),
            ("bad-lock", "15:1 invalid type: integer `7`, expected a sequence".to_owned()),
            ("bad-lock", "18:9 this is not JSON: expected value at line 1 column 1".to_owned()),
            ("bad-lock", "21:1 expected a path inside this folder, a space and a SHA-256".to_owned()),
        ]
    );
    let unknown = LOCK.replace("dynamodb.orders.partition_key = ", "dynamodb.orders.partition_kye = ");
    assert_eq!(read(&unknown).unwrap_err(), [("bad-lock", "17:1 this fact is not part of format 1".to_owned())]);
    let incomplete = LOCK.replace("dynamodb.orders.gsi.by_status.name = \"by_status\"\n", "");
    assert_eq!(read(&incomplete).unwrap_err()[0].1, "13:1 missing field `name`");
    // As a template that is too large asks for it.
    for number in ["0", "-1", "\"2\"", "1.5", "4294967296"] {
        let by_hand = LOCK.replace("model = ", &format!("dynamodb.orders.template = {number}\nmodel = "));
        let told = format!("18:1 `{number}` is not the number of a template: 1 or higher");
        assert_eq!(read(&by_hand).unwrap_err(), [("bad-lock", told)]);
    }
    let twice = LOCK.replace("model = ", "dynamodb.orders.partition_key = \"other\"\nmodel = ");
    assert_eq!(read(&twice).unwrap_err(), [("bad-lock", "18:1 this fact stands here twice".to_owned())]);
    let stranger = LOCK.replace("@scylla-2025.1", "@scylla-2026.1");
    assert_eq!(read(&stranger).unwrap_err(), [("bad-lock", "8:1 this backend is not among `backends`".to_owned())]);
}

#[test]
fn what_is_no_lock_is_refused() {
    for text in ["", "\n\n", "gen-lock", "gen-lock x\n", "gen-lock 0\n", "{}", "gen-lock 1 \n", "\u{0}\u{0}"] {
        assert_eq!(read(text).unwrap_err()[0].0, "bad-lock", "{text:?}");
    }
    for line in ["=", "a", "a=1", " = 1", "dynamodb.\"a = 1", "x @ = 1", "x @y = 1", "dynamodb.t = ", "dynamodb.t.x = 1 2"] {
        let text = LOCK.replacen("gen-lock 1\n", &format!("gen-lock 1\n{line}\n"), 1);
        assert_eq!(read(&text).unwrap_err()[0].0, "bad-lock", "{line:?}");
    }
}

#[test]
fn a_newer_format_is_told_from_a_broken_one() {
    let told = read("gen-lock 2\nanything at all\n").unwrap_err();
    assert_eq!(told, [("lock-too-new", "1:1 the lock has format 2; this gen reads format 1".to_owned())]);
}

#[test]
fn a_conflict_among_facts_is_an_error_and_one_among_files_is_not() {
    let conflict = |line: &str| {
        let (path, _) = line.split_once(' ').unwrap_or((line, ""));
        format!("<<<<<<< HEAD\n{line}\n||||||| base\n=======\n{path} {}\n>>>>>>> theirs\n", "0".repeat(64))
    };
    let file = LOCK.lines().last().unwrap();
    let lock = read(&LOCK.replace(&format!("{file}\n"), &conflict(file))).unwrap();
    assert_eq!(lock.files, BTreeMap::from([("terraform/table_orders.tf".into(), None)]));
    let fact = "model = \"shop\"\n";
    let told = read(&LOCK.replace(fact, &format!("<<<<<<< HEAD\n{fact}=======\n>>>>>>> theirs\n"))).unwrap_err();
    assert_eq!(told, [("lock-conflict", "18:1 the lock has conflict markers among its facts".to_owned())]);
}

#[test]
fn several_keyspaces_are_written_apart() {
    let text = "gen-lock 1\nbackends = [\"keyspaces\"]\ncql.a.t.name = \"t\"\ncql.a.t.partition_key = [\"id\"]\n\
                cql.b.t.name = \"t\"\ncql.b.t.partition_key = [\"id\"]\ncql.keyspace(a).replication = {}\n\
                cql.keyspace(b).replication = {}\ncql.type(b.u).fields = [[\"f\",\"int\"]]\nmodel = \"m\"\n[files]\n";
    assert_eq!(read(text).unwrap().to_string(), text);
}

/// Any text a name or a value may be: with quotes, dollar signs, line breaks, what separates a fact from its value.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,8}",
        "[ -~äß\u{2028}\u{1f600}\n\r\t]{1,12}",
        Just(" = ".to_owned()),
        Just("index".to_owned()),
        Just("kept".to_owned()),
        Just("${x}".to_owned()),
        Just("a.b".to_owned())
    ]
}

fn keys() -> impl Strategy<Value = dynamodb::Keys> {
    vec(text(), 1..4).prop_map(dynamodb::Keys)
}

fn projection() -> impl Strategy<Value = dynamodb::Projection> {
    prop_oneof![
        Just(dynamodb::Projection::All),
        Just(dynamodb::Projection::KeysOnly),
        btree_set(text(), 0..3).prop_map(dynamodb::Projection::Include)
    ]
}

fn table() -> impl Strategy<Value = dynamodb::Table> {
    let index = (text(), keys(), option::of(keys()), projection()).prop_map(|(name, partition_key, sort_key, projection)| {
        dynamodb::GlobalIndex {
            name,
            partition_key,
            sort_key: sort_key.unwrap_or_default(),
            projection,
            ..dynamodb::GlobalIndex::default()
        }
    });
    let ttl = (text(), any::<bool>()).prop_map(|(attribute, enabled)| dynamodb::Ttl { attribute, enabled });
    let replica = (option::of(text().prop_map(Text::literal)), any::<bool>())
        .prop_map(|(kms_key, propagate_tags)| dynamodb::Replica { kms_key, propagate_tags, ..dynamodb::Replica::default() });
    (
        option::of(text().prop_map(Text::literal)),
        btree_map(text(), Just(dynamodb::KeyType::N), 0..3),
        text(),
        btree_map(text(), index, 0..3),
        option::of(ttl),
        btree_map(text(), text().prop_map(Text::literal), 0..3),
        btree_map(text(), replica, 0..3),
    )
        .prop_map(|(name, attributes, partition_key, global_indexes, ttl, tags, replicas)| dynamodb::Table {
            template: dynamodb::Template::FIRST,
            name,
            attributes,
            partition_key,
            global_indexes: global_indexes.into(),
            ttl,
            replicas,
            tags,
            ..dynamodb::Table::default()
        })
}

fn keyspace() -> impl Strategy<Value = cql::Keyspace> {
    let column = any::<bool>().prop_map(|is_static| cql::Column { kind: cql::Type::Native("int"), is_static, extra: None });
    let option = prop_oneof![
        text().prop_map(cql::OptionValue::Text),
        any::<bool>().prop_map(cql::OptionValue::Bool),
        btree_map(text(), text(), 0..3).prop_map(cql::OptionValue::Map)
    ];
    let table = (text(), btree_map(text(), column, 0..3), vec(text(), 1..3), btree_map(text(), option, 0..3), any::<bool>())
        .prop_map(|(name, columns, partition_key, options, kept)| cql::Table {
            name,
            dropped: columns.clone(),
            columns,
            partition_key,
            options,
            kept,
            ..cql::Table::default()
        });
    let kind = vec((text(), Just(cql::Type::User("a b".into()))), 0..3)
        .prop_map(|fields| cql::UserType { fields, ..cql::UserType::default() });
    (btree_map(text(), text(), 0..2), btree_map(text(), kind, 0..2), btree_map(text(), table, 0..3)).prop_map(
        |(replication, types, tables)| cql::Keyspace { replication, types, tables: tables.into(), ..cql::Keyspace::default() },
    )
}

fn parameters() -> impl Strategy<Value = BTreeMap<String, crate::schema::Parameter>> {
    btree_map(text(), Just(crate::schema::Parameter::default()), 0..2)
}

fn dynamodb() -> impl Strategy<Value = Schema> {
    (parameters(), btree_map(text(), table(), 0..3), btree_map(text(), text(), 0..2)).prop_map(|(parameters, tables, moved)| {
        Schema::from(dynamodb::Schema { parameters, tables: tables.into(), moved, ..dynamodb::Schema::default() })
    })
}

fn cql() -> impl Strategy<Value = Schema> {
    (parameters(), btree_map(text(), keyspace(), 0..3), btree_map(text(), text(), 0..2)).prop_map(
        |(parameters, keyspaces, extra)| Schema::from(cql::Schema { parameters, keyspaces, extra, ..cql::Schema::default() }),
    )
}

fn generation() -> impl Strategy<Value = Generation> {
    (dynamodb(), dynamodb(), cql(), cql(), any::<bool>()).prop_map(|(one, other, first, second, same)| {
        // Two backends of one store agree on everything, or differ in everything.
        let (other, third) = if same { (one.clone(), first.clone()) } else { (other, second.clone()) };
        Generation::from([
            (Backend::TerraformAws5, one),
            (Backend::CloudformationTable, other),
            (Backend::Cql(Engine::Cassandra41), first),
            (Backend::Cql(Engine::Cassandra50), second),
            (Backend::Cql(Engine::Scylla20251), third),
        ])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_back(generation in generation(), printed in generation(), added in any::<bool>()) {
        let files = BTreeMap::from([("cql/a b.cql".into(), Some(Digest::of("x")))]);
        // Where templates added nothing there is nothing to tell.
        let completed = printed.into_iter().filter(|(backend, schema)| added && generation.get(backend) != Some(schema));
        let lock = Lock { model: "shop".into(), completed: completed.collect(), generation, files };
        let text = lock.to_string();
        prop_assert_eq!(&read(&text).unwrap(), &lock, "{}", text);
        prop_assert_eq!(read(&text).unwrap().to_string(), text);
    }

    #[test]
    fn no_text_is_too_strange(text in "(gen-lock 1\n)?([a-z.()@\"= \\[\\]{}<>0-9\n]{0,80}|\\PC{0,80})") {
        let _ = read(&text);
    }
}

#[test]
fn what_templates_added_is_for_one_backend_each() {
    let lock = |line: &str| {
        format!(
            "gen-lock 1\nbackends = [\"terraform-aws-5\",\"cloudformation-table\"]\ndynamodb.a.attributes.id = \"S\"\n\
             dynamodb.a.partition_key = \"id\"\ndynamodb.a.prevent_destroy = true\nmodel = \"shop\"\n[templates]\n{line}\n[files]\n"
        )
    };
    let good =
        read(&lock("dynamodb.a.prevent_destroy @terraform-aws-5 = null\ndynamodb.a.tags.t @terraform-aws-5 = \"x\"")).unwrap();
    assert_eq!(good.completed.len(), 1);
    let Some(Schema::Dynamodb(schema)) = good.schema(Backend::TerraformAws5) else { panic!("no schema") };
    assert!(!schema.tables["a"].prevent_destroy);
    assert_eq!(schema.tables["a"].tags["t"].to_string(), "x");
    assert_eq!(good.schema(Backend::CloudformationTable), good.generation.get(&Backend::CloudformationTable));
    for bad in
        ["dynamodb.a.tags.t = \"x\"", "dynamodb.a.tags.t @cassandra-5.0 = \"x\"", "dynamodb.a.colour @terraform-aws-5 = 1", "x"]
    {
        assert!(read(&lock(bad)).is_err(), "{bad}");
    }
}
