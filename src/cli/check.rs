//! `gen check`: is the committed output what the models give, and did nobody edit it? It does not judge danger.

use super::args::CheckArgs;
use super::migrations;
use super::planned::{self, Planned, Request};
use super::workspace::Workspace;
use super::{Console, Exit, Failure};
use crate::baseline::unified;
use crate::diagnostic::{Diagnostic, Sink};

pub(super) fn run(args: &CheckArgs, console: &mut Console) -> Result<Exit, Failure> {
    let mut workspace = Workspace::open(console)?;
    let changed = args.changed.as_deref();
    let request = Request { models: &args.models, environments: &args.environments, changed, ..Request::default() };
    let run = planned::plan(&mut workspace, request)?;
    if !run.plan.complete {
        run.show_findings(&workspace, console);
        return Ok(Exit::Failed);
    }
    run.show_left(&workspace, console);
    let (mut stale, mut broken) = (0, 0);
    for planned in run.planned() {
        stale += check(planned, &workspace, console)?;
        broken += check_migrations(planned, &workspace, console)?;
    }
    run.show_left_out(console);
    if stale + broken == 0 {
        let count = run.models.len();
        if count == 0 {
            console.print("nothing to check\n")?;
            return Ok(Exit::Done);
        }
        let noun = if count == 1 { "model" } else { "models" };
        let environments: Vec<&str> = run.environments().collect();
        let each = if environments.is_empty() { String::new() } else { format!(" in {}", environments.join(", ")) };
        console.print(&format!("{count} {noun}{each}: the output is up to date\n"))?;
        return Ok(Exit::Done);
    }
    if stale > 0 {
        let noun = if stale == 1 { "file is" } else { "files are" };
        console.remark(&format!("{stale} {noun} stale; `gen apply` writes what the models give\n"));
    }
    if broken > 0 {
        console
            .remark("migrations are not as gen wrote them, and a cluster may have run them: restore them from version control\n");
    }
    Ok(Exit::Changes)
}

/// Prints what is wrong with the migrations of a model, and counts it.
fn check_migrations(model: &Planned, workspace: &Workspace, console: &mut Console) -> Result<usize, Failure> {
    let edited = model.edited_migrations();
    for path in &edited {
        console.print(&format!("{path} was edited or deleted since it was written; take it from version control\n"))?;
    }
    if !edited.is_empty() {
        return Ok(edited.len());
    }
    let mut sink = Sink::default();
    let lacking = migrations::lacking(workspace, &model.tree, &model.locked, &mut sink)?;
    for line in &lacking {
        console.print(&format!("{line}\n"))?;
    }
    let errors: Vec<_> = sink.into_sorted().into_iter().filter(Diagnostic::is_error).collect();
    console.diagnostics(&errors, &workspace.sources);
    Ok(usize::from(!lacking.is_empty() || !errors.is_empty()))
}

/// Prints what is stale of a model, and counts it.
fn check(model: &Planned, workspace: &Workspace, console: &mut Console) -> Result<usize, Failure> {
    let (tree, sources) = (&model.tree, &workspace.sources);
    let mut stale = 0;
    for (path, text) in model.texts(sources) {
        if tree.is(sources, path, &text)? != Some(true) {
            stale += 1;
            console.print(&unified(tree.shown(path).as_str(), &tree.lossy(sources, path), &text))?;
        }
    }
    for path in model.leftovers() {
        if tree.digest(sources, path)?.is_some() {
            stale += 1;
            console.print(&format!("{} is no longer generated\n", tree.shown(path)))?;
        }
    }
    Ok(stale)
}
