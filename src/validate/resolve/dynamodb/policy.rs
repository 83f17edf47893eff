//! `resource_policy`: an IAM policy, as a map or in a file of its own.

use crate::diagnostic::{Diagnostic, codes};
use crate::source::{Span, Spanned, from_node, parse};
use crate::validate::document::{self, Field};
use crate::validate::resolve::report::Report;
use crate::validate::{LARGEST_POLICY, beside};
use serde_json::Value as Json;

/// The policy; None, and told, when it cannot be read or cannot be one.
pub(super) fn resolve(document: &Field<document::ResourcePolicy>, report: &mut Report<'_>) -> Option<Spanned<Json>> {
    let written = document.get()?;
    let mut policy = match &written.value {
        document::ResourcePolicy::Map(policy) => Json::Object(policy.clone()),
        document::ResourcePolicy::Text(path) => from_file(path, written.span, report)?,
    };
    // The order of its keys means nothing.
    policy.sort_all_objects();
    if !policy.get("Statement").is_some_and(|statement| statement.is_array() || statement.is_object()) {
        let diagnostic = Diagnostic::new(codes::BAD_VALUE, written.span, "a policy has a `Statement`");
        report.push(diagnostic.help("write it as IAM does: `{ Version: \"2012-10-17\", Statement: [ … ] }`"));
        return None;
    }
    let length = policy.to_string().len();
    if length > LARGEST_POLICY {
        let message = format!("the policy has {length} bytes; at most {LARGEST_POLICY} are possible");
        report.push(Diagnostic::new(codes::BAD_VALUE, written.span, message));
    }
    Some(Spanned::new(policy, written.span))
}

fn from_file(path: &str, span: Span, report: &mut Report<'_>) -> Option<Json> {
    let found = report.sources.find(&beside(report.sources, span.file, path));
    let Some(file) = found else {
        let diagnostic = Diagnostic::new(codes::BAD_VALUE, span, format!("`{path}` cannot be read"));
        report.push(diagnostic.help("the path of a policy starts at the folder of the model"));
        return None;
    };
    let root = parse(report.sources, file, report.sink)?;
    match from_node::<Json>(&root) {
        Ok(policy) => Some(policy),
        Err(error) => {
            report.push(error.into_diagnostic(root.span));
            None
        }
    }
}
