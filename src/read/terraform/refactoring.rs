//! `moved`, `import` and `removed` blocks of tables.

use super::Reader;
use super::fields::Source;
use super::scope::reference;
use crate::schema::About;
use crate::schema::dynamodb::{IN_MODULE, Kept};
use hcl::edit::expr::{Expression, TraversalOperator};
use hcl::edit::structure::Block;

impl<'a> Reader<'a> {
    pub(super) fn moved(&mut self, source: Source<'a>, block: &'a Block) {
        let end = |key| label(&block.body.get_attribute(key)?.value);
        let (Some(from), Some(to)) = (end("from"), end("to")) else { return };
        if self.module.schema.moved.insert(from.clone(), to).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{from}` is moved twice"));
        }
    }

    pub(super) fn import(&mut self, source: Source<'a>, block: &'a Block) {
        let Some(to) = block.body.get_attribute("to").and_then(|to| label(&to.value)) else { return };
        let Some(name) = block.body.get_attribute("id").and_then(|id| self.scope.text(source, &id.value)) else { return };
        if self.module.schema.imported.insert(to.clone(), name).is_some() {
            self.wrong(source.span(&block.ident), format!("`aws_dynamodb_table.{to}` is imported twice"));
        }
    }

    /// Without `lifecycle { destroy = false }`, Terraform destroys what it forgets.
    pub(super) fn removed(&mut self, source: Source<'a>, block: &'a Block) {
        let Some(label) = block.body.get_attribute("from").and_then(|from| label(&from.value)) else { return };
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let destroy = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("destroy")?.value.as_bool());
        let kept = Kept {
            terraform_name: label.clone(),
            logical_id: String::new(),
            name: None,
            destroy: destroy.unwrap_or(true),
            about: About::at(source.span(&block.ident)),
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

/// The label in `aws_dynamodb_table.label`, and `module.name` where it is the module, or the table in it.
fn label(address: &Expression) -> Option<String> {
    if let Some((kind, label)) = reference(address) {
        return match kind {
            "aws_dynamodb_table" => Some(label.to_owned()),
            "module" => Some(format!("{IN_MODULE}{label}")),
            _ => None,
        };
    }
    let Expression::Traversal(traversal) = address else { return None };
    let mut names = traversal.operators.iter().filter_map(|operator| match operator.value() {
        TraversalOperator::GetAttr(name) => Some(name.as_str()),
        _ => None,
    });
    let (Some("module"), name, Some("aws_dynamodb_table")) =
        (traversal.expr.as_variable().map(hcl::edit::Ident::as_str), names.next()?, names.next())
    else {
        return None;
    };
    Some(format!("{IN_MODULE}{name}"))
}
