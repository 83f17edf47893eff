//! Modules that are called, files in Terraform's other syntax and files that override others, which are not read: a table there
//! must not look as if it were not there.

use super::Reader;
use super::fields::Source;
use super::syntax::{Block, Name};
use crate::diagnostic::{Diagnostic, codes, first_in_words, listed};
use crate::read::not_placed::not_placed;
use crate::schema::NotRead;
use crate::schema::dynamodb::IN_MODULE;
use crate::source::{FileId, SourceMap, Span, normal};
use camino::Utf8Path;

/// Modules that are named in one message; the rest is counted.
const NAMED: usize = 5;

/// Says of files in JSON that nothing is known of them. `all`: there is no other, which is an error.
pub(super) fn json_not_read(sources: &SourceMap, files: &[FileId], all: bool) -> Option<Diagnostic> {
    let finding = files_not_read("Terraform in JSON", sources, files, all)?;
    Some(finding.help("give what it says in HCL; a table, or the value of a variable, that stands there is not known"))
}

/// Whether a file overrides, argument by argument, what others define
/// (<https://developer.hashicorp.com/terraform/language/files/override>). Those in JSON are not read in any case.
pub(super) fn is_override(path: &Utf8Path) -> bool {
    let is_named = |name: &str| name == "override.tf" || name.ends_with("_override.tf");
    path.as_str().ends_with("override.tf") && path.file_name().is_some_and(is_named)
}

/// Says of files that override others that they are left out. `all`: there is no other, which is an error.
pub(super) fn overrides_not_read(sources: &SourceMap, files: &[FileId], all: bool) -> Option<Diagnostic> {
    let finding = files_not_read("what overrides other files", sources, files, all)?;
    Some(
        finding
            .note("what it sets counts in place of what is compared here")
            .help("where it is of a table, write what it sets into the table's own file, before and after"),
    )
}

fn files_not_read(what: &str, sources: &SourceMap, files: &[FileId], all: bool) -> Option<Diagnostic> {
    let first = Span::new(*files.first()?, 0, 0);
    let names = first_in_words(files.iter().map(|file| sources.path(*file)), NAMED);
    let code = if all { codes::BAD_TERRAFORM } else { codes::NOT_READ };
    Some(Diagnostic::new(code, first, format!("{what} is not read: {names}")))
}

impl Reader<'_> {
    /// Says that nothing is known of what some modules make.
    pub(super) fn modules_not_read(&mut self, modules: &[(Source<'_>, &Block<'_>)]) {
        let Some((source, first)) = modules.first() else { return };
        let name = |block: &Block<'_>| block.labels.first().map_or("", Name::as_str).to_owned();
        // What it makes has addresses below its own, which may be that of a module that was read.
        let not_read = modules.iter().map(|(_, block)| NotRead::Named(format!("{IN_MODULE}{}", name(block))));
        self.module.not_read.extend(not_read);
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

    /// Says that nothing is known of resources that may be of a table here.
    pub(super) fn resources_not_placed(&mut self) {
        let help = "where it is a table of this module, refer to that itself: `aws_dynamodb_table.NAME.arn`";
        self.sink.extend(not_placed(&self.not_placed, help));
    }

    /// The folder of a module whose source is a local path.
    fn folder(&self, source: Source<'_>, block: &Block<'_>) -> Option<String> {
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
    fn json_is_named_and_alone_it_is_an_error() {
        let mut sources = SourceMap::default();
        let names = ["infra/main.tf", "infra/more.tf.json", "infra/terraform.tfvars.json"];
        let files = names.map(|name| sources.add(name, if name.ends_with("json") { "{}" } else { "" }.to_owned()));
        let mut sink = Sink::default();
        assert!(read(&sources, &files, &mut sink).is_some());
        let [said] = sink.diagnostics() else { panic!("{:?}", sink.diagnostics()) };
        assert_eq!(said.message, "Terraform in JSON is not read: `infra/more.tf.json` and `infra/terraform.tfvars.json`");
        let mut sink = Sink::default();
        assert!(read(&sources, &files[1..], &mut sink).is_none() && sink.has_errors());
        assert!(read(&sources, &[], &mut Sink::default()).is_some());
    }

    #[test]
    fn what_overrides_is_named_and_left_out() {
        let table = "resource \"aws_dynamodb_table\" \"orders\" {\n  name = \"orders\"\n  hash_key = \"id\"\n}\n";
        let mut sources = SourceMap::default();
        let names = ["infra/main.tf", "infra/override.tf", "infra/more_override.tf", "infra/no-override.tf"];
        let files = names.map(|name| sources.add(name, if name.ends_with("no-override.tf") { "" } else { table }.to_owned()));
        let mut sink = Sink::default();
        assert_eq!(read(&sources, &files, &mut sink).unwrap().schema.tables.len(), 1);
        let [said] = sink.diagnostics() else { panic!("{:?}", sink.diagnostics()) };
        assert_eq!(said.message, "what overrides other files is not read: `infra/override.tf` and `infra/more_override.tf`");
        assert!(read(&sources, &files[1..3], &mut Sink::default()).is_none());
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
