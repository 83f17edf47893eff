//! `acknowledgements.yaml`: dangerous changes that are meant, each bound to that one change.

mod date;
mod schema;
mod write;

pub use date::Date;
pub use schema::schema;
pub use write::{add, mark_applied};

use crate::diagnostic::{Diagnostic, Sink, codes, listed, nearest};
use crate::source::{FileId, Kind, Node, SourceMap, Span, Spanned, from_node, parse};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The name of the file in a model's output folder; one for all environments.
pub const NAME: &str = "acknowledgements.yaml";

/// The environment of a model that has none.
pub const NO_ENVIRONMENT: &str = "default";

/// That one dangerous change is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Acknowledgement {
    /// The change's id, which stands for address, before and after.
    pub id: String,
    /// Its address, for people.
    pub address: String,
    /// What was there, for people.
    pub before: Value,
    /// What is to be there, for people.
    pub after: Value,
    /// Why it is meant.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The last day on which it holds.
    pub until: Option<Date>,
    /// Environments in which the change was applied.
    pub applied_in: Vec<String>,
}

/// All of a model's acknowledgements.
#[derive(Clone, Debug, Default)]
pub struct Acknowledgements {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    acknowledgement: Acknowledgement,
    /// Its id.
    id: Span,
    until: Option<Span>,
    applied_in: Option<Span>,
    /// All of it.
    whole: Span,
}

impl Acknowledgement {
    /// The day on which it ended, when it has by a day.
    #[must_use]
    pub fn ended(&self, today: Date) -> Option<Date> {
        self.until.filter(|day| *day < today)
    }
}

/// What a plan is compared with, and when and where.
#[derive(Clone, Copy, Debug)]
pub struct Occasion<'a> {
    /// The environment, if there are any.
    pub environment: Option<&'a str>,
    /// Compared with something that was named, not with the lock.
    pub against: bool,
    /// The acknowledgements that were there already at the commit that is compared with.
    pub earlier: Option<&'a Acknowledgements>,
    /// The day of the run, in UTC.
    pub today: Date,
}

impl Occasion<'_> {
    /// Whether a change was applied here. Before a model had environments, and after, nobody knows which of them it was.
    fn was_applied(&self, acknowledgement: &Acknowledgement) -> bool {
        match self.environment {
            Some(here) => acknowledgement.applied_in.iter().any(|of| of == here || of == NO_ENVIRONMENT),
            None => !acknowledgement.applied_in.is_empty(),
        }
    }

    /// How many acknowledgements of each change were used up before what is compared with, by its id (ADR 25).
    fn used(&self) -> BTreeMap<&str, usize> {
        let mut used = BTreeMap::new();
        let earlier = self.earlier.into_iter().flat_map(Acknowledgements::iter);
        for acknowledgement in earlier.filter(|earlier| self.was_applied(earlier)) {
            *used.entry(acknowledgement.id.as_str()).or_default() += 1;
        }
        used
    }
}

/// The keys of an entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    id: Spanned<String>,
    address: String,
    #[serde(default)]
    before: Value,
    #[serde(default)]
    after: Value,
    reason: Spanned<String>,
    owner: Spanned<String>,
    #[serde(default)]
    until: Option<Spanned<String>>,
    #[serde(default)]
    applied_in: Option<Spanned<Vec<String>>>,
}

impl Acknowledgements {
    /// Reads the file. Errors go to the sink, `bad-acknowledgement` where it is not the YAML that is wrong; None when there
    /// is one.
    pub fn read(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Self> {
        let text = sources.text(file);
        if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            return Some(Self::default());
        }
        let node = parse(sources, file, sink)?;
        let Kind::Sequence(items) = &node.kind else {
            sink.push(bad(node.span, format!("expected a list of acknowledgements, found {}", node.kind.in_words())));
            return None;
        };
        let entries: Vec<Option<Entry>> = items.iter().map(|item| entry(item, sink)).collect();
        entries.into_iter().collect::<Option<_>>().map(|entries| Self { entries })
    }

