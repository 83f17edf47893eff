//! A parameter that stands in no table.

use crate::diagnostic::{Diagnostic, Sink, Subject, codes};
use crate::rules::Facts;
use crate::schema::{Part, Text};
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    if facts.model.parameters.is_empty() {
        return;
    }
    let mut used: BTreeSet<String> = facts.design.cql.values().flat_map(|schema| schema.parameters.keys().cloned()).collect();
    for schema in facts.design.dynamodb.iter().chain(&facts.design.external) {
        if let Ok(tables) = serde_json::to_value((&schema.tables, &schema.kept)) {
            mentions(&tables, &mut used);
        }
    }
    for (name, parameter) in facts.model.parameters.iter().filter(|(name, _)| !used.contains(*name)) {
        let message = format!("no table uses the parameter `{name}`");
        let finding = Diagnostic::somewhere(codes::UNUSED_PARAMETER, parameter.about.span, message);
        sink.push(
            finding.help(format!("write `${{{name}}}` where it is meant, or remove it")).about(Subject::Parameter(name.clone())),
        );
    }
}

/// Every text of a serialised schema says which parameters it holds.
fn mentions(value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => used.extend(Text::decode(text).parts().iter().filter_map(|part| match part {
            Part::Parameter(name) => Some(name.clone()),
            _ => None,
        })),
        Value::Array(items) => items.iter().for_each(|item| mentions(item, used)),
        // A policy is written as it stands: its variables are IAM's.
        Value::Object(map) => {
            let texts = map.iter().filter(|(key, item)| !(*key == "resource_policy" && item.is_object()));
            texts.for_each(|(_, item)| mentions(item, used));
        }
        _ => {}
    }
}
