//! Options of tables and views (section 7): read once where they stand, then for each engine in its own name and form.
//!
//! What an engine does not know is left out for it, and that is said; what was written for that engine alone is an error.
//! The nearer word wins whole: an option of a table over `defaults`, and in the same place `for_engine` with an engine's name
//! over one with a family's, and both over the option for all.

mod compaction;
mod compression;
mod keyspaces;
mod maps;
mod place;
mod retry;

pub(super) use keyspaces::{Service, for_keyspaces_alone};
pub(super) use place::{custom_property, join_custom};

use crate::diagnostic::{Diagnostic, codes, in_words, nearest};
use crate::model::EngineOptions;
use crate::schema::cql::OptionValue;
use crate::schema::cql::engine::{capture_options, knows_option, rate_limit_options, tombstone_options};
use crate::schema::{Address, Engine, Family};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field, Map, TableOptions};
use crate::validate::grammar::{Flaw, units};
use crate::validate::resolve::report::{Report, whole};
use maps::Entries;
use place::Place;

/// All options of one place: a table, a view, or `defaults`.
pub(super) fn resolve(
    options: TableOptions<'_>,
    for_engine: &Field<Map<document::EngineOptions>>,
    engines: &[Spanned<Engine>],
    address: Option<&Address>,
    report: &mut Report<'_>,
) -> EngineOptions {
    let engines: Vec<Engine> = engines.iter().map(|engine| engine.value).collect();
    let mut named: Vec<(&Spanned<String>, Vec<Engine>, &document::EngineOptions)> = Vec::new();
    for (name, options) in for_engine.get().into_iter().flat_map(|map| map.good()) {
        if let Some(meant) = meant(name, &engines, report) {
            named.push((name, meant, &options.value));
        }
    }
    // The name of one engine is a nearer word than that of a family.
    named.sort_by_key(|(name, ..)| Engine::find(&name.value).is_none());
    let mut found = EngineOptions::new();
    for (name, meant, options) in named {
        let mut place = Place::new(meant, Some(&name.value), &found, address);
        read(options.options(), &mut place, report);
        let read = place.into_found();
        inherit(&mut found, &read);
    }
    let mut place = Place::new(engines, None, &found, address);
    read(options, &mut place, report);
    let read = place.into_found();
    inherit(&mut found, &read);
    found
}

/// Adds what a farther word says where the nearer is silent.
pub(super) fn inherit(near: &mut EngineOptions, far: &EngineOptions) {
    for (engine, options) in far {
        let own = near.entry(*engine).or_default();
        for (name, value) in options {
            own.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// The engines of the model that a name in `for_engine` means.
fn meant(name: &Spanned<String>, engines: &[Engine], report: &mut Report<'_>) -> Option<Vec<Engine>> {
    const FAMILIES: [(&str, Family); 3] =
        [("cassandra", Family::Cassandra), ("scylla", Family::Scylla), ("keyspaces", Family::Keyspaces)];
    let family = FAMILIES.iter().find(|(word, _)| *word == name.value).map(|(_, family)| *family);
    if family.is_none() && Engine::find(&name.value).is_none() {
        let known = Engine::ALL.iter().map(|engine| engine.name()).chain(FAMILIES.iter().map(|(word, _)| *word));
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_NAME, name.span, format!("`{}` is neither an engine nor a family", name.value));
        report.push(match nearest(&name.value, known) {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), name.span, near),
            None => diagnostic.help("write `cassandra`, `scylla`, `keyspaces`, or an engine such as `cassandra-5.0`"),
        });
        return None;
    }
    let is_meant = |engine: &Engine| family.map_or(engine.name() == name.value, |family| engine.family() == family);
    let meant: Vec<Engine> = engines.iter().copied().filter(is_meant).collect();
    if meant.is_empty() {
        report.push(
            Diagnostic::new(codes::LEFT_OUT, name.span, format!("`{}` is not among the engines: this is for nobody", name.value))
                .help("add it to `engines`, or remove these lines"),
        );
        return None;
    }
    Some(meant)
}

