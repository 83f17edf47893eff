//! What a text says of other models, before it is checked.

use crate::diagnostic::Sink;
use crate::source::{FileId, Node, SourceMap, Spanned, parse};

/// The name of a model and of those it shares tables with. What is wrong with the text is said when it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Its own name.
    pub name: Option<Spanned<String>>,
    /// The models that it says own tables.
    pub owners: Vec<String>,
}

/// Reads the outline of a text.
#[must_use]
pub fn outline(sources: &SourceMap, file: FileId) -> Outline {
    let Some(root) = parse(sources, file, &mut Sink::default()).filter(|root| root.get("gen").is_some()) else {
        return Outline::default();
    };
    let named = |node: &Node| Some(Spanned::<String>::new(node.as_str()?.to_owned(), node.span));
    let mut owners: Vec<String> = Vec::new();
    for table in root.get("dynamodb").and_then(|section| section.get("tables")).into_iter().flat_map(Node::entries) {
        if let Some(owner) = table.value.get("owner").and_then(Node::as_str)
            && !owners.iter().any(|known| known == owner)
        {
            owners.push(owner.to_owned());
        }
    }
    Outline { name: root.get("name").and_then(named), owners }
}
