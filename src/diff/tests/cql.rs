//! Keyspaces, types and tables of CQL, from statements.

use super::{all, changes};
use crate::diff::Action;
use crate::schema::{Backend, Engine, Schema};

const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);
const KEYSPACES: Backend = Backend::Cql(Engine::Keyspaces);

fn read(text: &str) -> Schema {
    super::read("schema.cql", text, crate::read::cql::read)
}

/// Both sides in one keyspace.
fn told(previous: &str, next: &str, backend: Backend) -> Vec<String> {
    let keyspace = "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}; USE shop;\n";
    all(&read(&format!("{keyspace}{previous}")), &read(&format!("{keyspace}{next}")), backend)
}

/// One table, its columns and key, and what follows it.
fn table(columns: &str, rest: &str) -> String {
    format!("CREATE TABLE users ({columns}, PRIMARY KEY (id, at)){rest};")
}

#[test]
fn a_column_that_goes_takes_its_values_and_other_things_with_it() {
    let full = table("id int, at int, email text", "");
    let less = table("id int, at int", "");
    assert_eq!(told(&less, &full, CASSANDRA), ["cql.users columns.email col-add InPlace/Applies/[]"]);
    assert_eq!(told(&full, &less, CASSANDRA), ["cql.users columns.email col-drop InPlace/Applies/[Values]"]);
    assert_eq!(told(&full, &less, KEYSPACES), ["cql.users columns.email col-drop Recreation/Refuses/[]"]);
    let index = "CREATE INDEX by_email ON users (email);";
    assert_eq!(
        told(&format!("{full}{index}"), &less, CASSANDRA),
        [
            "cql.users columns.email col-drop-indexed InPlace/Applies/[Values, Index]",
            "cql.users.index.by_email - idx-drop InPlace/Applies/[Index]",
        ]
    );
    let view = "CREATE MATERIALIZED VIEW by_at AS SELECT id, at FROM users WHERE at IS NOT NULL AND id IS NOT NULL PRIMARY KEY (at, id);";
    for backend in [CASSANDRA, SCYLLA] {
        assert_eq!(
            told(&format!("{full}{view}"), &format!("{less}{view}"), backend),
            ["cql.users columns.email col-drop-with-mv Stages/Refuses/[]"]
        );
    }
}

#[test]
fn types_change_on_scylla_where_the_bytes_allow_it() {
    let of = |kind: &str| table(&format!("id int, at int, value {kind}"), "");
    let rule = |from: &str, to: &str, backend| told(&of(from), &of(to), backend).remove(0);
    assert_eq!(rule("int", "text", CASSANDRA), "cql.users columns.value type-narrow Recreation/Refuses/[]");
    assert_eq!(rule("ascii", "text", SCYLLA), "cql.users columns.value type-ascii-text InPlace/Applies/[]");
    assert_eq!(rule("int", "varint", SCYLLA), "cql.users columns.value type-int-varint InPlace/Applies/[]");
    assert_eq!(rule("int", "bigint", SCYLLA), "cql.users columns.value type-int-bigint Recreation/Refuses/[]");
    assert_eq!(rule("list<ascii>", "list<text>", SCYLLA), "cql.users columns.value type-element InPlace/Applies/[]");
    assert_eq!(rule("list<int>", "list<text>", SCYLLA), "cql.users columns.value type-element Recreation/Refuses/[]");
    assert_eq!(rule("set<int>", "list<int>", CASSANDRA), "cql.users columns.value type-collection-kind Recreation/Refuses/[]");
    assert_eq!(rule("frozen<set<int>>", "set<int>", CASSANDRA), "cql.users columns.value type-frozen Recreation/Refuses/[]");
    let at = |kind: &str| table(&format!("id int, at {kind}"), "");
    assert_eq!(told(&at("timeuuid"), &at("uuid"), SCYLLA), ["cql.users columns.at type-ck Recreation/Refuses/[]"]);
    assert_eq!(told(&at("int"), &at("varint"), SCYLLA), ["cql.users columns.at type-ck InPlace/Applies/[]"]);
}