fn read(options: TableOptions<'_>, place: &mut Place<'_>, report: &mut Report<'_>) {
    if let Some(written) = options.compaction.get() {
        compaction::read(written, place, report);
    }
    if let Some(written) = options.compression.get() {
        compression::read(written, place, report);
    }
    if let Some(written) = options.caching.get() {
        caching(written, place, report);
    }
    if let Some(written) = options.cdc.get() {
        change_capture(written, place, report);
    }
    for (key, name, field, rows) in [
        ("tombstone_gc", "tombstone_gc", options.tombstone_gc, tombstone_options()),
        ("per_partition_rate_limit", "per_partition_rate_limit", options.per_partition_rate_limit, rate_limit_options()),
    ] {
        let Some(written) = field.get() else { continue };
        let document::OptionMapOrValue::Map(map) = &written.value else {
            let keys: Vec<&str> = rows.iter().map(|row| row.name).collect();
            let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, written.span, format!("`{key}` is a map"));
            report.push(diagnostic.help(format!("its keys are {}", keys.join(", "))));
            continue;
        };
        // What the whole option is left out for needs no word about its keys.
        let entries = Entries::read(map, rows, &[], key, place, report);
        place.put(name, key, written.span, report, |engine| {
            knows_option(engine, name).then(|| OptionValue::Map(entries.on(engine)))
        });
    }
    numbers(options, place, report);
    for (key, field) in
        [("speculative_retry", options.speculative_retry), ("additional_write_policy", options.additional_write_policy)]
    {
        if let Some(written) = field.get()
            && let Some(policy) = report.read(written, retry::policy)
        {
            place.put(key, key, written.span, report, |engine| {
                policy.on(engine).filter(|_| knows_option(engine, key)).map(OptionValue::Text)
            });
        }
    }
    if let Some(written) = options.read_repair.get()
        && let Some(word) = report.read(written, |text| word(text, &["BLOCKING", "NONE"]))
    {
        let known = |engine| knows_option(engine, "read_repair");
        place.put("read_repair", "read_repair", written.span, report, |engine| {
            known(engine).then(|| OptionValue::Text(word.to_owned()))
        });
    }
    if let Some(written) = options.memtable.get() {
        if written.value.is_empty() {
            report.push(Diagnostic::new(codes::BAD_VALUE, written.span, "a memtable has a name"));
        }
        let known = |engine| knows_option(engine, "memtable");
        let taken = place.put("memtable", "memtable", written.span, report, |engine| {
            known(engine).then(|| OptionValue::Text(written.value.clone()))
        });
        if taken && written.value != "default" {
            report.push(
                Diagnostic::new(codes::ENGINE_SETTING, written.span, format!("nodes must know the memtable `{}`", written.value))
                    .help("define it under `memtable: configurations:` in cassandra.yaml"),
            );
        }
    }
}

