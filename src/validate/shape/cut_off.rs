//! Values that ended at a comma they should have held.

use super::Path;
use crate::diagnostic::Sink;
use crate::source::{Entry, Kind, Node, SourceMap, Span, is_cut_off, unquoted_comma};
use std::collections::BTreeSet;

/// Finds values that ended at a comma, and what the comma made of their rest.
pub(super) fn find(node: &mut Node, path: &mut Path, sources: &SourceMap, broken: &mut BTreeSet<Path>, sink: &mut Sink) {
    let text = sources.text(node.span.file);
    let comma =
        |from: Span, to: Span| text.get(from.end as usize..to.start as usize).is_some_and(|between| between.contains(','));
    match &mut node.kind {
        Kind::Map(entries) => {
            let mut index = 0;
            while let Some(entry) = entries.get(index) {
                let (span, is_cut) = (entry.value.span, is_cut_off(&entry.value));
                let rest = entries.get(index + 1..).unwrap_or_default();
                let is_rest = |next: &Entry| next.value.kind == Kind::Null && next.value.span.start == next.value.span.end;
                if is_cut && rest.first().is_some_and(|next| is_rest(next) && comma(span, next.key_span)) {
                    sink.push(unquoted_comma(span, text));
                    path.push(entry.key.clone());
                    broken.insert(path.clone());
                    path.pop();
                    let pieces = rest.iter().take_while(|next| is_rest(next)).count();
                    entries.drain(index + 1..=index + pieces);
                }
                index += 1;
            }
            for entry in entries {
                path.push(entry.key.clone());
                find(&mut entry.value, path, sources, broken, sink);
                path.pop();
            }
        }
        Kind::Sequence(items) => {
            for pair in items.windows(2) {
                if let [first, second] = pair
                    && is_cut_off(first)
                    && comma(first.span, second.span)
                {
                    sink.push(unquoted_comma(first.span, text));
                    broken.insert(path.clone());
                }
            }
            for (index, item) in items.iter_mut().enumerate() {
                path.push(index.to_string());
                find(item, path, sources, broken, sink);
                path.pop();
            }
        }
        _ => {}
    }
}
