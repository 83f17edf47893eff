//! One change in full: its place in the model, what each backend does with it and why, and what to do instead.

use super::outcome::{in_words, lost};
use super::{Alike, cut, within};
use crate::diff::{Action, Change, Confidence, Deploying, Effect, Loss, Needs, Plan, Shown, When};
use crate::report::Palette;
use crate::report::place::place;
use crate::report::terminal;
use crate::schema::{Address, Backend, Format, Text};
use crate::source::SourceMap;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Writes one change: a paragraph when it blocks or warns, else one line.
pub(super) fn write(text: &mut String, plan: &Plan, told: &Alike<'_>, sources: &SourceMap, several: bool, palette: Palette) {
    let Palette { danger, caution, good, dim, .. } = palette;
    let Alike { change, environments } = told;
    let open = change.blocks() && change.acknowledged.is_none();
    let warns = change.warns();
    let (sign, style) = match change.action {
        _ if change.effects.values().any(|effect| effect.recreates()) => ("-/+", danger),
        Action::Add => ("+", good),
        Action::Drop => ("-", if open { danger } else { caution }),
        Action::Modify | Action::Rename => ("~", caution),
    };
    let model = if several { format!(" ({})", change.model) } else { String::new() };
    let _ = writeln!(text, "\n{style}{sign} {}{style:#}{model}{}{}", name(change), within(environments), values(change));
    if open {
        let span = change.location.or(change.previous_location);
        text.push_str(&span.and_then(|span| place(span, sources, palette)).unwrap_or_default());
    }
    if !change.patterns().is_empty() {
        let _ = writeln!(text, "  serves {}", change.patterns().join(", "));
    }
    if let Some(acknowledgement) = &change.acknowledged {
        let meant = format!("acknowledged by {}: {}", acknowledgement.owner, acknowledgement.reason);
        let _ = writeln!(text, "  {}", terminal::one_line(&meant));
    }
    let said: Vec<(Vec<Backend>, &Effect, String)> = alike(change);
    for (backends, effect, happens) in &said {
        let names: Vec<&str> = backends.iter().map(|backend| plan.name_of(*backend)).collect();
        let _ = writeln!(text, "  {dim}[{}]{dim:#} {happens}", names.join(", "));
        if effect.blocks() || effect.warns() {
            paragraph(text, effect, palette);
        }
    }
    if open {
        instead(text, plan, &said);
    }
    if open || warns {
        let rule = change.effects.values().find_map(|effect| effect.rule);
        let explain = rule.map_or_else(String::new, |rule| format!(" · gen explain {rule}"));
        let _ = writeln!(text, "  {dim}{}{explain}{dim:#}", change.id());
    }
}

/// Why, and how sure that is.
fn paragraph(text: &mut String, effect: &Effect, palette: Palette) {
    let Palette { caution, .. } = palette;
    let _ = writeln!(text, "    {}", effect.reason);
    if let Some(doubt) = effect.doubt.as_ref().filter(|_| effect.confidence == Confidence::Unconfirmed) {
        let _ = writeln!(text, "    {caution}in doubt:{caution:#} {doubt}");
    } else if effect.confidence == Confidence::Unconfirmed {
        let _ = writeln!(text, "    {caution}in doubt:{caution:#} no source settles this");
    }
    if let Some(statement) = &effect.statement {
        let _ = writeln!(text, "    {statement}");
    }
}

/// What to do instead; backends with the same steps share them.
fn instead(text: &mut String, plan: &Plan, said: &[(Vec<Backend>, &Effect, String)]) {
    let mut lists: Vec<(&[String], Vec<&str>)> = Vec::new();
    for (backends, effect, _) in said.iter().filter(|(_, effect, _)| effect.blocks() && !effect.steps.is_empty()) {
        let names = backends.iter().map(|backend| plan.name_of(*backend));
        match lists.iter_mut().find(|(steps, _)| **steps == *effect.steps) {
            Some((_, known)) => known.extend(names),
            None => lists.push((&effect.steps, names.collect())),
        }
    }
    let shared = lists.len() == 1;
    for (steps, backends) in lists {
        let on = if shared { String::new() } else { format!(" [{}]", backends.join(", ")) };
        let _ = writeln!(text, "  instead{on}:");
        for (number, step) in steps.iter().enumerate() {
            let _ = writeln!(text, "    {}. {step}", number + 1);
        }
    }
}

/// Backends of which the same is to be said, in one paragraph, with what happens as a sentence.
fn alike(change: &Change) -> Vec<(Vec<Backend>, &Effect, String)> {
    let mut groups: Vec<(Vec<Backend>, &Effect, String)> = Vec::new();
    for (backend, effect) in &change.effects {
        let happens = happens(*backend, change, effect);
        // Of what is known, how it is known is for `gen explain`.
        let in_doubt = |effect: &Effect| effect.confidence == Confidence::Unconfirmed;
        let same = |known: &Effect| known.reason == effect.reason && in_doubt(known) == in_doubt(effect);
        let harmless = |known: &Effect| !known.blocks() && !known.warns();
        let found = groups.iter_mut().find(|(_, known, said)| {
            *said == happens && (same(known) && known.statement == effect.statement || harmless(known) && harmless(effect))
        });
        match found {
            Some((backends, ..)) => backends.push(*backend),
            None => groups.push((vec![*backend], effect, happens)),
        }
    }
    groups.sort_by_key(|(_, effect, _)| std::cmp::Reverse(effect.rank()));
    groups
}

