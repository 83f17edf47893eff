//! Entities and their attributes.

use super::Named;
use super::{Allow, Amount, Duration};
use crate::schema::dynamodb::KeyType;
use crate::source::{Span, Spanned};
use std::fmt;

/// A kind of item.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its key in the model.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Identity: names of attributes.
    pub key: Vec<Spanned<String>>,
    /// Attributes, by name.
    pub attributes: Named<Attribute>,
    /// How many exist.
    pub items: Option<f64>,
    /// Size of one, in bytes.
    pub size: Option<Amount>,
    /// Net new items a second.
    pub growth: Option<f64>,
    /// How long the business keeps one.
    pub retain: Option<Spanned<Duration>>,
    /// How many items share one value of some attributes.
    pub per: Vec<PerValue>,
    /// The entity and attribute whose uniqueness it guards.
    pub guards: Option<Spanned<(String, String)>>,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// `per: { account+repo: … }`
#[derive(Clone, Debug)]
pub struct PerValue {
    /// The attributes, sorted.
    pub attributes: Vec<String>,
    /// How many items share one combination of their values.
    pub count: Amount,
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its key in the model.
    pub span: Span,
    /// Its description.
    pub description: Option<String>,
    /// Its type.
    pub kind: AttributeType,
    /// Where its type is written; its key, where an `enum` says it.
    pub kind_span: Span,
    /// The closed set of values, with shares (0 to 1) where they were given.
    pub values: Option<Named<Option<f64>>>,
    /// May be absent.
    pub optional: bool,
    /// Share of items that have it, 0 to 1; 1 by default.
    pub present: f64,
    /// Number of different values.
    pub distinct: Option<f64>,
    /// Share of the traffic on the most frequent value, 0 to 1.
    pub top_share: Option<f64>,
    /// No two items share a value.
    pub unique: bool,
    /// Where its value comes from, when it is kept twice. Few are.
    pub derivation: Option<Box<Derivation>>,
    /// DynamoDB form of a timestamp.
    pub encoding: Encoding,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// Where a value that is kept twice comes from.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// What it is a copy of: entity and attribute.
    pub copy_of: Option<Spanned<(String, String)>>,
    /// The entity it counts.
    pub count_of: Option<Spanned<String>>,
    /// The entity and attribute it sums up.
    pub sum_of: Option<Spanned<(String, String)>>,
    /// What refreshes a copy, count or sum.
    pub updated_by: Option<Spanned<UpdatedBy>>,
}

impl Attribute {
    /// The entity it counts.
    #[must_use]
    pub fn count_of(&self) -> Option<&str> {
        self.derivation.as_ref()?.count_of.as_ref().map(|of| of.value.as_str())
    }

    /// The type it has in DynamoDB as a key of its own; None when it cannot be one.
    #[must_use]
    pub fn key_type(&self) -> Option<KeyType> {
        match &self.kind {
            _ if self.is_stored_as_number() => Some(KeyType::N),
            AttributeType::Blob => Some(KeyType::B),
            AttributeType::Text
            | AttributeType::Ascii
            | AttributeType::Inet
            | AttributeType::Uuid
            | AttributeType::Timeuuid
            | AttributeType::Ulid
            | AttributeType::Ksuid
            | AttributeType::Timestamp
            | AttributeType::Date
            | AttributeType::Time => Some(KeyType::S),
            _ => None,
        }
    }

    /// Whether DynamoDB holds a number: a timestamp is one unless it is written as text.
    #[must_use]
    pub fn is_stored_as_number(&self) -> bool {
        self.kind.is_number() || (self.kind == AttributeType::Timestamp && self.encoding != Encoding::Iso)
    }
}

/// What refreshes a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdatedBy {
    /// A pattern, by name.
    Pattern(String),
    /// The stream or CDC of the original's table.
    Stream,
    /// Nothing: a snapshot.
    Never,
}

/// DynamoDB form of a timestamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Text: `2026-11-30T11:10:07.123Z`
    #[default]
    Iso,
    /// Number of seconds.
    EpochSeconds,
    /// Number of milliseconds.
    EpochMillis,
}

