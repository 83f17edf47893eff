//! What engines print, or take, that is written otherwise than what people write.

use super::{bad, good, history, table};
use crate::diagnostic::Sink;
use crate::read::cql::apply;
use crate::schema::Engine;
use crate::schema::cql::Schema;
use crate::source::SourceMap;

#[test]
fn a_type_is_what_its_class_carries_out() {
    let schema = good(
        "CREATE TYPE k.u (a int); CREATE TABLE k.t (p 'UTF8Type', c 'ReversedType(Int32Type)', d int,
           u 'org.apache.cassandra.db.marshal.UserType(k,75,61:org.apache.cassandra.db.marshal.Int32Type)', x 'org.example.X',
           PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (c ASC, d ASC)",
    );
    let table = table(&schema, "k", "t");
    let kinds: Vec<String> = table.columns.values().map(|column| column.kind.to_string()).collect();
    assert_eq!(kinds, ["int", "int", "text", "u", "'org.example.X'"]);
    assert_eq!(table.clustering.iter().map(|key| key.descending).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn an_index_of_a_class_may_have_no_column_or_several() {
    let schema = good(
        "CREATE TABLE k.t (a int PRIMARY KEY, v vector<float, 3>, b int, c int);
         CREATE CUSTOM INDEX none ON k.t () USING 'org.example.Index';
         CREATE CUSTOM INDEX several ON k.t (v, b, c) USING 'vector_index';
         CREATE CUSTOM INDEX local ON k.t ((a, b), v, c) USING 'vector_index' WITH OPTIONS = {'similarity_function': 'COSINE'}",
    );
    let targets = |name: &str| table(&schema, "k", "t").indexes[name].targets();
    assert_eq!([targets("none"), targets("several"), targets("local")], ["", "v, b, c", "(a, b), v, c"]);
    for wrong in ["CREATE INDEX i ON k.t ();", "CREATE INDEX i ON k.t (a, b);", "CREATE CUSTOM INDEX i ON k.t ((a)) USING 'x';"] {
        assert!(bad(&format!("CREATE TABLE k.t (a int PRIMARY KEY, b int);{wrong}")).len() == 1, "{wrong}");
    }
}

#[test]
fn what_a_role_is_given_is_carried_along_behind_it() {
    let text =
        "ADD IDENTITY IF NOT EXISTS 'spiffe://a' TO ROLE 'R'; ADD IDENTITY 'gone' TO ROLE r; DROP IDENTITY IF EXISTS 'gone';
         ATTACH SERVICE LEVEL gold TO r; ATTACH SERVICE_LEVEL gold TO s; DETACH SERVICE LEVEL FROM s;
         CREATE SERVICE LEVEL gold WITH timeout = 5ms; CREATE ROLE r; CREATE TABLE k.t (a int PRIMARY KEY)";
    let schema = history(&[text]).0.unwrap();
    let carried: Vec<&str> = crate::schema::cql::carried_in_order(&schema.extra).map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        carried,
        [
            "CREATE ROLE r",
            "CREATE SERVICE LEVEL gold WITH timeout = 5ms",
            "ATTACH SERVICE LEVEL gold TO r",
            "ADD IDENTITY 'spiffe://a' TO ROLE \"R\"",
        ]
    );
}

#[test]
fn a_strategy_alone_leaves_the_data_centres_that_are_there() {
    let text = "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
         ALTER KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy'} AND durable_writes = false";
    for (engine, stays) in [(Engine::Cassandra50, true), (Engine::Cassandra41, true), (Engine::Cassandra40, false)] {
        let mut sources = SourceMap::default();
        let file = sources.add("schema.cql", text);
        let schema = apply(&sources, &[file], Some(engine), Schema::default(), &mut Sink::default()).unwrap();
        let keyspace = &schema.keyspaces["k"];
        assert_eq!((keyspace.replication.contains_key("dc1"), keyspace.durable_writes), (stays, Some(false)), "{engine:?}");
    }
}

#[test]
fn a_view_of_scylla_need_not_say_that_its_only_partition_key_is_not_null() {
    let view = "CREATE TABLE k.t (a int, b int, c int, PRIMARY KEY (a, b));
         CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE c IS NOT NULL AND b IS NOT NULL PRIMARY KEY (c, a, b)";
    let read = |text: &str, engine| {
        let mut sources = SourceMap::default();
        let file = sources.add("schema.cql", text.to_owned());
        apply(&sources, &[file], engine, Schema::default(), &mut Sink::default())
    };
    let written = read(&view.replace("WHERE", "WHERE a IS NOT NULL AND"), Some(Engine::Scylla20251)).unwrap();
    let found = read(view, Some(Engine::Scylla20251)).unwrap();
    assert_eq!(table(&found, "k", "t").views["v"].filter, table(&written, "k", "t").views["v"].filter);
    // What Cassandra says to it is judged with the view.
    assert!(read(view, Some(Engine::Cassandra50)).is_some());
    assert!(read(&view.replace("AND b IS NOT NULL", ""), Some(Engine::Scylla20251)).is_none());
}

#[test]
fn no_type_holds_itself() {
    let types = "CREATE TYPE k.a (x int); CREATE TYPE k.b (a frozen<a>); CREATE TYPE k.c (b list<frozen<b>>);";
    for (wrong, name) in [
        ("ALTER TYPE k.a ADD c frozen<c>", "a"),
        ("ALTER TYPE k.a ADD a frozen<a>", "a"),
        ("ALTER TYPE k.b ADD l frozen<list<frozen<c>>>", "b"),
        ("ALTER TYPE k.a ALTER x TYPE frozen<b>", "a"),
        ("CREATE TYPE k.d (x int, d frozen<d>)", "d"),
    ] {
        let told = bad(&format!("{types}{wrong};"));
        assert!(told.len() == 1 && told[0].ends_with(&format!("the type `{name}` would hold itself")), "{wrong}: {told:?}");
    }
    good(&format!("{types} ALTER TYPE k.c ADD a frozen<a>;"));
}

#[test]
fn a_word_is_a_name_where_its_engine_does_not_reserve_it() {
    for (word, free, reserved) in [
        ("desc", Engine::Scylla20251, Engine::Cassandra50),
        ("default", Engine::Cassandra41, Engine::Scylla20251),
        ("ann", Engine::Scylla20251, Engine::Scylla20261),
    ] {
        let read = |name: &str, engine| {
            let mut sources = SourceMap::default();
            let file = sources.add("schema.cql", format!("CREATE TABLE k.t (p int PRIMARY KEY, {name} int);"));
            let mut sink = Sink::default();
            let schema = apply(&sources, &[file], engine, Schema::default(), &mut sink);
            (schema.is_some(), sink.into_sorted().into_iter().flat_map(|told| told.notes).collect::<String>())
        };
        assert!(read(word, Some(free)).0 && read(word, None).0 && read(&format!("\"{word}\""), Some(reserved)).0, "{word}");
        let (is_read, told) = read(word, Some(reserved));
        assert!(!is_read && told.contains(&format!("{} reserves", reserved.name())), "{word}: {told}");
    }
}

#[test]
fn a_type_that_a_function_has_is_kept() {
    let text = "CREATE TYPE k.u (a int); CREATE TYPE k.w (u frozen<u>);
         CREATE FUNCTION k.f (v list<frozen<w>>) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return 1;';";
    for name in ["u", "w"] {
        let told = bad(&format!("{text} DROP TYPE k.{name};"));
        let by = if name == "u" { "type `w`" } else { "function f(list<frozen<w>>)" };
        assert!(told.len() == 1 && told[0].ends_with(&format!("the type `{name}` is in use by the {by}")), "{told:?}");
    }
    good(&format!("{text} DROP FUNCTION k.f; DROP TYPE k.w; DROP TYPE k.u;"));
}
