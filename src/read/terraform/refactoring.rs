//! `moved`, `import` and `removed` blocks of tables, of what stands beside them, and of keyspaces.

use super::Reader;
use super::fields::Source;
use super::syntax::{Block, Expression, Kind, TraversalOperator};
use crate::schema::About;
use crate::schema::cql::KEYSPACE;
use crate::schema::dynamodb::{IN_MODULE, Kept, beside, terraform_address};
use crate::schema::moved::{End, FIRST, Move};

/// The types of the resources that are followed.
const TABLE: &str = "aws_dynamodb_table";
const KEYSPACES_TABLE: &str = "aws_keyspaces_table";

impl<'a> Reader<'a> {
    pub(super) fn moved(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let end = |key| address(source, &block.body.get_attribute(key)?.value);
        let (Some((kind, from)), Some((_, to))) = (end("from"), end("to")) else { return };
        let is_part = from.is_part() || to.is_part();
        let (label, next) = (from.label.clone(), to.label.clone());
        let addresses = || (format!("{kind}.{label}"), format!("{kind}.{next}"));
        if beside::TYPES.contains(&kind) {
            self.module.schema.moved.extend([addresses()]);
            return;
        }
        if kind == KEYSPACE {
            self.module.keyspaces.moved.extend([addresses()]);
            return;
        }
        let moved = match kind {
            TABLE => &mut self.module.schema.moved,
            KEYSPACES_TABLE => &mut self.module.keyspaces.moved,
            _ => return,
        };
        if kind == TABLE && is_part {
            self.module.schema.parts.moves.push(Move { from, to });
        }
        // From `count` or to it, or from one resource of a module to another, which have one label here.
        if is_part && label == next {
            return;
        }
        if is_part {
            moved.entry(label).or_insert(next);
        } else if moved.insert(label.clone(), next).is_some() {
            self.wrong(source.span(&block.ident), format!("`{kind}.{label}` is moved twice"));
        }
    }

    pub(super) fn import(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let Some((kind, to)) = block.body.get_attribute("to").and_then(|to| address(source, &to.value)) else { return };
        if to.is_part() {
            self.module.schema.parts.imported.push(to.clone());
        }
        let to = to.label;
        let Some(name) = block.body.get_attribute("id").and_then(|id| self.scope.text(source, &id.value)) else { return };
        let twice = match kind {
            TABLE => self.module.schema.imported.insert(to.clone(), name).is_some(),
            kind if beside::TYPES.contains(&kind) => self.module.schema.imported.insert(format!("{kind}.{to}"), name).is_some(),
            KEYSPACES_TABLE | KEYSPACE => {
                let id = name.as_literal().map_or_else(|| name.to_string(), ToOwned::to_owned);
                self.module.keyspaces.imported.insert(format!("{kind}.{to}"), id).is_some()
            }
            _ => false,
        };
        if twice {
            self.wrong(source.span(&block.ident), format!("`{kind}.{to}` is imported twice"));
        }
    }

