//! Values of options that some engine takes in deed, or of which it is not known.

use super::refused::one;
use crate::schema::{Backend, Engine};

const CASSANDRA_4: Backend = Backend::Cql(Engine::Cassandra41);
const CASSANDRA: Backend = Backend::Cql(Engine::Cassandra50);
const SCYLLA: Backend = Backend::Cql(Engine::Scylla20251);

fn table(option: &str) -> String {
    let with = if option.is_empty() { String::new() } else { format!(" WITH {option}") };
    format!("CREATE TABLE t (p int PRIMARY KEY, v int){with};")
}

#[test]
fn a_value_is_judged_as_the_engine_reads_it() {
    let [taken, refused, unknown] = ["applies", "unsupported/refuses", "unknown/unknown"];
    let unified = |rest: &str| format!("compaction = {{'class': 'UnifiedCompactionStrategy', {rest}}}");
    let windows = |rest: &str| format!("compaction = {{'class': 'TimeWindowCompactionStrategy', {rest}}}");
    for (option, expected) in [
        // What is not true switches it off.
        ("compression = {'enabled': 'maybe'}".to_owned(), [taken, taken, refused]),
        ("compression = {'enabled': '0'}".to_owned(), [taken, taken, refused]),
        ("compression = {'class': 'ZstdCompressor', 'enabled': 'TRUE'}".to_owned(), [taken, taken, refused]),
        ("compression = {'class': 'ZstdCompressor', 'enabled': 'maybe'}".to_owned(), [refused, refused, refused]),
        ("compression = ''".to_owned(), [refused, refused, refused]),
        ("compression = {'class': 'org.example.Mine'}".to_owned(), [unknown, unknown, refused]),
        ("compression = {'sstable_compression': 'org.example.Mine'}".to_owned(), [unknown, refused, unknown]),
        ("compression = {'sstable_compression': 'NoSuchCompressor'}".to_owned(), [refused, refused, refused]),
        ("compression = {'sstable_compression': 'ZstdCompressor', 'compression_level': '3'}".to_owned(), [taken, refused, taken]),
        ("compression = {'sstable_compression': 'ZstdCompressor', 'compression_level': '23'}".to_owned(), [refused; 3]),
        ("compression = {'sstable_compression': 'LZ4Compressor', 'compression_level': '3'}".to_owned(), [refused; 3]),
        ("compression = {'sstable_compression': 'ZstdWithDictsCompressor'}".to_owned(), [refused, refused, unknown]),
        (windows("'unsafe_aggressive_sstable_expiration': 'maybe'"), [refused, refused, taken]),
        (windows("'unsafe_aggressive_sstable_expiration': 'FALSE'"), [taken, taken, taken]),
        (windows("'unsafe_aggressive_sstable_expiration': 'true'"), [unknown, unknown, unknown]),
        (windows("'timestamp_resolution': 'NANOSECONDS'"), [taken, taken, refused]),
        (windows("'timestamp_resolution': 'SECONDS'"), [taken, taken, refused]),
        (windows("'timestamp_resolution': 'HOURS'"), [refused, refused, refused]),
        (windows("'compaction_window_unit': 'NANOSECONDS'"), [refused, refused, refused]),
        (windows("'only_purge_repaired_tombstones': 'maybe'"), [taken, taken, refused]),
        (
            "compaction = {'class': 'LeveledCompactionStrategy', 'unsafe_aggressive_sstable_expiration': 'false'}".to_owned(),
            [refused, refused, taken],
        ),
        (unified("'min_sstable_size': '724MiB'"), [refused, taken, refused]),
        (unified("'min_sstable_size': '725MiB'"), [refused, refused, refused]),
        (unified("'min_sstable_size': '0B'"), [refused, taken, refused]),
        (unified("'min_sstable_size': '-1MiB'"), [refused, refused, refused]),
        (unified("'min_sstable_size': '1GiB', 'target_sstable_size': '2GiB'"), [refused, taken, refused]),
        (unified("'target_sstable_size': '1MiB'"), [refused, taken, refused]),
        ("compaction = {'class': 'org.example.Mine', 'x': '1'}".to_owned(), [unknown, unknown, unknown]),
        ("compaction = {'class': 'org.apache.cassandra.db.compaction.NoSuch'}".to_owned(), [refused, refused, refused]),
        // The row says that the nodes have to know it.
        ("memtable = 'trie'".to_owned(), [taken, taken, refused]),
    ] {
        for (backend, expected) in [CASSANDRA_4, CASSANDRA, SCYLLA].into_iter().zip(expected) {
            let told = one(&table(""), &table(&option), backend);
            assert!(told.ends_with(expected), "{option} on {backend}: {told}");
        }
    }
    let chance = table("compression = {'sstable_compression': 'SnappyCompressor', 'crc_check_chance': '2'}");
    assert!(one(&table(""), &chance, SCYLLA).ends_with(refused));
    // Back to what each engine has is known, whatever was there.
    assert_eq!(one(&table("memtable = 'trie'"), &table(""), CASSANDRA), "opt-memtable inplace/applies");
}

#[test]
fn no_compressor_is_no_compressor_however_it_is_said() {
    for (backend, ways) in [
        (SCYLLA, ["{}", "{'sstable_compression': ''}", "{'sstable_compression': '', 'chunk_length_in_kb': '64'}"]),
        (CASSANDRA_4, ["{}", "{'sstable_compression': ''}", "{'enabled': 'maybe'}"]),
        (CASSANDRA, ["{}", "{'enabled': 'FALSE'}", "{'enabled': 'no'}"]),
    ] {
        for way in ways {
            let next = table(&format!("compression = {way}"));
            assert_eq!(one(&table(""), &next, backend), "opt-compression-off followup/applies", "{way} on {backend}");
            for other in ways {
                let other = table(&format!("compression = {other}"));
                let read = |text: &str| super::read("a.cql", text, crate::read::cql::read);
                assert!(super::changes(&read(&other), &read(&next), &[backend]).is_empty(), "{other} and {next} on {backend}");
            }
        }
    }
}
