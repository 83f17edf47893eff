//! JSON documents: `jsonencode({ … })`, and text that is JSON.

use super::fields::Source;
use super::scope::{Known, Scope};
use super::syntax::{Expression, Kind, ObjectKey};
use serde_json::{Map, Value};

/// A document; None when only Terraform knows it.
pub(super) fn json<'a>(scope: &Scope<'a>, source: Source<'a>, expression: &'a Expression<'a>) -> Option<Value> {
    let (place, followed) = scope.follow(source, expression);
    let mut value = match &followed.kind {
        Kind::FuncCall(call) if call.name == "jsonencode" => {
            let mut arguments = call.args.iter();
            let (argument, None) = (arguments.next()?, arguments.next()) else { return None };
            encoded(scope, place, argument)?
        }
        _ => serde_json::from_str(&scope.text(place, followed)?.resolve(|_| None)?).ok()?,
    };
    value.sort_all_objects();
    Some(value)
}

fn encoded<'a>(scope: &Scope<'a>, source: Source<'a>, expression: &'a Expression<'a>) -> Option<Value> {
    let (place, followed) = scope.follow(source, expression);
    if let Some(items) = followed.as_array() {
        return items.iter().map(|item| encoded(scope, place, item)).collect::<Option<Vec<_>>>().map(Value::Array);
    }
    if let Some(object) = followed.as_object() {
        let field = |(key, value): &'a (ObjectKey<'a>, Expression<'a>)| {
            let key = match key {
                ObjectKey::Ident(name) => name.as_str().to_owned(),
                ObjectKey::Expression(key) => scope.text(place, key)?.resolve(|_| None)?,
            };
            Some((key, encoded(scope, place, value)?))
        };
        return object.iter().map(field).collect::<Option<Map<_, _>>>().map(Value::Object);
    }
    match scope.evaluate(place, followed) {
        Known::Null => Some(Value::Null),
        Known::Bool(value) => Some(Value::Bool(value)),
        Known::Number(text) => text.parse().ok().map(Value::Number),
        Known::Text(text) => text.resolve(|_| None).map(Value::String),
        Known::Parameter(_) | Known::Computed(_) => None,
    }
}
