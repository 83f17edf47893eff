//! The plan as JSON: one document, always one, with a published schema. Policy tools are written against it.

use crate::diagnostic::{Diagnostic, Level, Severity};
use crate::diff::{
    Acknowledgement, Action, Change, Deploying, Effect, FileChange, LeftOut, Loss, Needs, Origin, Plan, Shown, Source, Stage,
    Summary, Unguarded, When,
};
use crate::schema::Backend;
use crate::source::{SourceMap, Span};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Counts up when a reader of the document would have to change.
const FORMAT_VERSION: u32 = 1;

/// The document, indented, with a line end at its end.
pub fn plan(plan: &Plan, sources: &SourceMap) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Document::new(plan, sources)).map(|text| text + "\n")
}

/// The document of a run that had no plan, because of the world and not of a text.
pub fn failure(message: &str) -> serde_json::Result<String> {
    let (plan, sources) = (Plan::default(), SourceMap::default());
    let mut document = Document::new(&plan, &sources);
    document.failure = Some(message.to_owned());
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// The JSON Schema of the document, as `gen schema plan` prints it.
#[must_use]
pub fn schema() -> Json {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Document<'_>>();
    schema.insert("title".to_owned(), Json::from("A plan of gen"));
    schema.to_value()
}

/// What a plan or a diff found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    /// The version of this format.
    format_version: u32,
    /// Whether everything could be compared. When false there are no changes, which does not mean that nothing changes.
    complete: bool,
    /// Why there is no plan, when no text of the user's is at fault: a file, git, another run.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Where the previous generation comes from.
    previous: &'a Origin,
    /// Where the next generation comes from.
    next: &'a Origin,
    /// The parts, when previous and next are a workspace.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sources: &'a [Source],
    /// The models that were left out, when only changed ones were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a LeftOut>,
    /// What differs: one change for each table, index, column or property.
    changes: Vec<ChangeDocument<'a>>,
    /// Changed tables, with the worst of their changes on each backend.
    tables: Vec<TableDocument<'a>>,
    /// Deployments in their order, for each backend that needs several and has them generated.
    stages: BTreeMap<&'a str, &'a [Stage]>,
    /// Files that would be written or deleted.
    files: &'a [FileChange],
    /// Errors and findings.
    findings: Vec<FindingDocument<'a>>,
    /// Tables and keyspaces by the worst that happens to each.
    summary: Summary,
}

/// One difference.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Change")]
struct ChangeDocument<'a> {
    /// The same in every run for the same change.
    id: &'a str,
    /// The model.
    model: &'a str,
    /// The environment, when there are any.
    environment: Option<&'a str>,
    /// The item.
    address: String,
    /// What was done to it.
    action: Action,
    /// The property, when it is not the item itself.
    path: Option<&'a str>,
    /// What was there.
    before: Option<&'a Shown>,
    /// What is to be there.
    after: Option<&'a Shown>,
    /// Its place in next; for a drop the map of the model that held it.
    location: Option<Location<'a>>,
    /// Its place in previous.
    previous_location: Option<Location<'a>>,
    /// What it means on each backend.
    effects: BTreeMap<&'a str, &'a Effect>,
    /// Whether it must not go through without an acknowledgement.
    blocks: bool,
    /// Who meant it.
    acknowledged: Option<&'a Acknowledgement>,
}

/// A changed table.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Table")]
struct TableDocument<'a> {
    /// The model.
    model: &'a str,
    /// The environment, when there are any.
    environment: Option<&'a str>,
    /// The table.
    address: String,
    /// The worst effect on each backend.
    effects: BTreeMap<&'a str, TableEffect<'a>>,
}

/// What happens to a table on one backend.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TableEffect<'a> {
    /// What it takes.
    needs: Needs,
    /// What deploying it does.
    deploying: Deploying,
    /// When it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<When>,
    /// What is lost.
    loses: &'a [Loss],
    /// What would happen without the guard that acts first.
    #[serde(skip_serializing_if = "Option::is_none")]
    unguarded: Option<&'a Unguarded>,
    /// `retain`, where a policy keeps what a replacement would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    guard: Option<&'static str>,
}

/// An error or a finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Finding")]
struct FindingDocument<'a> {
    /// An error means that the text is wrong, a finding is a judgement.
    kind: FindingKind,
    /// The stable code, which `gen explain` knows.
    code: &'static str,
    /// How grave it is.
    level: Level,
    /// What it says.
    message: &'a str,
    /// The environments it holds in; none when it does not depend on one, or where there are none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    environments: &'a [String],
    /// Where.
    location: Option<Location<'a>>,
    /// Facts that explain it, one sentence each.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    /// What to do.
    help: Option<&'a str>,
}

/// Error or finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FindingKind {
    /// The text is wrong, or a hard limit is broken.
    Error,
    /// A judgement.
    Finding,
}

/// A place in a text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Location<'a> {
    /// The file, as it was given.
    file: &'a str,
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
}

impl<'a> Document<'a> {
    fn new(plan: &'a Plan, sources: &'a SourceMap) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            complete: plan.complete,
            failure: None,
            previous: &plan.previous,
            next: &plan.next,
            sources: &plan.sources,
            left_out: plan.left_out.as_ref(),
            changes: plan.changes.iter().map(|change| ChangeDocument::new(plan, change, sources)).collect(),
            tables: plan
                .tables
                .iter()
                .map(|table| TableDocument {
                    model: &table.model,
                    environment: table.environment.as_deref(),
                    address: table.address.to_string(),
                    effects: by_name(plan, &table.effects, |effect| TableEffect::new(effect)),
                })
                .collect(),
            stages: by_name(plan, &plan.stages, Vec::as_slice),
            files: &plan.files,
            findings: plan.findings.iter().map(|finding| FindingDocument::new(finding, sources)).collect(),
            summary: plan.summary,
        }
    }
}

