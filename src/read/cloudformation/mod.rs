//! CloudFormation templates, YAML and JSON: `AWS::DynamoDB::Table`, `AWS::DynamoDB::GlobalTable` and `AWS::Cassandra::*`.
//!
//! Literals, parameters and expressions become [`Text`](crate::schema::Text) and [`Value`](crate::schema::Value). A property
//! that is not modelled, or whose shape only CloudFormation can compute, is carried along as compact JSON under its path.

mod autoscaling;
mod behind;
mod capacity;
mod companion;
mod custom_replica;
mod elsewhere;
mod entries;
mod global_table;
mod index;
mod intrinsic;
mod item;
mod keyspaces;
mod own_region;
mod parameter;
mod serverless;
mod settle;
mod table;
mod value;

pub use entries::Entries;
pub use intrinsic::{json, long_form};
pub use own_region::{own_region, read_beside};

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::schema::dynamodb::{Resource, Schema, Table, Template};
use crate::schema::{About, NotRead, Parameter, cql};
use crate::source::{Entry, FileId, Kind, Node, SourceMap, Span, parse};
use intrinsic::call;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// What templates hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Tables of DynamoDB, by logical ID.
    pub schema: Schema,
    /// Keyspaces of Amazon Keyspaces, by name, their tables by logical ID.
    pub keyspaces: cql::Schema,
    /// The size of each template.
    pub entries: Vec<Entries>,
    /// What may hold tables of them and was not read.
    pub not_read: Vec<NotRead>,
}

/// Reads templates into one schema of DynamoDB, its tables by logical ID.
pub fn read(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<Schema> {
    read_all(sources, files, sink).map(|contents| contents.schema)
}

/// The same, with the size of each template.
pub fn read_and_count(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<(Schema, Vec<Entries>)> {
    read_all(sources, files, sink).map(|contents| (contents.schema, contents.entries))
}

/// Reads all that templates hold. Other resource types are passed over.
/// None, after at least one error, when a text is no template or a table in it cannot be understood.
pub fn read_all(sources: &SourceMap, files: &[FileId], sink: &mut Sink) -> Option<Contents> {
    read_in(sources, files, None, sink)
}

/// The same, for a stack of which it is known in which Region it is.
pub fn read_in<'a>(sources: &'a SourceMap, files: &[FileId], region: Option<&'a str>, sink: &'a mut Sink) -> Option<Contents> {
    let mut reader = Reader {
        parameters: BTreeMap::new(),
        template: Template::default(),
        file_name: None,
        left_open: Cell::new(false),
        region,
        not_read: Vec::new(),
        sink,
        failed: false,
    };
    let mut read = Contents::default();
    for &file in files {
        reader.template = Template::of_file(sources.path(file));
        let is_one_of_several = files.len() > 1 && !reader.template.is_known();
        reader.file_name = sources.path(file).file_name().filter(|_| is_one_of_several);
        let known = reader.sink.diagnostics().len();
        if let Some(root) = parse(sources, file, reader.sink) {
            // A tree that had to be repaired is read for what else is wrong, but it is no schema.
            reader.failed |= reader.sink.diagnostics().iter().skip(known).any(Diagnostic::is_error);
            read.entries.push(Entries::of(&root));
            reader.template(&serverless::expanded(settle::settled(long_form(root))), &mut read);
        } else {
            reader.failed = true;
        }
    }
    read.not_read = reader.not_read;
    (!reader.failed).then_some(read)
}

/// What the reading of one template needs everywhere.
struct Reader<'a> {
    /// The template's own parameters.
    parameters: BTreeMap<String, Parameter>,
    /// Which of the templates it is.
    template: Template,
    /// The name of its file, where there are several and that does not say it.
    file_name: Option<&'a str>,
    /// The Region of the stack, where it is known.
    region: Option<&'a str>,
    /// What may hold tables and is not read.
    not_read: Vec<NotRead>,
    /// An expression was met that only CloudFormation can evaluate.
    left_open: Cell<bool>,
    sink: &'a mut Sink,
    failed: bool,
}

