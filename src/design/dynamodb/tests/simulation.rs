//! The proof against a store that is played through: what is said to serve returns exactly the items the pattern asks for.

use super::super::candidate::{Candidate, Candidates, KeyAttribute};
use super::super::request::{Range, Request};
use super::super::serve::{How, Read, serve};
use super::super::sort::Shape;
use super::model;
use crate::design::Operations;
use crate::diagnostic::Sink;
use crate::model::{Case, Comparison, Condition, InValues, Literal, Model, Operand, TemplatePart};
use crate::schema::dynamodb::KeyType;
use crate::source::SourceMap;
use crate::validate;
use proptest::prelude::*;
use std::collections::BTreeMap;

const PARTITIONS: &[&str] = &["{g}", "P#{g}", "Q#{g}", "P", "{k}", "P#{g}#{k}", "{upper(g)}"];
const SORTS: &[&str] = &["X", "Y", "Z", "X#{k}", "X#{n:03}#{k}", "Y#{n:03}#{k}", "{n:03}#{k}", "{k}", "Z#{g}#{k}#{n:03}", "{n}"];
const FIRST: &[&str] = &["g = ?", "g = ?", "g = 'a'", "k = ?", "g in ('a', 'b')", "g = ? and k = ?"];
const CONDITIONS: &[&str] = &[
    "k = ?",
    "k in ('u', 'v')",
    "k begins_with ?",
    "n = ?",
    "n >= ?",
    "n > ?",
    "n <= ?",
    "n < ?",
    "n between :low and :high",
    "n >= :low and n < :high",
];
const ORDERS: &[&str] = &["", "n", "n desc", "k", "[k, n]", "g"];
const FINDS: &[&str] = &["Ant", "Bee", "[Ant, Bee]", "[Ant, Bee, Cow]"];

/// An item: its entity and its values.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    entity: &'static str,
    values: BTreeMap<&'static str, String>,
}

fn items() -> Vec<Item> {
    let mut all = Vec::new();
    for entity in ["Ant", "Bee", "Cow"] {
        for (g, k, n) in
            [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v")].iter().flat_map(|(g, k)| (0..4).map(move |n| (*g, *k, n)))
        {
            all.push(Item { entity, values: [("g", g.to_owned()), ("k", k.to_owned()), ("n", n.to_string())].into() });
        }
    }
    all
}

/// The value of a parameter.
fn value(operand: &Operand) -> String {
    match operand {
        Operand::Literal(Literal::Text(text) | Literal::Number(text)) => text.clone(),
        Operand::Parameter(name) => match name.as_str() {
            "g" => "a",
            "k" => "u",
            "high" => "3",
            _ => "1",
        }
        .to_owned(),
        Operand::Literal(Literal::Bool(_)) => unreachable!("no bool is asked for"),
    }
}

fn values(comparison: &Comparison) -> Option<Vec<String>> {
    match comparison {
        Comparison::Equal(operand) => Some(vec![value(operand)]),
        Comparison::In(InValues::List(operands)) => Some(operands.iter().map(value).collect()),
        _ => None,
    }
}

/// Numbers sort as numbers; these have one digit, so they do as text too.
fn holds(condition: &Condition, item: &Item) -> bool {
    let have = item.values[condition.attribute.value.as_str()].as_str();
    match &condition.comparison {
        Comparison::Greater(low) => *have > *value(low),
        Comparison::GreaterOrEqual(low) => *have >= *value(low),
        Comparison::Less(high) => *have < *value(high),
        Comparison::LessOrEqual(high) => *have <= *value(high),
        Comparison::Between(low, high) => *have >= *value(low) && *have <= *value(high),
        Comparison::BeginsWith(begin) => have.starts_with(&value(begin)),
        other => values(other).unwrap().iter().any(|value| value == have),
    }
}

fn print(parts: &[TemplatePart], value: impl Fn(&str) -> String) -> String {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Literal(text) => text.clone(),
        TemplatePart::Attribute { name, pad: Some(pad), .. } => format!("{:0>1$}", value(name), usize::from(*pad)),
        TemplatePart::Attribute { name, case: Some(Case::Upper), .. } => value(name).to_uppercase(),
        TemplatePart::Attribute { name, .. } => value(name),
        other => unreachable!("{other} is not in these templates"),
    };
    parts.iter().map(part).collect()
}

