//! Replicas that the custom resource of the AWS CDK makes beside a table of one Region (`Custom::DynamoDBReplica`,
//! <https://github.com/aws/aws-cdk/issues/17011>). They are carried along in the table: the resource deletes them when it goes.

use super::Reader;
use super::intrinsic::{call, source};
use crate::schema::dynamodb::{Schema, Table};
use crate::source::Node;

/// The type of the resource, and the path under which its replicas are carried along.
const TYPE: &str = "Custom::DynamoDBReplica";

impl Reader<'_> {
    /// Puts such replicas into the tables they belong to. One that a policy keeps is left behind whatever happens to it.
    pub(super) fn custom_replicas(&mut self, resources: &Node, schema: &mut Schema) {
        let is = |resource: &Node| resource.get("Type").and_then(Node::as_str) == Some(TYPE);
        for entry in resources.entries().iter().filter(|entry| is(&entry.value)) {
            let kept =
                entry.value.get("DeletionPolicy").and_then(Node::as_str).is_some_and(|policy| policy.starts_with("Retain"));
            let Some(properties) = entry.value.get("Properties").filter(|_| !kept) else { continue };
            let (Some(name), Some(region)) = (properties.get("TableName"), properties.get("Region").and_then(Node::as_str))
            else {
                continue;
            };
            let named = self.text(name);
            let referred = call(name).filter(|(function, _)| *function == "Ref").and_then(|(_, of)| of.as_str());
            let is_its = |(logical_id, table): &(&String, &mut Table)| {
                referred == Some(logical_id.as_str()) || (table.name.is_some() && table.name == named)
            };
            let Some((_, table)) = schema.tables.iter_mut().find(is_its) else { continue };
            let path = format!("{TYPE}.{region}");
            table.about.properties.insert(path.clone(), entry.key_span);
            table.extra.insert(path, source(properties));
        }
    }
}
