//! `moved`, `import` and `removed` blocks of tables, and of what stands beside them.

use super::Reader;
use super::fields::Source;
use super::syntax::{Block, Expression, Kind, TraversalOperator};
use crate::schema::About;
use crate::schema::dynamodb::{IN_MODULE, Kept, beside};

/// The types of the resources that are followed.
const TABLE: &str = "aws_dynamodb_table";
const KEYSPACES_TABLE: &str = "aws_keyspaces_table";
const KEYSPACE: &str = "aws_keyspaces_keyspace";

impl<'a> Reader<'a> {
    pub(super) fn moved(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let end = |key| {
            let address = &block.body.get_attribute(key)?.value;
            Some((self::address(address)?, source.slice(address)))
        };
        let (Some(((kind, from), text)), Some(((_, to), next))) = (end("from"), end("to")) else { return };
        if beside::TYPES.contains(&kind) {
            self.module.schema.moved.insert(format!("{kind}.{from}"), format!("{kind}.{to}"));
            return;
        }
        let moved = match kind {
            TABLE => &mut self.module.schema.moved,
            KEYSPACES_TABLE => &mut self.module.keyspaces.moved,
            _ => return,
        };
        // From `count` or to it.
        if from == to && text != next {
            // Or from one resource of a module to another, which have one label here.
            if text.contains(TABLE) && from.starts_with(IN_MODULE) {
                self.module.schema.moved.insert(text, next);
            }
            return;
        }
        if moved.insert(from.clone(), to).is_some() {
            self.wrong(source.span(&block.ident), format!("`{kind}.{from}` is moved twice"));
        }
    }

    pub(super) fn import(&mut self, source: Source<'a>, block: &'a Block<'a>) {
        let Some((kind, to)) = block.body.get_attribute("to").and_then(|to| address(&to.value)) else { return };
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
        let Some((kind, label)) = block.body.get_attribute("from").and_then(|from| address(&from.value)) else { return };
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let destroy = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("destroy")?.value.as_bool());
        if kind == KEYSPACES_TABLE {
            self.module.keyspaces.removed.insert(label.clone(), destroy.unwrap_or(true));
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
        let is_inside = |label: &String| label.contains(TABLE);
        self.module
            .schema
            .moved
            .retain(|from, to| is_inside(from) || !is_module(from) || !is_module(to) || tables.contains_key(to));
    }
}

/// The type of a resource that is followed, and its label; of a table in a module, the type of the table and `module.name`, as of the
/// module itself. The first of several instances, `[0]`, is what a resource without `count` is; others are not followed but those of
/// modules.
fn address(address: &Expression<'_>) -> Option<(&'static str, String)> {
    let Kind::Traversal(traversal) = &address.kind else { return None };
    let mut names = vec![traversal.root?];
    for operator in &traversal.operators {
        match operator {
            TraversalOperator::GetAttr(name) => names.push(name),
            TraversalOperator::Index(_) if names.first() == Some(&"module") => {}
            TraversalOperator::Index(Expression { kind: Kind::Number { is_zero: true }, .. }) => {}
            _ => return None,
        }
    }
    match names.as_slice() {
        ["module", name] | ["module", name, TABLE, _] => Some((TABLE, format!("{IN_MODULE}{name}"))),
        [kind, label] => {
            let mut known = [TABLE, KEYSPACES_TABLE, KEYSPACE].into_iter().chain(beside::TYPES);
            Some((known.find(|known| known == kind)?, (*label).to_owned()))
        }
        _ => None,
    }
}
