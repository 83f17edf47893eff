//! What a backend of CQL never accepts, created or altered.

use super::{all, words};
use crate::read::{cloudformation, terraform};
use crate::schema::{Backend, Engine, Schema};

const CASSANDRA_4: Backend = Backend::Cql(Engine::Cassandra41);
const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);
const KEYSPACES: Backend = Backend::Cql(Engine::Keyspaces);
const TERRAFORM: Backend = Backend::KeyspacesTerraform;
const TEMPLATE: Backend = Backend::KeyspacesCloudformation;

/// Statements in one keyspace.
fn read(text: &str) -> Schema {
    let keyspace = "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}; USE shop;\n";
    super::read("schema.cql", &format!("{keyspace}{text}"), crate::read::cql::read)
}

/// What the first change to `next` falls under, and what that means.
fn one(previous: &str, next: &str, backend: Backend) -> String {
    let changes = super::changes(&read(previous), &read(next), &[backend]);
    let effect = &changes.last().unwrap_or_else(|| panic!("{next}: no change")).effects[&backend];
    let words = words(effect).replace("/[]", "").to_lowercase();
    assert!(words != "unsupported/refuses" || effect.statement.is_none(), "{next}: a statement that is refused is shown");
    format!("{} {words}", effect.rule.unwrap_or("?"))
}

#[test]
fn a_new_table_is_refused_with_any_part_that_is() {
    let types = "CREATE TYPE held (a list<int>); CREATE TYPE long (a duration);";
    for (columns, rest, backend, rule) in [
        ("p int PRIMARY KEY, c counter, d int", "", CASSANDRA, "def-counter-mix"),
        ("p int PRIMARY KEY, c int STATIC", "", SCYLLA, "def-static"),
        ("p int, c duration, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p int, c frozen<list<duration>>, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p int, c frozen<long>, PRIMARY KEY (p, c)", "", CASSANDRA, "def-key-type"),
        ("p map<int, int> PRIMARY KEY", "", KEYSPACES, "def-key-type"),
        ("p int PRIMARY KEY, c list<list<int>>", "", CASSANDRA, "def-nested"),
        ("p int PRIMARY KEY, c map<text, long>", "", CASSANDRA_4, "def-nested"),
        ("p int PRIMARY KEY, c held", "", SCYLLA, "def-nested"),
        ("p int PRIMARY KEY, c tuple<int, counter>", "", CASSANDRA, "def-counter-inside"),
        ("p int PRIMARY KEY, c set<duration>", "", CASSANDRA, "def-duration"),
        ("p int PRIMARY KEY, c frozen<int>", "", CASSANDRA, "def-frozen"),
        ("p int PRIMARY KEY, c list<frozen<vector<float, 3>>>", "", CASSANDRA_4, "def-type"),
        ("p int PRIMARY KEY, c counter", " WITH default_time_to_live = 60", CASSANDRA, "opt-ttl-set"),
        ("p int PRIMARY KEY", " WITH bogus = 3", SCYLLA, "opt-unknown"),
        ("p int PRIMARY KEY", " WITH read_repair_chance = 0.1", CASSANDRA, "opt-removed"),
        ("p int PRIMARY KEY", " WITH memtable = 'default'", SCYLLA, "opt-memtable"),
        ("p int PRIMARY KEY", " WITH compaction = {'class': 'UnifiedCompactionStrategy'}", CASSANDRA_4, "opt-compaction-class"),
        (
            "p int PRIMARY KEY",
            " WITH custom_properties = {'point_in_time_recovery': {'status': 'enabled'}}",
            CASSANDRA,
            "opt-capacity",
        ),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (c)", KEYSPACES, "idx-add-2i"),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (p)", CASSANDRA, "idx-add-2i"),
        ("p int PRIMARY KEY, c int", "; CREATE INDEX i ON t (c) USING 'sai'", SCYLLA, "idx-add-sai"),
        ("p int PRIMARY KEY, c map<text, frozen<list<int>>>", "", TERRAFORM, "def-resource-type"),
        ("p int PRIMARY KEY, \"Camel\" int", "", TERRAFORM, "def-name"),
        ("pp int PRIMARY KEY, c int", "", TEMPLATE, "def-name"),
    ] {
        let next = format!("{types} CREATE TABLE t ({columns}){rest};");
        assert_eq!(one(types, &next, backend), format!("{rule} unsupported/refuses"), "{next} on {backend}");
    }
    // It is made, without what the resource has no property for.
    let keyed = "CREATE TABLE tt (pp int, kk int, ss int STATIC, PRIMARY KEY (pp, kk));";
    assert_eq!(one("", keyed, TEMPLATE), "col-add-static unsupported/nothing");
    for (next, backend) in [
        (keyed, CASSANDRA),
        (keyed, KEYSPACES),
        ("CREATE TABLE t (p int PRIMARY KEY, c counter, d counter);", CASSANDRA),
        (
            "CREATE TABLE t (p frozen<list<int>>, c tuple<int, list<int>>, d frozen<list<list<int>>>, PRIMARY KEY (p, c));",
            CASSANDRA,
        ),
        ("CREATE TABLE t (p int PRIMARY KEY, c set<frozen<list<duration>>>, d map<text, duration>);", SCYLLA),
        ("CREATE TABLE t (p int PRIMARY KEY, c vector<float, 3>);", CASSANDRA),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH read_repair_chance = 0.1 AND gc_grace_seconds = 0;", SCYLLA),
        (
            "CREATE TABLE t (p int PRIMARY KEY) WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18 AND caching = {'keys': 'NONE'};",
            CASSANDRA,
        ),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH compaction = {'class': 'a.b.Mine', 'x': '1'};", CASSANDRA),
        ("CREATE TABLE t (p int PRIMARY KEY) WITH compaction = {'class': 'Odd'} AND comment = 'a';", KEYSPACES),
        ("CREATE TABLE tt (pp int PRIMARY KEY, cc map<text, int>, dd tuple<int, int>);", TERRAFORM),
    ] {
        assert_eq!(one("", next, backend), "tbl-create in_place/applies".replace('_', ""), "{next} on {backend}");
    }
}

