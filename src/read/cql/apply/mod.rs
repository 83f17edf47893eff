//! Statements applied to a schema, in order. Only what an engine could not carry out is an error here; what it would
//! carry out and what is unwise is for others to judge.

mod index;
mod keyspace;
mod space;
mod table;
mod taken;
mod view;

use super::ast::{
    Body, Carried, ColumnDefinition, IndexStatement, Key, Name, Place, Property, QualifiedName, Statement, TableStatement,
    TagChange,
};
use crate::diagnostic::{Diagnostic, Level, Sink, codes, nearest};
use crate::schema::About;
use crate::schema::Engine;
use crate::schema::cql::{Clustering, Keyspace, OptionValue, Schema, Type, identifier};
use crate::source::{Span, Spanned};
use space::Space;
use std::collections::BTreeMap;

/// Whether a statement could be carried out.
type Applied<T = ()> = Result<T, Box<Diagnostic>>;

/// A schema that statements are applied to.
pub(super) struct Session {
    /// All but the keyspaces.
    rest: Schema,
    spaces: BTreeMap<String, Space>,
    /// The keyspace in USE.
    keyspace: Option<String>,
    /// Whose statements they are, where that is known.
    engine: Option<Engine>,
    /// Statements that were run before: what those behind them take is taken from what is there.
    known: usize,
    /// Tables, by keyspace and name, that such a statement dropped, and where.
    gone: BTreeMap<(String, String), Span>,
}

impl Session {
    /// With what is there already.
    pub(super) fn new(mut schema: Schema, engine: Option<Engine>, known: usize) -> Self {
        let keyspaces = std::mem::take(&mut schema.keyspaces);
        let spaces = keyspaces.into_iter().map(|(name, keyspace)| (name, Space::from(keyspace))).collect();
        Self { rest: schema, spaces, keyspace: None, engine, known, gone: BTreeMap::new() }
    }

    /// What has become of it. A keyspace that was only named, and never created or filled, is no part of it.
    pub(super) fn into_schema(self) -> Schema {
        let keyspaces = self.spaces.into_iter().map(|(name, space)| (name, space.into_keyspace())).filter(|(_, keyspace)| {
            !(keyspace.replication.is_empty()
                && keyspace.types.is_empty()
                && keyspace.unread.is_empty()
                && keyspace.tables.is_empty()
                && keyspace.extra.is_empty())
        });
        Schema { keyspaces: keyspaces.collect(), ..self.rest }
    }

    /// Applies the statements of one file. A `USE` of a file ends with it.
    pub(super) fn apply(&mut self, statements: Vec<Statement>, sink: &mut Sink) {
        self.keyspace = None;
        for statement in statements {
            let span = statement.span;
            self.note_taken(&statement);
            self.known = self.known.saturating_sub(1);
            if self.is_of_unread(&statement.body) {
                let message = "the table of this statement was not read: skipped";
                sink.push(Diagnostic::new(codes::STATEMENT_SKIPPED, span, message).level(Level::Warning));
                continue;
            }
            if let Some(why) = self.condition_flaw(&statement) {
                sink.push(why);
                continue;
            }
            let applied = match statement.body {
                Body::Use(name) => {
                    self.keyspace = Some(name.value);
                    Ok(())
                }
                Body::Keyspace(statement) => self.keyspace_statement(span, statement),
                Body::Type(statement) => self.type_statement(span, statement),
                Body::Table(statement) => self.table_statement(span, statement),
                Body::Index(statement) => self.index_statement(span, statement),
                Body::View(statement) => self.view_statement(span, statement),
                Body::Omitted(name) => {
                    let message = format!("the table `{}` is there and was not read: it stands in a comment", name.name);
                    let note = "a table with COMPACT STORAGE: what DESCRIBE prints of it is approximate and for reference only";
                    let help = "compare it by hand; no plan shows what changes of it";
                    let finding = Diagnostic::new(codes::STATEMENT_SKIPPED, name.name.span, message).note(note).help(help);
                    sink.push(finding.level(Level::Warning));
                    self.space(name.keyspace.as_ref()).keyspace.unread.insert(name.name.value);
                    Ok(())
                }
                Body::Carried(carried) => {
                    if matches!(carried.place, Place::Cluster) {
                        let without = if carried.secret.is_some() { " without its password" } else { "" };
                        let subject = carried.subject.trim_end_matches(" (altered)");
                        let message = format!("`{subject}` is carried along{without}, and not compared");
                        sink.push(Diagnostic::new(codes::STATEMENT_SKIPPED, carried.secret.unwrap_or(span), message));
                    }
                    self.carry(carried);
                    Ok(())
                }
                Body::Skipped(what) if what == "SOURCE" => {
                    let message = "the file that `SOURCE` names is not read";
                    sink.push(
                        Diagnostic::new(codes::NOT_READ, span, message)
                            .note("a table there is neither compared nor missed")
                            .help("put both files into one folder, and give the folder: they are one history"),
                    );
                    Ok(())
                }
                Body::Truncate(_) => {
                    skip(sink, span, "TRUNCATE");
                    Ok(())
                }
                Body::Skipped(what) => {
                    skip(sink, span, &what);
                    Ok(())
                }
            };
            if let Err(diagnostic) = applied {
                sink.push(*diagnostic);
            }
        }
    }