/// The text of a key attribute of an item; None when the item is not in the index.
fn key(candidate: &Candidate<'_>, item: &Item, name: &str) -> Option<String> {
    let key = candidate.view(item.entity)?.key().find(|key| key.name == name)?;
    Some(print(&key.parts, |name| item.values[name].clone()))
}

/// All texts a key attribute has for the values that a pattern gives.
fn known(key: &KeyAttribute<'_>, request: &Request<'_>) -> Vec<String> {
    let given = |name: &str| {
        let mut conditions = request.conditions().iter().filter(|condition| condition.attribute.value == name);
        conditions.find_map(|condition| values(&condition.comparison)).unwrap()
    };
    let mut bound: Vec<BTreeMap<String, String>> = vec![BTreeMap::new()];
    for name in key.attributes() {
        let with = |known: &BTreeMap<String, String>| -> Vec<BTreeMap<String, String>> {
            let add = |value| {
                known.iter().map(|(name, value)| (name.clone(), value.clone())).chain([(name.to_owned(), value)]).collect()
            };
            given(name).into_iter().map(add).collect()
        };
        bound = bound.iter().flat_map(with).collect();
    }
    bound.iter().map(|values| print(&key.parts, |name| values[name].clone())).collect()
}

/// Whether a query returns an item, before its filter.
fn returns(read: &Read<'_, '_>, item: &Item) -> bool {
    let (candidate, request) = (read.candidate, read.request);
    let is = |name: &KeyAttribute<'_>| key(candidate, item, name.name).is_some_and(|text| known(name, request).contains(&text));
    if candidate.view(item.entity).is_none() {
        return false;
    }
    match &read.how {
        How::Keys { views, .. } => views.iter().any(|view| view.key().all(is)),
        How::Query { equal, last, .. } => {
            let reaches = |(asked, shape): &(&KeyAttribute<'_>, Shape<'_>)| {
                matches(&key(candidate, item, asked.name).unwrap(), shape, asked.kind, request)
            };
            equal.iter().all(|key| is(key)) && last.as_ref().is_none_or(reaches)
        }
        How::Scan { .. } => true,
    }
}

fn matches(text: &str, shape: &Shape<'_>, kind: KeyType, request: &Request<'_>) -> bool {
    let last = |text: String| text + "\u{10ffff}";
    let prefix = print(shape.prefix(), |name| value(request.equal(name).unwrap()));
    let behind = |part: &TemplatePart, operand: &Operand| prefix.clone() + &print(std::slice::from_ref(part), |_| value(operand));
    match shape {
        Shape::Prefix(_) => text.starts_with(&prefix),
        Shape::BeginsWith(_, part, operand) => text.starts_with(&behind(part, operand)),
        Shape::Between { low, high, open, .. } => {
            let high = prefix.clone() + high;
            *text >= *(prefix.clone() + low) && *text <= *(if *open { last(high) } else { high })
        }
        Shape::Range(_, part, Range { lower, upper }) => {
            // A number compares as it is; behind a text anything may follow the value.
            let end = |text: String| if kind == KeyType::N { text } else { last(text) };
            let above =
                lower.is_none_or(
                    |(operand, included)| {
                        if included { *text >= *behind(part, operand) } else { *text > *end(behind(part, operand)) }
                    },
                );
            let below =
                upper.is_none_or(
                    |(operand, included)| {
                        if included { *text <= *end(behind(part, operand)) } else { *text < *behind(part, operand) }
                    },
                );
            above && below && (prefix.is_empty() || text.starts_with(&prefix))
        }
    }
}

fn load(text: &str) -> Option<Model> {
    let mut sources = SourceMap::default();
    let file = sources.add("test.yaml", text);
    validate::load(&sources, file, &mut Sink::default())
}

/// What the table holds when all items have been put: one item a key. None when two entities meet in a key, which is an
/// error of its own.
fn store(table: &Candidate<'_>) -> Option<Vec<Item>> {
    let mut kept: Vec<(Vec<Option<String>>, Item)> = Vec::new();
    for item in items() {
        let of: Vec<Option<String>> = table.key.iter().map(|name| key(table, &item, name)).collect();
        match kept.iter().find(|(other, _)| *other == of) {
            Some((_, other)) if other.entity != item.entity => return None,
            Some(_) => {}
            None => kept.push((of, item)),
        }
    }
    Some(kept.into_iter().map(|(_, item)| item).collect())
}

