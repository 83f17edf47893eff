//! How many entries the sections of a template have.

use crate::source::Node;

/// How much each of the sections holds that CloudFormation limits, those of one template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// Resources.
    pub resources: usize,
    /// Outputs.
    pub outputs: usize,
    /// Parameters.
    pub parameters: usize,
    /// Mappings.
    pub mappings: usize,
}

impl Entries {
    /// Those of a template.
    #[must_use]
    pub fn of(root: &Node) -> Self {
        Self::counted(|section| root.get(section).map_or(0, |section| section.entries().len()))
    }

    /// Those of a template in YAML's block style, by its indentation: much faster than to parse it. None for what is in another
    /// style.
    #[must_use]
    pub fn of_block(text: &str) -> Option<Self> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        // The indentation of the section's entries, once the first is seen.
        let mut indent = None;
        for line in text.lines() {
            let content = line.trim_start_matches(' ');
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let depth = line.len() - content.len();
            if depth == 0 {
                let (name, rest) = content.split_once(':')?;
                let is_block = rest.is_empty() || !ALL.contains(&name);
                if !is_block || !name.chars().all(|letter| letter.is_ascii_alphanumeric()) {
                    return None;
                }
                counts.push((name, 0));
                indent = None;
            } else if *indent.get_or_insert(depth) == depth {
                counts.last_mut()?.1 += 1;
            }
        }
        Some(Self::counted(|section| counts.iter().find(|(name, _)| *name == section).map_or(0, |(_, count)| *count)))
    }

    fn counted(count: impl Fn(&str) -> usize) -> Self {
        let [resources, outputs, parameters, mappings] = ALL.map(count);
        Self { resources, outputs, parameters, mappings }
    }
}

/// The sections that are limited.
const ALL: [&str; 4] = ["Resources", "Outputs", "Parameters", "Mappings"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::source::{SourceMap, parse};

    #[test]
    fn lines_tell_as_much_as_the_tree() {
        let text = "# a comment\nDescription: two words\nParameters:\n    Environment:\n        Type: String\n\nResources:\n  A:\n    Type: T\n\
                    \x20   Note: |\n      text\n\n  # B: no\n  B: { Type: T }\nOutputs:\n  A:\n    Value: \"x\n      y\"\n";
        let mut sources = SourceMap::default();
        let file = sources.add("template.yaml", text);
        let root = parse(&sources, file, &mut Sink::default()).unwrap();
        let expected = Entries { resources: 2, outputs: 1, parameters: 1, mappings: 0 };
        assert_eq!(Entries::of(&root), expected);
        assert_eq!(Entries::of_block(text), Some(expected));
    }

    #[test]
    fn another_style_is_left_to_the_parser() {
        for text in
            ["Resources: {A: {Type: T}}", "{\"Resources\": {}}", "Resources: !Include a", "\"Resources\":\n  A: 1\n", "? a\n"]
        {
            assert_eq!(Entries::of_block(text), None, "{text}");
        }
    }
}
