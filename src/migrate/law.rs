//! The law: the migration applied to the previous schema gives the next one.

use super::{Migration, statements};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::diff::Pair;
use crate::emit::Artifact;
use crate::emit::cql::migration::{Script, Statement};
use crate::read;
use crate::schema::cql::Schema;
use crate::schema::{Engine, differences};
use crate::source::SourceMap;

/// How many differences are told one by one.
const SHOWN: usize = 5;

/// Applies the files of a migration to the previous schema and compares.
pub(super) fn check(engine: Engine, pair: Pair<&Schema>, migration: &Migration) -> Result<(), Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let artifacts = migration.files.iter().map(|file| &file.artifact);
    let files: Vec<_> = artifacts.map(|artifact| sources.add(artifact.path.clone(), artifact.text.clone())).collect();
    let mut sink = Sink::default();
    let Some(reached) = read::cql::apply(&sources, &files, Some(engine), pair.previous.clone(), &mut sink) else {
        let errors = sink.into_sorted().into_iter().filter(Diagnostic::is_error);
        return Err(errors
            .map(|problem| {
                let place = problem.primary.map(|label| {
                    let line = sources.position(label.span).line;
                    format!("line {line} of {}", sources.path(label.span.file))
                });
                let diagnostic = incomplete(format!("a migration for {engine} cannot be run: {}", problem.message));
                place.into_iter().fold(diagnostic, Diagnostic::note)
            })
            .collect());
    };
    let problems: Vec<Diagnostic> = lacks(engine, pair.next, &reached)
        .into_iter()
        .map(|lack| incomplete(format!("the migration for {engine} does not lead to the schema: {lack}")))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// What a file destroys that it was not given: nobody was asked whether that is meant, and the schema does not tell.
pub(super) fn destroys_more(artifact: &Artifact, script: &Script<'_>) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let file = sources.add(artifact.path.clone(), artifact.text.clone());
    let is_given = |text: &str| {
        script.steps.iter().any(|step| match &step.statement {
            Statement::Text(given) => statements::pieces(given).eq(statements::pieces(text)),
            _ => false,
        })
    };
    let destroying = read::cql::destroying(&sources, file).into_iter().map(|span| (span, sources.snippet(span)));
    let added = destroying.filter(|(_, text)| !is_given(text));
    let told = added.map(|(span, text)| {
        let statement = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("a template adds `{statement}` to a migration, which destroys what no change of the model says");
        let line = sources.position(span).line;
        Diagnostic::nowhere(codes::MIGRATION_INCOMPLETE, message)
            .note(format!("line {line} of {}", artifact.path))
            .help("leave it out of the template; what is to go, the model says, and `gen ack` records that it is meant")
    });
    told.collect()
}

/// Whether a migration is one file with the statements of another text.
pub(super) fn is_printed(migration: &Migration, text: &str) -> bool {
    let [file] = migration.files.as_slice() else { return false };
    statements::pieces(&file.artifact.text).eq(statements::pieces(text))
}

/// What keeps the schema that statements lead to from being the one that is wanted, in words.
#[must_use]
pub fn lacks(engine: Engine, wanted: &Schema, reached: &Schema) -> Vec<String> {
    let normal = |schema: &Schema| schema.as_written().normalise(engine);
    let (wanted, reached) = (normal(wanted), normal(reached));
    if wanted == reached {
        return Vec::new();
    }
    let found = differences(&wanted, &reached).unwrap_or_default();
    let told: Vec<String> = found
        .iter()
        .take(SHOWN)
        .map(|difference| {
            let item = difference.address.as_ref().map(ToString::to_string).unwrap_or_default();
            let value =
                |side: &Option<serde_json::Value>| side.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
            format!(
                "`{}` should be {}, and is {}",
                [item.as_str(), difference.path.as_str()].join(" ").trim(),
                value(&difference.before),
                value(&difference.after)
            )
        })
        .collect();
    if told.is_empty() { vec!["it differs".to_owned()] } else { told }
}

fn incomplete(message: String) -> Diagnostic {
    Diagnostic::nowhere(codes::MIGRATION_INCOMPLETE, message).help(
        "when a template of your own prints migrations or tables, let it print all it is given; otherwise this is a mistake in gen: nothing was written",
    )
}
