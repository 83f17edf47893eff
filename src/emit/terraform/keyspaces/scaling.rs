//! What scales a table of Amazon Keyspaces, in resources of its own.

use crate::emit::engine::Literal;
use crate::emit::keyspaces::{Scaling, Settings};
use crate::emit::literal::hcl;
use crate::schema::cql::Table;
use crate::schema::dynamodb::beside;
use crate::schema::{Part, Text};
use serde::Serialize;

/// A target of Application Auto Scaling and its policy.
#[derive(Serialize)]
pub(super) struct ScalingContext {
    label: String,
    policy_name: Literal,
    target: Literal,
    resource_id: Literal,
    dimension: &'static str,
    metric: &'static str,
    min: Literal,
    max: Literal,
    utilisation: Literal,
}

/// What the resources that scale a table begin with. Those of a table of DynamoDB begin with its label.
pub(super) fn scaling_label(table: &str) -> String {
    format!("keyspaces_{table}")
}

/// Where Terraform has the scaling of a table that is, or was, at a label. A `moved` block whose `from` is nowhere moves nothing.
pub(super) fn scaled_as(table: &Table, label: &str) -> impl Iterator<Item = String> {
    let settings = Settings::of(table);
    let ends = [("read", settings.read_scaling.is_some()), ("write", settings.write_scaling.is_some())];
    let label = scaling_label(label);
    ends.into_iter()
        .filter(|(_, scaled)| *scaled)
        .flat_map(move |(what, _)| [beside::SCALING_TARGET, beside::SCALING_POLICY].map(|kind| format!("{kind}.{label}_{what}")))
}

/// `aws_appautoscaling_target` and `_policy`: that an argument of the table scales it no removed provider that was read knows.
pub(super) fn scaling(keyspace: &str, table: &str, settings: &Settings<'_>) -> Vec<ScalingContext> {
    let part = |text: &str| Part::Literal(text.to_owned());
    let id = Text::from_parts([
        part("keyspace/"),
        Part::Expression(format!("aws_keyspaces_keyspace.{keyspace}.name")),
        part("/table/"),
        Part::Expression(format!("aws_keyspaces_table.{table}.table_name")),
    ]);
    let one = |scaling: &Scaling, dimension, metric, what: &str| {
        let label = format!("{}_{what}", scaling_label(table));
        ScalingContext {
            policy_name: Literal::verbatim(format!("\"{metric}:${{aws_appautoscaling_target.{label}.resource_id}}\"")),
            target: Literal::verbatim(format!("aws_appautoscaling_target.{label}")),
            label,
            resource_id: Literal::verbatim(hcl::text(&id)),
            dimension,
            metric,
            min: Literal::verbatim(&scaling.min),
            max: Literal::verbatim(&scaling.max),
            utilisation: Literal::verbatim(&scaling.target),
        }
    };
    let read = settings.read_scaling.iter();
    let read = read.map(|it| one(it, "cassandra:table:ReadCapacityUnits", "CassandraReadCapacityUtilization", "read"));
    let write = settings.write_scaling.iter();
    let write = write.map(|it| one(it, "cassandra:table:WriteCapacityUnits", "CassandraWriteCapacityUtilization", "write"));
    read.chain(write).collect()
}