/// What a backend does with the change, as a sentence.
fn happens(backend: Backend, change: &Change, effect: &Effect) -> String {
    let who = match backend.format() {
        Format::Terraform => "Terraform",
        Format::Cloudformation => "CloudFormation",
        Format::Cql => "the engine",
    };
    let Some(unguarded) = &effect.unguarded else {
        return does(who, change, effect) + &losses(&effect.loses);
    };
    let guard = guard(unguarded.guard);
    let replaces = matches!(unguarded.deploying, Deploying::Replaces);
    let would = match &unguarded.loses {
        _ if replaces => "destroy the table and create it empty",
        loses if loses.contains(&Loss::Replica) && !loses.contains(&Loss::Items) => "delete the replica",
        _ => "delete the table",
    };
    let loses = losses(&unguarded.loses);
    match (effect.guard.is_some(), effect.deploying) {
        (true, Deploying::Replaces) => format!(
            "{who} creates a new, empty table; the previous one stays outside the stack, by `UpdateReplacePolicy: Retain`. \
             Without that policy it would be deleted{loses}"
        ),
        (true, Deploying::Applies) => format!(
            "{who} takes the table out of the stack and keeps it, by `DeletionPolicy: Retain`. Without that policy it would be \
             deleted{loses}"
        ),
        (true, _) => format!(
            "{}. If it makes a new table, the previous one stays outside the stack, by `UpdateReplacePolicy: Retain`",
            does(who, change, effect)
        ),
        (false, _) => {
            format!("{}, because of {guard}. Without {guard} it would {would}{loses}", does(who, change, effect))
        }
    }
}

/// A guard, as people call it.
fn guard(name: &str) -> &str {
    match name {
        "prevent_destroy" => "`prevent_destroy`",
        "deletion_protection" => "deletion protection",
        other => other,
    }
}

fn does(who: &str, change: &Change, effect: &Effect) -> String {
    let in_place = matches!(effect.needs, Needs::InPlace);
    match effect.deploying {
        Deploying::Applies if effect.needs == Needs::Nothing && destroyed(change) => {
            format!("{who} lets go of the table and it stays; delete it by hand if it is to go")
        }
        Deploying::Applies if effect.needs == Needs::Nothing => "nothing is touched".to_owned(),
        Deploying::Applies if effect.comes_anew() => "comes with the new table".to_owned(),
        Deploying::Applies if in_place && change.path.is_none() && change.action == Action::Add => "created".to_owned(),
        Deploying::Applies if effect.keeps_table() => format!("{who} lets go of the table and keeps it"),
        Deploying::Applies if in_place && change.path.is_none() && change.action == Action::Drop => {
            // What goes with a table that a policy keeps.
            let kept = effect.loses == [Loss::Replica];
            if kept { format!("{who} takes the table out of the stack and keeps it") } else { "deleted".to_owned() }
        }
        Deploying::Nothing | Deploying::Applies => in_words(effect.needs).to_owned(),
        Deploying::Loops => format!("{who} plans the same difference again after every apply"),
        Deploying::Ignores => format!("{who} reports no changes, and the live table stays as it was"),
        Deploying::Unknown => format!("not known what {who} does"),
        // A guard that lets the replacement through keeps what was there.
        Deploying::Replaces if effect.unguarded.is_some() => format!("{who} creates an empty table and keeps the previous one"),
        Deploying::Replaces => format!("{who} destroys the table and creates it empty"),
        Deploying::Refuses => match effect.when {
            Some(When::Plan) => format!("{who} refuses at plan"),
            Some(When::Apply) => format!("{who} refuses at apply"),
            None => format!("{who} refuses"),
        },
    }
}

/// Whether the change is that a table is deleted; a table that is merely kept has no backend that would.
fn destroyed(change: &Change) -> bool {
    change.action == Action::Drop && change.effects.values().any(|effect| effect.rule == Some("table-drop"))
}

fn losses(loses: &[Loss]) -> String {
    if loses.is_empty() {
        return String::new();
    }
    let words: Vec<&str> = loses.iter().map(|loss| lost(*loss)).collect();
    format!(": {}", words.join(", "))
}

/// The address, with the property.
fn name(change: &Change) -> String {
    change.path.as_ref().map_or_else(|| change.address.to_string(), |path| format!("{} {path}", change.address))
}

/// A table's or keyspace's own words for the first lines.
pub(super) fn holder(address: &Address) -> String {
    match address {
        Address::DynamodbTable(name) => name.clone(),
        Address::CqlTable(..) | Address::Keyspace(_) | Address::UserType(_) | Address::Parameter(_) => address.to_string(),
        other => other.to_string(),
    }
}

/// Before and after, for a property.
fn values(change: &Change) -> String {
    // What is carried along is source text, and statements know no parameters.
    let is_source = change.path.as_deref().is_some_and(|path| path.starts_with("extra"))
        || change.effects.keys().any(|backend| backend.format() == Format::Cql);
    let show = |value: &Option<Shown>| {
        let json =
            value.as_ref().map(|value| if is_source { value.json() } else { Cow::Owned(to_be_read(value.json().into_owned())) });
        json.map_or_else(|| "(none)".to_owned(), |json| json.to_string())
    };
    if change.path.is_none() || change.before.is_none() && change.after.is_none() {
        return String::new();
    }
    let (before, after) = cut::pair(&show(&change.before), &show(&change.after));
    format!(": {before} → {after}")
}

/// A value whose texts are written out.
fn to_be_read(value: Json) -> Json {
    match value {
        Json::String(text) => Json::String(Text::decode(&text).to_be_read()),
        Json::Array(items) => items.into_iter().map(to_be_read).collect(),
        Json::Object(entries) => entries.into_iter().map(|(key, value)| (key, to_be_read(value))).collect(),
        other => other,
    }
}
