//! `AWS::Serverless::SimpleTable` as what the macro of AWS SAM makes of it: an `AWS::DynamoDB::Table` of the same logical ID.
//!
//! Sources: <https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-simpletable.html>, on
//! `Globals` <https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-template-anatomy-globals.html>,
//! and the macro's own code, `SamSimpleTable` in <https://github.com/aws/serverless-application-model>.

use crate::source::{Entry, Kind, Node, Span};

/// The macro. Without it CloudFormation knows no such resource.
const MACRO: &str = "AWS::Serverless-2016-10-31";

/// The type of the resource.
const SIMPLE_TABLE: &str = "AWS::Serverless::SimpleTable";

/// The same tree with each such resource as the table that is deployed.
pub(super) fn expanded(mut root: Node) -> Node {
    let transform = root.get("Transform");
    let macros = transform.into_iter().chain(transform.into_iter().flat_map(Node::items));
    if !macros.filter_map(Node::as_str).any(|name| name == MACRO) {
        return root;
    }
    let globals = root.get("Globals").and_then(|globals| globals.get("SimpleTable")).cloned();
    let Kind::Map(sections) = &mut root.kind else { return root };
    for section in sections.iter_mut().filter(|section| section.key == "Resources") {
        let Kind::Map(resources) = &mut section.value.kind else { continue };
        for resource in resources {
            expand(&mut resource.value, globals.as_ref());
        }
    }
    root
}

/// Makes a table of a resource; its policies and conditions stay.
fn expand(resource: &mut Node, globals: Option<&Node>) {
    let Kind::Map(attributes) = &mut resource.kind else { return };
    let Some(kind) = attributes.iter_mut().find(|attribute| attribute.key == "Type") else { return };
    if kind.value.as_str() != Some(SIMPLE_TABLE) {
        return;
    }
    let place = kind.value.span;
    kind.value = text("AWS::DynamoDB::Table", place);
    let own = attributes.iter().position(|attribute| attribute.key == "Properties").map(|at| attributes.remove(at).value);
    let mut properties = own.unwrap_or_else(|| map(Vec::new(), place));
    if let Some(globals) = globals {
        add(&mut properties, globals);
    }
    if let Kind::Map(entries) = &mut properties.kind {
        define(entries, place);
    }
    attributes.push(entry("Properties", properties));
}

/// Adds what `Globals` has and the resource does not: maps entry by entry, anything else as a whole.
fn add(own: &mut Node, globals: &Node) {
    let Kind::Map(entries) = &mut own.kind else { return };
    for global in globals.entries() {
        match entries.iter_mut().find(|entry| entry.key == global.key) {
            Some(entry) => add(&mut entry.value, &global.value),
            None => entries.push(global.clone()),
        }
    }
}

/// Writes the properties of a simple table as those of a table.
fn define(entries: &mut Vec<Entry>, place: Span) {
    let key = entries.iter().position(|entry| entry.key == "PrimaryKey").map(|at| entries.remove(at).value);
    let (name, kind) = match &key {
        None => (text("id", place), text("S", place)),
        Some(key) => {
            let part = |name: &str| key.get(name).cloned().unwrap_or_else(|| map(Vec::new(), key.span));
            (part("Name"), key_type(part("Type")))
        }
    };
    let attribute = map(vec![entry("AttributeName", name.clone()), entry("AttributeType", kind)], place);
    entries.push(entry("AttributeDefinitions", list(vec![attribute], place)));
    let hash = map(vec![entry("AttributeName", name), entry("KeyType", text("HASH", place))], place);
    entries.push(entry("KeySchema", list(vec![hash], place)));
    if !entries.iter().any(|entry| entry.key == "ProvisionedThroughput") {
        entries.push(entry("BillingMode", text("PAY_PER_REQUEST", place)));
    }
    for tags in entries.iter_mut().filter(|entry| entry.key == "Tags") {
        if let Kind::Map(all) = &tags.value.kind {
            let tag = |tag: &Entry| {
                map(vec![entry("Key", text(&tag.key, tag.key_span)), entry("Value", tag.value.clone())], tag.key_span)
            };
            tags.value = list(all.iter().map(tag).collect(), tags.value.span);
        }
    }
}

/// `String`, `Number` or `Binary` in the service's letters.
fn key_type(kind: Node) -> Node {
    let letter = match kind.as_str() {
        Some("String") => "S",
        Some("Number") => "N",
        Some("Binary") => "B",
        _ => return kind,
    };
    text(letter, kind.span)
}

fn text(value: &str, span: Span) -> Node {
    Node { span, tag: None, kind: Kind::String { value: value.to_owned(), plain: true } }
}

fn list(items: Vec<Node>, span: Span) -> Node {
    Node { span, tag: None, kind: Kind::Sequence(items) }
}

fn map(entries: Vec<Entry>, span: Span) -> Node {
    Node { span, tag: None, kind: Kind::Map(entries) }
}

fn entry(key: &str, value: Node) -> Entry {
    Entry { key: key.to_owned(), key_span: value.span, value }
}

#[cfg(test)]
mod tests;
