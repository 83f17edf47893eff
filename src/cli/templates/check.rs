//! `gen templates check`: the models that `gen` is tested with, rendered through a team's templates. What the templates lose is
//! told per template and property.

use super::is_wrong;
use crate::cli::args::TemplatesCheckArgs;
use crate::cli::planned::{self, Place};
use crate::cli::workspace::{self, Workspace};
use crate::cli::{Console, Exit, Failure, generate};
use crate::config::{self, Config};
use crate::diagnostic::{Diagnostic, Sink, codes, first_in_words};
use crate::diff::Pair;
use crate::emit::{Project, Templates, Verified, keyspaces};
use crate::migrate;
use crate::schema::dynamodb::Kept;
use crate::schema::{Address, Backend, Engine, Generation, Schema, cql};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A golden case of generation, as it is built in.
pub(super) struct Case {
    pub(super) name: &'static str,
    model: &'static str,
    config: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// How many cases are named for one loss.
const NAMED: usize = 3;

/// What a template loses: the template, the kind of thing, its property.
type Loss = (String, String, String);

/// A loss as it is told: what was said in the first case, and the cases.
struct Told {
    first: Diagnostic,
    cases: Vec<&'static str>,
}

pub(super) fn run(args: &TemplatesCheckArgs, mut workspace: Workspace, console: &mut Console) -> Result<Exit, Failure> {
    let configured = workspace.config.templates.as_ref().map(|folder| workspace.root.join(folder));
    let Some(folder) = args.folder.clone().or_else(|| configured.clone()) else {
        let help = "gen.yaml names no folder of templates: add `templates: templates` to it, or name the folder to check";
        return Err(Failure::Other(help.to_owned()));
    };
    if configured.as_ref() != Some(&folder) {
        let mut sink = Sink::default();
        let overlay = workspace::overlay(&folder, &mut workspace.sources)?;
        workspace.templates = Templates::new(&overlay, &workspace.sources, &mut sink).with_vars(&workspace.config.vars);
        // What is wrong with the configured folder is no matter of this one; what is wrong with gen.yaml is.
        workspace.findings.retain(|finding| ![codes::UNKNOWN_TEMPLATE, codes::UNKNOWN_BLOCK].contains(&finding.code));
        workspace.findings.extend(sink.into_sorted());
    }
    let mut failed = is_wrong(&workspace, console);
    let mut losses: BTreeMap<Loss, Told> = BTreeMap::new();
    for case in CASES {
        for problem in render(&mut workspace, case) {
            failed |= problem.code == codes::TEMPLATE_FAILED;
            let template = template(&workspace, &problem);
            let kind = problem.address().and_then(Address::parse).map_or("", |address| address.kind()).to_owned();
            let property = problem.property.clone().unwrap_or_else(|| problem.message.clone());
            let told = losses.entry((template, kind, property)).or_insert_with(|| Told { first: problem, cases: Vec::new() });
            if !told.cases.contains(&case.name) {
                told.cases.push(case.name);
            }
        }
    }
    if losses.is_empty() && !failed {
        console.print(&format!("{folder}: {} cases, nothing is lost\n", CASES.len()))?;
        return Ok(Exit::Done);
    }
    console.print(&report(&losses))?;
    let lost = losses.values().filter(|told| told.first.code != codes::TEMPLATE_FAILED).count();
    let what = match lost {
        0 => "with errors".to_owned(),
        1 => "1 thing is lost".to_owned(),
        _ => format!("{lost} things are lost"),
    };
    console.remark(&format!("{folder}: {} cases, {what}\n", CASES.len()));
    Ok(if failed { Exit::Failed } else { Exit::Changes })
}

/// The file of the template a problem is in; the name of an embedded one, which another leads to.
fn template(workspace: &Workspace, problem: &Diagnostic) -> String {
    match &problem.primary {
        Some(label) => workspace.sources.path(label.span.file).to_string(),
        None => "what the templates print".to_owned(),
    }
}

fn report(losses: &BTreeMap<Loss, Told>) -> String {
    let mut text = String::new();
    let mut last = "";
    for ((template, kind, property), told) in losses {
        if template != last {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{template}");
            last = template;
        }
        let Told { first, cases } = told;
        let what = match (first.property.as_deref(), kind.as_str()) {
            (Some(""), kind) => format!("{kind}: "),
            (Some(_), kind) => format!("{}: ", format!("{kind} {property}").trim()),
            (None, _) => String::new(),
        };
        let _ = writeln!(text, "  {what}{}\n    in {}", first.message, first_in_words(cases, NAMED));
        for note in first.notes.iter().filter(|note| note.starts_with("line ")) {
            let _ = writeln!(text, "    {note}");
        }
    }
    text
}

/// Renders one case for every backend that can express it, with what only a longer history brings; the problems.
pub(super) fn render(workspace: &mut Workspace, case: &Case) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    let config = match case.config {
        Some(text) => {
            let file = workspace.sources.add(format!("{}/gen.yaml", case.name), text.to_owned());
            config::load(&workspace.sources, file, &mut sink)
        }
        None => Some(Config::default()),
    };
    let Some(config) = config else { return errors(sink) };
    workspace.config.targets = config.targets;
    let file = workspace.sources.add(format!("{}/model.yaml", case.name), case.model.to_owned());
    let environment = config.environments.iter().next().map(|(name, environment)| (name.as_str(), environment));
    let designed = planned::alone(workspace, Place::Nowhere, file, environment, &mut sink);
    let Some(designed) = designed else { return errors(sink) };
    let project = generate::project(&designed.model, environment.map(|(name, _)| name));
    let keyspaces = designed.design.cql.get(&Engine::Keyspaces).cloned();
    let mut generation = generate::generation(&designed.targets, designed.design, &[]);
    add_keyspaces(keyspaces.as_ref(), &mut generation);
    let mut problems = generate::render(workspace, &project, &generation, Verified::default()).err().unwrap_or_default();
    problems.extend(migrations(workspace, &project, &generation));
    if add_history(&mut generation) {
        let later = generate::render(workspace, &project, &generation, Verified::default()).err().unwrap_or_default();
        let known: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        problems.extend(later.into_iter().filter(|problem| !known.contains(&problem.message)));
    }
    // What the default targets cannot express is no matter of the templates.
    problems.retain(|problem| ![codes::NOT_ON_PROVIDER, codes::NOT_ON_RESOURCE].contains(&problem.code));
    problems
}

