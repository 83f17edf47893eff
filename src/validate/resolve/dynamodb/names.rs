//! Names of tables, and what must not be called alike.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::Named;
use crate::model::{DynamodbTable, Model, Owner};
use crate::schema::{Part, Text, pascal_case};
use crate::source::{Span, Spanned};
use crate::validate::grammar::name::{Name, is_dynamodb};
use crate::validate::resolve::in_force::InForce;
use crate::validate::resolve::report::Report;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Checks the literal parts of a physical table name, and what values make of it.
pub(super) fn is_name(name: &Spanned<Text>, report: &mut Report<'_>) -> bool {
    let mut length = 0;
    let mut fits = true;
    for part in name.value.parts() {
        if let Part::Literal(text) = part {
            length += text.len();
            fits &= text.chars().all(is_dynamodb);
        }
    }
    let is_literal = name.value.as_literal().is_some();
    if !fits || (is_literal && length < 3) {
        let diagnostic = Diagnostic::new(codes::BAD_NAME, name.span, format!("`{}` cannot be the name of a table", name.value));
        report.push(
            diagnostic.help("3 to 255 letters, digits, underscores, hyphens and dots; a table's `name` may differ from its key"),
        );
        return false;
    }
    if length > 255 {
        report.push(Diagnostic::new(
            codes::NAME_TOO_LONG,
            name.span,
            format!("the name of the table has {length} characters; at most 255 are possible"),
        ));
        return false;
    }
    let in_force = InForce::of(&name.value, report);
    in_force.check(Name::Dynamodb, name, "the name of a table", report)
}

/// Physical names, Terraform labels and logical IDs must tell tables apart.
pub(super) fn taken(tables: &Named<DynamodbTable>, report: &mut Report<'_>, model: &Model) {
    let mut names: HashMap<String, Span, RandomState> = HashMap::default();
    let mut labels: HashMap<String, Span, RandomState> = HashMap::default();
    let mut ids: HashMap<String, Span, RandomState> = HashMap::default();
    for table in tables.values().filter(|table| !matches!(table.owner, Owner::Model(_))) {
        // As it is in force, where that is known; else as it is written.
        let in_force = InForce::of(&table.name.value, report);
        let name = in_force.whole().map_or_else(|| table.name.value.to_string(), str::to_owned);
        if let Some(first) = names.insert(name.clone(), table.span) {
            let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, table.name.span, format!("two tables are called `{name}`"));
            report.push(diagnostic.context(first, "the other"));
        }
        if !table.is_emitted() {
            continue;
        }
        let label = table.terraform_name.as_ref().map_or((&table.key, table.span), |name| (&name.value, name.span));
        if let Some(first) = labels.insert(label.0.to_lowercase(), label.1) {
            let diagnostic =
                Diagnostic::new(codes::NAME_TAKEN, label.1, format!("two tables would have the Terraform label `{}`", label.0));
            report.push(
                diagnostic
                    .note("labels and file names are compared without case")
                    .context(first, "the other")
                    .help("set `terraform_name` on one of them"),
            );
        }
        let id =
            table.logical_id.as_ref().map_or_else(|| (pascal_case(&table.key), table.span), |id| (id.value.clone(), id.span));
        if id.0.is_empty() {
            let diagnostic = Diagnostic::new(codes::BAD_NAME, id.1, format!("`{}` makes no logical ID", table.key));
            report.push(diagnostic.note("CloudFormation has letters and digits alone").help("set `logical_id`"));
        } else if let Some(first) = ids.insert(id.0.to_lowercase(), id.1) {
            let diagnostic = Diagnostic::new(codes::NAME_TAKEN, id.1, format!("two tables would have the logical ID `{}`", id.0));
            report.push(diagnostic.context(first, "the other").help("set `logical_id` on one of them"));
        }
        let parameter = model.parameters.iter().find(|(name, _)| pascal_case(name) == id.0);
        if let Some((name, parameter)) = parameter {
            let diagnostic = Diagnostic::new(
                codes::NAME_TAKEN,
                id.1,
                format!("the table and the parameter `{name}` would both be called `{}` in CloudFormation", id.0),
            );
            let diagnostic = diagnostic.help("set `logical_id` on the table");
            report.push(match parameter.about.span {
                Some(span) => diagnostic.context(span, "the parameter"),
                None => diagnostic,
            });
        }
    }
}
