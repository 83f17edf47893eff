//! What each version of Terraform's AWS provider can write. Sources: its `CHANGELOG.md`, by version.

use crate::diagnostic::{Diagnostic, Label, codes};
use crate::schema::dynamodb::{GlobalIndex, Insights, Replica, ReplicaConsistency, Schema, Table, Units};
use crate::schema::{About, Address, Backend, Value};
use crate::source::Span;
use std::borrow::Cow;

/// Something that not every provider can write.
struct Need {
    /// The minor version of 6 that can; None: no provider.
    since: Option<u32>,
    address: Address,
    /// What the item at the address has.
    what: String,
    /// What to write instead.
    instead: Option<String>,
    span: Option<Span>,
}

impl Need {
    /// The error of the provider that cannot.
    fn refused(&self, provider: &str) -> Diagnostic {
        let message = format!("`{}` has {}, which {provider} cannot write", self.address, self.what);
        let mut problem = Diagnostic::nowhere(codes::NOT_ON_PROVIDER, message).at(self.address.to_string());
        problem.primary = self.span.map(|span| Label { span, text: String::new() });
        match (self.since, &self.instead) {
            (Some(_), None) => problem.help("use `provider: aws-6`"),
            (Some(_), Some(instead)) => problem.help(format!("use `provider: aws-6`, or {instead}")),
            (None, instead) => instead.iter().fold(problem, Diagnostic::help),
        }
    }
}

/// The provider versions that know all that a schema needs. 5.100 is the last minor version of 5, and the one that all is run
/// against.
pub(super) fn versions(schema: &Schema, backend: Backend) -> Result<String, Vec<Diagnostic>> {
    let needs = needs(schema);
    let six = backend == Backend::TerraformAws6;
    let refused: Vec<Diagnostic> = needs
        .iter()
        .filter(|need| !six || need.since.is_none())
        .map(|need| need.refused(if need.since.is_some() { "provider 5" } else { "the provider" }))
        .collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    let minor = needs.iter().filter_map(|need| need.since).max().unwrap_or(0);
    Ok(if six { format!("~> 6.{minor}") } else { "~> 5.100".to_owned() })
}

/// Why the lowest profile that can express a schema is that of provider 6; None: it is that of 5.
#[must_use]
pub fn needs_6(schema: &Schema) -> Option<Diagnostic> {
    let need = needs(schema).into_iter().find(|need| need.since.is_some())?;
    let message = format!("generated for provider 6, because `{}` has {}", need.address, need.what);
    let mut finding = Diagnostic::nowhere(codes::PROVIDER_CHOSEN, message).at(need.address.to_string());
    finding.primary = need.span.map(|span| Label { span, text: String::new() });
    Some(finding.help("say so in gen.yaml: `targets: { terraform: { provider: aws-6 } }`"))
}

fn needs(schema: &Schema) -> Vec<Need> {
    let mut needs = Vec::new();
    for (key, table) in &schema.tables {
        of_table(&Address::DynamodbTable(key.clone()), table, &mut needs);
        for (name, index) in &table.global_indexes {
            of_index(&Address::GlobalIndex(key.clone(), name.clone()), index, &mut needs);
        }
    }
    needs
}

fn of_table(address: &Address, table: &Table, needs: &mut Vec<Need>) {
    warm(address, table.warm_throughput.as_ref(), &table.about, needs);
    mode(address, table.contributor_insights, &table.about, needs);
    for (region, replica) in &table.replicas {
        of_replica(address, table, region, replica, needs);
    }
    if table.replica_consistency == ReplicaConsistency::Strong {
        needs.push(need(Some(3), address, "strongly consistent replicas", &table.about, "replica_consistency"));
    }
    if table.witness.is_some() {
        needs.push(need(Some(22), address, "a witness", &table.about, "witness"));
    }
}

fn of_replica(address: &Address, table: &Table, region: &str, replica: &Replica, needs: &mut Vec<Need>) {
    let mut lacks = |since, what: &str, instead: String| {
        let what = format!("{what} of its replica in {region}");
        let need = need(since, address, &what, &table.about, &format!("replicas.{region}"));
        needs.push(Need { instead: Some(instead), ..need });
    };
    let write = |setting: &str| format!("write `{region}: {{ {setting} }}` in `replicas`");
    if replica.deletion_protection.as_ref().is_some_and(|on| *on != Value::Literal(false)) {
        lacks(Some(9), "deletion protection", write("deletion_protection: false"));
    }
    if let Some(days) = replica.point_in_time_recovery.as_ref().and_then(|recovery| recovery.days) {
        lacks(None, &format!("recovery over {days} days"), write("point_in_time_recovery: true"));
    }
    if replica.table_class.is_some() {
        let instead = "leave its `table_class` out: a replica that has none has the table's".to_owned();
        lacks(None, "the table class", instead);
    }
}

/// A schema as a provider can write it. That a replica is not protected goes without saying where it cannot be said: a new one
/// starts so.
pub(super) fn as_written(schema: &Schema, backend: Backend) -> Cow<'_, Schema> {
    let mut schema = Cow::Borrowed(schema);
    if backend == Backend::TerraformAws5 && schema.tables.values().any(|table| !table.replicas.is_empty()) {
        for replica in schema.to_mut().tables.values_mut().flat_map(|table| table.replicas.values_mut()) {
            replica.deletion_protection = replica.deletion_protection.take().filter(|on| *on != Value::Literal(false));
        }
    }
    schema
}

fn mode(address: &Address, insights: Option<Insights>, about: &About, needs: &mut Vec<Need>) {
    if insights == Some(Insights::ThrottledKeys) {
        needs.push(need(Some(11), address, "contributor insights of throttled keys alone", about, "contributor_insights"));
    }
}

fn of_index(address: &Address, index: &GlobalIndex, needs: &mut Vec<Need>) {
    if index.partition_key.0.len() > 1 || index.sort_key.0.len() > 1 {
        needs.push(need(Some(29), address, "a key of several attributes", &index.about, "sort_key"));
    }
    warm(address, index.warm_throughput.as_ref(), &index.about, needs);
    mode(address, index.contributor_insights, &index.about, needs);
}

fn warm(address: &Address, units: Option<&Units>, about: &About, needs: &mut Vec<Need>) {
    let Some(units) = units else { return };
    needs.push(need(Some(13), address, "warm throughput", about, "warm_throughput"));
    for ((value, least), what) in [&units.read, &units.write].into_iter().zip(Units::LEAST_WARM).zip(["reads", "writes"]) {
        if let Some(Value::Literal(units)) = value
            && *units < least
        {
            let what = format!("warm throughput of {units} {what} a second, below {least}");
            needs.push(need(None, address, &what, about, "warm_throughput"));
        }
    }
}

fn need(since: Option<u32>, address: &Address, what: &str, about: &About, property: &str) -> Need {
    let span = about.properties.get(property).copied().or(about.span);
    Need { since, address: address.clone(), what: what.to_owned(), instead: None, span }
}
