//! The properties of an item as data: what is serialised is compared, path by path, with the values in force of what holds
//! parameters.

mod written;

use super::Pair;
use crate::schema::{Parameter, Quoted, Text, is_behind};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use written::Written;

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
    let written = Written::of(item, maps, apart);
    for place in &written.places {
        written.read(place, &mut properties);
    }
    properties
}

/// A property that is of interest although it is the same on both sides.
pub(super) type Also = Option<fn(&Path) -> bool>;

/// The properties in which two items differ, and those of interest that do not, taken apart as by [`properties`].
pub(super) fn differing<T: Serialize>(pair: Pair<&T>, maps: &[&str], apart: &[&str], also: Also) -> Pair<Properties> {
    let (previous, next) = (Written::of(pair.previous, maps, apart), Written::of(pair.next, maps, apart));
    let mut found = Pair { previous: Properties::new(), next: Properties::new() };
    let mut rest = next.places.as_slice();
    for place in &previous.places {
        let Some(ahead) = rest.iter().position(|other| previous.is_path(place, &next, other)) else {
            previous.read(place, &mut found.previous);
            continue;
        };
        // What only next has comes before it.
        let (new, from) = rest.split_at(ahead);
        for place in new {
            next.read(place, &mut found.next);
        }
        let Some((other, behind)) = from.split_first() else { break };
        rest = behind;
        let is_also = |also: fn(&Path) -> bool| also(&previous.path(place));
        if !previous.is_value(place, &next, other) || also.is_some_and(is_also) {
            previous.read(place, &mut found.previous);
            next.read(other, &mut found.next);
        }
    }
    for place in rest {
        next.read(place, &mut found.next);
    }
    found
}

/// The properties of an item on each side: where both have it, those in which it differs, and those of interest.
pub(super) fn sides_of<T: Serialize>(
    items: Pair<Option<&T>>,
    maps: &[&str],
    apart: &[&str],
    also: Also,
) -> Pair<Option<Properties>> {
    if let Pair { previous: Some(previous), next: Some(next) } = items {
        let Pair { previous, next } = differing(Pair { previous, next }, maps, apart, also);
        return Pair { previous: Some(previous), next: Some(next) };
    }
    let take = |item: Option<&T>| item.map(|item| properties(item, maps, apart));
    Pair { previous: take(items.previous), next: take(items.next) }
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
        let other = json!({"name": "orders", "tags": {"my team": "b"}});
        let take = |item| properties(item, &["tags"], &["gsi"]);
        let found = differences(&take(&item), &take(&other));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path.to_string(), "tags.\"my team\"");
    }

    #[test]
    fn what_is_no_map_and_what_is_deep_is_not_lost() {
        let mut deep = json!("end");
        for _ in 0..200 {
            deep = json!([deep]);
        }
        let item = json!({"tags": "${var.tags}", "policy": deep, "gsi": {"a": 1}});
        let found = properties(&item, &["tags"], &["gsi"]);
        assert_eq!(found.keys().map(ToString::to_string).collect::<Vec<_>>(), ["policy", "tags"]);
        assert_eq!(found[&Path::of("tags")], json!("${var.tags}"));
        assert!(found[&Path::of("policy")].to_string().contains("end"));
    }

    #[test]
    fn what_differs_is_found_in_any_place() {
        use crate::schema::Text;
        use crate::schema::dynamodb::{Stream, Table};
        let table = |stream, tags: &[(&str, &str)], sort_key: Option<&str>| Table {
            partition_key: "id".to_owned(),
            sort_key: sort_key.map(str::to_owned),
            stream,
            tags: tags.iter().map(|(key, value)| ((*key).to_owned(), Text::literal(*value))).collect(),
            ..Table::default()
        };
        let maps = &["attributes", "tags"];
        let tables = [
            table(None, &[], None),
            table(Some(Stream::Off), &[("a \"b\"", "1"), ("c", "2")], None),
            table(Some(Stream::NewImage), &[("a", "1"), ("c", "3")], Some("at")),
            table(None, &[("c", "3"), ("d", "")], Some("to")),
        ];
        for (previous, next) in tables.iter().flat_map(|previous| tables.iter().map(move |next| (previous, next))) {
            let take = |item| properties(item, maps, &["gsi"]);
            let expected = differences(&take(previous), &take(next));
            let found = differing(Pair { previous, next }, maps, &["gsi"], None);
            assert_eq!(differences(&found.previous, &found.next), expected);
            let sides: usize = expected.iter().map(|it| it.before.iter().count() + it.after.iter().count()).sum();
            assert_eq!(found.previous.len() + found.next.len(), sides, "nothing else is read");
        }
        let also =
            differing(Pair { previous: &tables[0], next: &tables[0] }, maps, &[], Some(|path| path.head == "partition_key"));
        assert_eq!(also.next, Properties::from([(Path::of("partition_key"), json!("id"))]));
    }
}
