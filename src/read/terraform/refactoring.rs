//! `moved`, `import` and `removed` blocks of tables.

use super::Reader;
use super::fields::Source;
use super::scope::reference;
use crate::schema::About;
use crate::schema::dynamodb::Kept;
use hcl::edit::structure::Block;

/// The types of the resources that are followed.
const TABLE: &str = "aws_dynamodb_table";
const KEYSPACES_TABLE: &str = "aws_keyspaces_table";

impl<'a> Reader<'a> {
    pub(super) fn moved(&mut self, source: Source<'a>, block: &'a Block) {
        let end = |key| reference(&block.body.get_attribute(key)?.value);
        let (Some((kind, from)), Some((_, to))) = (end("from"), end("to")) else { return };
        let moved = match kind {
            TABLE => &mut self.module.schema.moved,
            KEYSPACES_TABLE => &mut self.module.keyspaces.moved,
            _ => return,
        };
        if moved.insert(from.to_owned(), to.to_owned()).is_some() {
            self.wrong(source.span(&block.ident), format!("`{kind}.{from}` is moved twice"));
        }
    }

    pub(super) fn import(&mut self, source: Source<'a>, block: &'a Block) {
        let Some((kind, to)) = block.body.get_attribute("to").and_then(|to| reference(&to.value)) else { return };
        let Some(name) = block.body.get_attribute("id").and_then(|id| self.scope.text(source, &id.value)) else { return };
        let twice = match kind {
            TABLE => self.module.schema.imported.insert(to.to_owned(), name).is_some(),
            KEYSPACES_TABLE | "aws_keyspaces_keyspace" => {
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
    pub(super) fn removed(&mut self, source: Source<'a>, block: &'a Block) {
        let Some((kind, label)) = block.body.get_attribute("from").and_then(|from| reference(&from.value)) else { return };
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let destroy = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("destroy")?.value.as_bool());
        if kind == KEYSPACES_TABLE {
            self.module.keyspaces.removed.insert(label.to_owned(), destroy.unwrap_or(true));
        }
        if kind != TABLE {
            return;
        }
        let kept = Kept {
            terraform_name: label.to_owned(),
            logical_id: String::new(),
            name: None,
            destroy: destroy.unwrap_or(true),
            about: About::at(source.span(&block.ident)),
        };
        if self.module.schema.kept.insert(label.to_owned(), kept).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{label}` is removed twice"));
        }
    }
}
