//! What stands behind expressions that are kept as text: conditions, mappings, parameters with their defaults. The text alone says
//! the same whatever these come to, so a table carries them along beside it.

use super::intrinsic::{json, source};
use crate::schema::behind::{self, Definition};
use crate::schema::{About, Part, Text, each_text};
use crate::source::Node;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Puts the definitions of all that the texts of an item name beside them, and of what these name.
pub(super) fn carry<T: Serialize>(
    root: &Node,
    item: &mut T,
    parts: impl Fn(&mut T) -> (&mut About, &mut BTreeMap<String, String>),
) {
    let mut open = BTreeSet::new();
    each_text(&*item, |text| named_in_text(text, &mut open));
    let (about, extra) = parts(item);
    if let Some(Value::String(condition)) = extra.get("Condition").and_then(|text| serde_json::from_str(text).ok()) {
        open.insert(Name::Condition(condition));
    }
    behind::carry(behind::definitions(open, Name::path, |name, open| name.definition(root, open)), about, extra);
}

/// What an expression names.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Condition(String),
    /// A mapping, and those of its keys that are written out.
    Mapping(String, [Option<String>; 2]),
    /// A parameter, or a resource, which is referred to in the same way.
    Parameter(String),
}

impl Name {
    /// Whether it is a resource, or an attribute of it.
    pub(super) fn is_resource(&self, logical_id: &str) -> bool {
        matches!(self, Self::Parameter(name) if name.split('.').next() == Some(logical_id))
    }

    fn path(&self) -> String {
        match self {
            Self::Condition(name) => format!("Conditions.{name}"),
            Self::Mapping(name, keys) => {
                let [first, second] = keys.each_ref().map(|key| key.as_deref().unwrap_or("*"));
                format!("Mappings.{name}.{first}.{second}")
            }
            Self::Parameter(name) => format!("Parameters.{name}"),
        }
    }

    /// How the template defines it, and where; a parameter by its default. None where it does not. What the definition names is
    /// `open` then.
    fn definition(&self, root: &Node, open: &mut BTreeSet<Self>) -> Option<Definition> {
        match self {
            Self::Condition(name) => {
                let condition = root.get("Conditions")?.get(name)?;
                named(&json(condition), open);
                Some((source(condition), Some(condition.span)))
            }
            Self::Mapping(name, [first, second]) => {
                let mapping = root.get("Mappings")?.get(name)?;
                let is_meant = |key: &str, asked: &Option<String>| asked.as_ref().is_none_or(|asked| asked == key);
                let mut meant = BTreeMap::new();
                for entry in mapping.entries().iter().filter(|entry| is_meant(&entry.key, first)) {
                    let values = entry.value.entries().iter().filter(|entry| is_meant(&entry.key, second));
                    let values: BTreeMap<&String, Value> = values.map(|entry| (&entry.key, json(&entry.value))).collect();
                    meant.insert(&entry.key, values);
                }
                Some((serde_json::to_string(&meant).ok()?, Some(mapping.span)))
            }
            Self::Parameter(name) => {
                let parameter = root.get("Parameters")?.get(name)?;
                let default = parameter.get("Default");
                Some((default.map(source).unwrap_or_default(), Some(default.unwrap_or(parameter).span)))
            }
        }
    }
}

/// What a text names: JSON that is carried along as a whole, or expressions in a text.
pub(super) fn named_in_text(text: &str, found: &mut BTreeSet<Name>) {
    if !text.contains('{') {
        return;
    }
    if let Ok(value) = serde_json::from_str(text) {
        return named(&value, found);
    }
    for part in Text::decode(text).parts() {
        if let Part::Expression(source) = part
            && let Ok(value) = serde_json::from_str(source)
        {
            named(&value, found);
        }
    }
}

/// What the calls in a tree name.
fn named(value: &Value, found: &mut BTreeSet<Name>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| named(item, found)),
        Value::Object(fields) => {
            if let (Some((function, argument)), 1) = (fields.iter().next(), fields.len()) {
                call(function, argument, found);
            }
            fields.values().for_each(|value| named(value, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn call(function: &str, argument: &Value, found: &mut BTreeSet<Name>) {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let items = argument.as_array().map(Vec::as_slice).unwrap_or_default();
    match (function, items) {
        ("Ref", _) => found.extend(text(argument).map(Name::Parameter)),
        ("Fn::GetAtt", [resource, ..]) => found.extend(text(resource).map(Name::Parameter)),
        ("Condition", _) => found.extend(text(argument).map(Name::Condition)),
        ("Fn::If", [condition, ..]) => found.extend(text(condition).map(Name::Condition)),
        ("Fn::FindInMap", [map, first, second, ..]) => {
            found.extend(text(map).map(|map| Name::Mapping(map, [text(first), text(second)])));
        }
        ("Fn::Sub", _) => {
            let template = argument.as_str().or_else(|| items.first()?.as_str()).unwrap_or_default();
            let names = template.split("${").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.trim().to_owned()));
            found.extend(names.map(Name::Parameter));
        }
        _ => {}
    }
}
