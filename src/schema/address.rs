//! The one identity that diffs, reports and acknowledgements use.

use std::borrow::Cow;
use std::fmt;

/// Which kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    /// Amazon DynamoDB.
    Dynamodb,
    /// Cassandra, ScyllaDB, Amazon Keyspaces.
    Cql,
}

/// The address of a schema item, such as `dynamodb.orders.gsi.by_status`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// `dynamodb.T`
    DynamodbTable(String),
    /// `dynamodb.T.gsi.I`: table and index
    GlobalIndex(String, String),
    /// `dynamodb.T.lsi.I`: table and index
    LocalIndex(String, String),
    /// `cql.keyspace(K)`
    Keyspace(String),
    /// `cql.type(U)`
    UserType(String),
    /// `cql.T`, or `cql.K.T` where there are several keyspaces
    CqlTable(Option<String>, String),
    /// `cql.T.index.I`
    CqlIndex(Option<String>, String, String),
    /// `cql.T.view.V`
    View(Option<String>, String, String),
    /// `parameters.P`
    Parameter(String),
}

impl Address {
    /// The address of the table that holds this item; itself for anything else.
    #[must_use]
    pub fn table(&self) -> Address {
        match self {
            Self::GlobalIndex(table, _) | Self::LocalIndex(table, _) => Self::DynamodbTable(table.clone()),
            Self::CqlIndex(keyspace, table, _) | Self::View(keyspace, table, _) => {
                Self::CqlTable(keyspace.clone(), table.clone())
            }
            other => other.clone(),
        }
    }

    /// The kind of store it is in; None for a parameter.
    #[must_use]
    pub fn store(&self) -> Option<Store> {
        match self {
            Self::DynamodbTable(_) | Self::GlobalIndex(..) | Self::LocalIndex(..) => Some(Store::Dynamodb),
            Self::Keyspace(_) | Self::UserType(_) | Self::CqlTable(..) | Self::CqlIndex(..) | Self::View(..) => Some(Store::Cql),
            Self::Parameter(_) => None,
        }
    }

    /// The item's own name, without its table's.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::DynamodbTable(name)
            | Self::GlobalIndex(_, name)
            | Self::LocalIndex(_, name)
            | Self::Keyspace(name)
            | Self::UserType(name)
            | Self::CqlTable(_, name)
            | Self::CqlIndex(_, _, name)
            | Self::View(_, _, name)
            | Self::Parameter(name) => name,
        }
    }

    /// The first part of a change's id: `table`, `gsi`, `lsi`, `keyspace`, `index`, `view`, `type` or `parameter`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::DynamodbTable(_) | Self::CqlTable(..) => "table",
            Self::GlobalIndex(..) => "gsi",
            Self::LocalIndex(..) => "lsi",
            Self::Keyspace(_) => "keyspace",
            Self::UserType(_) => "type",
            Self::CqlIndex(..) => "index",
            Self::View(..) => "view",
            Self::Parameter(_) => "parameter",
        }
    }

    /// Reads what `Display` writes. None for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("cql.keyspace(").and_then(|rest| rest.strip_suffix(')')) {
            return Some(Self::Keyspace(unquoted(name)?));
        }
        if let Some(name) = text.strip_prefix("cql.type(").and_then(|rest| rest.strip_suffix(')')) {
            return Some(Self::UserType(unquoted(name)?));
        }
        let parts = split_names(text)?;
        let names: Vec<&str> = parts.iter().map(String::as_str).collect();
        let own = |name: &str| name.to_owned();
        match names.as_slice() {
            ["parameters", name] => Some(Self::Parameter(own(name))),
            ["dynamodb", table] => Some(Self::DynamodbTable(own(table))),
            ["dynamodb", table, "gsi", index] => Some(Self::GlobalIndex(own(table), own(index))),
            ["dynamodb", table, "lsi", index] => Some(Self::LocalIndex(own(table), own(index))),
            ["cql", table] => Some(Self::CqlTable(None, own(table))),
            ["cql", keyspace, table] => Some(Self::CqlTable(Some(own(keyspace)), own(table))),
            ["cql", table, "index", index] => Some(Self::CqlIndex(None, own(table), own(index))),
            ["cql", table, "view", view] => Some(Self::View(None, own(table), own(view))),
            ["cql", keyspace, table, "index", index] => Some(Self::CqlIndex(Some(own(keyspace)), own(table), own(index))),
            ["cql", keyspace, table, "view", view] => Some(Self::View(Some(own(keyspace)), own(table), own(view))),
            _ => None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cql = |f: &mut fmt::Formatter<'_>, keyspace: &Option<String>, table: &str| match keyspace {
            Some(keyspace) => write!(f, "cql.{}.{}", Quoted(keyspace), Quoted(table)),
            None => write!(f, "cql.{}", Quoted(table)),
        };
        match self {
            Self::DynamodbTable(table) => write!(f, "dynamodb.{}", Quoted(table)),
            Self::GlobalIndex(table, index) => write!(f, "dynamodb.{}.gsi.{}", Quoted(table), Quoted(index)),
            Self::LocalIndex(table, index) => write!(f, "dynamodb.{}.lsi.{}", Quoted(table), Quoted(index)),
            Self::Keyspace(name) => write!(f, "cql.keyspace({})", Quoted(name)),
            Self::UserType(name) => write!(f, "cql.type({})", Quoted(name)),
            Self::CqlTable(keyspace, table) => cql(f, keyspace, table),
            Self::CqlIndex(keyspace, table, index) => {
                cql(f, keyspace, table)?;
                write!(f, ".index.{}", Quoted(index))
            }
            Self::View(keyspace, table, view) => {
                cql(f, keyspace, table)?;
                write!(f, ".view.{}", Quoted(view))
            }
            Self::Parameter(name) => write!(f, "parameters.{}", Quoted(name)),
        }
    }
}

