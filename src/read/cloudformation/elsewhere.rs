//! Resources that make, or may make, tables and are not read: a table in one must not look as if it were not there.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes, first_in_words};
use crate::read::not_placed::not_placed;
use crate::source::{Entry, Node, Span};

/// Macros that are named in one message; the rest is counted.
const NAMED: usize = 5;

/// What a type of resource is, with what to do about it; None for one that makes no tables.
fn of_type(kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "AWS::CloudFormation::Stack" | "AWS::CloudFormation::StackSet" => {
            Some(("the nested stack", "where it makes tables, give its template, before and after"))
        }
        "AWS::Serverless::Application" => Some(("the application", "where it makes tables, give its template, before and after")),
        "AWS::Serverless::SimpleTable" => {
            Some(("the table", "name the macro that makes it: `Transform: AWS::Serverless-2016-10-31`"))
        }
        kind if kind.ends_with("::MODULE") => Some(("the module", "where it makes tables, give its template, before and after")),
        _ => None,
    }
}

impl Reader<'_> {
    /// Says that nothing is known of what a resource makes.
    pub(super) fn not_read(&mut self, entry: &Entry, kind: &str, place: Span) {
        let Some((what, help)) = of_type(kind) else { return };
        let message = match what {
            "the table" => format!("the table `{}` is not read: it is an `{kind}`", entry.key),
            what => format!("what {what} `{}` makes is not read", entry.key),
        };
        let finding = Diagnostic::new(codes::NOT_READ, place, message);
        self.sink.push(finding.note("a table there is neither compared nor missed").help(help));
    }

    /// Says of resources that stand beside tables that it is not known which.
    pub(super) fn not_placed(&mut self, resources: &[(Span, String)]) {
        let help = "where it is a table of this template, refer to that itself: `!Sub 'table/${TABLE}'`";
        self.sink.extend(not_placed(resources, help));
    }

    /// Says of macros, which may change any part of a template, that what they make of it is not known. Those of CloudFormation
    /// itself leave what is written of a table as it is.
    pub(super) fn macros_not_evaluated(&mut self, root: &Node) {
        let Some(transform) = root.get("Transform") else { return };
        let all = [transform].into_iter().chain(transform.items());
        let name = |node: &Node| node.as_str().or_else(|| node.get("Name")?.as_str()).map(str::to_owned);
        let names: Vec<String> =
            all.filter_map(name).filter(|name| !name.starts_with("AWS::") || name == "AWS::Include").collect();
        if !names.is_empty() {
            let make = if names.len() == 1 { "makes" } else { "make" };
            let message = format!("what {} {make} of the template is not known", first_in_words(&names, NAMED));
            let finding = Diagnostic::new(codes::NOT_EVALUATED, transform.span, message);
            self.sink.push(finding.help("compare what comes out: `aws cloudformation get-template --template-stage Processed`"));
        }
    }
}