#[test]
fn keys_are_made_with_the_table() {
    let by = |key: &str, order: &str| format!("CREATE TABLE t (a int, b int, c int, v int, PRIMARY KEY ({key})){order};");
    let one = |from: &str, to: &str| told(&by(from, ""), &by(to, ""), CASSANDRA);
    assert_eq!(
        one("a, b, c", "(a, b), c"),
        ["cql.t clustering pk-clustering Recreation/Refuses/[]", "cql.t partition_key pk-partition Recreation/Refuses/[]"]
    );
    assert_eq!(one("a, b", "a, b, c"), ["cql.t clustering pk-regular-into-key Recreation/Refuses/[]"]);
    let flipped = told(&by("a, b", ""), &by("a, b", " WITH CLUSTERING ORDER BY (b DESC)"), CASSANDRA);
    assert_eq!(flipped, ["cql.t clustering pk-order Recreation/Refuses/[]"]);
    // A column that only comes with the key is part of that change.
    let previous = "CREATE TABLE t (a int, v int, PRIMARY KEY (a));";
    let next = "CREATE TABLE t (a int, b int, v int, PRIMARY KEY (a, b));";
    assert_eq!(told(previous, next, CASSANDRA), ["cql.t clustering pk-clustering Recreation/Refuses/[]"]);
}

#[test]
fn a_key_column_is_renamed_and_its_views_follow() {
    let of = |name: &str| {
        format!(
            "CREATE TABLE t ({name} int, b int, v int, PRIMARY KEY ({name}, b));
             CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE b IS NOT NULL AND {name} IS NOT NULL PRIMARY KEY (b, {name});"
        )
    };
    assert_eq!(told(&of("who"), &of("visitor"), CASSANDRA), ["cql.t columns.visitor col-rename-pk InPlace/Applies/[]"]);
    let found = changes(
        &read(&format!(
            "CREATE KEYSPACE k WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}; USE k; {}",
            of("who")
        )),
        &read(&format!(
            "CREATE KEYSPACE k WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}; USE k; {}",
            of("visitor")
        )),
        &[CASSANDRA],
    );
    assert_eq!(found[0].action, Action::Rename);
    assert_eq!(found[0].effects[&CASSANDRA].statement.as_deref(), Some("ALTER TABLE k.t RENAME who TO visitor;"));
}

#[test]
fn options_are_compared_as_the_engine_holds_them() {
    let with = |options: &str| table("id int, at int", options);
    assert_eq!(
        told(
            &with(""),
            &with(" WITH gc_grace_seconds = 864000 AND compaction = {'class': 'SizeTieredCompactionStrategy'}"),
            CASSANDRA
        ),
        [""; 0]
    );
    assert_eq!(
        told(&with(" WITH default_time_to_live = 60"), &with(""), CASSANDRA),
        ["cql.users options.default_time_to_live opt-ttl-clear InPlace/Applies/[]"]
    );
    assert_eq!(
        told(&with(""), &with(" WITH compaction = {'class': 'LeveledCompactionStrategy'}"), CASSANDRA)
            .first()
            .map(String::as_str),
        Some("cql.users options.compaction opt-compaction-class FollowUp/Applies/[]")
    );
    assert_eq!(
        told(&with(""), &with(" WITH read_repair = 'NONE'"), SCYLLA),
        ["cql.users options.read_repair opt-read-repair Unsupported/Refuses/[]"]
    );
    let counters = |options: &str| format!("CREATE TABLE t (a int PRIMARY KEY, n counter){options};");
    assert_eq!(
        told(&counters(""), &counters(" WITH default_time_to_live = 60"), CASSANDRA),
        ["cql.t options.default_time_to_live opt-ttl-set Unsupported/Refuses/[]"]
    );
}