/// A name as it stands in an address or a property's path: in quotes when it is not a plain one; quotes and backslashes
/// inside are escaped as in JSON.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl<'a> Quoted<'a> {
    /// It as text.
    pub(crate) fn text(&self) -> Cow<'a, str> {
        let mut bytes = self.0.bytes();
        let is_plain = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && bytes.all(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'-'));
        if is_plain { Cow::Borrowed(self.0) } else { Cow::Owned(serde_json::Value::from(self.0).to_string()) }
    }
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The name that [`Quoted`] wrote, alone.
pub(crate) fn unquoted(text: &str) -> Option<String> {
    match split_names(text)?.as_slice() {
        [name] => Some(name.clone()),
        _ => None,
    }
}

/// Splits at dots outside quotes and resolves quoted names.
fn split_names(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        if rest.starts_with('"') {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            names.push(stream.next()?.ok()?);
            rest = rest.get(stream.byte_offset()..)?;
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            names.push(rest.get(..end).filter(|name| !name.is_empty())?.to_owned());
            rest = rest.get(end..)?;
        }
        match rest.strip_prefix('.') {
            Some(next) => rest = next,
            None if rest.is_empty() => return Some(names),
            None => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        let addresses = [
            Address::DynamodbTable("orders".into()),
            Address::GlobalIndex("my.table".into(), "by\"quote".into()),
            Address::LocalIndex("orders".into(), "1st".into()),
            Address::Keyspace("shop".into()),
            Address::UserType("a.b".into()),
            Address::CqlTable(None, "orders".into()),
            Address::CqlTable(Some("ks".into()), "orders".into()),
            Address::CqlIndex(None, "t".into(), "i".into()),
            Address::View(Some("ks".into()), "t".into(), "v".into()),
            Address::Parameter("environment".into()),
        ];
        for address in addresses {
            assert_eq!(Address::parse(&address.to_string()), Some(address));
        }
        assert_eq!(Address::GlobalIndex("my.table".into(), "x".into()).to_string(), "dynamodb.\"my.table\".gsi.x");
        for wrong in ["", "dynamodb", "dynamodb.", "dynamodb..x", "dynamodb.\"a", "dynamodb.\"a\"b", "other.x"] {
            assert_eq!(Address::parse(wrong), None, "{wrong}");
        }
    }
}
