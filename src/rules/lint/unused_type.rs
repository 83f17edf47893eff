//! A user type that no attribute and no other type has.

use crate::diagnostic::{Diagnostic, Sink, Subject, codes};
use crate::model::AttributeType;
use crate::rules::Facts;
use std::collections::BTreeSet;

pub(crate) fn check(facts: &Facts<'_>, sink: &mut Sink) {
    let model = facts.model;
    let mut used = BTreeSet::new();
    for attribute in model.entities.values().flat_map(|entity| entity.attributes.values()) {
        mentions(&attribute.kind, &mut used);
    }
    for (name, of) in &model.types {
        let mut mentioned = BTreeSet::new();
        of.fields.values().for_each(|field| mentions(&field.value, &mut mentioned));
        used.extend(mentioned.into_iter().filter(|mentioned| *mentioned != name.as_str()));
    }
    for (name, of) in model.types.iter().filter(|(name, _)| !used.contains(name.as_str())) {
        sink.push(
            Diagnostic::new(codes::UNUSED_TYPE, of.span, format!("no attribute has the type `{name}`"))
                .help("remove the type, or give it to an attribute")
                .about(Subject::Type(name.clone())),
        );
    }
}

fn mentions<'m>(kind: &'m AttributeType, used: &mut BTreeSet<&'m str>) {
    if let AttributeType::User(name) = kind {
        used.insert(name);
    }
    for of in kind.inner() {
        mentions(of, used);
    }
}