    /// Without `lifecycle { destroy = false }`, Terraform destroys what it forgets.
    pub(super) fn removed(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let Some((kind, from)) = block.body.get_attribute("from").and_then(|from| address(source, &from.value)) else { return };
        if from.instance.is_some() {
            self.wrong(
                source.span(&block.ident),
                "a `removed` block names all instances of a resource or module, and not one of them",
            );
            return;
        }
        if from.is_part() {
            self.module.schema.parts.removed.push(from.clone());
        }
        let label = from.label;
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let destroy = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("destroy")?.value.as_bool());
        if kind == KEYSPACES_TABLE {
            self.module.keyspaces.removed.insert(label.clone(), destroy.unwrap_or(true));
        }
        if kind == KEYSPACE {
            self.module.keyspaces.removed.insert(format!("{kind}.{label}"), destroy.unwrap_or(true));
        }
        if beside::TYPES.contains(&kind) {
            self.module.schema.removed.insert(format!("{kind}.{label}"), destroy.unwrap_or(true));
        }
        if kind != TABLE {
            return;
        }
        let kept = Kept {
            terraform_name: label.clone(),
            destroy: destroy.unwrap_or(true),
            about: About::at(source.span(&block.ident)),
            ..Kept::default()
        };
        if self.module.schema.kept.insert(label.clone(), kept).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{label}` is removed twice"));
        }
    }
}

impl Reader<'_> {
    /// Of modules that changed their name those count that make a table.
    pub(super) fn forget_other_modules(&mut self) {
        let tables = &self.module.schema.tables;
        let is_module = |label: &String| label.starts_with(IN_MODULE);
        self.module.schema.moved.retain(|from, to| !is_module(from) || !is_module(to) || tables.contains_key(to));
    }
}

impl<'a> Reader<'a> {
    /// Terraform refuses a block that says of a table which is there that it has left.
    pub(super) fn still_there(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let is_moved = match block.ident.as_str() {
            "moved" => true,
            "removed" => false,
            _ => return,
        };
        let end = |key| {
            let (kind, end) = address(source, &block.body.get_attribute(key)?.value)?;
            (kind == TABLE).then_some(end)
        };
        let Some(from) = end("from").filter(|from| !from.is_part()) else { return };
        // From `count` or to it.
        if is_moved && end("to").is_none_or(|to| to.label == from.label) {
            return;
        }
        let has_left = if is_moved { "moved" } else { "removed" };
        if self.module.schema.tables.contains_key(&from.label) {
            let message = format!("`{}` is {has_left}, but still there", terraform_address(&from.label));
            self.wrong(source.span(&block.ident), message);
        }
    }
}

/// The type of a resource that is followed, and what of it is named; of a table in a module, the type of the table and `module.name`, as
/// of the module itself. Of what stands beside tables, and of Amazon Keyspaces, the first of several instances, `[0]`, is what a resource
/// without `count` is, and others are not followed.
fn address(source: Source<'_>, address: &Expression<'_>) -> Option<(&'static str, End)> {
    let Kind::Traversal(traversal) = &address.kind else { return None };
    let mut names: Vec<(&str, Option<String>)> = vec![(traversal.root?, None)];
    for operator in &traversal.operators {
        match (operator, names.last_mut()?) {
            (TraversalOperator::GetAttr(name), _) => names.push((name, None)),
            (TraversalOperator::Index(index), (_, instance @ None)) => *instance = Some(source.slice(index)),
            _ => return None,
        }
    }
    let is_first = |instance: &Option<String>| instance.as_ref().is_none_or(|instance| instance == FIRST);
    match names.as_slice() {
        [("module", None), (name, instance)] => {
            Some((TABLE, End { label: format!("{IN_MODULE}{name}"), instance: instance.clone(), inside: None }))
        }
        // The module makes one of each, or none.
        [("module", None), (name, instance), (TABLE, None), (inside, one)] if is_first(one) => {
            let (label, inside) = (format!("{IN_MODULE}{name}"), Some((*inside).to_owned()));
            Some((TABLE, End { label, instance: instance.clone(), inside }))
        }
        [(TABLE, None), (label, instance)] => {
            Some((TABLE, End { label: (*label).to_owned(), instance: instance.clone(), inside: None }))
        }
        [(kind, None), (label, instance)] if is_first(instance) => {
            let mut known = [KEYSPACES_TABLE, KEYSPACE].into_iter().chain(beside::TYPES);
            Some((known.find(|known| known == kind)?, End { label: (*label).to_owned(), ..End::default() }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Sink;
    use crate::read::terraform::read;
    use crate::source::SourceMap;

    /// What is said of blocks beside the table `orders`.
    fn said(blocks: &str) -> Vec<String> {
        let table = "resource \"aws_dynamodb_table\" \"orders\" {\n  name = \"orders\"\n  hash_key = \"id\"\n}\n";
        let mut sources = SourceMap::default();
        let file = sources.add("main.tf", format!("{table}{blocks}"));
        let mut sink = Sink::default();
        assert_eq!(read(&sources, &[file], &mut sink).is_none(), sink.has_errors());
        sink.into_sorted().into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn what_is_there_has_not_left() {
        let removed = |from: &str| said(&format!("removed {{\n  from = aws_dynamodb_table.{from}\n}}\n"));
        assert_eq!(removed("orders"), ["`aws_dynamodb_table.orders` is removed, but still there"]);
        assert_eq!(removed("carts"), [""; 0]);
        assert_eq!(removed("carts[0]"), ["a `removed` block names all instances of a resource or module, and not one of them"]);
        let moved = |from: &str, to: &str| {
            said(&format!("moved {{\n  from = aws_dynamodb_table.{from}\n  to = aws_dynamodb_table.{to}\n}}\n"))
        };
        assert_eq!(moved("orders", "sales"), ["`aws_dynamodb_table.orders` is moved, but still there"]);
        assert_eq!(moved("sales", "orders"), [""; 0]);
        assert_eq!(moved("orders", "orders[0]"), [""; 0]);
        assert_eq!(moved("orders[1]", "sales"), [""; 0]);
    }
}