#[test]
fn a_dropped_column_that_comes_back_is_remembered() {
    let without = table("id int, at int", "");
    let history = format!("{}ALTER TABLE users DROP note;", table("id int, at int, note int", ""));
    let with = |kind: &str| table(&format!("id int, at int, note {kind}"), "");
    let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; USE k;";
    let told = |previous: &str, next: &str, backend| {
        all(&read(&format!("{keyspace}{previous}")), &read(&format!("{keyspace}{next}")), backend).remove(0)
    };
    assert_eq!(told(&without, &with("text"), CASSANDRA), "cql.users columns.note col-add InPlace/Applies/[]");
    assert_eq!(told(&history, &with("int"), CASSANDRA), "cql.users columns.note col-readd-same InPlace/Applies/[]");
    assert_eq!(told(&history, &with("text"), CASSANDRA), "cql.users columns.note col-readd-other Recreation/Refuses/[]");
    assert_eq!(told(&history, &with("text"), KEYSPACES), "cql.users columns.note col-add InPlace/Applies/[]");
    // A table whose counters were all dropped is one of counters yet.
    let emptied = format!("{}ALTER TABLE users DROP note;", table("id int, at int, note counter", ""));
    let one = |name: &str, kind: &str| told(&emptied, &table(&format!("id int, at int, {name} {kind}"), ""), CASSANDRA);
    assert_eq!(one("seen", "counter"), "cql.users columns.seen col-add-counter InPlace/Applies/[]");
    assert_eq!(one("seen", "int"), "cql.users columns.seen col-add-counter-mix Recreation/Refuses/[]");
    // A user type is remembered as the tuple of its fields.
    let types = "CREATE TYPE city (name text); CREATE TYPE place (at int, within frozen<city>);";
    for (kind, tuple) in [("frozen<place>", "tuple<int, tuple<text>>"), ("list<frozen<city>>", "list<tuple<text>>")] {
        let history = format!("{types}{}ALTER TABLE users DROP note;", table(&format!("id int, at int, note {kind}"), ""));
        let again = |kind: &str| told(&history, &format!("{types}{}", with(kind)), CASSANDRA);
        assert_eq!(again(kind), "cql.users columns.note col-readd-other Recreation/Refuses/[]");
        assert_eq!(again(tuple), "cql.users columns.note col-readd-same InPlace/Applies/[]");
        let on_scylla = told(&history, &format!("{types}{}", with(kind)), SCYLLA);
        assert_eq!(on_scylla, "cql.users columns.note col-readd-same InPlace/Applies/[]");
    }
}

#[test]
fn a_field_is_appended_renamed_or_needs_a_new_type() {
    let of = |fields: &str| format!("CREATE TYPE money ({fields}); CREATE TABLE t (a int PRIMARY KEY, paid frozen<money>);");
    let one = |from: &str, to: &str| told(&of(from), &of(to), CASSANDRA).remove(0);
    assert_eq!(one("a int", "a int, b int"), "cql.type(money) fields.b udt-add InPlace/Applies/[]");
    assert_eq!(one("a int", "b int, a int"), "cql.type(money) fields.b udt-drop-field Recreation/Refuses/[]");
    assert_eq!(one("a int, b int", "b int, a int"), "cql.type(money) fields udt-drop-field Recreation/Refuses/[]");
    assert_eq!(one("a int", "amount int"), "cql.type(money) fields.amount udt-rename InPlace/Applies/[]");
    assert_eq!(one("a int", "a text"), "cql.type(money) fields.a udt-field-type Recreation/Refuses/[]");
    let keyed = |fields: &str| format!("CREATE TYPE u ({fields}); CREATE TABLE t (a frozen<u> PRIMARY KEY);");
    assert_eq!(
        told(&keyed("a int"), &keyed("a int, b int"), SCYLLA),
        ["cql.type(u) fields.b udt-add Recreation/Refuses/[]", "cql.t types.u udt-add Recreation/Refuses/[]"]
    );
}

#[test]
fn tables_come_and_go_with_a_type_that_can_only_be_made_anew() {
    let of = |field: &str| {
        format!(
            "CREATE TYPE inner ({field}); CREATE TYPE outer (i frozen<inner>);
             CREATE TABLE direct (a int PRIMARY KEY, i frozen<inner>); CREATE TABLE within (a int PRIMARY KEY, o list<frozen<outer>>);
             CREATE TABLE apart (a int PRIMARY KEY);"
        )
    };
    let refused = "udt-field-type Recreation/Refuses/[]";
    let tables =
        |field| [format!("cql.type(inner) fields.{field}"), "cql.direct types.inner".into(), "cql.within types.inner".into()];
    let expected = tables("a").map(|what| format!("{what} {refused}"));
    assert_eq!(told(&of("a int"), &of("a text"), CASSANDRA), expected);
    let space = |text: String| {
        read(&format!(
            "CREATE KEYSPACE shop WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}; USE shop; {text}"
        ))
    };
    let found = changes(&space(of("a int")), &space(of("a text")), &[CASSANDRA]);
    let steps = &found[1].effects[&CASSANDRA].steps;
    assert!(steps.last().unwrap().ends_with("then DROP TYPE shop.inner") && !steps.concat().contains('{'), "{steps:?}");
    // An engine that alters the type leaves the tables alone, and so does a field that is appended.
    assert_eq!(told(&of("a ascii"), &of("a text"), SCYLLA), ["cql.type(inner) fields.a udt-field-type InPlace/Applies/[]"]);
    assert_eq!(told(&of("a int"), &of("a int, b int"), CASSANDRA).len(), 1);
}

