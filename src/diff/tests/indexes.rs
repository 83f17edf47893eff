//! Indexes by what they are of, their class and its options.

use super::refused::one;
use crate::schema::{Backend, Engine};

const CASSANDRA: [Backend; 3] =
    [Backend::Cql(Engine::Cassandra40), Backend::Cql(Engine::Cassandra41), Backend::Cql(Engine::Cassandra50)];
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);

const TABLE: &str = "CREATE TABLE t (a int, b int, c int, d duration, e list<int>, f frozen<list<int>>, m map<text, text>, n text, o ascii, i int, \
                     j blob, s text STATIC, \"l m\" text, PRIMARY KEY ((a, b), c)); CREATE TABLE n (a int PRIMARY KEY, n counter);";

#[test]
fn an_index_of_sasi_is_judged_by_its_column_and_its_options() {
    let own = "org.apache.cassandra.index.sasi.analyzer";
    let refused = "idx-add-sasi unsupported/refuses";
    let made = "idx-add-sasi indexbuild/applies";
    for (of, options, expected) in [
        ("t (n)", String::new(), made),
        ("t (c)", String::new(), made),
        ("t (s)", String::new(), made),
        ("t (full(f))", String::new(), made),
        ("t (j)", "'mode': 'SPARSE'".to_owned(), made),
        ("t (n)", "'mode': 'contains', 'bogus': 'x'".to_owned(), made),
        ("t (n)", "'mode': 'SPARSE', 'is_literal': 'false'".to_owned(), made),
        ("t (i)", "'mode': 'SPARSE'".to_owned(), made),
        ("t (i)", "'analyzed': 'true'".to_owned(), made),
        ("t (i)", format!("'analyzer_class': '{own}.NoOpAnalyzer'"), made),
        ("t (o)", format!("'analyzer_class': '{own}.StandardAnalyzer', 'tokenization_locale': 'xx'"), made),
        ("t (n)", format!("'analyzer_class': '{own}.DelimiterAnalyzer', 'delimiter': ','"), made),
        ("n (n)", String::new(), refused),
        ("t (a)", String::new(), refused),
        ("t (d)", String::new(), refused),
        ("t (e)", String::new(), refused),
        ("t (keys(m))", String::new(), refused),
        ("t (f)", String::new(), refused),
        ("t (n)", "'mode': 'SOME'".to_owned(), refused),
        ("t (n)", "'mode': 'SPARSE'".to_owned(), refused),
        ("t (i)", "'mode': 'SPARSE', 'is_literal': 'true'".to_owned(), refused),
        ("t (i)", "'mode': 'SPARSE', 'analyzed': 'true'".to_owned(), refused),
        ("t (n)", "'max_compaction_flush_memory_in_mb': '1.5'".to_owned(), refused),
        ("t (n)", "'target': 'n'".to_owned(), refused),
        ("t (n)", "'analyzer_class': 'StandardAnalyzer'".to_owned(), refused),
        ("t (n)", format!("'analyzer_class': '{own}.NoSuchAnalyzer'"), refused),
        ("t (i)", format!("'analyzer_class': '{own}.NonTokenizingAnalyzer'"), refused),
        ("t (n)", format!("'analyzer_class': '{own}.DelimiterAnalyzer', 'delimiter': 'ab'"), refused),
        (
            "t (n)",
            format!("'analyzer_class': '{own}.NonTokenizingAnalyzer', 'case_sensitive': 'false', 'normalize_lowercase': 'false'"),
            refused,
        ),
        ("t (n)", "'analyzer_class': 'org.example.Mine', 'mode': 'CONTAINS'".to_owned(), "? unknown/unknown"),
    ] {
        let options = if options.is_empty() { options } else { format!(" WITH OPTIONS = {{{options}}}") };
        let index = format!("CREATE CUSTOM INDEX i ON {of} USING 'org.apache.cassandra.index.sasi.SASIIndex'{options};");
        for backend in CASSANDRA {
            assert_eq!(one(TABLE, &format!("{TABLE} {index}"), backend), expected, "{index} on {backend}");
        }
        assert_eq!(one(TABLE, &format!("{TABLE} {index}"), SCYLLA), refused, "{index}");
    }
    // 5.0 looks at the name of the column, the releases before it do not.
    let index = "CREATE CUSTOM INDEX i ON t (\"l m\") USING 'org.apache.cassandra.index.sasi.SASIIndex';";
    let told = CASSANDRA.map(|backend| one(TABLE, &format!("{TABLE} {index}"), backend));
    assert_eq!(told, [made, made, refused]);
}