#[test]
fn a_type_and_what_is_added_are_refused_alike() {
    let table = |columns: &str| format!("CREATE TABLE t (p int PRIMARY KEY{columns});");
    for (column, backend, rule) in [
        ("c int STATIC", CASSANDRA, "def-static"),
        ("c list<set<int>>", CASSANDRA, "def-nested"),
        ("c frozen<text>", SCYLLA, "def-frozen"),
        ("c map<duration, int>", CASSANDRA_4, "def-duration"),
        ("c vector<float, 2>", SCYLLA, "def-type"),
        ("c tuple<int, int, int>", TERRAFORM, "def-resource-type"),
    ] {
        let next = table(&format!(", {column}"));
        assert_eq!(one(&table(""), &next, backend), format!("{rule} unsupported/refuses"), "{next} on {backend}");
    }
    let types = "CREATE TYPE v (a int); CREATE TYPE u (a int";
    for (field, rule) in [("b counter", "def-counter-inside"), ("b v", "def-nested"), ("b list<list<int>>", "def-nested")] {
        for previous in [format!("{types});"), "CREATE TYPE v (a int);".to_owned()] {
            assert_eq!(
                one(&previous, &format!("{types}, {field});"), CASSANDRA),
                format!("{rule} unsupported/refuses"),
                "{field}"
            );
        }
    }
    assert_eq!(one("", "CREATE TYPE u (a list<int>, b frozen<list<list<int>>>);", CASSANDRA), "udt-create inplace/applies");
}

#[test]
fn what_a_resource_cannot_write_is_refused_where_it_stands() {
    let module = |columns: &[(&str, &str)]| {
        let block =
            |(name, kind): &(&str, &str)| format!("    column {{\n      name = \"{name}\"\n      type = \"{kind}\"\n    }}\n");
        let text = format!(
            "resource \"aws_keyspaces_keyspace\" \"k\" {{\n  name = \"shop\"\n}}\nresource \"aws_keyspaces_table\" \"t\" {{\n  keyspace_name = \
             aws_keyspaces_keyspace.k.name\n  table_name = \"t\"\n  schema_definition {{\n{}    \
             partition_key {{\n      name = \"id\"\n    }}\n  }}\n}}\n",
            columns.iter().map(block).collect::<String>()
        );
        super::read("main.tf", &text, |sources, files, sink| terraform::read(sources, files, sink).map(|module| module.keyspaces))
    };
    let before = module(&[("id", "uuid")]);
    for (name, kind, told) in [
        ("n", "frozen<mine>", "def-resource-type Unsupported/Refuses/[]"),
        ("n", "map<text, list<int>>", "def-resource-type Unsupported/Refuses/[]"),
        ("Nn", "int", "def-name Unsupported/Refuses/[]"),
        ("n", "map<text, int>", "col-add-collection InPlace/Applies/[]"),
        ("${var.name}", "int", "? Unknown/Unknown/[]"),
    ] {
        let found = all(&before, &module(&[("id", "uuid"), (name, kind)]), TERRAFORM);
        assert!(found.iter().any(|line| line.ends_with(told)), "{name} {kind}: {found:?}");
    }
    let of = |column: &str| {
        let text = format!(
            "Resources:\n  Shop:\n    Type: AWS::Cassandra::Keyspace\n    Properties:\n      KeyspaceName: shop\n  Orders:\n    Type: \
             AWS::Cassandra::Table\n    Properties:\n      KeyspaceName: shop\n      TableName: orders\n      PartitionKeyColumns:\n        - \
             ColumnName: id\n          ColumnType: uuid\n{column}"
        );
        super::read("template.yaml", &text, |sources, files, sink| {
            cloudformation::read_all(sources, files, sink).map(|template| template.keyspaces)
        })
    };
    let column = |name: &str| format!("      RegularColumns:\n        - ColumnName: {name}\n          ColumnType: text\n");
    assert_eq!(all(&of(""), &of(&column("m")), TEMPLATE), ["cql.Orders columns.m def-name Unsupported/Refuses/[]"]);
    assert_eq!(all(&of(""), &of(&column("note")), TEMPLATE), ["cql.Orders columns.note col-add InPlace/Applies/[]"]);
}
