//! What the CQL templates see. Names, types and values are finished CQL: a template prints them as they are.

use crate::emit::Project;
use crate::emit::engine::Literal;
use crate::schema::Engine;
use crate::schema::cql::{
    self, Clustering, Index, Keyspace, OptionValue, Schema, Table, UserType, View, carried_in_order, identifier, type_identifier,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The root: `cql/schema.cql.j2`.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    /// The first line.
    header: String,
    /// The model.
    project: &'a Project,
    /// `cassandra-5.0`
    engine: Engine,
    keyspaces: Vec<KeyspaceContext<'a>>,
    /// Statements that belong to no keyspace.
    statements: Vec<Literal>,
    /// Tables that left the model.
    kept: Vec<TableContext<'a>>,
}

/// `keyspace`
#[derive(Serialize)]
pub(super) struct KeyspaceContext<'a, T = TableContext<'a>> {
    name: Literal,
    /// The map; none when the keyspace is not created here.
    replication: Option<Literal>,
    /// `durable_writes = false`
    properties: Vec<Literal>,
    types: Vec<TypeContext<'a>>,
    /// Functions, then aggregates, then triggers.
    functions: Vec<Literal>,
    tables: Vec<T>,
}

/// `type`
#[derive(Serialize)]
pub(super) struct TypeContext<'a> {
    /// With its keyspace.
    name: Literal,
    description: Option<&'a str>,
    fields: Vec<ColumnContext>,
}

/// `table`
#[derive(Serialize)]
pub(super) struct TableContext<'a> {
    /// With its keyspace.
    name: Literal,
    description: Option<&'a str>,
    /// The access patterns it serves.
    serves: &'a [String],
    kept: bool,
    /// The key, then static columns, then the others by name.
    columns: Vec<ColumnContext>,
    /// What stands between the brackets of PRIMARY KEY.
    primary_key: Literal,
    /// What follows WITH: the clustering order when it is not all ascending, then `option = value`.
    properties: Vec<Literal>,
    indexes: Vec<IndexContext<'a>>,
    views: Vec<ViewContext<'a>>,
}

/// `column` of a table, `field` of a type.
#[derive(Serialize)]
struct ColumnContext {
    name: Literal,
    r#type: Literal,
    r#static: bool,
    /// `MASKED WITH …`
    mask: Option<Literal>,
}

/// `index`
#[derive(Serialize)]
pub(super) struct IndexContext<'a> {
    name: Literal,
    description: Option<&'a str>,
    serves: &'a [String],
    /// Whether the engine wants CUSTOM before INDEX.
    custom: bool,
    /// What stands between the brackets: `email`, `KEYS(prefs)`, `(customer), email`.
    target: Literal,
    /// The class, as text.
    using: Option<&'a str>,
    options: Option<Literal>,
}

/// `view`
#[derive(Serialize)]
pub(super) struct ViewContext<'a> {
    /// With its keyspace.
    name: Literal,
    description: Option<&'a str>,
    serves: &'a [String],
    /// `*` or the columns.
    columns: Literal,
    /// What stands between the ANDs of WHERE.
    relations: Vec<Literal>,
    primary_key: Literal,
    /// What follows WITH: the clustering order, then `option = value`.
    properties: Vec<Literal>,
}

impl<'a> Document<'a> {
    pub(super) fn new(project: &'a Project, engine: Engine, schema: &'a Schema) -> Self {
        let kept = schema.keyspaces.iter().flat_map(|(keyspace, of)| {
            of.tables.values().filter(|table| table.kept).map(|table| TableContext::new(engine, keyspace, table))
        });
        Self {
            header: project.header(),
            project,
            engine,
            keyspaces: schema
                .keyspaces
                .iter()
                .map(|(name, keyspace)| KeyspaceContext::new(name, keyspace, |table| TableContext::new(engine, name, table)))
                .collect(),
            statements: carried_in_order(&schema.extra).map(|(_, text)| Literal::verbatim(text)).collect(),
            kept: kept.collect(),
        }
    }
}