    /// What is wrong with `IF EXISTS` in an ALTER: a syntax error to Cassandra 4.0 (run on 4.0.19, 4.1.10 and 5.0.9) and ScyllaDB
    /// (`Cql.g` of 2025.1 and 2026.1).
    fn condition_flaw(&self, statement: &Statement) -> Option<Diagnostic> {
        let span = statement.condition?;
        let engine = self.engine?;
        let note = match engine {
            Engine::Cassandra40 => "it came with Cassandra 4.1: a node of 4.0 refuses the statement",
            Engine::Scylla20251 | Engine::Scylla20261 => "ScyllaDB refuses the statement: only CREATE and DROP have it there",
            Engine::Cassandra41 | Engine::Cassandra50 | Engine::Keyspaces => return None,
        };
        let message = format!("{engine} does not know `IF EXISTS` and `IF NOT EXISTS` in an ALTER");
        Some(Diagnostic::new(codes::BAD_CQL, span, message).note(note).help("leave it out: what is there is known"))
    }

    /// Whether a statement changes a table of which nothing but its name is known. One that drops it, or creates it after all, is
    /// taken at its word.
    fn is_of_unread(&mut self, body: &Body) -> bool {
        let (name, stays) = match body {
            Body::Table(TableStatement::Alter { name, .. }) => (name, true),
            Body::Index(IndexStatement::Create(create)) => (&create.table, true),
            Body::Table(TableStatement::Create { name, .. } | TableStatement::Drop { name, .. }) => (name, false),
            _ => return false,
        };
        let space = self.keyspace_of(name.keyspace.as_ref());
        let Some(space) = self.spaces.get_mut(&space) else { return false };
        let unread = &mut space.keyspace.unread;
        let known = if stays { unread.contains(&name.name.value) } else { unread.remove(&name.name.value) };
        known && !matches!(body, Body::Table(TableStatement::Create { .. }))
    }

    /// The keyspace that a name is in: the one before it, else that of the session.
    fn keyspace_of(&self, written: Option<&Name>) -> String {
        written.map(|name| name.value.clone()).or_else(|| self.keyspace.clone()).unwrap_or_default()
    }

    /// The keyspace of a name that creates something. One that these statements do not create is taken for granted.
    fn space(&mut self, written: Option<&Name>) -> &mut Space {
        let name = self.keyspace_of(written);
        self.spaces.entry(name).or_default()
    }

    fn carry(&mut self, carried: Carried) {
        let Carried { subject, place, text, .. } = carried;
        let (extra, text) = match &place {
            Place::Cluster => (&mut self.rest.extra, text.map(|(head, tail)| format!("{head} {tail}"))),
            Place::Keyspace(written) => {
                let name = self.keyspace_of(written.as_ref());
                let prefix = if name.is_empty() { String::new() } else { format!("{}.", identifier(&name)) };
                let text = text.map(|(head, tail)| format!("{head} {prefix}{tail}"));
                (&mut self.space(written.as_ref()).keyspace.extra, text)
            }
        };
        match text {
            Some(text) if subject.ends_with("(altered)") => {
                let whole = extra.entry(subject).or_default();
                *whole = if whole.is_empty() { text } else { format!("{whole};\n{text}") };
            }
            Some(text) => {
                extra.insert(subject, text);
            }
            // A name without arguments stands for the only function of that name.
            None => extra.retain(|known, _| {
                let rest = known.strip_prefix(subject.as_str());
                !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('(') || rest.starts_with(" (altered)"))
            }),
        }
    }
}

/// A statement that makes no part of a schema.
fn skip(sink: &mut Sink, span: Span, what: &str) {
    let message = format!("{what} is not part of a schema: skipped");
    sink.push(Diagnostic::new(codes::STATEMENT_SKIPPED, span.part(0, what.len()), message));
}

