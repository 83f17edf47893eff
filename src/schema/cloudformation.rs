//! What a CloudFormation template can say of a schema.

use super::dynamodb::{Encryption, GlobalIndex, LocalIndex, PointInTimeRecovery, Schema, Stream, Table, Throughput};
use super::{Parameter, ParameterKind, Scalar, Value};
use std::collections::BTreeMap;

/// A name of the model as a logical ID, which has letters and digits only: `order_items` is `OrderItems`.
#[must_use]
pub fn logical_name(name: &str) -> String {
    let mut logical = String::with_capacity(name.len());
    for word in name.split(|character: char| !character.is_ascii_alphanumeric()) {
        let mut characters = word.chars();
        logical.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        logical.push_str(characters.as_str());
    }
    if logical.is_empty() { "Underscore".to_owned() } else { logical }
}

impl Schema {
    /// The schema that reading the template of this one gives: tables by logical ID, indexes by name, parameters by their
    /// logical ID. What only Terraform knows (labels, moves, kept tables) is not there.
    #[must_use]
    pub(crate) fn as_cloudformation(&self) -> Self {
        Self {
            parameters: self.parameters.iter().map(|(name, parameter)| (logical_name(name), parameter.as_string())).collect(),
            tables: self.tables.values().map(|table| (table.logical_id.clone(), table.as_cloudformation())).collect(),
            ..Self::default()
        }
    }
}

impl Table {
    fn as_cloudformation(&self) -> Self {
        Self {
            terraform_name: String::new(),
            name: self.name.as_ref().map(|name| name.rename_parameters(logical_name)),
            local_indexes: self.local_indexes.values().map(|index| (index.name.clone(), index.clone())).collect::<BTreeMap<_, LocalIndex>>(),
            global_indexes: self.global_indexes.values().map(|index| (index.name.clone(), index.as_cloudformation())).collect(),
            // A template turns a stream off by not having it.
            stream: self.stream.filter(|stream| *stream != Stream::Off),
            throughput: self.throughput.as_ref().map(Throughput::as_cloudformation),
            encryption: self.encryption.as_ref().map(|encryption| match encryption {
                Encryption::KmsKey(key) => Encryption::KmsKey(key.rename_parameters(logical_name)),
                other => other.clone(),
            }),
            point_in_time_recovery: self.point_in_time_recovery.as_ref().map(|recovery| PointInTimeRecovery {
                enabled: renamed(&recovery.enabled),
                // The period may only be given where recovery is on.
                days: recovery.days.filter(|_| recovery.enabled != Value::Literal(false)),
            }),
            deletion_protection: self.deletion_protection.as_ref().map(renamed),
            tags: self.tags.iter().map(|(key, value)| (key.clone(), value.rename_parameters(logical_name))).collect(),
            prevent_destroy: false,
            ..self.clone()
        }
    }
}

impl GlobalIndex {
    fn as_cloudformation(&self) -> Self {
        Self { throughput: self.throughput.as_ref().map(Throughput::as_cloudformation), ..self.clone() }
    }
}

impl Throughput {
    fn as_cloudformation(&self) -> Self {
        Self { read: renamed(&self.read), write: renamed(&self.write) }
    }
}

fn renamed<T: Clone>(value: &Value<T>) -> Value<T> {
    match value {
        Value::Parameter(name) => Value::Parameter(logical_name(name)),
        other => other.clone(),
    }
}

impl Parameter {
    /// CloudFormation has no bool, only a `String` whose values are `true` and `false`, and that is what a bool is.
    fn as_string(&self) -> Self {
        let mut texts: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        let both = || {
            let mut sorted = texts.clone();
            sorted.sort();
            sorted == ["false", "true"]
        };
        let kind = match self.kind {
            ParameterKind::Number => ParameterKind::Number,
            ParameterKind::Bool if texts.is_empty() => ParameterKind::Bool,
            ParameterKind::Text | ParameterKind::Bool => if both() { ParameterKind::Bool } else { ParameterKind::Text },
        };
        if kind == ParameterKind::Bool {
            texts.clear();
        }
        let scalar = |text: String| match kind {
            ParameterKind::Text => Scalar::Text(text),
            ParameterKind::Number => Scalar::Number(text),
            ParameterKind::Bool => Scalar::Bool(text == "true"),
        };
        let default = self.default.as_ref().map(|default| scalar(default.to_string()));
        Self { kind, values: texts.into_iter().map(scalar).collect(), default, about: self.about.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_name_has_letters_and_digits_only() {
        for (name, expected) in [("orders", "Orders"), ("order_items", "OrderItems"), ("_orderItems_2", "OrderItems2"), ("GSI1", "GSI1"), ("by-day", "ByDay"), ("__", "Underscore")] {
            assert_eq!(logical_name(name), expected);
        }
    }

    #[test]
    fn a_text_of_true_and_false_is_a_bool() {
        let of = |kind, values: &[Scalar]| Parameter { kind, values: values.to_vec(), ..Parameter::default() }.as_string();
        let text = |text: &str| Scalar::Text(text.to_owned());
        assert_eq!(of(ParameterKind::Text, &[text("true"), text("false")]), of(ParameterKind::Bool, &[]));
        assert_eq!(of(ParameterKind::Bool, &[Scalar::Bool(true)]), of(ParameterKind::Text, &[text("true")]));
        assert_eq!(of(ParameterKind::Text, &[text("a"), text("b")]).values, [text("a"), text("b")]);
    }
}