impl<'a> ChangeDocument<'a> {
    fn new(plan: &'a Plan, change: &'a Change, sources: &'a SourceMap) -> Self {
        Self {
            id: change.id(),
            model: &change.model,
            environment: change.environment.as_deref(),
            address: change.address.to_string(),
            action: change.action,
            path: change.path.as_deref(),
            before: change.before.as_ref(),
            after: change.after.as_ref(),
            location: change.location.map(|span| Location::new(span, sources)),
            previous_location: change.previous_location.map(|span| Location::new(span, sources)),
            effects: by_name(plan, &change.effects, |effect| &**effect),
            blocks: change.blocks(),
            acknowledged: change.acknowledged.as_ref(),
        }
    }
}

impl<'a> TableEffect<'a> {
    fn new(effect: &'a Effect) -> Self {
        Self {
            needs: effect.needs,
            deploying: effect.deploying,
            when: effect.when,
            loses: &effect.loses,
            unguarded: effect.unguarded.as_ref(),
            guard: effect.guard,
        }
    }
}

impl<'a> FindingDocument<'a> {
    fn new(finding: &'a Diagnostic, sources: &'a SourceMap) -> Self {
        let (kind, level) = match finding.severity {
            Severity::Error => (FindingKind::Error, Level::Error),
            Severity::Finding(level) => (FindingKind::Finding, level),
        };
        Self {
            kind,
            code: finding.code.slug(),
            level,
            message: &finding.message,
            environments: &finding.environments,
            location: finding.primary.as_ref().map(|label| Location::new(label.span, sources)),
            notes: &finding.notes,
            help: finding.help.as_deref(),
        }
    }
}

impl<'a> Location<'a> {
    fn new(span: Span, sources: &'a SourceMap) -> Self {
        let position = sources.position(span);
        Self { file: sources.path(span.file).as_str(), line: position.line, column: position.column }
    }
}

fn by_name<'a, T, U>(plan: &'a Plan, values: &'a BTreeMap<Backend, T>, of: impl Fn(&'a T) -> U) -> BTreeMap<&'a str, U> {
    values.iter().map(|(backend, value)| (plan.name_of(*backend), of(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes;
    use crate::diff::{Context, OriginKind, Pair, diff};
    use crate::schema::{Schema, dynamodb};

    fn validated(document: &str) -> Json {
        let document: Json = serde_json::from_str(document).unwrap();
        let validator = jsonschema::validator_for(&schema()).unwrap();
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        document
    }

    #[test]
    fn the_document_is_what_its_schema_says() {
        let mut sources = SourceMap::default();
        let file = sources.add("models/shop.yaml", "tables:\n  orders: {}\n");
        let table = |sort_key: Option<&str>| dynamodb::Table {
            about: crate::schema::About::at(Span::new(file, 10, 16)),
            name: Some(crate::schema::Text::literal("orders")),
            terraform_name: "orders".into(),
            partition_key: "id".into(),
            sort_key: sort_key.map(str::to_owned),
            prevent_destroy: true,
            ..dynamodb::Table::default()
        };
        let generation = |table: dynamodb::Table| {
            let schema = dynamodb::Schema { tables: [("orders".to_owned(), table)].into(), ..dynamodb::Schema::default() };
            [(Backend::TerraformAws5, Schema::from(schema))].into()
        };
        let context = Context { model: "shop".into(), ..Context::default() };
        let changes = diff(&context, Pair { previous: &generation(table(None)), next: &generation(table(Some("at"))) });
        let mut whole = Plan {
            complete: true,
            previous: Origin { kind: OriginKind::Lock, path: Some("infra/shop/gen.lock".into()), reference: None },
            findings: vec![
                Diagnostic::new(codes::UNUSED_INDEX, Span::new(file, 0, 6), "nothing reads it")
                    .note("it costs")
                    .help("remove it"),
            ],
            ..Plan::default()
        };
        whole.add(changes);
        let document = validated(&plan(&whole, &sources).unwrap());
        assert_eq!(document["summary"]["recreate"], 1);
        assert_eq!(document["summary"]["blocked"], 1);
        let change = &document["changes"][0];
        assert_eq!(change["location"], serde_json::json!({"file": "models/shop.yaml", "line": 2, "column": 3}));
        let effect = &document["tables"][0]["effects"]["terraform-aws-5"];
        assert_eq!((effect["deploying"].as_str(), effect["when"].as_str()), (Some("refuses"), Some("plan")));
        assert_eq!(effect["unguarded"]["loses"], serde_json::json!(["items"]));
        assert_eq!(document["findings"][0]["kind"], "finding");
        assert_eq!(document["findings"][0]["notes"], serde_json::json!(["it costs"]));
        let keys: Vec<&String> = change.as_object().unwrap().keys().collect();
        assert_eq!(keys[..7], ["id", "model", "environment", "address", "action", "path", "before"]);
    }

    #[test]
    fn a_failure_is_not_read_as_no_change() {
        let failed = Plan { findings: vec![Diagnostic::nowhere(codes::BAD_YAML, "no map")], ..Plan::default() };
        let document = validated(&plan(&failed, &SourceMap::default()).unwrap());
        assert_eq!(document["complete"], false);
        assert_eq!(document["findings"][0]["kind"], "error");
        let document = validated(&failure("cannot read models/shop.yaml").unwrap());
        assert_eq!((&document["complete"], &document["failure"]), (&false.into(), &"cannot read models/shop.yaml".into()));
    }

    #[test]
    fn the_committed_schema_is_the_one_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/plan.schema.json");
        let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).unwrap();
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text, "BLESS=1 writes it");
    }
}
