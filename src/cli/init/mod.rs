//! `gen init`: a first `gen.yaml` and model, and snippets for pipelines.

use super::args::{CiService, InitArgs};
use super::{Console, Exit, Failure};
use crate::{config, validate};
use camino::{Utf8Path, Utf8PathBuf};
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};

/// Where the schema lines of the model and of `gen.yaml` point; editors find the schemas there.
const MODEL_SCHEMA: &str = ".gen/model.schema.json";
const CONFIG_SCHEMA: &str = ".gen/config.schema.json";

pub(super) fn run(args: &InitArgs, console: &mut Console) -> Result<Exit, Failure> {
    let here = folder()?;
    let name = model_name(&here);
    let model = include_str!("model.yaml").replace("NAME", &name);
    let mut files = vec![
        (Utf8PathBuf::from("gen.yaml"), include_str!("gen.yaml").to_owned()),
        (Utf8PathBuf::from(format!("models/{name}.yaml")), model),
        (Utf8PathBuf::from(MODEL_SCHEMA), format!("{:#}\n", validate::schema())),
        (Utf8PathBuf::from(CONFIG_SCHEMA), format!("{:#}\n", config::schema())),
    ];
    files.extend(args.ci.map(|service| (Utf8PathBuf::from(ci_path(service)), ci_text(service).to_owned())));
    if args.pre_commit {
        files.push((Utf8PathBuf::from(".pre-commit-config.yaml"), include_str!("pre-commit.yaml").to_owned()));
    }
    let mut report = String::new();
    for (path, text) in &files {
        let written = write_new(path, text)?;
        let _ = writeln!(report, "{} {path}", if written { "created" } else { "exists, left as it is:" });
    }
    if args.ci.is_none() {
        let _ = write!(report, "\nIn a pipeline (written by `gen init --ci github`):\n\n{}", indent(ci_text(CiService::Github)));
    }
    if !args.pre_commit {
        let text = indent(include_str!("pre-commit.yaml"));
        let _ = write!(report, "\nBefore each commit (written by `gen init --pre-commit`):\n\n{text}");
    }
    if let Some(below) = below_repository(&here).filter(|_| args.ci.is_some() || args.pre_commit) {
        let _ = write!(
            report,
            "\nThis folder is {below} of a repository: pipelines and hooks are read at its root alone. Move the files there, and let gen \
             run here\n(`working-directory: {below}` on GitHub, `cd {below}` before the commands elsewhere).\n"
        );
    }
    let _ = write!(report, "\nNext: edit models/{name}.yaml, then run `gen plan` and `gen apply`.\n");
    console.print(&report)?;
    Ok(Exit::Done)
}

fn folder() -> Result<Utf8PathBuf, Failure> {
    let failed = |source| Failure::File { action: "read", path: Utf8PathBuf::from("."), source };
    let here = std::env::current_dir().map_err(failed)?;
    Utf8PathBuf::from_path_buf(here).map_err(|path| Failure::Other(format!("the folder's name is not UTF-8: {}", path.display())))
}

/// The path of a folder below the root of its repository; None at the root, and where there is no repository.
fn below_repository(folder: &Utf8Path) -> Option<&Utf8Path> {
    let root = folder.ancestors().find(|path| path.join(".git").exists())?;
    folder.strip_prefix(root).ok().filter(|below| !below.as_str().is_empty())
}

/// A model's name made of the folder's: lower case, hyphens for everything else, `shop` when nothing is left.
fn model_name(folder: &Utf8Path) -> String {
    let name: String = folder
        .file_name()
        .unwrap_or("")
        .chars()
        .map(|next| if next.is_ascii_alphanumeric() { next.to_ascii_lowercase() } else { '-' })
        .collect();
    let name = name.trim_start_matches(|next: char| !next.is_ascii_lowercase()).trim_end_matches('-');
    if name.is_empty() { "shop".to_owned() } else { name.to_owned() }
}

/// Writes a file that must not exist yet; false when it does.
fn write_new(path: &Utf8Path, text: &str) -> Result<bool, Failure> {
    let failed = |source| Failure::File { action: "write", path: path.to_owned(), source };
    if let Some(parent) = path.parent().filter(|parent| !parent.as_str().is_empty()) {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    match fs::File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

fn ci_path(service: CiService) -> &'static str {
    match service {
        CiService::Github => ".github/workflows/gen.yaml",
        CiService::Gitlab => ".gitlab-ci.yml",
    }
}

fn ci_text(service: CiService) -> &'static str {
    match service {
        CiService::Github => include_str!("github.yaml"),
        CiService::Gitlab => include_str!("gitlab.yaml"),
    }
}

fn indent(text: &str) -> String {
    text.lines().fold(String::new(), |mut all, line| {
        let _ = writeln!(all, "    {line}");
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Diagnostic, Level, Severity, Sink};
    use crate::source::SourceMap;
    use crate::{design, rules};

    #[test]
    fn the_first_model_gives_no_errors_and_no_warnings() {
        let mut sources = SourceMap::default();
        let mut sink = Sink::default();
        let file = sources.add("models/shop.yaml", include_str!("model.yaml").replace("NAME", "shop"));
        let model = validate::load(&sources, file, &mut sink).unwrap();
        let design = design::design(&model, design::Operations::LeftOut, &mut sink);
        rules::lint(&model, &design, &crate::diagnostic::Thresholds::default(), rules::Wording::LeftOut, &mut sink);
        let said: Vec<Diagnostic> =
            sink.into_sorted().into_iter().filter(|one| one.severity != Severity::Finding(Level::Info)).collect();
        assert!(said.is_empty(), "{said:#?}");
    }

    #[test]
    fn a_folder_becomes_a_model_name() {
        for (folder, name) in
            [("/w/Shop API", "shop-api"), ("/w/2024-orders", "orders"), ("/", "shop"), ("/w/ü1-", "shop"), ("/w/v2", "v2")]
        {
            assert_eq!(model_name(Utf8Path::new(folder)), name);
        }
    }
}
