//! Modules that are called and files that are not read: a table there must not look as if it were not there.

use super::Reader;
use super::fields::Source;
use crate::diagnostic::{Diagnostic, codes, first_in_words, listed};
use crate::source::{Span, normal};
use camino::Utf8Path;
use hcl::edit::structure::{Block, BlockLabel};

/// Modules that are named in one message; the rest is counted.
const NAMED: usize = 5;

/// What can make a table.
const MAKES_TABLES: [&str; 3] = ["\"aws_dynamodb_table\"", "\"aws_keyspaces_table\"", "\"module\""];

/// Why a file in Terraform's JSON syntax keeps the others from being compared; None when it makes no table.
pub(super) fn in_json(source: Source<'_>) -> Option<Diagnostic> {
    let at = MAKES_TABLES.iter().filter_map(|word| Some((source.text.find(word)?, word.len()))).min();
    at.map(|(at, length)| {
        Diagnostic::new(codes::BAD_TERRAFORM, Span::new(source.file, at, at + length), "Terraform's JSON syntax is not read")
            .help("write it in a `.tf` file: a table that is not read would look as if it were dropped")
    })
}

impl Reader<'_> {
    /// Says that nothing is known of what some modules make.
    pub(super) fn modules_not_read(&mut self, modules: &[(Source<'_>, &Block)]) {
        let Some((source, first)) = modules.first() else { return };
        let name = |block: &Block| block.labels.first().map_or("", BlockLabel::as_str).to_owned();
        let names = listed(modules.iter().take(NAMED).map(|(_, block)| name(block)));
        let message = match modules.len() {
            1 => format!("what the module {names} makes is not read"),
            count if count > NAMED => {
                let names = first_in_words(modules.iter().map(|(_, block)| name(block)), NAMED);
                format!("what {count} modules make is not read: {names}")
            }
            _ => format!("what these modules make is not read: {names}"),
        };
        let mut finding = Diagnostic::new(codes::NOT_READ, source.span(&first.ident), message);
        for (source, block) in modules.iter().take(NAMED).skip(1) {
            finding = finding.context(source.span(&block.ident), "another one");
        }
        let folders: Vec<String> = modules.iter().filter_map(|(source, block)| self.folder(*source, block)).collect();
        let here = match folders.first() {
            Some(folder) => format!("`{folder}`"),
            None => "`terraform init` puts it below `.terraform/modules`".to_owned(),
        };
        self.sink.push(
            finding
                .note("a table in a module is neither compared nor missed")
                .help(format!("where one of them makes tables, give its folder, before and after: {here}")),
        );
    }

    /// The folder of a module whose source is a local path.
    fn folder(&self, source: Source<'_>, block: &Block) -> Option<String> {
        let path = block.body.get_attribute("source")?.value.as_str().filter(|path| path.starts_with(['.', '/']))?;
        let file = Utf8Path::new(self.sources.path(source.file));
        Some(normal(&file.parent().unwrap_or(Utf8Path::new("")).join(path)).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::NAMED;
    use crate::diagnostic::Sink;
    use crate::read::terraform::read;
    use crate::source::SourceMap;

    #[test]
    fn tables_in_json_are_not_passed_over() {
        let mut sources = SourceMap::default();
        let provider = sources.add("a.tf.json", r#"{"provider": {"aws": {"region": "eu-west-1"}}}"#);
        let table = sources.add("b.tf.json", r#"{"resource": {"aws_dynamodb_table": {"orders": {"name": "orders"}}}}"#);
        let mut sink = Sink::default();
        assert!(read(&sources, &[provider], &mut sink).is_some());
        assert!(sink.diagnostics().is_empty());
        assert!(read(&sources, &[provider, table], &mut sink).is_none());
        let [told] = sink.diagnostics() else { panic!("{:?}", sink.diagnostics()) };
        assert_eq!((told.code.slug(), told.message.as_str()), ("bad-terraform", "Terraform's JSON syntax is not read"));
        assert_eq!(sources.snippet(told.primary.as_ref().unwrap().span), "\"aws_dynamodb_table\"");
    }

    #[test]
    fn modules_are_named_and_counted() {
        let text: String = ["1", "2", "3", "4", "5", "6", "7"]
            .map(|number| ["module \"m", number, "\" {\n  source = \"../m", number, "\"\n}\n"].concat())
            .concat();
        let mut sources = SourceMap::default();
        let file = sources.add("infra/main.tf", text);
        let mut sink = Sink::default();
        read(&sources, &[file], &mut sink).unwrap();
        let [said] = sink.diagnostics() else { panic!("{:?}", sink.diagnostics()) };
        assert_eq!(said.message, "what 7 modules make is not read: `m1`, `m2`, `m3`, `m4`, `m5` and 2 more");
        assert_eq!(said.labels.len(), NAMED - 1);
        assert!(said.help.as_ref().unwrap().ends_with(": `m1`"), "{:?}", said.help);
    }
}