impl<'a, T> KeyspaceContext<'a, T> {
    pub(super) fn new(name: &'a str, keyspace: &'a Keyspace, mut table: impl FnMut(&'a Table) -> T) -> Self {
        let durable = keyspace.durable_writes.map(|durable| ("durable_writes".to_owned(), OptionValue::Bool(durable)));
        let options = keyspace.options.iter().map(|(name, value)| (name.clone(), value.clone()));
        let of_kind = |kind: &'static str| {
            keyspace.extra.iter().filter(move |(subject, _)| subject.starts_with(kind)).map(|(_, text)| Literal::verbatim(text))
        };
        let tables = keyspace.tables.values().filter(|table| !table.kept);
        Self {
            name: Literal::verbatim(identifier(name)),
            replication: (!keyspace.replication.is_empty()).then(|| Literal::verbatim(replication(&keyspace.replication))),
            properties: durable
                .into_iter()
                .chain(options)
                .map(|(name, value)| Literal::verbatim(property(&name, &value)))
                .collect(),
            types: in_order(&keyspace.types).map(|(user, of)| TypeContext::new(name, user, of)).collect(),
            functions: of_kind("function ").chain(of_kind("aggregate ")).chain(of_kind("trigger ")).collect(),
            tables: tables.map(&mut table).collect(),
        }
    }
}

impl<'a> TypeContext<'a> {
    pub(super) fn new(keyspace: &str, name: &str, user: &'a UserType) -> Self {
        let fields = user.fields.iter().map(|(name, kind)| ColumnContext {
            name: Literal::verbatim(identifier(name)),
            r#type: Literal::verbatim(kind.to_string()),
            r#static: false,
            mask: None,
        });
        Self {
            name: Literal::verbatim(qualified(keyspace, &type_identifier(name))),
            description: user.about.description.as_deref(),
            fields: fields.collect(),
        }
    }
}

impl<'a> TableContext<'a> {
    pub(super) fn new(engine: Engine, keyspace: &str, table: &'a Table) -> Self {
        let keys = table.partition_key.iter().chain(table.clustering.iter().map(|key| &key.column));
        let of_key = keys.filter_map(|name| Some((name, table.columns.get(name)?)));
        let others = |is_static: bool| {
            table.columns.iter().filter(move |(name, column)| column.is_static == is_static && !table.is_key(name))
        };
        let columns = of_key.chain(others(true)).chain(others(false)).map(|(name, column)| ColumnContext {
            name: Literal::verbatim(identifier(name)),
            r#type: Literal::verbatim(column.kind.to_string()),
            r#static: column.is_static,
            mask: column.extra.as_deref().map(Literal::verbatim),
        });
        Self {
            name: Literal::verbatim(qualified(keyspace, &identifier(&table.name))),
            description: table.about.description.as_deref(),
            serves: &table.about.serves,
            kept: table.kept,
            columns: columns.collect(),
            primary_key: Literal::verbatim(primary_key(&table.partition_key, &table.clustering)),
            properties: properties(table.clustering.iter().any(|key| key.descending), &table.clustering, &table.options),
            indexes: table.indexes.iter().map(|(name, index)| IndexContext::new(engine, name, index)).collect(),
            views: table.views.iter().map(|(name, view)| ViewContext::new(keyspace, name, view)).collect(),
        }
    }
}

impl<'a> IndexContext<'a> {
    pub(super) fn new(engine: Engine, name: &str, index: &'a Index) -> Self {
        // From 5.0 on a node may be set to make SAI of an index that does not say what it is.
        let legacy = (engine == Engine::Cassandra50).then_some("legacy_local_table");
        let using = index.using.as_deref().or(legacy);
        let short = engine == Engine::Cassandra50 && using.is_some_and(|using| ["sai", "legacy_local_table"].contains(&using));
        Self {
            name: Literal::verbatim(identifier(name)),
            description: index.about.description.as_deref(),
            serves: &index.about.serves,
            custom: using.is_some() && !short,
            target: Literal::verbatim(index.targets()),
            using,
            options: (!index.options.is_empty()).then(|| Literal::verbatim(OptionValue::Map(index.options.clone()).to_string())),
        }
    }
}

