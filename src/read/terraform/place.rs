//! Which table a resource that stands beside it belongs to: the one that it names, be it by way of a local value, of an instance
//! (`aws_dynamodb_table.orders[0].arn`) or of any other expression in which no other table stands.

use super::Reader;
use super::behind::{named, sources};
use super::fields::{Fields, Source};
use super::syntax::{Block, Name};
use crate::read::scaling::INDEX;
use crate::schema::dynamodb::{self, terraform_address};
use crate::schema::{Part, Text};
use std::collections::{BTreeMap, BTreeSet};

/// A table, by its label, or an index of one.
pub(super) type Holder = (String, Option<String>);

/// What an ID, a name or an ARN of the module stands for.
pub(super) type Holders = BTreeMap<Text, Holder>;

impl<'a> Reader<'a> {
    /// What the tables and indexes of the module are known by elsewhere.
    pub(super) fn holders(&self) -> Holders {
        let mut holders = Holders::new();
        for (label, table) in &self.module.schema.tables {
            let of = |attribute: &str| Part::Expression(dynamodb::terraform_attribute(label, attribute));
            holders.insert(Text::from_parts([of("arn")]), (label.clone(), None));
            let mut names = vec![vec![of("name")], vec![of("id")]];
            names.extend(table.name.as_ref().map(|name| name.parts().to_vec()));
            for name in names {
                let id = |after: String| {
                    let before = Part::Literal("table/".to_owned());
                    Text::from_parts([vec![before], name.clone(), vec![Part::Literal(after)]].concat())
                };
                for index in table.global_indexes.keys() {
                    holders.insert(id(format!("{INDEX}{index}")), (label.clone(), Some(index.clone())));
                }
                holders.insert(id(String::new()), (label.clone(), None));
                holders.insert(Text::from_parts(name), (label.clone(), None));
            }
        }
        holders
    }

    /// What an argument of a resource says that it belongs to. A table that is written out and is not of the module is another
    /// module's; what is not known is noted.
    pub(super) fn holder(
        &mut self,
        block: &'a Block<'a>,
        fields: &mut Fields<'a>,
        argument: &str,
        holders: &Holders,
    ) -> Option<Holder> {
        let value = fields.argument(argument)?;
        let text = self.scope.text(fields.source, value)?;
        let found = holders.get(&text).cloned().or_else(|| self.only_one(&text));
        if found.is_none() && text.as_literal().is_none() {
            self.not_placed(block, fields.source);
        }
        found
    }

    /// The table, or the index of it, that a text names, when it names no other.
    fn only_one(&self, text: &Text) -> Option<Holder> {
        let tables = &self.module.schema.tables;
        let named = self.named_by(text, &["aws_dynamodb_table", "module"]);
        let mut labels = tables.keys().filter(|label| named.contains(&terraform_address(label)));
        let (Some(label), None) = (labels.next(), labels.next()) else { return None };
        let index = text.parts().iter().position(|part| matches!(part, Part::Literal(text) if text.contains(INDEX)));
        let Some(index) = index else { return Some((label.clone(), None)) };
        // The name of an index that only Terraform knows is that of none.
        let [Part::Literal(last)] = text.parts().get(index..)? else { return None };
        let (_, name) = last.split_once(INDEX)?;
        tables.get(label)?.global_indexes.contains_key(name).then(|| (label.clone(), Some(name.to_owned())))
    }