/// A type of the model language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeType {
    /// `text`
    Text,
    /// `ascii`
    Ascii,
    /// `inet`
    Inet,
    /// `uuid`
    Uuid,
    /// `timeuuid`; carries its time
    Timeuuid,
    /// `ulid`; carries its time
    Ulid,
    /// `ksuid`; carries its time
    Ksuid,
    /// `snowflake`; carries its time
    Snowflake,
    /// `int`
    Int,
    /// `bigint`
    Bigint,
    /// `smallint`
    Smallint,
    /// `tinyint`
    Tinyint,
    /// `varint`
    Varint,
    /// `decimal`
    Decimal,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `counter`
    Counter,
    /// `timestamp`
    Timestamp,
    /// `date`
    Date,
    /// `time`
    Time,
    /// `blob`
    Blob,
    /// `boolean`
    Boolean,
    /// `duration`
    Duration,
    /// `list<T>`
    List(Box<AttributeType>),
    /// `set<T>`
    Set(Box<AttributeType>),
    /// `map<K, V>`
    Map(Box<AttributeType>, Box<AttributeType>),
    /// `tuple<T, …>`
    Tuple(Vec<AttributeType>),
    /// `frozen<T>`
    Frozen(Box<AttributeType>),
    /// `vector<float, n>`
    Vector(Box<AttributeType>, u32),
    /// A user type, by name.
    User(String),
}

/// The names of the types without parameters.
const SCALARS: &[(&str, AttributeType)] = &[
    ("text", AttributeType::Text),
    ("ascii", AttributeType::Ascii),
    ("inet", AttributeType::Inet),
    ("uuid", AttributeType::Uuid),
    ("timeuuid", AttributeType::Timeuuid),
    ("ulid", AttributeType::Ulid),
    ("ksuid", AttributeType::Ksuid),
    ("snowflake", AttributeType::Snowflake),
    ("int", AttributeType::Int),
    ("bigint", AttributeType::Bigint),
    ("smallint", AttributeType::Smallint),
    ("tinyint", AttributeType::Tinyint),
    ("varint", AttributeType::Varint),
    ("decimal", AttributeType::Decimal),
    ("float", AttributeType::Float),
    ("double", AttributeType::Double),
    ("counter", AttributeType::Counter),
    ("timestamp", AttributeType::Timestamp),
    ("date", AttributeType::Date),
    ("time", AttributeType::Time),
    ("blob", AttributeType::Blob),
    ("boolean", AttributeType::Boolean),
    ("duration", AttributeType::Duration),
];

impl AttributeType {
    /// The types inside, one level down.
    #[must_use]
    pub fn inner(&self) -> Vec<&Self> {
        match self {
            Self::List(of) | Self::Set(of) | Self::Frozen(of) | Self::Vector(of, _) => vec![of],
            Self::Map(key, value) => vec![key, value],
            Self::Tuple(types) => types.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// A type without parameters, by its name.
    #[must_use]
    pub fn scalar(name: &str) -> Option<Self> {
        SCALARS.iter().find(|(known, _)| *known == name).map(|(_, kind)| kind.clone())
    }

    /// The name of a type without parameters; empty for one that has some.
    #[must_use]
    pub fn scalar_name(&self) -> &'static str {
        SCALARS.iter().find(|(_, kind)| kind == self).map_or("", |(name, _)| name)
    }

    /// A number, also a counter.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Snowflake
                | Self::Int
                | Self::Bigint
                | Self::Smallint
                | Self::Tinyint
                | Self::Varint
                | Self::Decimal
                | Self::Float
                | Self::Double
                | Self::Counter
        )
    }

    /// Text of any kind that is compared as text.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text | Self::Ascii | Self::Ulid | Self::Ksuid)
    }

    /// Carries a time, so that it can be put in buckets.
    #[must_use]
    pub fn has_time(&self) -> bool {
        matches!(self, Self::Timestamp | Self::Date | Self::Timeuuid | Self::Ulid | Self::Ksuid | Self::Snowflake)
    }

    /// The names of the types without parameters, for "did you mean".
    pub fn scalar_names() -> impl Iterator<Item = &'static str> {
        SCALARS.iter().map(|(name, _)| *name)
    }
}

impl fmt::Display for AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Set(of) => write!(f, "set<{of}>"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Self::Tuple(types) => {
                let names: Vec<String> = types.iter().map(ToString::to_string).collect();
                write!(f, "tuple<{}>", names.join(", "))
            }
            Self::Frozen(of) => write!(f, "frozen<{of}>"),
            Self::Vector(of, size) => write!(f, "vector<{of}, {size}>"),
            Self::User(name) => f.write_str(name),
            scalar => f.write_str(scalar.scalar_name()),
        }
    }
}
