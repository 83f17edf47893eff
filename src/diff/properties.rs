//! The properties of an item as data: what is serialised is compared, path by path, with the values in force of what holds
//! parameters.

use crate::schema::{Parameter, Quoted, Text, is_behind};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where a property stands in its item: `projection`, `columns.email`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// The item's own property.
    pub(super) head: String,
    /// The key, for a property that is a map of independent entries.
    pub(super) key: Option<String>,
}

impl Path {
    /// A property of the item itself.
    pub(super) fn of(head: &str) -> Self {
        Self { head: head.to_owned(), key: None }
    }

    /// Whether it is a definition behind expressions, and nothing that is said of the item itself.
    pub(super) fn is_behind(&self) -> bool {
        self.head == "extra" && self.key.as_deref().is_some_and(is_behind)
    }

    /// An entry of a map.
    pub(super) fn entry(head: &str, key: &str) -> Self {
        Self { head: head.to_owned(), key: Some(key.to_owned()) }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head)?;
        self.key.as_ref().map_or(Ok(()), |key| write!(f, ".{}", Quoted(key)))
    }
}

/// The properties of an item.
pub(super) type Properties = BTreeMap<Path, Json>;

/// Takes an item apart. `maps` are the properties whose entries stand for themselves, `apart` those that are not the item's
/// own: its indexes, its columns' history.
pub(super) fn properties(item: &impl Serialize, maps: &[&str], apart: &[&str]) -> Properties {
    let mut properties = Properties::new();
    let Ok(Json::Object(fields)) = serde_json::to_value(item) else { return properties };
    for (head, value) in fields {
        match value {
            _ if apart.contains(&head.as_str()) => {}
            Json::Object(entries) if maps.contains(&head.as_str()) => {
                properties.extend(entries.into_iter().map(|(key, value)| (Path::entry(&head, &key), value)));
            }
            value => {
                properties.insert(Path::of(&head), value);
            }
        }
    }
    properties
}

/// One property that differs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) path: Path,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
}

/// What differs between two sets of properties, in order of their paths.
pub(super) fn differences(previous: &Properties, next: &Properties) -> Vec<Difference> {
    let paths: BTreeSet<&Path> = previous.keys().chain(next.keys()).collect();
    paths
        .into_iter()
        .filter(|path| previous.get(*path) != next.get(*path))
        .map(|path| Difference { path: path.clone(), before: previous.get(path).cloned(), after: next.get(path).cloned() })
        .filter(|difference| !follows_an_expression(difference))
        .collect()
}

/// Whether a definition comes or goes: the expression that needs it does too, and differs itself.
fn follows_an_expression(difference: &Difference) -> bool {
    let Difference { path, before, after } = difference;
    path.is_behind() && (before.is_none() || after.is_none())
}

/// The parameters of a generation.
pub(super) type Parameters = BTreeMap<String, Parameter>;

/// The value of a property in force. `textual`: it is text, in which a number that a parameter stands for is text too.
pub(super) fn in_force(value: &Json, parameters: &Parameters, textual: bool) -> Option<Json> {
    match value {
        Json::String(encoded) => {
            let text = Text::decode(encoded);
            if let ([crate::schema::Part::Parameter(name)], false) = (text.parts(), textual) {
                return serde_json::to_value(parameters.get(name)?.default.as_ref()?).ok();
            }
            text.in_force(parameters).map(Json::from)
        }
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| Some((key.clone(), in_force(value, parameters, textual)?)));
            fields.collect::<Option<Map<_, _>>>().map(Json::from)
        }
        other => Some(other.clone()),
    }
}

/// The value of a property as far as it is in force: parameters without a value stay, and so do other expressions.
pub(super) fn as_far_as_in_force(value: &Json, parameters: &Parameters, textual: bool) -> Json {
    match (in_force(value, parameters, textual), value) {
        (Some(value), _) => value,
        (None, Json::String(encoded)) => Json::from(Text::decode(encoded).with_values(parameters).to_string()),
        (None, Json::Object(fields)) => {
            let known = |value| as_far_as_in_force(value, parameters, textual);
            Json::Object(fields.iter().map(|(key, value)| (key.clone(), known(value))).collect())
        }
        (None, other) => other.clone(),
    }
}

/// A property's expression together with its value, as reports show a parameter whose value changed.
pub(super) fn with_value(expression: Json, value: Json) -> Json {
    Json::from(Map::from_iter([("expression".to_owned(), expression), ("value".to_owned(), value)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Scalar;
    use serde_json::json;

    fn parameters() -> Parameters {
        let parameter = |default| Parameter { default, ..Parameter::default() };
        BTreeMap::from([
            ("env".to_owned(), parameter(Some(Scalar::Text("dev".into())))),
            ("size".to_owned(), parameter(Some(Scalar::Number("5".into())))),
            ("open".to_owned(), parameter(None)),
        ])
    }

    #[test]
    fn values_in_force_follow_the_kind_of_the_property() {
        let known = parameters();
        assert_eq!(in_force(&json!("${env}-a$$b"), &known, true), Some(json!("dev-a$b")));
        assert_eq!(in_force(&json!({"read": "${size}", "write": 7}), &known, false), Some(json!({"read": 5, "write": 7})));
        assert_eq!(in_force(&json!("${size}"), &known, true), Some(json!("5")));
        assert_eq!(in_force(&json!("${open}"), &known, true), None);
        assert_eq!(in_force(&json!("${=local.x=}"), &known, false), None);
    }

    #[test]
    fn maps_of_entries_are_taken_apart() {
        let item = json!({"name": "orders", "tags": {"my team": "a"}, "gsi": {}});
        let previous = properties(&item, &["tags"], &["gsi"]);
        let next = properties(&json!({"name": "orders", "tags": {"my team": "b"}}), &["tags"], &["gsi"]);
        let found = differences(&previous, &next);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path.to_string(), "tags.\"my team\"");
    }
}
