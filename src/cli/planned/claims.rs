//! What several models of a run would make, each for itself: one name in one store is one table, whoever describes it.

use super::Draft;
use super::design::Designed;
use crate::diagnostic::{Diagnostic, codes, first_in_words};
use crate::schema::{Address, Family, Text, cql, dynamodb};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a model makes, as the store knows it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    /// A table of DynamoDB, by its name as far as values are known.
    Table(Text),
    Keyspace(Family, String),
    /// A table or a view, which share their names, in a keyspace.
    InKeyspace(Family, String, String),
}

/// One model that makes it.
struct Claim<'d> {
    /// Which of the drafts.
    draft: usize,
    model: &'d str,
    address: Address,
    span: Option<Span>,
}

/// Says at each place, in each environment by itself, which other models make the same.
pub(super) fn judge(drafts: &mut [Draft]) {
    // One model makes nothing twice, however many tables it has.
    if drafts.len() < 2 {
        return;
    }
    let environments = drafts.first().map_or(0, |draft| draft.designed.len());
    for environment in 0..environments {
        let said: Vec<(usize, Diagnostic)> =
            claims(drafts, environment).iter().flat_map(|(thing, claims)| findings(thing, claims)).collect();
        for (draft, finding) in said {
            if let Some((_, said)) = drafts.get_mut(draft).and_then(|draft| draft.designed.get_mut(environment)) {
                said.push(finding);
            }
        }
    }
}

fn claims(drafts: &[Draft], environment: usize) -> BTreeMap<Thing, Vec<Claim<'_>>> {
    let mut claims: BTreeMap<Thing, Vec<Claim<'_>>> = BTreeMap::new();
    for (draft, of) in drafts.iter().enumerate() {
        let Some((Some(designed), _)) = of.designed.get(environment) else { continue };
        for (thing, address, span) in things(designed) {
            let known = claims.entry(thing).or_default();
            // An engine of the same family makes it again: that is one model still.
            if known.last().is_none_or(|last| last.draft != draft) {
                known.push(Claim { draft, model: &designed.model.name.value, address, span });
            }
        }
    }
    claims
}

/// A thing that is made, as it is addressed, and its place.
pub(super) type Made = (Thing, Address, Option<Span>);

/// All that a model makes and is known by a name. What is not generated is made by nobody here.
fn things(designed: &Designed) -> Vec<Made> {
    let dynamodb = designed.design.dynamodb.as_ref().filter(|_| !designed.targets.dynamodb().is_empty());
    let mut things = dynamodb.map(of_dynamodb).unwrap_or_default();
    for (engine, schema) in designed.design.cql.iter().filter(|(engine, _)| designed.targets.cql(**engine).is_some()) {
        things.extend(of_cql(engine.family(), schema));
    }
    things
}

/// The tables of a schema of DynamoDB.
pub(super) fn of_dynamodb(schema: &dynamodb::Schema) -> Vec<Made> {
    let table = |(key, table): (&String, &dynamodb::Table)| {
        let name = table.name.as_ref()?.with_values(&schema.parameters);
        Some((Thing::Table(name), Address::DynamodbTable(key.clone()), table.about.span))
    };
    schema.tables.iter().filter_map(table).collect()
}

/// The keyspaces of a schema of CQL, with the tables that it has not let go of and their views.
pub(super) fn of_cql(family: Family, schema: &cql::Schema) -> Vec<Made> {
    let mut things = Vec::new();
    for (keyspace, of) in &schema.keyspaces {
        things.push((Thing::Keyspace(family, keyspace.clone()), Address::Keyspace(keyspace.clone()), of.about.span));
        let thing = |name: &str| Thing::InKeyspace(family, keyspace.clone(), name.to_owned());
        for (key, table) in of.tables.iter().filter(|(_, table)| !table.kept) {
            things.push((thing(&table.name), Address::CqlTable(None, key.clone()), table.about.span));
            let view = |name: &String| Address::View(None, key.clone(), name.clone());
            things.extend(table.views.iter().map(|(name, of)| (thing(name), view(name), of.about.span)));
        }
    }
    things
}

/// How many of the other models are named; the rest are counted, so that what is said grows with the models and not with their pairs.
const NAMED: usize = 3;