#[test]
fn keyspaces_are_renamed_and_their_replication_moves_by_steps() {
    let of = |name: &str, replication: &str| {
        read(&format!("CREATE KEYSPACE {name} WITH replication = {{{replication}}}; CREATE TABLE {name}.t (a int PRIMARY KEY);"))
    };
    let three = "'class': 'NetworkTopologyStrategy', 'dc1': 3";
    assert_eq!(all(&of("a", three), &of("b", three), CASSANDRA), ["cql.keyspace(b) name ks-rename Recreation/Refuses/[]"]);
    let five = "'class': 'NetworkTopologyStrategy', 'dc1': 5";
    assert_eq!(all(&of("a", three), &of("a", five), CASSANDRA), ["cql.keyspace(a) replication ks-rf-up FollowUp/Applies/[]"]);
    assert_eq!(all(&of("a", three), &of("a", five), SCYLLA), ["cql.keyspace(a) replication ks-rf-up Stages/Refuses/[]"]);
    let found = changes(&of("a", three), &of("a", five), &[CASSANDRA]);
    assert_eq!(
        found[0].effects[&CASSANDRA].statement.as_deref(),
        Some("ALTER KEYSPACE a WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '5'};")
    );
}

#[test]
fn an_engine_without_a_feature_is_told_so() {
    let users = table("id int, at int, email text", "");
    let index = format!("{users}CREATE INDEX by_email ON users (email);");
    assert_eq!(told(&users, &index, KEYSPACES), ["cql.users.index.by_email - idx-add-2i Unsupported/Refuses/[]"]);
    assert_eq!(told(&users, &index, CASSANDRA), ["cql.users.index.by_email - idx-add-2i IndexBuild/Applies/[]"]);
    assert_eq!(told(&users, "", CASSANDRA), ["cql.users - tbl-drop InPlace/Applies/[Items]"]);
}

#[test]
fn an_index_of_a_class_that_the_engine_lacks_is_refused() {
    let users = table("id int, at int, email text", "");
    let (legacy, sai) =
        (format!("{users}CREATE INDEX e ON users (email);"), format!("{users}CREATE INDEX e ON users (email) USING 'sai';"));
    let told = |backend| told(&legacy, &sai, backend);
    assert_eq!(told(Backend::Cql(Engine::Cassandra41)), ["cql.users.index.e using idx-add-sai Unsupported/Refuses/[]"]);
    assert_eq!(told(SCYLLA), ["cql.users.index.e using idx-add-sai Unsupported/Refuses/[]"]);
    assert_eq!(told(CASSANDRA), ["cql.users.index.e using idx-change IndexRebuild/Applies/[IndexOffline]"]);
}

#[test]
fn a_suboption_of_the_class_that_goes_without_saying_is_no_other_class() {
    let with = |options: &str| {
        table("id int, at int", &format!(" WITH compaction = {{'class': 'SizeTieredCompactionStrategy'{options}}}"))
    };
    assert_eq!(
        told(&with(""), &with(", 'min_threshold': '8'"), CASSANDRA),
        ["cql.users options.compaction opt-compaction-sub InPlace/Applies/[]"]
    );
}

