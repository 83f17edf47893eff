//! Values of attributes and what key templates print of them.

use nosql_gen::model::{Attribute, AttributeType, Case, Encoding, Period, TemplatePart};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;

/// A value as DynamoDB takes it, such as `{"S": "text"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) Json);

impl Value {
    /// Text.
    pub(crate) fn text(text: &str) -> Self {
        Self(json!({ "S": text }))
    }

    /// What a key template prints of it.
    pub(crate) fn printed(&self) -> String {
        let (_, value) = self.0.as_object().unwrap().iter().next().unwrap();
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    }

    /// The order in which DynamoDB sorts values of one type.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self.0["N"].as_str(), other.0["N"].as_str()) {
            (Some(ours), Some(theirs)) => ours.parse::<f64>().unwrap().total_cmp(&theirs.parse().unwrap()),
            _ => self.printed().cmp(&other.printed()),
        }
    }

    /// A value that is written out, in the type of another.
    pub(crate) fn like(&self, text: &str) -> Self {
        match self.0.as_object().unwrap().keys().next().unwrap().as_str() {
            "N" => Self(json!({ "N": text })),
            "BOOL" => Self(json!({ "BOOL": text == "true" })),
            _ => Self::text(text),
        }
    }
}

/// A few values of an attribute, from low to high. Equal for attributes of one name and type, so that entities meet.
pub(crate) fn pool(attribute: &Attribute) -> Vec<Value> {
    if let Some(values) = &attribute.values {
        return values.keys().map(|value| Value::text(value)).collect();
    }
    let texts = |values: &[&str]| values.iter().map(|value| Value::text(value)).collect();
    let numbers = |values: &[&str]| values.iter().map(|value| Value(json!({ "N": value }))).collect();
    let uuid = |digit| format!("{digit}0000000-0000-1000-8000-000000000000");
    match &attribute.kind {
        AttributeType::Uuid | AttributeType::Timeuuid => ["1", "2", "a"].iter().map(|digit| Value::text(&uuid(digit))).collect(),
        AttributeType::Ulid => ["01A", "01B", "7ZZ"].iter().map(|head| Value::text(&format!("{head:0<26}"))).collect(),
        AttributeType::Ksuid => ["1A", "1a", "2b"].iter().map(|head| Value::text(&format!("{head:0<27}"))).collect(),
        AttributeType::Timestamp => match attribute.encoding {
            Encoding::Iso => texts(&[
                "2026-11-30T07:00:00.000Z",
                "2026-11-30T23:59:59.999Z",
                "2026-12-01T00:00:00.000Z",
                "2027-01-01T00:00:00.000Z",
            ]),
            Encoding::EpochSeconds => numbers(&["999999999", "1796022000", "1796083199", "1798761600"]),
            Encoding::EpochMillis => numbers(&["999999999999", "1796022000000", "1796083199999", "1798761600000"]),
        },
        AttributeType::Date => texts(&["2026-11-30", "2026-12-01", "2027-01-01"]),
        AttributeType::Time => texts(&["00:00:00", "09:30:00", "23:59:59"]),
        AttributeType::Inet => texts(&["10.0.0.1", "192.168.0.1", "fe80::1"]),
        AttributeType::Blob => vec![Value(json!({ "B": "AAEC" })), Value(json!({ "B": "//79" }))],
        AttributeType::Boolean => vec![Value(json!({ "BOOL": false })), Value(json!({ "BOOL": true }))],
        kind if kind.is_number() => numbers(&["2", "9", "10", "100"]),
        AttributeType::Text | AttributeType::Ascii => texts(&["Anna", "Bernd", "Berta"]),
        _ => vec![Value(json!({ "L": [] }))],
    }
}

/// What a part of a template prints of a value.
pub(crate) fn print(part: &TemplatePart, value: &Value) -> String {
    let text = value.printed();
    match part {
        TemplatePart::Literal(literal) => literal.clone(),
        TemplatePart::Attribute { pad: Some(width), .. } => format!("{text:0>width$}", width = usize::from(*width)),
        TemplatePart::Attribute { case: Some(Case::Upper), .. } => text.to_uppercase(),
        TemplatePart::Attribute { case: Some(Case::Lower), .. } => text.to_lowercase(),
        TemplatePart::Attribute { .. } => text,
        TemplatePart::Bucket { period, .. } => {
            let length = match period {
                Period::Minute => 16,
                Period::Hour => 13,
                Period::Day => 10,
                Period::Month => 7,
                Period::Year => 4,
                other => panic!("no model here has buckets of a {other}"),
            };
            text[..length].to_owned()
        }
        TemplatePart::Shard { into, .. } => {
            let hash = text
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            shard(hash % u64::from(*into), *into)
        }
    }
}

/// The number of a shard, as all of them are written.
pub(crate) fn shard(number: u64, of: u32) -> String {
    format!("{number:0width$}", width = (of - 1).to_string().len())
}

/// A template, as an operation prints it.
pub(crate) fn parse(text: &str) -> Vec<TemplatePart> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
            literal.push(letter);
            rest = after;
        } else if let Some((inside, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            if !literal.is_empty() {
                parts.push(TemplatePart::Literal(std::mem::take(&mut literal)));
            }
            parts.push(placeholder(inside));
            rest = after;
        } else {
            literal.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    if !literal.is_empty() {
        parts.push(TemplatePart::Literal(literal));
    }
    parts
}

fn placeholder(text: &str) -> TemplatePart {
    let attribute = |name: &str, pad, case| TemplatePart::Attribute { name: name.to_owned(), pad, case };
    let Some((function, arguments)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return match text.rsplit_once(":0") {
            Some((name, width)) if !name.is_empty() => attribute(name, Some(width.parse().unwrap()), None),
            _ => attribute(text, None, None),
        };
    };
    let (name, argument) = arguments.split_once(", ").unwrap_or((arguments, ""));
    match function {
        "upper" => attribute(name, None, Some(Case::Upper)),
        "lower" => attribute(name, None, Some(Case::Lower)),
        "shard" => TemplatePart::Shard { name: name.to_owned(), into: argument.parse().unwrap() },
        "bucket" => {
            let periods = [Period::Minute, Period::Hour, Period::Day, Period::Week, Period::Month, Period::Year];
            let period = periods.into_iter().find(|period| period.to_string() == argument).unwrap();
            TemplatePart::Bucket { name: name.to_owned(), period }
        }
        other => panic!("what is {other}?"),
    }
}