fn fail<T>(span: Span, message: impl Into<String>) -> Applied<T> {
    Err(Box::new(Diagnostic::new(codes::BAD_CQL, span, message)))
}

/// Nothing has that name; perhaps another was meant.
fn unknown<'a, T>(what: &str, name: &Name, known: impl IntoIterator<Item = &'a String>) -> Applied<T> {
    let mut diagnostic = Diagnostic::new(codes::BAD_CQL, name.span, format!("there is no {what} `{name}`"));
    if let Some(near) = nearest(name, known.into_iter().map(String::as_str)) {
        diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
    }
    Err(Box::new(diagnostic))
}

/// Something has that name already.
fn exists<T>(what: &str, name: &Name, previous: &About) -> Applied<T> {
    let mut diagnostic = Diagnostic::new(codes::BAD_CQL, name.span, format!("the {what} `{name}` exists already"));
    if let Some(span) = previous.span {
        diagnostic = diagnostic.context(span, "created here");
    }
    Err(Box::new(diagnostic))
}

/// A thing that a statement creates is placed from the statement's start to the thing's name.
fn place(statement: Span, name: &QualifiedName) -> About {
    About::at(Span { end: name.name.span.end, ..statement })
}

/// Adds or drops tags.
fn tag(options: &mut BTreeMap<String, OptionValue>, change: TagChange) {
    let mut tags = match options.remove("tags") {
        Some(OptionValue::Map(tags)) => tags,
        _ => BTreeMap::new(),
    };
    if change.added {
        tags.extend(change.tags);
    } else {
        tags.retain(|key, _| !change.tags.contains_key(key));
    }
    if !tags.is_empty() {
        options.insert("tags".to_owned(), OptionValue::Map(tags));
    }
}

/// Remembers where properties stand.
fn note_options(about: &mut About, options: &[Property]) {
    for property in options {
        about.properties.insert(format!("options.{}", property.name), property.name.span);
    }
}

/// The clustering key with its order: all ascending where nothing else is said.
fn clustering(key: &Key, order: Option<&Spanned<Vec<(Name, bool)>>>) -> Applied<Vec<Clustering>> {
    let mut clustering: Vec<Clustering> =
        key.clustering.iter().map(|name| Clustering { column: name.value.clone(), descending: false }).collect();
    for (position, (name, descending)) in order.iter().flat_map(|order| order.value.iter()).enumerate() {
        match clustering.get_mut(position) {
            Some(column) if column.column == name.value => column.descending = *descending,
            _ => {
                let columns: Vec<&str> = key.clustering.iter().map(|name| name.value.as_str()).collect();
                let message = "CLUSTERING ORDER must name the clustering columns in the order of the key";
                let note = if columns.is_empty() { "there are none".to_owned() } else { columns.join(", ") };
                return Err(Box::new(
                    Diagnostic::new(codes::BAD_CQL, name.span, message).context(key.span, format!("clustering columns: {note}")),
                ));
            }
        }
    }
    Ok(clustering)
}

/// A type may only name user types that exist. In a keyspace that was created elsewhere they may, too.
fn check_type(keyspace: &Keyspace, kind: &Spanned<Type>) -> Applied {
    let mut pending = vec![&kind.value];
    while let Some(next) = pending.pop() {
        if let Type::User(name) = next
            && !keyspace.types.contains_key(name)
            && !keyspace.replication.is_empty()
        {
            let natives = ["bigint", "boolean", "double", "float", "text", "timestamp", "timeuuid", "uuid", "varint"];
            let known = keyspace.types.keys().map(String::as_str).chain(natives);
            let mut diagnostic = Diagnostic::new(codes::BAD_CQL, kind.span, format!("there is no type `{name}`"));
            if let Some(near) = nearest(name, known) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            return Err(Box::new(diagnostic));
        }
        pending.extend(next.inner());
    }
    Ok(())
}

/// Whether a type holds a user type.
fn holds(kind: &Type, user: &str) -> bool {
    matches!(kind, Type::User(name) if name == user) || kind.inner().into_iter().any(|inner| holds(inner, user))
}

/// A column as the schema holds it.
fn column(definition: &ColumnDefinition) -> crate::schema::cql::Column {
    crate::schema::cql::Column {
        kind: definition.kind.value.clone(),
        is_static: definition.is_static,
        extra: definition.mask.clone(),
    }
}