/// One of some words, in any case.
fn word(text: &str, words: &[&'static str]) -> Result<&'static str, Flaw> {
    words.iter().find(|word| word.eq_ignore_ascii_case(text)).copied().ok_or_else(|| {
        let flaw = Flaw::value(0..text.len(), format!("`{text}` is none of {}", words.join(", ")));
        match nearest(text, words.iter().copied()) {
            Some(near) => flaw.instead(near),
            None => flaw,
        }
    })
}

fn put_number(name: &'static str, key: &str, number: &Spanned<String>, place: &mut Place<'_>, report: &mut Report<'_>) {
    place.put(name, key, number.span, report, |engine| {
        knows_option(engine, name).then(|| OptionValue::Number(number.value.clone()))
    });
}

fn numbers(options: TableOptions<'_>, place: &mut Place<'_>, report: &mut Report<'_>) {
    let most = u64::from(i32::MAX.unsigned_abs());
    for (key, name, field, factor) in [
        ("gc_grace", "gc_grace_seconds", options.gc_grace, 1),
        ("paxos_grace", "paxos_grace_seconds", options.paxos_grace, 1),
        ("memtable_flush_period", "memtable_flush_period_in_ms", options.memtable_flush_period, 1000),
    ] {
        let Some(duration) = report.field(field, units::duration) else { continue };
        let number = duration.value.seconds.saturating_mul(factor);
        if number > most {
            report.push(Diagnostic::new(codes::BAD_VALUE, duration.span, format!("`{key}` is longer than engines take")));
        }
        // ScyllaDB `cf_prop_defs.cc`: 0, or a minute at least.
        if key == "memtable_flush_period" && (1..60_000).contains(&number) && place.is_for(Family::Scylla) {
            let diagnostic = Diagnostic::new(codes::NOT_ON_ENGINE, duration.span, "ScyllaDB flushes once a minute at most");
            report.push(diagnostic.help("write `1min` or more, or give it to `cassandra` alone, under `for_engine`"));
        }
        put_number(name, key, &Spanned::new(number.to_string(), duration.span), place, report);
    }
    // `BloomCalculations.java`: what 20 hash functions reach is the least.
    for (name, field, above, what) in [
        ("bloom_filter_fp_chance", options.bloom_filter_fp_chance, 6.71e-5, "above 0.0000671, at most 1"),
        ("crc_check_chance", options.crc_check_chance, -f64::MIN_POSITIVE, "from 0 to 1"),
    ] {
        let Some(number) = field.get() else { continue };
        if number.value <= above || number.value > 1.0 || number.value.is_nan() {
            report.push(Diagnostic::new(codes::BAD_VALUE, number.span, format!("`{name}` is a number {what}")));
        }
        put_number(name, name, &Spanned::new(number.value.to_string(), number.span), place, report);
    }
    let min = report.field(options.min_index_interval, whole);
    let max = report.field(options.max_index_interval, whole);
    let least = min.as_ref().map_or(128, |min| min.value);
    if let Some(min) = min.as_ref().filter(|min| min.value == 0 || (max.is_none() && min.value > 2048)) {
        report.push(Diagnostic::new(codes::BAD_VALUE, min.span, "`min_index_interval` is from 1 to `max_index_interval`, 2048"));
    }
    if let Some(max) = max.as_ref().filter(|max| max.value < least || max.value > most) {
        let message = format!("`max_index_interval` is not below `min_index_interval`, {least}");
        report.push(Diagnostic::new(codes::BAD_VALUE, max.span, message));
    }
    for (name, number) in [("min_index_interval", min), ("max_index_interval", max)] {
        if let Some(number) = number {
            put_number(name, name, &Spanned::new(number.value.to_string(), number.span), place, report);
        }
    }
}

/// Always the whole map: Cassandra takes a key that is missing in it for NONE, not for its default.
fn caching(written: &Spanned<document::Caching>, place: &mut Place<'_>, report: &mut Report<'_>) {
    let keys = match written.value.keys.get().map(|keys| keys.value) {
        Some(document::AllOrNone::None) => "NONE",
        Some(document::AllOrNone::All) | None => "ALL",
    };
    let rows = report.field(&written.value.rows_per_partition, |text| match text {
        "all" | "none" => Ok(text.to_uppercase()),
        number if number.parse::<u32>().is_ok_and(|rows| rows > 0) => Ok(number.to_owned()),
        _ => Err(Flaw::value(0..text.len(), format!("`{text}` is no number of rows")).help("write `all`, `none`, or a number")),
    });
    let rows = rows.map_or_else(|| "NONE".to_owned(), |rows| rows.value);
    let map = [("keys".to_owned(), keys.to_owned()), ("rows_per_partition".to_owned(), rows)];
    let known = |engine| knows_option(engine, "caching");
    place.put("caching", "caching", written.span, report, |engine| known(engine).then(|| OptionValue::Map(map.clone().into())));
}

/// A bool in Cassandra, a map in ScyllaDB, and in Amazon Keyspaces a bool and a custom property.
fn change_capture(written: &Spanned<document::OptionMapOrValue>, place: &mut Place<'_>, report: &mut Report<'_>) {
    let (enabled, entries) = match &written.value {
        document::OptionMapOrValue::Bool(enabled) => (*enabled, Entries::default()),
        document::OptionMapOrValue::Map(map) => {
            let entries = Entries::read(map, capture_options(), &[], "cdc", place, report);
            (entries.get("enabled") != Some("false"), entries)
        }
    };
    place.put("cdc", "cdc", written.span, report, |engine| {
        Some(match engine.family() {
            Family::Cassandra | Family::Keyspaces => OptionValue::Bool(enabled),
            Family::Scylla => {
                let mut map = entries.on(engine);
                map.insert("enabled".to_owned(), enabled.to_string());
                OptionValue::Map(map)
            }
        })
    });
    if let Some(view) = entries.get("view_type").filter(|_| enabled) {
        let view = OptionValue::Map([("view_type".to_owned(), view.to_owned())].into());
        place.put_custom("cdc_specification", Spanned::new(view, written.span));
    }
    if enabled && place.is_for(Family::Cassandra) {
        report.push(
            Diagnostic::new(codes::ENGINE_SETTING, written.span, "nodes of Cassandra capture changes only when they are told to")
                .help("set `cdc_enabled: true` in cassandra.yaml"),
        );
    }
}

/// Two names as a sentence has them: "`a` and `b`".
fn names(engines: &[Engine]) -> String {
    in_words(engines.iter().map(|engine| format!("`{engine}`")))
}

/// Says that something was written for engines that do not have it.
fn not_on(what: &str, engines: &[Engine], span: Span) -> Diagnostic {
    let verb = if engines.len() == 1 { "does" } else { "do" };
    Diagnostic::new(codes::NOT_ON_ENGINE, span, format!("{} {verb} not know {what}", names(engines)))
}
