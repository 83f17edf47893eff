//! What the language has and `gen` does not make yet. One row for each; a row goes when its part is built.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::{Entry, Kind, Node};

struct Row {
    /// Keys from the root. `*` is any key; `<table>` is `defaults` and any table.
    path: &'static str,
    /// Which values are not built.
    when: fn(&Node) -> bool,
    what: &'static str,
}

const ROWS: &[Row] = &[
    Row { path: "dynamodb.<table>.replicas", when: any, what: "replicas are" },
    Row { path: "dynamodb.<table>.replica_consistency", when: any, what: "the consistency of replicas is" },
    Row { path: "dynamodb.<table>.witness", when: any, what: "a witness Region is" },
];

fn any(_: &Node) -> bool {
    true
}

/// Reports what of a document is not built yet. Null stands for what is wrong anyway.
pub(super) fn check(root: &Node, sink: &mut Sink) {
    for row in ROWS {
        for path in [row.path.replace("<table>", "defaults"), row.path.replace("<table>", "tables.*")] {
            let segments: Vec<&str> = path.split('.').collect();
            visit(root, &segments, &mut |entry| {
                if entry.value.kind != Kind::Null && (row.when)(&entry.value) {
                    sink.push(Diagnostic::new(codes::NOT_YET, entry.key_span, format!("{} not built yet", row.what)));
                }
            });
            if !row.path.contains('<') {
                break;
            }
        }
    }
}

fn visit<'n>(node: &'n Node, path: &[&str], found: &mut dyn FnMut(&'n Entry)) {
    let Some((first, rest)) = path.split_first() else { return };
    for entry in node.entries().iter().filter(|entry| *first == "*" || entry.key == *first) {
        if rest.is_empty() {
            found(entry);
        } else {
            visit(&entry.value, rest, found);
        }
    }
}
