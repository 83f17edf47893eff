//! Statements as they are written, before they are applied to a schema.

use crate::schema::cql::{OptionValue, Type};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// A name with its place; without quotes, folded when it had none.
pub(super) type Name = Spanned<String>;

/// A name with the keyspace in front of it, when one is written.
#[derive(Clone, Debug)]
pub(super) struct QualifiedName {
    pub(super) keyspace: Option<Name>,
    pub(super) name: Name,
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    /// `IF EXISTS` or `IF NOT EXISTS` of an ALTER, which not every engine knows.
    pub(super) condition: Option<Span>,
    pub(super) body: Body,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub(super) enum Body {
    Use(Name),
    Keyspace(KeyspaceStatement),
    Type(TypeStatement),
    Table(TableStatement),
    Index(IndexStatement),
    View(ViewStatement),
    /// The rows of a table go.
    Truncate(QualifiedName),
    /// A table is there, and what it is like is not said.
    Omitted(QualifiedName),
    /// Carried along as text.
    Carried(Carried),
    /// Not part of a schema: what it is.
    Skipped(String),
}

impl Body {
    /// Whether a cluster on which it is run has lost something. `text` is the whole statement.
    pub(super) fn destroys(&self, text: &str) -> bool {
        let deletes = || text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("delete"));
        match self {
            Self::Truncate(_)
            | Self::Keyspace(KeyspaceStatement::Drop { .. })
            | Self::Type(TypeStatement::Drop { .. })
            | Self::Table(TableStatement::Drop { .. } | TableStatement::Alter { change: TableChange::Drop { .. }, .. })
            | Self::Index(IndexStatement::Drop { .. })
            | Self::View(ViewStatement::Drop { .. }) => true,
            Self::Skipped(what) => match what.as_str() {
                "TRUNCATE" | "DELETE" => true,
                "BEGIN BATCH" => deletes(),
                _ => false,
            },
            _ => false,
        }
    }
}

/// `= value` of one property.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) value: OptionValue,
}

/// The properties after WITH.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    pub(super) options: Vec<Property>,
    /// `CLUSTERING ORDER BY`: column and whether it is descending.
    pub(super) order: Option<Spanned<Vec<(Name, bool)>>>,
}

#[derive(Clone, Debug)]
pub(super) enum KeyspaceStatement {
    Create { name: Name, if_not_exists: bool, options: Vec<Property> },
    Alter { name: Name, if_exists: bool, options: Vec<Property> },
    Tag { name: Name, change: TagChange },
    Drop { name: Name, if_exists: bool },
}

#[derive(Clone, Debug)]
pub(super) enum TypeStatement {
    Create { name: QualifiedName, if_not_exists: bool, fields: Vec<(Name, Spanned<Type>)> },
    Alter { name: QualifiedName, if_exists: bool, change: TypeChange },
    Drop { name: QualifiedName, if_exists: bool },
}

#[derive(Clone, Debug)]
pub(super) enum TypeChange {
    Add { field: Name, kind: Spanned<Type>, if_not_exists: bool },
    Rename(Vec<(Name, Name)>),
    Retype(Name, Spanned<Type>),
}

#[derive(Clone, Debug)]
pub(super) struct ColumnDefinition {
    pub(super) name: Name,
    pub(super) kind: Spanned<Type>,
    pub(super) is_static: bool,
    /// Its type is a class that sorts from high to low.
    pub(super) is_reversed: bool,
    /// `MASKED WITH …`, in one spelling.
    pub(super) mask: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) partition: Vec<Name>,
    pub(super) clustering: Vec<Name>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TableStatement {
    Create { name: QualifiedName, if_not_exists: bool, columns: Vec<ColumnDefinition>, key: Key, properties: Properties },
    Alter { name: QualifiedName, if_exists: bool, change: TableChange },
    Drop { name: QualifiedName, if_exists: bool },
}

#[derive(Clone, Debug)]
pub(super) enum TableChange {
    Add {
        columns: Vec<ColumnDefinition>,
        if_not_exists: bool,
    },
    Drop {
        columns: Vec<Name>,
        if_exists: bool,
    },
    Rename(Vec<(Name, Name)>),
    Retype(Name, Spanned<Type>),
    /// None: DROP MASKED.
    Mask(Name, Option<String>),
    DropCompactStorage,
    With(Properties),
    Tags(TagChange),
}

/// `ADD TAGS {…}` and `DROP TAGS {…}` of Amazon Keyspaces.
#[derive(Clone, Debug)]
pub(super) struct TagChange {
    pub(super) added: bool,
    pub(super) tags: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
pub(super) enum IndexStatement {
    Create(Box<CreateIndex>),
    Drop { name: QualifiedName, if_exists: bool },
}

#[derive(Clone, Debug)]
pub(super) struct CreateIndex {
    pub(super) is_custom: bool,
    pub(super) name: Option<Name>,
    pub(super) if_not_exists: bool,
    pub(super) table: QualifiedName,
    pub(super) local: Vec<Name>,
    /// None: a custom index that names no column.
    pub(super) column: Option<Name>,
    pub(super) further: Vec<Name>,
    pub(super) target: Option<String>,
    pub(super) using: Option<Spanned<String>>,
    pub(super) options: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
pub(super) enum ViewStatement {
    Create(Box<CreateView>),
    Alter { name: QualifiedName, if_exists: bool, properties: Properties },
    Drop { name: QualifiedName, if_exists: bool },
}

#[derive(Clone, Debug)]
pub(super) struct CreateView {
    pub(super) name: QualifiedName,
    pub(super) if_not_exists: bool,
    pub(super) base: QualifiedName,
    /// None: `*`.
    pub(super) columns: Option<Vec<Name>>,
    pub(super) relations: Vec<Relation>,
    pub(super) key: Key,
    pub(super) properties: Properties,
}

/// One relation of a WHERE clause.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) column: Name,
    /// What follows the column, in one spelling: `IS NOT NULL`, `= 'x'`.
    pub(super) rest: String,
}

/// A statement that is carried along as text, in one spelling.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    /// What it is about: `function plus_one(int)`, `role reader`.
    pub(super) subject: String,
    /// Where it belongs.
    pub(super) place: Place,
    /// The text before and from the name that a keyspace may stand before; None: it drops the subject.
    pub(super) text: Option<(String, String)>,
    /// Where a password stood that is not in the text.
    pub(super) secret: Option<Span>,
}

/// Where a carried statement belongs.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// To the whole cluster.
    Cluster,
    /// To a keyspace; None: that of the session.
    Keyspace(Option<Name>),
}
