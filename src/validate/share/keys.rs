//! What may stand in a table of another model: only the owner says what the table is.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::{Kind, Node};

const OF_A_SHARER: &[&str] = &["owner", "description", "holds", "discriminator", "allow"];

/// Reports everything else. Null stands for what is wrong anyway.
pub(in crate::validate) fn check(root: &Node, sink: &mut Sink) {
    let tables = root.get("dynamodb").and_then(|section| section.get("tables")).into_iter().flat_map(Node::entries);
    for table in tables {
        let Some(owner) = table.value.entry("owner") else { continue };
        for entry in table.value.entries().iter().filter(|entry| !OF_A_SHARER.contains(&entry.key.as_str())) {
            if entry.value.kind == Kind::Null {
                continue;
            }
            let message = format!("`{}` is said by the owner of `{}` alone", entry.key, table.key);
            sink.push(
                Diagnostic::new(codes::NOT_THE_OWNER, entry.key_span, message)
                    .context(owner.key_span, "another model owns the table")
                    .note("beside `owner` a table has `holds`, `discriminator` and `allow`")
                    .help(format!(
                        "say it in the model of the owner, or remove `owner` when `{}` is this model's own",
                        table.key
                    )),
            );
        }
    }
}
