//! Parameters that nothing uses.

use super::Design;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::Model;
use crate::schema::Address;
use std::collections::BTreeSet;

/// Parameters that no table of either store mentions.
pub(super) fn judge(model: &Model, design: &Design, sink: &mut Sink) {
    let dynamodb = design.dynamodb.iter().flat_map(|schema| schema.parameters.keys());
    let cql = design.cql.values().flat_map(|schema| schema.parameters.keys());
    let used: BTreeSet<&String> = dynamodb.chain(cql).collect();
    for (name, parameter) in model.parameters.iter().filter(|(name, _)| !used.contains(name)) {
        let message = format!("nothing uses the parameter `{name}`");
        let diagnostic = match parameter.about.span {
            Some(span) => Diagnostic::new(codes::UNUSED_PARAMETER, span, message),
            None => Diagnostic::nowhere(codes::UNUSED_PARAMETER, message),
        };
        let help = format!("write `${{{name}}}` where it belongs, or remove it");
        sink.push(diagnostic.help(help).at(Address::Parameter(name.clone()).to_string()));
    }
}