#[test]
fn what_keyspaces_takes_no_notice_of_is_told() {
    let with = |options: &str| table("id int, at int", options);
    assert_eq!(
        told(&with(""), &with(" WITH gc_grace_seconds = 100"), KEYSPACES),
        ["cql.users options.gc_grace_seconds opt-gc-grace Unsupported/Ignores/[]"]
    );
    assert_eq!(
        told(&with(""), &with(" WITH tombstone_gc = {'mode': 'repair'}"), KEYSPACES),
        ["cql.users options.tombstone_gc opt-tombstone-gc Unsupported/Refuses/[]"]
    );
    assert_eq!(
        told(&with(""), &with(" WITH extensions = {'a': '0x00'}"), CASSANDRA),
        ["cql.users options.extensions opt-extensions Unsupported/Ignores/[]"]
    );
}

#[test]
fn settings_of_keyspaces_are_told_one_by_one() {
    let with = |properties: &str| table("id int, at int", &format!(" WITH CUSTOM_PROPERTIES = {{{properties}}}"));
    let capacity = "'capacity_mode': {'throughput_mode': 'PAY_PER_REQUEST'}";
    let before = with(&format!("{capacity}, 'point_in_time_recovery': {{'status': 'enabled'}}"));
    let after =
        with("'point_in_time_recovery': {'status': 'disabled'}, 'ttl': {'status': 'enabled'}, 'cdc': {'status': 'enabled'}");
    assert_eq!(
        told(&before, &after, KEYSPACES),
        [
            "cql.users custom_properties.cdc opt-cdc-on InPlace/Applies/[]",
            "cql.users custom_properties.point_in_time_recovery opt-pitr InPlace/Applies/[History]",
            "cql.users custom_properties.ttl opt-ttl-status InPlace/Applies/[]",
        ]
    );
}

#[test]
fn a_table_of_no_keyspace_is_called_by_its_name_alone() {
    let (full, less) = (table("id int, at int, email text", ""), table("id int, at int", ""));
    let statement = |keyspace: &str| {
        let [previous, next] = [&full, &less].map(|text| read(&format!("{keyspace}{text}")));
        changes(&previous, &next, &[CASSANDRA])[0].effects[&CASSANDRA].statement.clone().unwrap()
    };
    assert_eq!(statement(""), "ALTER TABLE users DROP email;");
    assert_eq!(statement("USE shop;"), "ALTER TABLE shop.users DROP email;");
}

#[test]
fn types_that_hold_many_of_one_another_are_followed_so_far() {
    let many = |of: usize| (0..10).map(|field| format!("f{field} frozen<u{of}>")).collect::<Vec<_>>().join(", ");
    let types: String = (1..=24).map(|level| format!("CREATE TYPE u{level} ({});", many(level - 1))).collect::<Vec<_>>().concat();
    let before = format!("CREATE TYPE u0 (a int);{types}CREATE TABLE t (p int PRIMARY KEY, v frozen<u24>);ALTER TABLE t DROP v;");
    let told = all(&read(&before), &read(&format!("{before}ALTER TABLE t ADD v frozen<u24>;")), CASSANDRA);
    assert_eq!(told, ["cql.t columns.v col-readd-other Recreation/Refuses/[]"]);
}

#[test]
fn statements_say_all_of_a_column() {
    let said = |previous: &str, next: &str| {
        let read = |columns: &str, rest: &str| {
            let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1};";
            let text = format!("{keyspace} CREATE TABLE k.t (p int, c int{columns}, PRIMARY KEY (p, c)); {rest}");
            super::read("schema.cql", &text, crate::read::cql::read)
        };
        let dropped = if previous.contains("gone") { "ALTER TABLE k.t DROP gone;" } else { "" };
        let changes = changes(&read(previous, dropped), &read(next, ""), &[CASSANDRA]);
        changes[0].effects[&CASSANDRA].statement.as_deref().unwrap_or_default().to_owned()
    };
    for (previous, next, statement) in [
        (", gone int STATIC", ", gone int STATIC", "ADD gone int STATIC"),
        ("", ", s int STATIC", "ADD s int STATIC"),
        ("", ", v text MASKED WITH DEFAULT", "ADD v text MASKED WITH mask_default()"),
        (", v text MASKED WITH DEFAULT", ", v text", "ALTER v DROP MASKED"),
        (", v text", ", v text MASKED WITH mask_inner(1, 2)", "ALTER v MASKED WITH mask_inner(1, 2)"),
    ] {
        assert_eq!(said(previous, next), format!("ALTER TABLE k.t {statement};"));
    }
}