impl<'a> ViewContext<'a> {
    pub(super) fn new(keyspace: &str, name: &str, view: &'a View) -> Self {
        let keys = || view.partition_key.iter().chain(view.clustering.iter().map(|key| &key.column));
        // The columns of the key are always selected.
        let columns = view.columns.as_ref().map(|columns| {
            let others = columns.iter().filter(|column| !view.is_key(column));
            keys().chain(others).map(|name| identifier(name)).collect::<Vec<_>>().join(", ")
        });
        let not_null =
            keys().filter(|column| !view.restricts(column)).map(|column| format!("{} IS NOT NULL", identifier(column)));
        Self {
            name: Literal::verbatim(qualified(keyspace, &identifier(name))),
            description: view.about.description.as_deref(),
            serves: &view.about.serves,
            columns: Literal::verbatim(columns.unwrap_or_else(|| "*".to_owned())),
            relations: not_null.chain(view.filter.iter().cloned()).map(Literal::verbatim).collect(),
            primary_key: Literal::verbatim(primary_key(&view.partition_key, &view.clustering)),
            // Where nothing is said, a view has the order of its table.
            properties: properties(!view.clustering.is_empty(), &view.clustering, &view.options),
        }
    }
}

/// Types so that each stands behind those its fields have; otherwise by name.
pub(crate) fn in_order(types: &BTreeMap<String, UserType>) -> impl DoubleEndedIterator<Item = (&String, &UserType)> {
    let mut ordered = Vec::new();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while ordered.len() < types.len() {
        let ready = |user: &UserType| {
            user.fields.iter().all(|(_, kind)| {
                let mut named = Vec::new();
                user_types(kind, &mut named);
                named.into_iter().all(|name| done.contains(name) || !types.contains_key(name))
            })
        };
        let waiting: Vec<_> = types.iter().filter(|(name, _)| !done.contains(name.as_str())).collect();
        let next: Vec<_> = waiting.iter().filter(|(_, user)| ready(user)).copied().collect();
        // Types in a circle are impossible; they are printed all the same, for the engine to refuse.
        let next = if next.is_empty() { waiting } else { next };
        done.extend(next.iter().map(|(name, _)| name.as_str()));
        ordered.extend(next);
    }
    ordered.into_iter()
}

fn user_types<'a>(kind: &'a cql::Type, names: &mut Vec<&'a str>) {
    if let cql::Type::User(name) = kind {
        names.push(name);
    }
    for inner in kind.inner() {
        user_types(inner, names);
    }
}

/// The clustering order when it has to be said, then the options.
fn properties(ordered: bool, clustering: &[Clustering], options: &BTreeMap<String, OptionValue>) -> Vec<Literal> {
    let order = ordered.then(|| {
        let columns =
            clustering.iter().map(|key| format!("{} {}", identifier(&key.column), if key.descending { "DESC" } else { "ASC" }));
        Literal::verbatim(format!("CLUSTERING ORDER BY ({})", columns.collect::<Vec<_>>().join(", ")))
    });
    order.into_iter().chain(options.iter().map(|(name, value)| Literal::verbatim(property(name, value)))).collect()
}

/// One property as it follows WITH or AND.
pub(crate) fn property(name: &str, value: &OptionValue) -> String {
    match (name, value) {
        ("compact_storage", OptionValue::Bool(true)) => "COMPACT STORAGE".to_owned(),
        // Amazon Keyspaces has numbers and truths in these maps, where engines keep text.
        ("autoscaling_settings" | "custom_properties", _) => format!("{name} = {}", value.with_numbers()),
        _ => format!("{} = {value}", identifier(name)),
    }
}

/// The replication map. A list of racks is no text.
pub(crate) fn replication(map: &BTreeMap<String, String>) -> String {
    let (class, rest): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| *key == "class");
    let entries = class.into_iter().chain(rest).map(|(key, value)| {
        let value = if value.starts_with('[') { value.clone() } else { cql::string(value) };
        format!("{}: {value}", cql::string(key))
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn primary_key(partition: &[String], clustering: &[Clustering]) -> String {
    let partition = if partition.len() == 1 { names(partition) } else { format!("({})", names(partition)) };
    let clustering = clustering.iter().map(|key| identifier(&key.column));
    std::iter::once(partition).chain(clustering).collect::<Vec<_>>().join(", ")
}

fn names(names: &[String]) -> String {
    names.iter().map(|name| identifier(name)).collect::<Vec<_>>().join(", ")
}

/// A name with its keyspace. The empty name is the keyspace of the session.
pub(crate) fn qualified(keyspace: &str, name: &str) -> String {
    if keyspace.is_empty() { name.to_owned() } else { format!("{}.{name}", identifier(keyspace)) }
}
