//! `gen templates eject`: a template of the binary as a file of the team's own.

use super::blocks;
use crate::cli::args::EjectArgs;
use crate::cli::workspace;
use crate::cli::{Console, Exit, Failure};
use crate::diagnostic::{Sink, nearest};
use crate::emit::Templates;
use crate::source::{SourceMap, normal};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

pub(super) fn run(args: &EjectArgs, console: &mut Console) -> Result<Exit, Failure> {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    // The folder need not be there yet, and the templates in it may be wrong.
    let (root, config) = workspace::configuration(&mut sources, &mut sink)?;
    let configured = config.and_then(|config| config.templates).map(|folder| root.join(folder));
    let Some(folder) = args.to.clone().or_else(|| configured.clone()) else {
        let told = sink.into_sorted();
        console.diagnostics(&told, &sources);
        if !told.is_empty() {
            return Ok(Exit::Failed);
        }
        let help = "gen.yaml names no folder of templates: add `templates: templates` to it, or say `--to DIR`";
        return Err(Failure::Other(help.to_owned()));
    };
    let mut files: BTreeMap<&str, (Utf8PathBuf, &str)> = BTreeMap::new();
    let mut problems = Vec::new();
    for name in &args.names {
        match Templates::names().find(|known| known == name).and_then(|known| Some((known, Templates::embedded(known)?))) {
            Some((known, text)) => _ = files.insert(known, (folder.join(known), text)),
            None => problems.push(unknown(name)),
        }
    }
    let taken = files.values().filter(|(path, _)| path.symlink_metadata().is_ok());
    problems.extend(taken.map(|(path, _)| format!("{path} exists and is left as it is")));
    if !problems.is_empty() {
        return Err(Failure::Other(format!("{}; nothing was written", problems.join("; "))));
    }
    let mut report = String::new();
    for (name, (path, text)) in &files {
        write(path, text)?;
        // Writing to a String does not fail.
        let _ = writeln!(report, "created {path}");
        let _ = write!(report, "{}", whole_or_part(name));
    }
    if configured.is_some_and(|configured| normal(&configured) == normal(&folder)) {
        report.push_str("`gen templates check` says what your templates lose.\n");
    } else {
        let _ = writeln!(report, "`gen templates check {folder}` says what the templates there lose.");
    }
    console.print(&report)?;
    Ok(Exit::Done)
}

/// How to replace less than the whole template.
fn whole_or_part(name: &str) -> String {
    let blocks = blocks(name);
    match blocks.split(", ").next().filter(|block| !block.is_empty()) {
        Some(block) => format!(
            "  It replaces the whole template, and no longer follows ours. To replace a part, let the file say only:\n    \
             {{% extends \"gen/{name}\" %}}\n    {{% block {block} %}} … {{% endblock %}}\n  Its blocks: {blocks}\n"
        ),
        None => "  It replaces the whole template, and no longer follows ours.\n".to_owned(),
    }
}

fn unknown(name: &str) -> String {
    let hint = nearest(name, Templates::names()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("no template is called `{name}`{hint} (`gen templates list` names them)")
}

fn write(path: &Utf8PathBuf, text: &str) -> Result<(), Failure> {
    let failed = |source| Failure::File { action: "write", path: path.clone(), source };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    // Not even a file that came in the meantime is overwritten.
    fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)
}
