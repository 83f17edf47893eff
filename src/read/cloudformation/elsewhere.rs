//! Resources that make, or may make, tables and are not read: a table in one must not look as if it were not there.

use super::Reader;
use crate::diagnostic::{Diagnostic, codes, first_in_words};
use crate::read::not_placed::not_placed;
use crate::schema::NotRead;
use crate::schema::dynamodb::Resource;
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

/// Whether such a type is replaced by what it makes, in the same stack; others have stacks of their own.
fn is_in_this_stack(kind: &str) -> bool {
    of_type(kind).is_some_and(|(what, _)| matches!(what, "the table" | "the module"))
}

/// The tables that an entry of `Resources` may make which is a function: those of a loop by how their logical IDs begin, those of any
/// other function whatever they are
/// (<https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-foreach.html>).
pub(super) fn made_by(entry: &Entry, found: &mut Vec<NotRead>) {
    let is_loop = entry.key.starts_with("Fn::ForEach::");
    let [_, _, outputs] = entry.value.items() else { return found.push(NotRead::Anything) };
    if !is_loop || outputs.entries().is_empty() {
        return found.push(NotRead::Anything);
    }
    for output in outputs.entries() {
        let kind = output.value.get("Type").and_then(Node::as_str);
        let is_table = |kind| Resource::from_type_name(kind).is_some() || is_in_this_stack(kind);
        if output.key.starts_with("Fn::") {
            made_by(output, found);
        } else if kind.is_none_or(is_table) {
            let start = output.key.split(['$', '&']).next().unwrap_or_default();
            found.push(NotRead::Below(start.to_owned()));
        }
    }
}

impl Reader<'_> {
    /// Says that nothing is known of what a resource makes.
    pub(super) fn not_read(&mut self, entry: &Entry, kind: &str, place: Span) {
        let Some((what, help)) = of_type(kind) else { return };
        if is_in_this_stack(kind) {
            self.not_read.push(NotRead::Below(entry.key.clone()));
        }
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

#[cfg(test)]
mod tests {
    use crate::diagnostic::Sink;
    use crate::read::cloudformation::read_all;
    use crate::schema::NotRead;
    use crate::source::SourceMap;

    #[test]
    fn tables_that_are_not_read_are_known_by_how_their_ids_begin() {
        let not_read = |resources: &str| {
            let mut sources = SourceMap::default();
            let file = sources.add("template.yaml", format!("Resources:\n{resources}"));
            read_all(&sources, &[file], &mut Sink::default()).unwrap().not_read
        };
        let looped = |key: &str, kind: &str| {
            let body = format!("  'Fn::ForEach::All': [N, [A], {{ '{key}': {{ Type: {kind}, Properties: {{}} }} }}]\n");
            not_read(&body)
        };
        assert_eq!(looped("Table${N}", "AWS::DynamoDB::Table"), [NotRead::Below("Table".to_owned())]);
        assert_eq!(looped("${N}", "!FindInMap [A, B, C]"), [NotRead::Below(String::new())]);
        assert_eq!(looped("Queue${N}", "AWS::SQS::Queue"), []);
        assert_eq!(looped("Stack${N}", "AWS::CloudFormation::Stack"), []);
        let nested = "  'Fn::ForEach::All': [N, [A], { 'Fn::ForEach::More': [M, [B], { 'T${N}${M}': { Type: AWS::DynamoDB::Table } }] }]\n";
        assert_eq!(not_read(nested), [NotRead::Below("T".to_owned())]);
        assert_eq!(not_read("  'Fn::Transform': { Name: AWS::Include }\n"), [NotRead::Anything]);
        assert_eq!(
            not_read("  M: { Type: Our::Tables::MODULE }\n  N: { Type: AWS::CloudFormation::Stack }\n"),
            [NotRead::Below("M".to_owned())]
        );
    }
}