/// What is wrong with a case. One that only an environment makes whole is passed over.
fn errors(sink: Sink) -> Vec<Diagnostic> {
    let is_wrong = |problem: &Diagnostic| problem.is_error() && problem.code != codes::PARAMETER_UNSET;
    sink.into_sorted().into_iter().filter(is_wrong).collect()
}

/// Adds the other ways in which tables of Amazon Keyspaces are made, where they can be.
fn add_keyspaces(schema: Option<&cql::Schema>, generation: &mut Generation) {
    let Some(schema) = schema else { return };
    for backend in [Backend::KeyspacesTerraform, Backend::KeyspacesCloudformation] {
        let schema = schema.on(backend);
        if keyspaces::lacks(&schema, backend).iter().all(|problem| !problem.is_error()) {
            generation.insert(backend, schema.into());
        }
    }
}

/// Lets a table have had another label, one have come back and one have left. Whether there are tables at all.
fn add_history(generation: &mut Generation) -> bool {
    let mut any = false;
    for schema in generation.values_mut() {
        let Schema::Dynamodb(schema) = schema else { continue };
        let schema = Arc::make_mut(schema);
        let Some((key, table)) = schema.tables.iter().next() else { continue };
        any = true;
        schema.moved.insert(format!("{key}_before"), table.terraform_name.clone());
        schema.imported.extend(table.name.clone().map(|name| (table.terraform_name.clone(), name)));
        let kept = Kept {
            terraform_name: format!("{key}_left"),
            logical_id: format!("{}Left", table.logical_id),
            name: table.name.clone(),
            about: table.about.clone(),
            ..Kept::default()
        };
        schema.kept.insert(format!("{key}_left"), kept);
    }
    any
}

/// Renders the migrations that create what a case says on an empty cluster; they have to lead there.
fn migrations(workspace: &Workspace, project: &Project, generation: &Generation) -> Vec<Diagnostic> {
    let nothing = cql::Schema::default();
    let made = generation.iter().filter_map(|(backend, schema)| match (backend, schema) {
        (Backend::Cql(engine), Schema::Cql(schema)) => {
            let pair = Pair { previous: &nothing, next: schema };
            migrate::migrate(project, *engine, pair, 1, &workspace.templates).err()
        }
        _ => None,
    });
    made.flatten().collect()
}
