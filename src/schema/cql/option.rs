//! Values of options: how they print and how they are kept in the lock.

use super::string;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// The value of an option. Displayed as CQL: `'text'`, `0.01`, `{'class': 'SizeTieredCompactionStrategy'}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionValue {
    /// `'text'`
    Text(String),
    /// A number as it was written.
    Number(String),
    /// `true` or `false`
    Bool(bool),
    /// `{'key': 'value'}`: all values as text, as engines store them.
    Map(BTreeMap<String, String>),
    /// A map that holds maps (Amazon Keyspaces: `custom_properties`). Never one that could be a [`Self::Map`].
    Nested(BTreeMap<String, OptionValue>),
}

impl OptionValue {
    /// A map from its entries: a [`Self::Map`] when no value is a map, numbers and bools as text.
    #[must_use]
    pub fn from_entries(entries: BTreeMap<String, Self>) -> Self {
        if entries.values().any(|value| matches!(value, Self::Map(_) | Self::Nested(_))) {
            return Self::Nested(entries);
        }
        Self::Map(entries.into_iter().filter_map(|(key, value)| Some((key, value.scalar()?))).collect())
    }

    /// Text, number or bool as text; None for a map.
    #[must_use]
    pub fn scalar(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text.clone()),
            Self::Bool(value) => Some(value.to_string()),
            Self::Map(_) | Self::Nested(_) => None,
        }
    }

    /// As CQL of Amazon Keyspaces: a map in which whole numbers, `true` and `false` stand without quotes.
    #[must_use]
    pub fn with_numbers(&self) -> String {
        let map = |entries: Vec<String>| format!("{{{}}}", entries.join(", "));
        match self {
            Self::Nested(entries) => {
                map(entries.iter().map(|(key, value)| format!("{}: {}", string(key), value.with_numbers())).collect())
            }
            Self::Map(entries) => {
                let number = |text: &str| text.parse::<u64>().is_ok_and(|number| number.to_string() == text);
                let bare = |text: &str| number(text) || matches!(text, "true" | "false");
                let text = |text: &String| if bare(text) { text.clone() } else { string(text) };
                map(entries.iter().map(|(key, value)| format!("{}: {}", string(key), text(value))).collect())
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&string(text)),
            Self::Number(number) => f.write_str(number),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Map(map) => entries(f, map.iter().map(|(key, value)| (key, string(value)))),
            Self::Nested(map) => entries(f, map.iter().map(|(key, value)| (key, value.to_string()))),
        }
    }
}

/// The class of a map goes first, as people write it.
fn entries<'a>(f: &mut fmt::Formatter<'_>, entries: impl Iterator<Item = (&'a String, String)>) -> fmt::Result {
    let (class, rest): (Vec<_>, Vec<_>) = entries.partition(|(key, _)| *key == "class");
    f.write_str("{")?;
    for (index, (key, value)) in class.into_iter().chain(rest).enumerate() {
        write!(f, "{}{}: {value}", if index == 0 { "" } else { ", " }, string(key))?;
    }
    f.write_str("}")
}

impl Serialize for OptionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(text) => crate::schema::Scalar::Number(text.clone()).serialize(serializer),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Map(map) => map.serialize(serializer),
            Self::Nested(map) => map.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = serde_json::Value::deserialize(deserializer)?;
        from_json(json).ok_or_else(|| serde::de::Error::custom("an option is text, a number, a bool or a map of those"))
    }
}

fn from_json(json: serde_json::Value) -> Option<OptionValue> {
    match json {
        serde_json::Value::String(text) => Some(OptionValue::Text(text)),
        serde_json::Value::Bool(value) => Some(OptionValue::Bool(value)),
        serde_json::Value::Number(number) => Some(OptionValue::Number(number.to_string())),
        serde_json::Value::Object(map) => {
            let entries = map.into_iter().map(|(key, value)| Some((key, from_json(value)?)));
            Some(OptionValue::from_entries(entries.collect::<Option<_>>()?))
        }
        serde_json::Value::Null | serde_json::Value::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_print_as_cql_and_survive_the_lock() {
        let map = |entries: &[(&str, &str)]| {
            OptionValue::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
        };
        let nested = OptionValue::Nested(BTreeMap::from([
            ("mode".to_owned(), OptionValue::Text("x".to_owned())),
            ("ttl".to_owned(), map(&[("status", "enabled")])),
        ]));
        for (value, text) in [
            (OptionValue::Text("it's\n".to_owned()), "'it''s\n'"),
            (OptionValue::Number("0.01".to_owned()), "0.01"),
            (OptionValue::Bool(true), "true"),
            (map(&[]), "{}"),
            (map(&[("b", "2"), ("a", "it's")]), "{'a': 'it''s', 'b': '2'}"),
            (map(&[("class", "X"), ("a", "1")]), "{'class': 'X', 'a': '1'}"),
            (nested, "{'mode': 'x', 'ttl': {'status': 'enabled'}}"),
        ] {
            assert_eq!(value.to_string(), text);
            let json = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<OptionValue>(&json).unwrap(), value, "{json}");
        }
        assert!(serde_json::from_str::<OptionValue>("[1]").is_err());
    }
}