    /// The acknowledgements, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Acknowledgement> {
        self.entries.iter().map(|entry| &entry.acknowledgement)
    }

    /// Those that hold for the changes of a plan: the same change a second time asks again. A plan against the lock honours only those
    /// not yet applied in its environment, one against a commit only those not yet applied there. Finding `ack-expired`.
    pub fn honoured(&self, changes: &BTreeSet<&str>, occasion: Occasion<'_>, sink: &mut Sink) -> Vec<&Acknowledgement> {
        let mut honoured = Vec::new();
        let mut used = occasion.used();
        for Entry { acknowledgement, id, until, .. } in &self.entries {
            if !changes.contains(acknowledgement.id.as_str()) {
                continue;
            }
            if occasion.was_applied(acknowledgement) {
                let used = used.get_mut(acknowledgement.id.as_str()).filter(|used| **used > 0);
                if used.map(|used| *used -= 1).is_some() || !occasion.against {
                    continue;
                }
            }
            match acknowledgement.ended(occasion.today) {
                Some(day) => {
                    let message = format!("the acknowledgement of `{}` ended on {day}", acknowledgement.id);
                    let help = "acknowledge the change again, or leave it out";
                    let span = until.unwrap_or(*id);
                    sink.push(Diagnostic::new(codes::ACK_EXPIRED, span, message).at(&*acknowledgement.address).help(help));
                }
                None => honoured.push(acknowledgement),
            }
        }
        honoured
    }
}

impl Acknowledgements {
    /// Finding `ack-unused` for each that was never applied and is none of the changes, which are those of all environments.
    pub fn unused(&self, changes: &BTreeSet<&str>, sink: &mut Sink) {
        for Entry { acknowledgement, id, .. } in &self.entries {
            if !changes.contains(acknowledgement.id.as_str()) && acknowledgement.applied_in.is_empty() {
                let message = format!("`{}` is no change of this plan", acknowledgement.id);
                let help = "remove the entry; a change that looks different by now has another id";
                sink.push(Diagnostic::new(codes::ACK_UNUSED, *id, message).at(&*acknowledgement.address).help(help));
            }
        }
    }
}

/// The error for an id that no change of the plan has.
#[must_use]
pub fn unknown(id: &str, changes: &BTreeSet<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::nowhere(codes::UNKNOWN_ACKNOWLEDGEMENT, format!("no change of the plan has the id `{id}`"));
    let diagnostic = match nearest(id, changes.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("the ids stand in `gen plan`, run with the same arguments"),
    };
    match changes.len() {
        0 => diagnostic.note("the plan has no change that needs one"),
        _ => diagnostic.note(format!("the plan has {}", listed(changes))),
    }
}

fn bad(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::BAD_ACKNOWLEDGEMENT, span, message)
}

fn entry(node: &Node, sink: &mut Sink) -> Option<Entry> {
    if !matches!(node.kind, Kind::Map(_)) {
        sink.push(bad(node.span, "expected an acknowledgement: a map with `id`, `address`, `reason` and `owner`"));
        return None;
    }
    let keys: Keys = match from_node(node) {
        Ok(keys) => keys,
        Err(error) => {
            sink.push(Diagnostic { code: codes::BAD_ACKNOWLEDGEMENT, ..error.into_diagnostic(node.span) });
            return None;
        }
    };
    let mut good = true;
    for (name, text) in [("id", &keys.id), ("reason", &keys.reason), ("owner", &keys.owner)] {
        if text.value.trim().is_empty() {
            good = false;
            sink.push(bad(text.span, format!("`{name}` is empty")));
        }
    }
    let until = keys.until.as_ref().map(|until| (Date::parse(&until.value), until));
    if let Some((None, text)) = until {
        good = false;
        sink.push(bad(text.span, format!("`{}` is not a day", text.value)).help("write it as `2027-01-31`"));
    }
    let acknowledgement = Acknowledgement {
        id: keys.id.value,
        address: keys.address,
        before: keys.before,
        after: keys.after,
        reason: keys.reason.value,
        owner: keys.owner.value,
        until: until.and_then(|(day, _)| day),
        applied_in: keys.applied_in.as_ref().map(|applied| applied.value.clone()).unwrap_or_default(),
    };
    good.then(|| Entry {
        acknowledgement,
        id: keys.id.span,
        until: keys.until.map(|until| until.span),
        applied_in: keys.applied_in.map(|applied| applied.span),
        whole: node.span,
    })
}

#[cfg(test)]
mod tests;
