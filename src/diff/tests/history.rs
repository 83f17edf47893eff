//! Statements that go on where those of the other side end: what they take on the way, and what DESCRIBE says beside it.

use super::{all, changes, told};
use crate::read::cql::{apply, run_on};
use crate::schema::cql::Schema;
use crate::schema::{Backend, Engine};
use crate::source::SourceMap;

const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);

/// The changes of a history that goes on, on one backend; None where it does not.
fn further(first: &str, then: &str, backend: Backend) -> Option<Vec<String>> {
    let mut sources = SourceMap::default();
    let previous = sources.add("V1.cql", first);
    let same = sources.add("db/V1.cql", first);
    let next = sources.add("db/V2.cql", then);
    let mut sink = crate::diagnostic::Sink::default();
    let before = apply(&sources, &[previous], backend.engine(), Schema::default(), &mut sink)?;
    let after = run_on(&sources, &[previous], &[same, next], backend.engine())?;
    Some(all(&before.into(), &after.into(), backend))
}

#[test]
fn what_is_taken_on_the_way_is_lost_though_it_is_there_again() {
    let first = "CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c));\nCREATE INDEX i ON k.t (v);";
    let anew = "cql.t - tbl-recreate Recreation/Replaces/[Items]";
    for (then, told) in [
        ("DROP TABLE IF EXISTS k.t; CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c));", vec![anew]),
        // Whatever differs in it is part of the table that is made anew.
        ("USE k; DROP TABLE t; CREATE TABLE t (p int PRIMARY KEY, v text);", vec![anew]),
        (
            "DROP KEYSPACE k; CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
             CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c));",
            vec![anew],
        ),
        ("truncate k.t", vec!["cql.t rows tbl-truncate InPlace/Applies/[Items]"]),
        (
            "DROP INDEX k.i; ALTER TABLE k.t DROP v; ALTER TABLE k.t ADD v text;",
            vec![
                "cql.t columns.v col-readd-same InPlace/Applies/[]",
                "cql.t columns.v col-drop-indexed InPlace/Applies/[Values, Index]",
                "cql.t.index.i - idx-drop InPlace/Applies/[Index]",
            ],
        ),
        (
            "DROP INDEX k.i; ALTER TABLE k.t DROP v; ALTER TABLE k.t ADD v int;",
            vec![
                "cql.t columns.v col-readd-other Recreation/Refuses/[]",
                "cql.t columns.v col-drop-indexed InPlace/Applies/[Values, Index]",
                "cql.t.index.i - idx-drop InPlace/Applies/[Index]",
            ],
        ),
        (
            "DROP INDEX k.i; ALTER TABLE k.t DROP v; ALTER TABLE k.t ADD v blob;",
            vec![
                "cql.t columns.v col-readd-other InPlace/Applies/[]",
                "cql.t columns.v col-drop-indexed InPlace/Applies/[Values, Index]",
                "cql.t.index.i - idx-drop InPlace/Applies/[Index]",
            ],
        ),
        ("DROP INDEX k.i; CREATE INDEX i ON k.t (v);", vec!["cql.t.index.i - idx-change IndexRebuild/Applies/[IndexOffline]"]),
        (
            "DROP INDEX IF EXISTS k.i; CREATE INDEX IF NOT EXISTS i ON k.t (c);",
            vec!["cql.t.index.i column idx-change IndexRebuild/Applies/[IndexOffline]"],
        ),
        (
            "DROP INDEX k.i; CREATE CUSTOM INDEX i ON k.t (v) USING 'sai';",
            vec!["cql.t.index.i using idx-change IndexRebuild/Applies/[IndexOffline]"],
        ),
        // What the statements themselves made holds nothing.
        ("CREATE TABLE k.u (p int PRIMARY KEY); TRUNCATE TABLE k.u; DROP TABLE k.u;", vec![]),
    ] {
        assert_eq!(further(first, then, CASSANDRA).unwrap(), told, "{then}");
    }
    assert_eq!(
        further("CREATE TABLE k.t (p int PRIMARY KEY);", "TRUNCATE k.t;", Backend::Cql(Engine::Keyspaces)).unwrap(),
        ["cql.t rows tbl-truncate Unsupported/Refuses/[]"]
    );
}

