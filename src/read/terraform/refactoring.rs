//! `moved`, `import` and `removed` blocks of tables.

use super::Reader;
use super::fields::Source;
use super::scope::reference;
use crate::schema::About;
use crate::schema::dynamodb::Kept;
use hcl::edit::expr::Expression;
use hcl::edit::structure::Block;

impl<'a> Reader<'a> {
    pub(super) fn moved(&mut self, source: Source<'a>, block: &'a Block) {
        let end = |key| label(&block.body.get_attribute(key)?.value);
        let (Some(from), Some(to)) = (end("from"), end("to")) else { return };
        if self.module.schema.moved.insert(from.to_owned(), to.to_owned()).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{from}` is moved twice"));
        }
    }

    pub(super) fn import(&mut self, source: Source<'a>, block: &'a Block) {
        let Some(to) = block.body.get_attribute("to").and_then(|to| label(&to.value)) else { return };
        let Some(name) = block.body.get_attribute("id").and_then(|id| self.scope.text(source, &id.value)) else { return };
        if self.module.schema.imported.insert(to.to_owned(), name).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{to}` is imported twice"));
        }
    }

    /// Without `lifecycle { destroy = false }`, Terraform destroys what it forgets.
    pub(super) fn removed(&mut self, source: Source<'a>, block: &'a Block) {
        let Some(label) = block.body.get_attribute("from").and_then(|from| label(&from.value)) else { return };
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let destroy = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("destroy")?.value.as_bool());
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

/// The label in `aws_dynamodb_table.label`.
fn label(address: &Expression) -> Option<&str> {
    reference(address).filter(|(kind, _)| *kind == "aws_dynamodb_table").map(|(_, label)| label)
}
