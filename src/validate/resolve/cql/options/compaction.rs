//! `compaction`: a strategy with its own keys.

use super::maps::Entries;
use super::place::Place;
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::schema::cql::OptionValue;
use crate::schema::cql::engine::{CompactionClass, compaction_options};
use crate::source::Spanned;
use crate::validate::document::{self, Map, Value};
use crate::validate::grammar::{Flaw, units};
use crate::validate::resolve::report::Report;
use std::collections::BTreeMap;

pub(super) fn read(written: &Spanned<document::Compaction>, place: &mut Place<'_>, report: &mut Report<'_>) {
    let (class, entries, window) = match &written.value {
        document::Compaction::Text(class) => (named(*class), Entries::default(), BTreeMap::new()),
        document::Compaction::Map(map) => {
            let Some(class) = class(map, written, report) else { return };
            let entries = Entries::read(map, &compaction_options(class), &["class", "window"], "compaction", place, report);
            together(&entries, written, report);
            let window = window(class, map, &entries, report);
            (class, entries, window)
        }
    };
    place.put("compaction", &format!("compaction: {}", class.name()), written.span, report, |engine| {
        class.is_on(engine).then(|| {
            let mut map = entries.on(engine);
            map.extend(window.clone());
            map.insert("class".to_owned(), class.class().to_owned());
            OptionValue::Map(map)
        })
    });
}

fn named(class: document::CompactionClass) -> CompactionClass {
    match class {
        document::CompactionClass::SizeTiered => CompactionClass::SizeTiered,
        document::CompactionClass::Leveled => CompactionClass::Leveled,
        document::CompactionClass::TimeWindow => CompactionClass::TimeWindow,
        document::CompactionClass::Unified => CompactionClass::Unified,
        document::CompactionClass::Incremental => CompactionClass::Incremental,
    }
}

fn class(map: &Map<Value>, written: &Spanned<document::Compaction>, report: &mut Report<'_>) -> Option<CompactionClass> {
    let names = || CompactionClass::ALL.iter().map(|class| class.name());
    let all = || names().collect::<Vec<_>>().join("`, `");
    if !map.names().any(|name| name.value == "class") {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, written.span, "the compaction does not say its `class`");
        report.push(diagnostic.help(format!("one of `{}`", all())));
        return None;
    }
    let (_, class) = map.good().find(|(name, _)| name.value == "class")?;
    report.read(class, |text| {
        let found = CompactionClass::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| {
            let flaw = Flaw::value(0..text.len(), format!("`{text}` is no compaction strategy"));
            let by_class = CompactionClass::ALL.iter().find(|known| text.ends_with(known.class())).map(|known| known.name());
            match by_class.or_else(|| nearest(text, names())) {
                Some(near) => flaw.instead(near),
                None => flaw.help(format!("one of `{}`", all())),
            }
        })
    })
}

/// `window: 3d` in the unit and size of CQL: the largest unit of which it is a whole number.
fn window(class: CompactionClass, map: &Map<Value>, entries: &Entries, report: &mut Report<'_>) -> BTreeMap<String, String> {
    let Some((name, written)) = map.good().find(|(name, _)| name.value == "window") else { return BTreeMap::new() };
    if class != CompactionClass::TimeWindow {
        let diagnostic = Diagnostic::new(codes::OPTION_UNKNOWN, name.span, format!("`{}` has no windows", class.name()));
        report.push(diagnostic.help("`window` goes with `class: time_window`"));
        return BTreeMap::new();
    }
    for twice in ["compaction_window_unit", "compaction_window_size"] {
        if entries.get(twice).is_some() {
            let diagnostic = Diagnostic::new(codes::DUPLICATE_KEY, name.span, format!("`window` and `{twice}` say one thing"));
            report.push(diagnostic.help("remove one of the two"));
        }
    }
    let read = report.read(written, |text| {
        let seconds = units::duration(text)?.seconds;
        let units = [("DAYS", 86_400), ("HOURS", 3_600), ("MINUTES", 60)];
        let unit = units.into_iter().find(|(_, unit)| seconds > 0 && seconds % unit == 0);
        unit.map(|(word, unit)| (word, seconds / unit))
            .ok_or_else(|| Flaw::value(0..text.len(), "a window is a number of minutes, hours or days"))
    });
    let Some((unit, size)) = read else { return BTreeMap::new() };
    [("compaction_window_unit".to_owned(), unit.to_owned()), ("compaction_window_size".to_owned(), size.to_string())].into()
}

/// Keys that are judged against each other, with the engines' defaults where one is not said.
fn together(entries: &Entries, written: &Spanned<document::Compaction>, report: &mut Report<'_>) {
    for (low, high, defaults) in [("min_threshold", "max_threshold", (4.0, 32.0)), ("bucket_low", "bucket_high", (0.5, 1.5))] {
        let said = [low, high].map(|name| entries.get(name).and_then(|text| text.parse::<f64>().ok()));
        let [below, above] = said;
        if below.is_none() && above.is_none() {
            continue;
        }
        let (below, above) = (below.unwrap_or(defaults.0), above.unwrap_or(defaults.1));
        if below > above {
            let message = format!("`{low}`, {below}, is greater than `{high}`, {above}");
            report.push(Diagnostic::new(codes::BAD_VALUE, written.span, message));
        }
    }
}