/// What is to be said to each model that makes a thing, when others do too.
fn findings(thing: &Thing, claims: &[Claim<'_>]) -> Vec<(usize, Diagnostic)> {
    let models: BTreeSet<&str> = claims.iter().map(|claim| claim.model).collect();
    // Of two models of one name something worse is said.
    if models.len() < claims.len() || models.len() < 2 {
        return Vec::new();
    }
    let mut by_name: Vec<&Claim<'_>> = claims.iter().collect();
    by_name.sort_by_key(|claim| claim.model);
    let finding = |claim: &Claim<'_>| {
        let others: Vec<&Claim<'_>> = by_name.iter().copied().filter(|other| other.draft != claim.draft).collect();
        let noun = if others.len() == 1 { "the model" } else { "the models" };
        let named = first_in_words(others.iter().map(|other| other.model), NAMED);
        let message = format!("{} would also be made by {noun} {named}", thing.described());
        let mut finding = Diagnostic::somewhere(codes::MADE_TWICE, claim.span, message);
        for other in others.iter().take(NAMED) {
            if let Some(span) = other.span {
                finding = finding.context(span, format!("made by `{}`", other.model));
            }
        }
        let other = others.first().map_or("", |other| other.model);
        (claim.draft, finding.note(thing.why()).help(thing.way_out(claim, other)).at(&claim.address))
    };
    claims.iter().map(finding).collect()
}

impl Thing {
    pub(super) fn described(&self) -> String {
        match self {
            Self::Table(name) => format!("the DynamoDB table `{name}`"),
            Self::Keyspace(_, name) => format!("the keyspace `{name}`"),
            Self::InKeyspace(_, keyspace, name) => format!("`{keyspace}.{name}`"),
        }
    }

    /// Whether it is surely the same, as far as gen knows where models are deployed.
    fn is_known(&self) -> bool {
        if let Self::Table(name) = self { name.as_literal().is_some() } else { true }
    }

    /// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html>: "In an AWS account, table names must be
    /// unique within each Region." CQL: `CREATE` of what exists is an error.
    fn why(&self) -> &'static str {
        match self {
            Self::Table(_) if !self.is_known() => {
                "its name is the same wherever the parameters in it have the same values; gen does not know them"
            }
            Self::Table(_) => "an account has one table of a name in each Region: whoever is deployed second cannot make it",
            Self::Keyspace(..) => "a cluster has one keyspace of a name: whoever is deployed second cannot make it",
            Self::InKeyspace(..) => "a keyspace has one table or view of a name: whoever is deployed second cannot make it",
        }
    }

    /// How a model takes over what another one lets go of.
    pub(super) fn way_to(&self, model: &str, maker: &str) -> String {
        let elsewhere = format!("`allow: {{ {}: why }}`", codes::MADE_TWICE.slug());
        match self {
            Self::Table(_) => format!(
                "to take it over, let `{maker}` go on naming it, with `owner: {model}`, until this is deployed; where the two are \
                 deployed to different accounts or Regions: {elsewhere}"
            ),
            Self::Keyspace(..) | Self::InKeyspace(..) => format!(
                "leave it in `{maker}`, with `external: true` here; where the two are deployed to different clusters: {elsewhere}"
            ),
        }
    }

    /// `other` is one of the others that make it.
    fn way_out(&self, claim: &Claim<'_>, other: &str) -> String {
        let elsewhere = format!("`allow: {{ {}: why }}`", codes::MADE_TWICE.slug());
        match self {
            Self::Table(_) => format!(
                "if it is one table, let one model describe it and the others name that one: `owner: {other}` here; if not, \
                 give one another `name`; where they are deployed to different accounts or Regions: {elsewhere}"
            ),
            Self::Keyspace(..) => format!(
                "give one another `name`, or keep all tables of the keyspace in one model; where they are deployed to different \
                 clusters: {elsewhere} beside `name: {}`",
                claim.model
            ),
            Self::InKeyspace(..) => format!(
                "describe it in one model, and with `external: true` where another one reads it; where they are deployed to \
                 different clusters: {elsewhere}"
            ),
        }
    }
}