/// Whether the history goes on or was written anew: what is dropped at the front of a later file and made with another
/// definition is what that file makes of it.
#[test]
fn what_a_later_file_makes_anew_is_what_it_makes_of_it() {
    let first = "CREATE TABLE k.t (a int PRIMARY KEY, b int); CREATE TYPE k.u (x int); CREATE INDEX i ON k.t (b);
        CREATE MATERIALIZED VIEW k.v AS SELECT a, b FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a);";
    for (then, whole) in [
        (
            "DROP MATERIALIZED VIEW k.v; DROP TABLE k.t; CREATE TABLE k.t (a int PRIMARY KEY, b text);",
            "CREATE TABLE k.t (a int PRIMARY KEY, b text); CREATE TYPE k.u (x int);",
        ),
        ("DROP TYPE k.u; CREATE TYPE k.u (x text);", &*first.replace("x int", "x text")),
        ("DROP INDEX k.i; CREATE INDEX i ON k.t (a);", &first.replace("ON k.t (b)", "ON k.t (a)")),
        (
            "DROP MATERIALIZED VIEW k.v; CREATE MATERIALIZED VIEW k.v AS SELECT a, b FROM k.t WHERE a IS NOT NULL PRIMARY KEY (a);",
            &first.replace(" AND b IS NOT NULL PRIMARY KEY (b, a)", " PRIMARY KEY (a)"),
        ),
    ] {
        let mut sources = SourceMap::default();
        let [first, then, whole] = [first, then, whole].map(|text| sources.add("a.cql", text));
        let read =
            |files: &[_]| apply(&sources, files, None, Schema::default(), &mut crate::diagnostic::Sink::default()).unwrap();
        let (before, parts, whole) = (read(&[first]), read(&[first, then]), read(&[whole]));
        let (parts, whole) =
            (all(&before.clone().into(), &parts.into(), CASSANDRA), all(&before.into(), &whole.into(), CASSANDRA));
        assert!(!parts.is_empty(), "{}", sources.text(then));
        assert_eq!(parts, whole, "{}", sources.text(then));
    }
}

#[test]
fn only_a_history_that_goes_on_is_run() {
    let mut sources = SourceMap::default();
    let mut add = |text: &str| sources.add("a.cql", text);
    let first = add("CREATE TABLE k.t (p int PRIMARY KEY);");
    let written = add("-- The first.\ncreate  table K.t(p int PRIMARY KEY)");
    let other = add("CREATE TABLE k.t (p int PRIMARY KEY, v int);");
    let reset = add("DROP TABLE k.t; CREATE TABLE k.t (p int PRIMARY KEY);");
    let goes_on = |previous: &[_], next: &[_]| run_on(&sources, previous, next, None).is_some();
    assert!(goes_on(&[first], &[first, reset]) && goes_on(&[first], &[written, reset]));
    // The same, another beginning, and a reset that both have run.
    assert!(!goes_on(&[first], &[written]) && !goes_on(&[first], &[other, reset]));
    let both = run_on(&sources, &[first, reset], &[first, reset, reset], None).unwrap();
    assert_eq!(both.keyspaces["k"].tables["t"].about.taken.len(), 1);
    assert!(!goes_on(&[first, reset], &[first, reset]));
}

#[test]
fn what_no_table_has_is_not_to_be_taken_from_it() {
    let read = |options: &str| {
        super::read("a.cql", &format!("CREATE TABLE k.t (p int PRIMARY KEY){options};"), |s, f, k| {
            crate::read::cql::read(s, f, k)
        })
    };
    let plain = read("");
    // DESCRIBE of Cassandra prints it of each table.
    let described = read(" WITH extensions = {}");
    assert!(changes(&plain, &described, &[CASSANDRA]).is_empty() && changes(&described, &plain, &[CASSANDRA]).is_empty());
    let named = read(" WITH extensions = {'a': '0x00'}");
    assert_eq!(all(&plain, &named, CASSANDRA), ["cql.t options.extensions opt-extensions Unsupported/Ignores/[]"]);
    for (option, backend) in [
        ("extensions = {'a': '0x00'}", CASSANDRA),
        ("read_repair_chance = 0.1", CASSANDRA),
        ("tombstone_gc = {'mode': 'repair'}", CASSANDRA),
        ("read_repair = 'NONE'", SCYLLA),
        ("read_repair_chance = 0.1", SCYLLA),
        ("gc_grace_seconds = 1", Backend::Cql(Engine::Keyspaces)),
    ] {
        let [gone] = changes(&read(&format!(" WITH {option}")), &plain, &[backend]).try_into().unwrap();
        assert!(told(&gone, backend).ends_with("opt-gone Nothing/Nothing/[]"), "{}", told(&gone, backend));
        assert!(!gone.blocks());
    }
    // A layout stays.
    let [compact] = changes(&read(" WITH COMPACT STORAGE"), &plain, &[SCYLLA]).try_into().unwrap();
    assert!(compact.blocks());
}
