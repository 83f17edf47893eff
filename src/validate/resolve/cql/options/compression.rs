//! `compression`: an algorithm, the length of a chunk, a level.
//!
//! Sources: Cassandra `CompressionParams.java`, `LZ4Compressor.java`, `ZstdCompressor.java` (run); ScyllaDB `compress.cc`,
//! docs/cql/ddl.rst. ScyllaDB names the algorithm `sstable_compression`, Cassandra `class`.

use super::place::Place;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::OptionValue;
use crate::schema::cql::engine::knows_option;
use crate::schema::{Engine, Family};
use crate::source::Spanned;
use crate::validate::document::{self, CompressionClass, Field};
use crate::validate::grammar::{Flaw, units};
use crate::validate::resolve::report::Report;
use std::collections::BTreeMap;

/// The longest chunk that ScyllaDB takes, in KiB.
const SCYLLA_CHUNK: u64 = 128;

pub(super) fn read(written: &Spanned<document::Compression>, place: &mut Place<'_>, report: &mut Report<'_>) {
    let (class, chunk, level) = match &written.value {
        document::Compression::Text(class) => (*class, None, None),
        document::Compression::Map(options) => {
            let Some(class) = options.class.get().map(|class| class.value) else { return };
            (class, chunk(options, place, report), level(class, &options.level, place, report))
        }
    };
    if let (CompressionClass::None, document::Compression::Map(options)) = (class, &written.value) {
        for (key, span) in [
            ("chunk_length", options.chunk_length.get().map(|value| value.span)),
            ("level", options.level.get().map(|value| value.span)),
        ] {
            if let Some(span) = span {
                report.push(Diagnostic::new(codes::OPTION_UNKNOWN, span, format!("without compression there is no `{key}`")));
            }
        }
    }
    place.put("compression", "compression", written.span, report, |engine| {
        knows_option(engine, "compression").then(|| OptionValue::Map(map(engine, class, chunk, level)))
    });
}

fn map(engine: Engine, class: CompressionClass, chunk: Option<u64>, level: Option<i64>) -> BTreeMap<String, String> {
    let scylla = engine.family() == Family::Scylla;
    let key = if scylla { "sstable_compression" } else { "class" };
    let (name, levels): (&str, &[&str]) = match class {
        CompressionClass::None if scylla => return [(key.to_owned(), String::new())].into(),
        CompressionClass::None => return [("enabled".to_owned(), "false".to_owned())].into(),
        CompressionClass::Lz4 if scylla => ("LZ4Compressor", &[]),
        CompressionClass::Lz4 => ("LZ4Compressor", &["lz4_high_compressor_level"]),
        CompressionClass::Zstd => ("ZstdCompressor", &["compression_level"]),
        CompressionClass::Snappy => ("SnappyCompressor", &[]),
        CompressionClass::Deflate => ("DeflateCompressor", &[]),
    };
    let mut map: BTreeMap<String, String> = [(key.to_owned(), name.to_owned())].into();
    map.extend(chunk.map(|chunk| ("chunk_length_in_kb".to_owned(), chunk.to_string())));
    if let Some(level) = level {
        map.extend(levels.iter().map(|name| ((*name).to_owned(), level.to_string())));
        // A level is that of the slower compressor, which has to be asked for.
        if levels.contains(&"lz4_high_compressor_level") {
            map.insert("lz4_compressor_type".to_owned(), "high".to_owned());
        }
    }
    map
}

/// In KiB.
fn chunk(options: &document::CompressionOptions, place: &Place<'_>, report: &mut Report<'_>) -> Option<u64> {
    let chunk = report.field(&options.chunk_length, |text| {
        let bytes = units::size(text)?;
        let sizes = (0..=10).map(|power| 1_u64 << power);
        #[expect(clippy::cast_precision_loss, reason = "at most a million")]
        sizes.into_iter().find(|size| bytes.total_cmp(&((size * 1024) as f64)).is_eq()).ok_or_else(|| {
            Flaw::value(0..text.len(), format!("`{text}` is no length of a chunk")).help("1KB, 2KB, 4KB, … or 1MB: powers of two")
        })
    })?;
    if chunk.value > SCYLLA_CHUNK && place.is_for(Family::Scylla) {
        let diagnostic =
            Diagnostic::new(codes::NOT_ON_ENGINE, chunk.span, format!("chunks of ScyllaDB have at most {SCYLLA_CHUNK} KB"));
        report.push(diagnostic.help("give it to `cassandra` alone, under `for_engine`"));
    }
    Some(chunk.value)
}

fn level(class: CompressionClass, written: &Field<i64>, place: &Place<'_>, report: &mut Report<'_>) -> Option<i64> {
    let level = written.get()?;
    let (low, high) = match class {
        CompressionClass::Lz4 => (1, 17),
        // What zstd itself takes is less than this; a node refuses 30 and takes -5.
        CompressionClass::Zstd => (-131_072, 22),
        // Said of the whole.
        CompressionClass::None => return None,
        CompressionClass::Snappy | CompressionClass::Deflate => {
            report.push(Diagnostic::new(codes::OPTION_UNKNOWN, level.span, "this algorithm has no levels"));
            return None;
        }
    };
    if !(low..=high).contains(&level.value) {
        let message = format!("the level is from {low} to {high}");
        report.push(Diagnostic::new(codes::BAD_VALUE, level.span, message));
    }
    if matches!(class, CompressionClass::Lz4) {
        let scylla: Vec<Engine> =
            place.asked("compression").into_iter().filter(|engine| engine.family() == Family::Scylla).collect();
        place.leave_out("`compression.level` of `lz4`", level.span, &scylla, report);
    }
    Some(level.value)
}
