//! A migration: statements that bring a cluster from one schema to another, in a file of their own. What is created is printed
//! by the templates of the schema; everything else is a finished statement.

use super::context::{IndexContext, KeyspaceContext, TableContext, TypeContext, ViewContext};
use crate::diagnostic::Diagnostic;
use crate::emit::engine::{Given, Literal, Templates};
use crate::emit::{Artifact, Project};
use crate::schema::cql::{Index, Keyspace, Table, UserType, View};
use crate::schema::{Backend, Engine};
use camino::Utf8PathBuf;
use serde::Serialize;
use std::collections::BTreeMap;

/// The template of a migration.
pub const ROOT: &str = "cql/migration.cql.j2";

/// The folder with the migrations of an engine, below a model's output folder.
#[must_use]
pub fn folder(engine: Engine) -> Utf8PathBuf {
    format!("cql/{engine}/migrations").into()
}

/// One file of a migration.
#[derive(Clone, Debug)]
pub struct Script<'a> {
    /// Its number among the migrations of the engine, from 1.
    pub number: u32,
    /// What it does, as a part of a file name: `add-orders-note`.
    pub name: String,
    /// Whether it destroys rows or values.
    pub destructive: bool,
    /// What it does and how it is run, line by line.
    pub about: Vec<String>,
    /// Its statements, in the order in which they are run.
    pub steps: Vec<Step<'a>>,
}

/// One statement of a migration.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Lines before it.
    pub comments: Vec<String>,
    /// The statement.
    pub statement: Statement<'a>,
    /// What to do, or to wait for, before the next one.
    pub then: Vec<String>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement<'a> {
    /// Creates a keyspace: name and definition.
    Keyspace(&'a str, &'a Keyspace),
    /// Creates a user type: keyspace, name and definition.
    Type(&'a str, &'a str, &'a UserType),
    /// Creates a table, without its indexes and views: keyspace and definition.
    Table(&'a str, &'a Table),
    /// Creates an index: keyspace, table, name and definition.
    Index(&'a str, &'a Table, &'a str, &'a Index),
    /// Creates a view: keyspace, table, name and definition.
    View(&'a str, &'a Table, &'a str, &'a View),
    /// Anything else, as CQL without `;`.
    Text(String),
}

impl Script<'_> {
    /// Its path below the model's output folder.
    #[must_use]
    pub fn path(&self, engine: Engine) -> Utf8PathBuf {
        let ending = if self.destructive { "destructive.cql" } else { "cql" };
        folder(engine).join(format!("{:04}-{}.{ending}", self.number, self.name))
    }
}

/// The root: `cql/migration.cql.j2`.
#[derive(Serialize)]
struct Document<'a> {
    /// The first line.
    header: String,
    /// The model.
    project: &'a Project,
    /// `cassandra-5.0`
    engine: Engine,
    number: u32,
    destructive: bool,
    /// What it does and how it is run.
    about: &'a [String],
    steps: Vec<StepContext<'a>>,
}

/// `step`: one of `keyspace`, `type`, `table`, `index`, `view` is created, else there is a `statement`. An index and a view
/// come with their table.
#[derive(Serialize, Default)]
struct StepContext<'a> {
    comments: &'a [String],
    keyspace: Option<KeyspaceContext<'a, Given>>,
    r#type: Option<TypeContext<'a>>,
    table: Option<Given>,
    index: Option<IndexContext<'a>>,
    view: Option<ViewContext<'a>>,
    statement: Option<Literal>,
    then: &'a [String],
}

/// Tables by keyspace and name: one comes with its keyspace, with its indexes and views, and in a step of its own.
type Tables<'a> = BTreeMap<(&'a str, &'a str), Given>;

impl<'a> StepContext<'a> {
    fn new(engine: Engine, step: &'a Step<'a>, tables: &mut Tables<'a>) -> Self {
        let mut table = |keyspace: &'a str, table: &'a Table| {
            let given = || Given::new(&TableContext::new(engine, keyspace, table));
            tables.entry((keyspace, &table.name)).or_insert_with(given).clone()
        };
        let mut context = Self { comments: &step.comments, then: &step.then, ..Self::default() };
        match &step.statement {
            Statement::Keyspace(name, keyspace) => {
                context.keyspace = Some(KeyspaceContext::new(name, keyspace, |of| table(name, of)));
            }
            Statement::Type(keyspace, name, user) => context.r#type = Some(TypeContext::new(keyspace, name, user)),
            Statement::Table(keyspace, of) => context.table = Some(table(keyspace, of)),
            Statement::Index(keyspace, of, name, index) => {
                context.table = Some(table(keyspace, of));
                context.index = Some(IndexContext::new(engine, name, index));
            }
            Statement::View(keyspace, of, name, view) => {
                context.table = Some(table(keyspace, of));
                context.view = Some(ViewContext::new(keyspace, name, view));
            }
            Statement::Text(text) => context.statement = Some(Literal::verbatim(text)),
        }
        context
    }
}

/// Renders one file of a migration. Whether it leads where it should is for its maker to check.
pub fn emit(project: &Project, engine: Engine, script: &Script<'_>, templates: &Templates) -> Result<Artifact, Box<Diagnostic>> {
    let mut tables = Tables::new();
    let context = Document {
        header: format!("Migration {} of the model {} for {engine}, generated by gen.", script.number, project.name),
        project,
        engine,
        number: script.number,
        destructive: script.destructive,
        about: &script.about,
        steps: script.steps.iter().map(|step| StepContext::new(engine, step, &mut tables)).collect(),
    };
    let text = templates.render(ROOT, &context)?;
    Ok(Artifact { path: script.path(engine), text, backend: Backend::Cql(engine) })
}