    /// All of some types that a text names, itself or behind what it names: `aws_dynamodb_table.orders`.
    pub(super) fn named_by(&self, text: &Text, types: &'static [&'static str]) -> BTreeSet<String> {
        let sources = sources(&self.scope, text);
        sources.iter().flat_map(|source| named(types, source)).map(|(kind, name)| format!("{kind}.{name}")).collect()
    }

    /// Notes that it is not known what a resource belongs to.
    pub(super) fn not_placed(&mut self, block: &Block<'_>, source: Source<'_>) {
        let address: Vec<&str> = block.labels.iter().map(Name::as_str).collect();
        self.not_placed.push((source.span(&block.ident), address.join(".")));
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Sink;
    use crate::read::terraform::{Module, read};
    use crate::source::SourceMap;

    const TABLES: &str = r#"
variable "create" { default = true }
variable "table" {}
locals {
  arn = var.create ? aws_dynamodb_table.orders[0].arn : ""
  any = var.create ? aws_dynamodb_table.orders[0].arn : aws_dynamodb_table.users.arn
}
resource "aws_dynamodb_table" "orders" {
  count    = var.create ? 1 : 0
  name     = "orders"
  hash_key = "id"
  attribute {
    name = "id"
    type = "S"
  }
  global_secondary_index {
    name            = "by_id"
    hash_key        = "id"
    projection_type = "ALL"
  }
}
resource "aws_dynamodb_table" "users" {
  name     = "users"
  hash_key = "id"
  attribute {
    name = "id"
    type = "S"
  }
}
"#;

    /// What a module says, and what of it is not known to be of a table.
    fn module(more: &str) -> (Module, Vec<String>) {
        let mut sources = SourceMap::default();
        let file = sources.add("main.tf", format!("{TABLES}{more}"));
        let mut sink = Sink::default();
        let module = read(&sources, &[file], &mut sink).unwrap();
        let messages = sink.into_sorted().into_iter().map(|said| said.message);
        (module, messages.filter(|message| message.contains("not known")).collect())
    }

    fn policy(arn: &str) -> (Module, Vec<String>) {
        module(&format!(
            "resource \"aws_dynamodb_resource_policy\" \"p\" {{\n  resource_arn = {arn}\n  policy = jsonencode({{}})\n}}\n"
        ))
    }

    fn scaling(id: &str, more: &str) -> (Module, Vec<String>) {
        let target = format!("resource_id = {id}\n  min_capacity = 1\n  max_capacity = 9\n{more}");
        let tracking = "target_tracking_scaling_policy_configuration {\n    target_value = 70\n  }";
        module(&format!(
            "resource \"aws_appautoscaling_target\" \"t\" {{\n  {target}}}\n\
             resource \"aws_appautoscaling_policy\" \"t\" {{\n  resource_id = aws_appautoscaling_target.t[0].resource_id\n  {tracking}\n}}\n"
        ))
    }

    const READS: &str = "  service_namespace = \"dynamodb\"\n  scalable_dimension = \"dynamodb:x:ReadCapacityUnits\"\n";

    #[test]
    fn a_table_is_found_behind_instances_and_local_values() {
        for arn in ["aws_dynamodb_table.orders[0].arn", "join(\"\", aws_dynamodb_table.orders.*.arn)", "local.arn"] {
            let (module, said) = policy(arn);
            assert!(module.schema.tables["orders"].resource_policy.is_some() && said.is_empty(), "{arn}: {said:?}");
        }
        let (module, said) = scaling("\"table/${aws_dynamodb_table.orders[0].name}\"", READS);
        assert!(module.schema.tables["orders"].autoscaling.is_some() && said.is_empty(), "{said:?}");
        let (module, said) = scaling("\"table/${aws_dynamodb_table.orders[0].name}/index/by_id\"", READS);
        assert!(module.schema.tables["orders"].global_indexes["by_id"].autoscaling.is_some() && said.is_empty(), "{said:?}");
    }

    #[test]
    fn what_is_not_known_is_said() {
        for arn in ["local.any", "var.table", "data.aws_dynamodb_table.orders.arn"] {
            let (module, said) = policy(arn);
            assert!(module.schema.tables.values().all(|table| table.resource_policy.is_none()), "{arn}");
            assert_eq!(said, ["it is not known which table is meant by `aws_dynamodb_resource_policy.p`"], "{arn}");
        }
        for (id, more) in [
            ("\"table/${aws_dynamodb_table.orders[0].name}/index/${each.key}\"", READS),
            ("\"table/${aws_dynamodb_table.orders[0].name}/index/none\"", READS),
            ("\"table/${aws_dynamodb_table.users.name}\"", "  scalable_dimension = each.value\n"),
        ] {
            let (_, said) = scaling(id, more);
            assert_eq!(said, ["it is not known which table is meant by `aws_appautoscaling_target.t`"], "{id}");
        }
    }

    #[test]
    fn what_is_of_another_module_or_service_is_passed_over() {
        assert_eq!(policy("\"arn:aws:dynamodb:eu-west-1:1:table/other\"").1, [""; 0]);
        let service = "  service_namespace = \"ecs\"\n  scalable_dimension = var.table\n";
        assert_eq!(scaling("\"service/${var.table}\"", service).1, [""; 0]);
        assert_eq!(scaling("\"service/${var.table}\"", "  scalable_dimension = \"ecs:service:DesiredCount\"\n").1, [""; 0]);
    }

    #[test]
    fn a_table_of_a_keyspace_is_found_too() {
        let table = "resource \"aws_keyspaces_table\" \"users\" {\n  keyspace_name = \"shop\"\n  table_name = \"users\"\n  schema_definition {\n    \
                     column {\n      name = \"id\"\n      type = \"text\"\n    }\n    partition_key {\n      name = \"id\"\n    }\n  }\n}\n";
        let reads = "  scalable_dimension = \"cassandra:table:ReadCapacityUnits\"\n";
        let settings = |id: &str| {
            let (module, said) = scaling(id, &format!("{reads}}}\n{table}locals {{\n"));
            (module.keyspaces.keyspaces["shop"].tables["users"].options.contains_key("autoscaling_settings"), said.len())
        };
        assert_eq!(settings("\"keyspace/shop/table/${aws_keyspaces_table.users[0].table_name}\""), (true, 0));
        assert_eq!(settings("\"keyspace/shop/table/${var.table}\""), (false, 1));
        assert_eq!(settings("\"keyspace/shop/table/others\""), (false, 0));
    }
}
