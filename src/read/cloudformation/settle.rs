//! Functions that no parameter, no Region and no account decides: `Fn::FindInMap` by keys that are written out, and `Fn::If` on a
//! condition that always or never holds
//! (<https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-conditions.html>).

use super::intrinsic::call;
use crate::source::{Kind, Node};

/// How deep conditions may refer to one another.
const DEPTH: usize = 16;

/// The same tree, in its long form, with what is settled in place of such calls. A resource on a condition that never holds is not
/// there.
pub(super) fn settled(mut root: Node) -> Node {
    let facts = Facts { mappings: root.get("Mappings").cloned(), conditions: root.get("Conditions").cloned() };
    if facts.mappings.is_none() && facts.conditions.is_none() {
        return root;
    }
    let Kind::Map(sections) = &mut root.kind else { return root };
    for section in sections.iter_mut().filter(|section| section.key == "Resources") {
        facts.settle(&mut section.value);
        let Kind::Map(resources) = &mut section.value.kind else { continue };
        resources.retain_mut(|resource| {
            let condition = resource.value.get("Condition").and_then(Node::as_str);
            let holds = condition.and_then(|name| facts.holds(name, DEPTH));
            if let (Some(true), Kind::Map(attributes)) = (holds, &mut resource.value.kind) {
                attributes.retain(|attribute| attribute.key != "Condition");
            }
            holds != Some(false)
        });
    }
    root
}

/// The sections that calls look things up in.
struct Facts {
    mappings: Option<Node>,
    conditions: Option<Node>,
}

impl Facts {
    fn settle(&self, node: &mut Node) {
        match &mut node.kind {
            Kind::Map(entries) => entries.iter_mut().for_each(|entry| self.settle(&mut entry.value)),
            Kind::Sequence(items) => items.iter_mut().for_each(|item| self.settle(item)),
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String { .. } => return,
        }
        let found = match call(node) {
            Some(("Fn::FindInMap", argument)) => self.find(argument),
            Some(("Fn::If", argument)) => self.choose(argument),
            _ => None,
        };
        if let Some(found) = found {
            node.kind = found.kind;
        }
    }

    /// What a mapping has under two keys.
    fn find(&self, argument: &Node) -> Option<Node> {
        let [map, first, second] = argument.items() else { return None };
        let found = self.mappings.as_ref()?.get(map.as_str()?)?.get(&scalar(first)?)?.get(&scalar(second)?)?;
        Some(found.clone())
    }

    fn choose(&self, argument: &Node) -> Option<Node> {
        let [condition, holds, otherwise] = argument.items() else { return None };
        let chosen = if self.holds(condition.as_str()?, DEPTH)? { holds } else { otherwise };
        Some(chosen.clone())
    }

    /// Whether a condition holds, when that is certain.
    fn holds(&self, name: &str, depth: usize) -> Option<bool> {
        self.is_true(self.conditions.as_ref()?.get(name)?, depth.checked_sub(1)?)
    }

    fn is_true(&self, condition: &Node, depth: usize) -> Option<bool> {
        if let [entry] = condition.entries()
            && entry.key == "Condition"
        {
            return self.holds(entry.value.as_str()?, depth);
        }
        let (function, argument) = call(condition)?;
        let mut all = argument.items().iter().map(|item| self.is_true(item, depth));
        match (function, argument.items()) {
            ("Fn::Equals", [left, right]) => self.are_equal(left, right),
            ("Fn::Not", [_]) => all.next()?.map(|holds| !holds),
            ("Fn::And", _) => decided(all, false),
            ("Fn::Or", _) => decided(all, true),
            _ => None,
        }
    }

    /// Whether two values that are written out are the same text. Numbers that are written in two ways may be the same too.
    fn are_equal(&self, left: &Node, right: &Node) -> Option<bool> {
        let value = |node: &Node| match call(node) {
            Some(("Fn::FindInMap", argument)) => self.find(argument),
            _ => Some(node.clone()),
        };
        let (left, right) = (value(left)?, value(right)?);
        let is_equal = scalar(&left)? == scalar(&right)?;
        let is_text = |node: &Node| matches!(node.kind, Kind::String { .. });
        (is_equal || (is_text(&left) && is_text(&right))).then_some(is_equal)
    }
}

/// Of several conditions one decides alone, else all together.
fn decided(all: impl Iterator<Item = Option<bool>>, by: bool) -> Option<bool> {
    let all: Vec<Option<bool>> = all.collect();
    if all.contains(&Some(by)) { Some(by) } else { all.iter().all(Option::is_some).then_some(!by) }
}

/// A scalar as CloudFormation takes it for a key or a value.
fn scalar(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::String { value, .. } => Some(value.clone()),
        Kind::Number(text) => Some(text.clone()),
        Kind::Bool(value) => Some(value.to_string()),
        Kind::Null | Kind::Sequence(_) | Kind::Map(_) => None,
    }
}