fn judge(read: &Read<'_, '_>, all: &[Item], text: &str) {
    let request = read.request;
    let asked = |item: &Item| request.entities.iter().any(|entity| entity.name == item.entity);
    let wanted = |item: &&Item| asked(item) && request.conditions().iter().all(|condition| holds(condition, item));
    let expected: Vec<&Item> = all.iter().filter(wanted).collect();
    let filtered = matches!(read.how, How::Query { discriminator: Some(_), .. });
    let found: Vec<&Item> = all.iter().filter(|item| returns(read, item) && (!filtered || asked(item))).collect();
    assert_eq!(found, expected, "{}\n{}\n{text}", read.candidate, super::super::operation::read(read));
    // Several partitions are merged by whoever reads them.
    let How::Query { last, equal, .. } = &read.how else { return };
    let sort = read.candidate.table.sort_key.as_ref().map(|key| key.value.clone());
    let name = last.as_ref().map(|(key, _)| key.name.to_owned()).or(sort).unwrap();
    if equal.iter().any(|key| known(key, request).len() > 1) || equal.iter().any(|key| key.name == name) {
        return;
    }
    let name = read.candidate.key.last().copied().filter(|_| read.candidate.key.len() > 1).unwrap_or(&name).to_owned();
    let mut sorted = found;
    sorted.sort_by_key(|item| key(read.candidate, item, &name));
    let by = |item: &Item| -> Vec<String> {
        let order = request.pattern.order.iter().filter(|order| request.equal(&order.attribute.value).is_none());
        order.map(|order| item.values[order.attribute.value.as_str()].clone()).collect()
    };
    let in_order = sorted.iter().map(|item| by(item)).collect::<Vec<_>>();
    assert!(in_order.is_sorted(), "{}\n{}\n{text}", read.candidate, super::super::operation::read(read));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn what_serves_returns_what_is_asked(
        partitions in prop_oneof![
            3 => prop::sample::select(PARTITIONS).prop_map(|one| [one; 3]),
            1 => prop::array::uniform3(prop::sample::select(PARTITIONS)),
        ],
        sorts in prop::array::uniform3(prop::sample::select(SORTS)),
        also in prop::array::uniform3(prop::sample::select(SORTS)),
        first in prop::sample::select(FIRST),
        more in prop::sample::subsequence(CONDITIONS, 0..=2),
        order in prop::sample::select(ORDERS),
        find in prop::sample::select(FINDS),
        discriminator in any::<bool>(),
    ) {
        let entity = |name: &str| format!("{name}:\n  key: [g, k, n]\n  attributes: {{ g: text, k: text, n: int }}\n");
        let holds = |at: usize, name: &str| {
            format!("    {name}: {{ pk: \"{}\", sk: \"{}\", isk: \"{}\" }}\n", partitions[at], sorts[at], also[at])
        };
        let names = ["Ant", "Bee", "Cow"];
        let table = format!(
            "zoo:\n  partition_key: pk\n  sort_key: sk\n{}  local_secondary_indexes:\n    idx: {{ sort_key: isk }}\n  holds:\n{}",
            if discriminator { "  discriminator: kind\n" } else { "" },
            names.iter().enumerate().map(|(at, name)| holds(at, name)).collect::<String>()
        );
        let order = if order.is_empty() { String::new() } else { format!(", order: {order}") };
        let pattern = format!("p: {{ find: {find}, where: \"{}\"{order} }}", [&[first], more.as_slice()].concat().join(" and "));
        let text = model(&names.map(entity).concat(), &pattern, &table);
        // Conditions that exclude each other, or keys of different types, do not load.
        let Some(loaded) = load(&text) else { return Err(TestCaseError::reject("does not load")) };
        let pattern = &loaded.patterns["p"];
        let request = Request::new(pattern, pattern.verb.entities().iter().map(|name| &loaded.entities[*name]).collect());
        let candidates = Candidates::of(&loaded, Operations::Written);
        let Some(all) = store(&candidates.all[0]) else { return Err(TestCaseError::reject("keys collide")) };
        for candidate in &candidates.all {
            if let Ok(read) = serve(candidate, &request) {
                judge(&read, &all, &text);
            }
        }
    }
}