#[test]
fn an_attached_index_is_judged_by_what_it_indexes() {
    let table = "CREATE TABLE t (a int PRIMARY KEY, b map<text, blob>, c map<blob, text>, d set<blob>, e frozen<set<blob>>, f list<ascii>, g map<text, \
                 int>, h frozen<set<text>>, i set<int>, j list<vector<float, 3>>, k list<vector<int, 2>>, l list<vector<float, 1>>, n text, v \
                 vector<float, 3>);";
    let refused = "idx-add-sai unsupported/refuses";
    let made = "idx-add-sai indexbuild/applies";
    for (of, options, expected) in [
        ("keys(b)", "", made),
        ("b", "", refused),
        ("values(b)", "", refused),
        ("entries(b)", "", refused),
        ("c", "", made),
        ("keys(c)", "", refused),
        ("entries(c)", "", refused),
        ("d", "", refused),
        ("full(e)", "", made),
        ("f", "'normalize': 'true'", made),
        ("keys(g)", "'ascii': 'true'", made),
        ("values(g)", "'ascii': 'true'", refused),
        ("entries(g)", "'ascii': 'true'", refused),
        ("full(h)", "'ascii': 'true'", refused),
        ("i", "'case_sensitive': 'true'", refused),
        ("j", "'similarity_function': 'dot_product'", made),
        ("k", "", refused),
        ("l", "", refused),
        ("n", "'similarity_function': 'COSINE'", refused),
        ("n", "'source_model': 'ada002'", refused),
        ("v", "'source_model': 'ada002'", refused),
        ("v", "'case_sensitive': 'false'", refused),
    ] {
        let options = if options.is_empty() { String::new() } else { format!(" WITH OPTIONS = {{{options}}}") };
        let index = format!("CREATE INDEX x ON t ({of}) USING 'sai'{options};");
        assert_eq!(one(table, &format!("{table} {index}"), CASSANDRA[2]), expected, "{index}");
    }
}

#[test]
fn an_index_is_judged_by_its_name_and_its_class() {
    let [made, refused] = ["indexbuild/applies", "unsupported/refuses"];
    for (index, [on_4, on_5, scylla]) in [
        ("INDEX \"my idx\" ON t (n)", [refused, refused, made]),
        ("INDEX \"MyIdx\" ON t (n)", [made, made, made]),
        ("INDEX i ON t (n) USING 'legacy_local_table'", [refused, made, refused]),
        ("CUSTOM INDEX i ON t (n) USING 'legacy_local_table'", [refused, refused, made]),
        ("CUSTOM INDEX i ON t (n)", [refused, refused, refused]),
        ("INDEX i ON t (n) USING 'sai'", [refused, made, refused]),
        ("CUSTOM INDEX i ON t (n) USING 'StorageAttachedIndex'", [refused, made, refused]),
        ("CUSTOM INDEX \"my-idx\" ON t (n) USING 'sai'", [refused, refused, refused]),
        ("CUSTOM INDEX i ON t (n) USING 'SASIIndex'", [refused, refused, refused]),
        ("CUSTOM INDEX i ON t (n) USING 'NoSuchIndex'", [refused, refused, "unknown/unknown"]),
        ("CUSTOM INDEX i ON t (n) USING 'org.example.Mine'", ["unknown/unknown"; 3]),
    ] {
        let next = format!("{TABLE} CREATE {index};");
        for (backend, expected) in [(CASSANDRA[0], on_4), (CASSANDRA[1], on_4), (CASSANDRA[2], on_5), (SCYLLA, scylla)] {
            let told = one(TABLE, &next, backend);
            assert!(told.ends_with(expected), "{index} on {backend}: {told}");
        }
    }
    let long = format!("{TABLE} CREATE INDEX {} ON t (n);", "i".repeat(49));
    let told = [SCYLLA, Backend::Cql(Engine::Scylla20261), CASSANDRA[2]].map(|backend| one(TABLE, &long, backend));
    assert_eq!(told, ["idx-add-2i unsupported/refuses", "idx-add-2i indexbuild/applies", "idx-add-2i indexbuild/applies"]);
}

#[test]
fn names_that_only_the_tool_knows_may_be_the_same() {
    let table = |kind: &str, names: &str| {
        super::native::module(
            &format!(
                "  attribute {{\n    name = \"a\"\n    type = \"S\"\n  }}\n  global_secondary_index {{\n    name = \"by_a\"\n    hash_key = \
                 \"a\"\n    projection_type = \"{kind}\"\n    {names}\n  }}\n"
            ),
            "",
        )
    };
    let told = |previous: &crate::schema::Schema, next: &crate::schema::Schema| {
        let told = super::all(previous, next, Backend::TerraformAws5).into_iter();
        told.filter(|told| told.contains(" projection ")).collect::<Vec<_>>()
    };
    let (written, computed) =
        (table("INCLUDE", "non_key_attributes = [\"x\"]"), table("INCLUDE", "non_key_attributes = var.names"));
    let unknown = ["dynamodb.orders.gsi.by_a projection ? Unknown/Unknown/[]"];
    assert_eq!(told(&written, &computed), unknown);
    assert_eq!(told(&computed, &written), unknown);
    // What kind of projection it is, is known.
    assert_eq!(
        told(&table("ALL", ""), &computed),
        ["dynamodb.orders.gsi.by_a projection gsi-projection-type IndexRebuild/Applies/[IndexOffline]"]
    );
}
