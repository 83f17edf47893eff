//! What the Terraform templates see. `docs/templates.md` documents it, and a test holds the templates to that.

mod table;

use crate::emit::Project;
use crate::emit::engine::Literal;
use crate::emit::literal::hcl;
use crate::schema::dynamodb::{Schema, Stream, Table, beside};
use crate::schema::{Parameter, ParameterKind, Text, Value};
use minijinja::Value as ContextValue;
use serde::Serialize;
use table::TableContext;

/// `removed` blocks need Terraform 1.7.
const REQUIRED_VERSION: &str = ">= 1.7.0";

const PROVIDER_SOURCE: &str = "hashicorp/aws";

/// What every file's context holds, and the maker of each file's own.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Module<'a> {
    pub(super) header: &'a str,
    pub(super) project: &'a Project,
}

/// The context of one file: what all files see, and its own part under a name.
macro_rules! file {
    ($name:ident { $($field:ident: $type:ty),* }) => {
        #[derive(Serialize)]
        pub(super) struct $name<'a> {
            header: &'a str,
            project: &'a Project,
            $($field: $type),*
        }
    };
}

file!(VersionsFile { terraform: Requirement, provider: Provider });
file!(VariablesFile { variables: Vec<Variable<'a>> });
file!(OutputsFile { tables: Vec<Output<'a>> });
file!(TableFile { table: TableContext<'a> });
file!(MovedFile { moved: Vec<Move<'a>>, companions: Vec<Move<'a>> });
file!(ImportsFile { imports: Vec<Import<'a>>, companions: Vec<Import<'a>> });
file!(RemovedFile { removed: Vec<Removed<'a>>, companions: Vec<Companion> });

impl<'a> Module<'a> {
    pub(super) fn versions(self, version: String) -> VersionsFile<'a> {
        let terraform = Requirement { required_version: REQUIRED_VERSION };
        let provider = Provider { source: PROVIDER_SOURCE, version };
        VersionsFile { header: self.header, project: self.project, terraform, provider }
    }

    pub(super) fn variables(self, schema: &'a Schema) -> VariablesFile<'a> {
        let variables = schema.parameters.iter().map(|(name, parameter)| Variable::new(name, parameter)).collect();
        VariablesFile { header: self.header, project: self.project, variables }
    }

    pub(super) fn outputs(self, schema: &'a Schema) -> OutputsFile<'a> {
        OutputsFile { header: self.header, project: self.project, tables: schema.tables.values().map(Output::new).collect() }
    }

    pub(super) fn table(self, table: &'a Table) -> TableFile<'a> {
        TableFile { header: self.header, project: self.project, table: TableContext::new(table) }
    }

    pub(super) fn moved(self, schema: &'a Schema) -> MovedFile<'a> {
        let (companions, tables): (Vec<_>, Vec<_>) = schema.moved.iter().partition(|(from, _)| beside::kind_of(from).is_some());
        let moved = |(from, to): (&'a String, &'a String), address: fn(&str) -> Literal| Move {
            from: address(from),
            to: address(to),
            from_label: from,
            to_label: to,
        };
        self.with_moved(
            tables.into_iter().map(|ends| moved(ends, reference)).collect(),
            companions.into_iter().map(|ends| moved(ends, |address| Literal::verbatim(address))).collect(),
        )
    }

    pub(super) fn imports(self, schema: &'a Schema) -> ImportsFile<'a> {
        let (companions, tables): (Vec<_>, Vec<_>) = schema.imported.iter().partition(|(at, _)| beside::kind_of(at).is_some());
        let import = |(label, name): (&'a String, &Text), address: fn(&str) -> Literal| Import {
            label,
            address: address(label),
            name: text(name),
        };
        self.with_imports(
            tables.into_iter().map(|table| import(table, reference)).collect(),
            companions.into_iter().map(|companion| import(companion, |address| Literal::verbatim(address))).collect(),
        )
    }

    pub(super) fn removed(self, schema: &'a Schema) -> RemovedFile<'a> {
        let mut kept: Vec<_> = schema.kept.values().collect();
        kept.sort_by(|a, b| a.terraform_name.cmp(&b.terraform_name));
        let removed = kept
            .iter()
            .map(|kept| Removed { label: &kept.terraform_name, address: reference(&kept.terraform_name), destroy: kept.destroy })
            .collect();
        self.with_removed(
            removed,
            schema
                .removed
                .iter()
                .map(|(address, destroy)| Companion { address: Literal::verbatim(address), destroy: *destroy })
                .collect(),
        )
    }
}

impl<'a> Module<'a> {
    pub(super) fn with_moved(self, moved: Vec<Move<'a>>, companions: Vec<Move<'a>>) -> MovedFile<'a> {
        MovedFile { header: self.header, project: self.project, moved, companions }
    }

    pub(super) fn with_imports(self, imports: Vec<Import<'a>>, companions: Vec<Import<'a>>) -> ImportsFile<'a> {
        ImportsFile { header: self.header, project: self.project, imports, companions }
    }

    pub(super) fn with_removed(self, removed: Vec<Removed<'a>>, companions: Vec<Companion>) -> RemovedFile<'a> {
        RemovedFile { header: self.header, project: self.project, removed, companions }
    }
}

/// The address of a table in Terraform.
pub(super) fn reference(label: &str) -> Literal {
    Literal::verbatim(format!("aws_dynamodb_table.{label}"))
}

/// Literal text stays text, so that templates can compare it; the rest is source.
fn text(text: &Text) -> ContextValue {
    match text.as_literal() {
        Some(literal) => ContextValue::from(literal),
        None => ContextValue::from_object(Literal::verbatim(hcl::text(text))),
    }
}

pub(super) fn value<T: Clone + Into<ContextValue>>(value: &Value<T>) -> ContextValue {
    match value {
        Value::Literal(literal) => literal.clone().into(),
        Value::Parameter(name) => ContextValue::from_object(Literal::verbatim(hcl::variable(name))),
        Value::Expression(source) => ContextValue::from_object(Literal::verbatim(source.clone())),
    }
}

#[derive(Serialize)]
struct Requirement {
    required_version: &'static str,
}

#[derive(Serialize)]
struct Provider {
    source: &'static str,
    version: String,
}

#[derive(Serialize)]
struct Variable<'a> {
    name: &'a str,
    reference: Literal,
    description: Option<&'a str>,
    r#type: Literal,
    default: Option<Literal>,
    allowed: Vec<Literal>,
    error_message: String,
}

impl<'a> Variable<'a> {
    fn new(name: &'a str, parameter: &'a Parameter) -> Self {
        let kind = match parameter.kind {
            ParameterKind::Text => "string",
            ParameterKind::Number => "number",
            ParameterKind::Bool => "bool",
        };
        let values: Vec<String> = parameter.values.iter().map(ToString::to_string).collect();
        Self {
            name,
            reference: Literal::verbatim(hcl::variable(name)),
            description: parameter.about.description.as_deref(),
            r#type: Literal::verbatim(kind),
            default: parameter.default.as_ref().map(|default| Literal::verbatim(hcl::scalar(default))),
            allowed: parameter.values.iter().map(|value| Literal::verbatim(hcl::scalar(value))).collect(),
            error_message: format!("{name} must be one of: {}.", values.join(", ")),
        }
    }
}

#[derive(Serialize)]
struct Output<'a> {
    label: &'a str,
    address: Literal,
    stream: bool,
}

impl<'a> Output<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            label: &table.terraform_name,
            address: reference(&table.terraform_name),
            stream: table.stream.is_some_and(|stream| stream != Stream::Off),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Move<'a> {
    pub(super) from: Literal,
    pub(super) to: Literal,
    pub(super) from_label: &'a str,
    pub(super) to_label: &'a str,
}

#[derive(Serialize)]
pub(super) struct Import<'a> {
    pub(super) label: &'a str,
    pub(super) address: Literal,
    pub(super) name: ContextValue,
}

/// What stood beside a table that left the model.
#[derive(Serialize)]
pub(super) struct Companion {
    pub(super) address: Literal,
    pub(super) destroy: bool,
}

#[derive(Serialize)]
pub(super) struct Removed<'a> {
    pub(super) label: &'a str,
    pub(super) address: Literal,
    pub(super) destroy: bool,
}