impl Reader<'_> {
    fn template(&mut self, root: &Node, contents: &mut Contents) {
        let Contents { schema, keyspaces, .. } = contents;
        self.parameters = root.get("Parameters").map(|section| self.section(section, Self::parameter)).unwrap_or_default();
        self.take_parameters(schema);
        let Some(resources) = root.get("Resources") else {
            let start = Span::new(root.span.file, root.span.start as usize, root.span.start as usize);
            let place = if matches!(root.kind, Kind::Map(_)) { start } else { root.span };
            let message = "this is no CloudFormation template: it has no `Resources`";
            self.fail(
                Diagnostic::new(codes::BAD_CLOUDFORMATION, place, message)
                    .help("what makes a template writes one: `cdk synth`, `serverless package`"),
            );
            return;
        };
        self.macros_not_evaluated(root);
        let mut found = self.section(resources, Self::resource);
        for table in found.values_mut() {
            self.of_template(&mut table.about);
        }
        let of_template: BTreeSet<String> = found.keys().cloned().collect();
        for (logical_id, table) in found {
            if let Some(previous) = schema.tables.get(&logical_id) {
                let message = format!("two templates have a table `{logical_id}`");
                let place = table.about.span.unwrap_or(resources.span);
                let mut diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, place, message);
                if let Some(span) = previous.about.span {
                    diagnostic = diagnostic.context(span, "the first one");
                }
                self.fail(diagnostic);
            } else {
                schema.tables.insert(logical_id, table);
            }
        }
        self.autoscaling(resources, schema);
        self.custom_replicas(resources, schema);
        self.keyspaces(resources, keyspaces);
        self.what_stands_behind(root, &of_template, contents);
    }

    /// Notes in which of several templates something is.
    fn of_template(&self, about: &mut About) {
        if let Some(name) = self.file_name {
            about.template = Some(name.to_owned());
        }
    }

    /// Gives each table of a template the definitions that its expressions need. Where all is evaluated, as in templates that were
    /// generated, no table is looked through.
    fn what_stands_behind(&self, root: &Node, of_template: &BTreeSet<String>, contents: &mut Contents) {
        let left_open = self.left_open.get();
        for id in of_template {
            let Some(table) = contents.schema.tables.get_mut(id) else { continue };
            if left_open || table.carries_text() {
                behind::carry(root, table, |table| (&mut table.about, &mut table.extra));
            }
        }
        let tables = contents.keyspaces.keyspaces.values_mut().flat_map(|keyspace| keyspace.tables.values_mut());
        let of_template = |id: &str| root.get("Resources").is_some_and(|resources| resources.get(id).is_some());
        for table in tables.filter(|table| of_template(&table.managed.logical_id)) {
            if left_open || !table.extra.is_empty() {
                behind::carry(root, table, |table| (&mut table.about, &mut table.extra));
            }
        }
    }

    /// The entries of `Parameters` or `Resources` that `read` understands.
    fn section<T>(&mut self, section: &Node, read: fn(&mut Self, &Entry) -> Option<T>) -> BTreeMap<String, T> {
        let Kind::Map(entries) = &section.kind else {
            self.wrong(section.span, "this has to be a map from logical IDs");
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        for entry in entries {
            if entry.key.starts_with("Fn::") {
                let message = format!("what `{}` makes is not read", entry.key);
                self.sink.push(Diagnostic::new(codes::NOT_EVALUATED, entry.key_span, message));
                elsewhere::made_by(entry, &mut self.not_read);
            } else if let Some(item) = read(self, entry) {
                found.insert(entry.key.clone(), item);
            }
        }
        found
    }

    fn resource(&mut self, entry: &Entry) -> Option<Table> {
        let kind = entry.value.get("Type").and_then(|kind| Some((kind.as_str()?, kind.span)));
        let Some((kind, place)) = kind else {
            self.wrong(entry.key_span, format!("the resource `{}` has no `Type`", entry.key));
            return None;
        };
        if let Some(resource) = Resource::from_type_name(kind) {
            return self.table(entry, resource);
        }
        self.not_read(entry, kind, place);
        None
    }

    /// An error of the template at a place.
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.fail(Diagnostic::new(codes::BAD_CLOUDFORMATION, span, message));
    }

    fn fail(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.sink.push(diagnostic);
    }

    /// Says that something is known only to CloudFormation.
    fn not_evaluated(&mut self, node: &Node) {
        let function = first_call(node).unwrap_or("Fn::Transform");
        let message = format!("`{function}` is not evaluated here; it is kept as text");
        self.sink.push(Diagnostic::new(codes::NOT_EVALUATED, node.span, message));
    }

    /// Whether CloudFormation computes a part without which nothing can be said: an error.
    fn computed(&mut self, node: &Node, what: &str) -> bool {
        let function = call(node).map(|(function, _)| function);
        if let Some(function) = function {
            self.wrong(node.span, format!("`{what}` is computed by `{function}`, so it cannot be read"));
        }
        function.is_some()
    }
}

/// The first function that is called in a tree.
fn first_call(node: &Node) -> Option<&str> {
    let inside = || node.entries().iter().map(|entry| &entry.value).chain(node.items()).find_map(first_call);
    call(node).map(|(function, _)| function).or_else(inside)
}

#[cfg(test)]
mod tests;
