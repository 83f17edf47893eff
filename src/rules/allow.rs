//! `allow`: findings that the author has judged (model language, section 11).

use super::explain;
use crate::diagnostic::{Code, CodeKind, Diagnostic, Severity, Subject, codes, nearest};
use crate::model::{Allow, Model};
use crate::schema::Address;
use std::collections::{BTreeMap, BTreeSet};

/// An allowance and the thing it stands on; None: the whole model.
struct Place<'m> {
    scope: Option<Subject>,
    allow: &'m Allow,
}

/// Findings that only a comparison with the previous generation, or with the other models of a run, can make; what they would be
/// about is not known here.
const OF_A_COMPARISON: &[Code] = &[
    codes::ACK_EXPIRED,
    codes::ACK_UNUSED,
    codes::EDITED_BY_HAND,
    codes::MADE_TWICE,
    codes::NOT_CARRIED,
    codes::NOT_EVALUATED,
    codes::NOT_READ,
    codes::RENAME_DONE,
    codes::STATEMENT_SKIPPED,
    codes::TABLE_KEPT,
];

/// Drops the findings that are allowed, and adds what is to be said about the allowances themselves. `today` is `YYYY-MM-DD`.
pub fn allow(model: &Model, today: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let places = places(model);
    let mut by_code: BTreeMap<(&str, Option<&Subject>), Vec<usize>> = BTreeMap::new();
    for (number, place) in places.iter().enumerate() {
        by_code.entry((&place.allow.code.value, place.scope.as_ref())).or_default().push(number);
    }
    let covering = |diagnostic: &Diagnostic| -> Vec<usize> {
        if !matches!(diagnostic.severity, Severity::Finding(_)) {
            return Vec::new();
        }
        let scopes: Vec<Subject> = diagnostic.subjects.iter().flat_map(containing).collect();
        let scopes = scopes.iter().map(Some).chain([None]);
        scopes.filter_map(|scope| by_code.get(&(diagnostic.code.slug(), scope))).flatten().copied().collect()
    };
    let mut silencing = BTreeSet::new();
    let mut expired = BTreeSet::new();
    let mut left: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let (past, valid): (Vec<usize>, Vec<usize>) =
            covering(&diagnostic).into_iter().partition(|number| places.get(*number).is_some_and(|place| place.is_past(today)));
        expired.extend(past);
        if valid.is_empty() {
            left.push(diagnostic);
        }
        silencing.extend(valid);
    }
    for (number, place) in places.iter().enumerate() {
        let said = judge(place, expired.contains(&number), silencing.contains(&number));
        left.extend(said.filter(|said| covering(said).is_empty()));
    }
    left
}

/// What is to be said about an allowance itself.
fn judge(place: &Place<'_>, is_expired: bool, silences: bool) -> Option<Diagnostic> {
    let slug = &place.allow.code;
    let about = |diagnostic: Diagnostic| match &place.scope {
        Some(subject) => diagnostic.about(subject.clone()),
        None => diagnostic,
    };
    let Some(code) = Code::find(&slug.value) else {
        let findings = Code::all().filter(|code| matches!(code.kind(), CodeKind::Finding(_))).map(Code::slug);
        let mut unknown = Diagnostic::new(codes::UNKNOWN_NAME, slug.span, format!("no finding is called `{}`", slug.value));
        if let Some(known) = nearest(&slug.value, findings) {
            unknown = unknown.help(format!("did you mean `{known}`?")).suggest(format!("write `{known}`"), slug.span, known);
        }
        return Some(about(unknown));
    };
    if code.kind() == CodeKind::Error {
        let error =
            Diagnostic::new(codes::ALLOW_OF_ERROR, slug.span, format!("`{}` is an error, which cannot be allowed", code.slug()))
                .help("mend what it names, and remove the line");
        return Some(about(error));
    }
    if is_expired {
        let until = place.allow.until.as_ref();
        let mut finding =
            Diagnostic::new(codes::ALLOW_EXPIRED, slug.span, format!("`{}` is no longer allowed here", code.slug()));
        if let Some(until) = until {
            finding = finding.context(until.span, "the last day");
        }
        return Some(about(finding.help("mend what it names, or judge it again and set another date")));
    }
    let judged = explain(code).is_some() && !OF_A_COMPARISON.contains(&code) && !is_about_allowances(code);
    (judged && !silences).then(|| {
        about(
            Diagnostic::new(codes::ALLOW_UNUSED, slug.span, format!("nothing here gives the finding `{}`", code.slug()))
                .help("remove the line"),
        )
    })
}

fn is_about_allowances(code: Code) -> bool {
    [codes::ALLOW_UNUSED, codes::ALLOW_EXPIRED].contains(&code)
}

impl Place<'_> {
    /// Whether its last day is over.
    fn is_past(&self, today: &str) -> bool {
        self.allow.until.as_ref().is_some_and(|until| until.value.as_str() < today)
    }
}

/// A subject, and what contains it short of the whole model.
fn containing(subject: &Subject) -> Vec<Subject> {
    let around = match subject {
        Subject::Attribute(entity, _) => Some(Subject::Entity(entity.clone())),
        // `create-account[0]` is an entry of `create-account`.
        Subject::Pattern(entry) => entry.split_once('[').map(|(pattern, _)| Subject::Pattern(pattern.to_owned())),
        Subject::Address(item) => Address::parse(item).map(|address| Subject::Address(address.table().to_string())),
        Subject::Entity(_) | Subject::Type(_) | Subject::Parameter(_) => None,
    };
    [Some(subject.clone()), around.filter(|around| around != subject)].into_iter().flatten().collect()
}

/// Every allowance of a model, in its order.
fn places(model: &Model) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    collect(&mut places, None, &model.allow);
    for (name, kind) in &model.types {
        collect(&mut places, Some(&Subject::Type(name.clone())), &kind.allow);
    }
    for (name, entity) in &model.entities {
        collect(&mut places, Some(&Subject::Entity(name.clone())), &entity.allow);
        for (attribute, of) in &entity.attributes {
            collect(&mut places, Some(&Subject::Attribute(name.clone(), attribute.clone())), &of.allow);
        }
    }
    for (name, pattern) in &model.patterns {
        collect(&mut places, Some(&Subject::Pattern(name.clone())), &pattern.allow);
    }
    let at = |address: Address| Subject::Address(address.to_string());
    for (key, table) in model.dynamodb.iter().flat_map(|section| &section.tables) {
        collect(&mut places, Some(&at(Address::DynamodbTable(key.clone()))), &table.allow);
        for (name, index) in &table.local_indexes {
            collect(&mut places, Some(&at(Address::LocalIndex(key.clone(), name.clone()))), &index.allow);
        }
        for (name, index) in &table.global_indexes {
            collect(&mut places, Some(&at(Address::GlobalIndex(key.clone(), name.clone()))), &index.allow);
        }
    }
    for (key, table) in model.cql.iter().flat_map(|section| &section.tables) {
        collect(&mut places, Some(&at(Address::CqlTable(None, key.clone()))), &table.allow);
        for (name, index) in &table.indexes {
            collect(&mut places, Some(&at(Address::CqlIndex(None, key.clone(), name.clone()))), &index.allow);
        }
        for (name, view) in &table.views {
            collect(&mut places, Some(&at(Address::View(None, key.clone(), name.clone()))), &view.allow);
        }
    }
    places
}

fn collect<'m>(places: &mut Vec<Place<'m>>, scope: Option<&Subject>, allows: &'m [Allow]) {
    places.extend(allows.iter().map(|allow| Place { scope: scope.cloned(), allow }));
}
