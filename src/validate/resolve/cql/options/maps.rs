//! Options that are maps of an engine's own keys.

use super::place::Place;
use crate::diagnostic::{Diagnostic, codes, nearest};
use crate::schema::Engine;
use crate::schema::cql::engine::SubOption;
use crate::validate::document::{Map, Value};
use crate::validate::resolve::report::Report;
use std::collections::BTreeMap;

/// Keys that are known and values that fit.
#[derive(Default)]
pub(super) struct Entries(Vec<(SubOption, String)>);

impl Entries {
    /// Reads the keys of a map but those in `apart`. `option` is the name of the whole.
    pub(super) fn read(
        map: &Map<Value>,
        rows: &[SubOption],
        apart: &[&str],
        option: &str,
        place: &Place<'_>,
        report: &mut Report<'_>,
    ) -> Self {
        let mut entries = Vec::new();
        for (name, value) in map.good().filter(|(name, _)| !apart.contains(&name.value.as_str())) {
            let Some(row) = rows.iter().find(|row| row.name == name.value) else {
                let known = rows.iter().map(|row| row.name).chain(apart.iter().copied());
                let diagnostic =
                    Diagnostic::new(codes::OPTION_UNKNOWN, name.span, format!("`{option}` has no key `{}`", name.value));
                report.push(match nearest(&name.value, known.clone()) {
                    Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), name.span, near),
                    None => diagnostic.help(format!("it has {}", known.collect::<Vec<_>>().join(", "))),
                });
                continue;
            };
            if let Some(must) = row.kind.flaw(&value.value.0) {
                let message = format!("`{}` is {must}, not `{}`", name.value, value.value.0);
                report.push(Diagnostic::new(codes::BAD_VALUE, value.span, message));
                continue;
            }
            // An engine that knows no key does not know the whole option, which is said of that.
            let knows_it = |engine: &Engine| rows.iter().any(|row| row.engines.contains(engine));
            let asked = place.asked(option);
            let lacking = asked.iter().copied().filter(|engine| !row.engines.contains(engine) && knows_it(engine));
            place.leave_out(&format!("`{option}.{}`", name.value), name.span, &lacking.collect::<Vec<_>>(), report);
            entries.push((*row, value.value.0.clone()));
        }
        Self(entries)
    }

    /// A value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(row, _)| row.name == name).map(|(_, value)| value.as_str())
    }

    /// What an engine knows of it.
    pub(super) fn on(&self, engine: Engine) -> BTreeMap<String, String> {
        let known = self.0.iter().filter(|(row, _)| row.engines.contains(&engine));
        known.map(|(row, value)| (row.name.to_owned(), value.clone())).collect()
    }
}
