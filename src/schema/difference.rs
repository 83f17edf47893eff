//! Where two schemas differ, property by property, over their serialised form.

use super::Address;
use serde::Serialize;
use serde_json::Value;

/// One property that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The item it belongs to; None for what has no address of its own, such as a `moved` entry.
    pub address: Option<Address>,
    /// The property below the item, or the whole path where there is no item; empty when the item itself is new or gone.
    pub path: String,
    /// All keys that lead to it in the serialised schema, those of the item included.
    pub keys: Vec<String>,
    /// What the first schema has.
    pub before: Option<Value>,
    /// What the second schema has.
    pub after: Option<Value>,
}

/// All differences between two schemas of one kind, in the order of their addresses. Lists are compared as a whole: their
/// order means something wherever the schema has a list.
pub fn differences<T: Serialize>(before: &T, after: &T) -> Result<Vec<Difference>, serde_json::Error> {
    let mut found = Vec::new();
    walk(&mut Vec::new(), Some(&serde_json::to_value(before)?), Some(&serde_json::to_value(after)?), &mut found);
    Ok(found)
}

fn walk(path: &mut Vec<String>, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Difference>) {
    if before == after {
        return;
    }
    // An absent map is an empty one, unless it is an item of its own: then it is new or gone as a whole.
    let empty = Value::Object(serde_json::Map::new());
    let (left, right) = match (before, after) {
        (Some(Value::Object(_)), None) | (None, Some(Value::Object(_))) if is_container(path) => {
            (before.unwrap_or(&empty), after.unwrap_or(&empty))
        }
        (Some(before), Some(after)) => (before, after),
        _ => return found.push(difference(path, before, after)),
    };
    let (Value::Object(left), Value::Object(right)) = (left, right) else {
        return found.push(difference(path, before, after));
    };
    let added = right.keys().filter(|key| !left.contains_key(*key));
    for key in left.keys().chain(added) {
        path.push(key.clone());
        walk(path, left.get(key), right.get(key), found);
        path.pop();
    }
}

/// Whether a path is a map of items or of properties, which has no meaning of its own.
fn is_container(path: &[String]) -> bool {
    locate(path).1.len() == 1
}

fn difference(path: &[String], before: Option<&Value>, after: Option<&Value>) -> Difference {
    let (address, rest) = locate(path);
    Difference { address, path: rest.join("."), keys: path.to_vec(), before: before.cloned(), after: after.cloned() }
}

/// The item that a path of a serialised schema leads into, and what remains of the path below it.
fn locate(path: &[String]) -> (Option<Address>, &[String]) {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let own = |name: &str| name.to_owned();
    let (address, length) = match words.as_slice() {
        ["parameters", name, ..] => (Address::Parameter(own(name)), 2),
        ["tables", table, "gsi", index, ..] => (Address::GlobalIndex(own(table), own(index)), 4),
        ["tables", table, "lsi", index, ..] => (Address::LocalIndex(own(table), own(index)), 4),
        ["tables", table, ..] => (Address::DynamodbTable(own(table)), 2),
        ["keyspaces", _, "types", name, ..] => (Address::UserType(own(name)), 4),
        ["keyspaces", keyspace, "tables", table, "indexes", index, ..] => {
            (Address::CqlIndex(Some(own(keyspace)), own(table), own(index)), 6)
        }
        ["keyspaces", keyspace, "tables", table, "views", view, ..] => {
            (Address::View(Some(own(keyspace)), own(table), own(view)), 6)
        }
        ["keyspaces", keyspace, "tables", table, ..] => (Address::CqlTable(Some(own(keyspace)), own(table)), 4),
        ["keyspaces", keyspace, ..] => (Address::Keyspace(own(keyspace)), 2),
        _ => return (None, path),
    };
    (Some(address), path.get(length..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::dynamodb::{GlobalIndex, Keys, Projection, Schema, Table, Ttl};

    fn schema(change: impl FnOnce(&mut Table)) -> Schema {
        let index = GlobalIndex {
            name: "by-day".to_owned(),
            partition_key: Keys::one("day"),
            sort_key: Keys::default(),
            projection: Projection::All,
            ..GlobalIndex::default()
        };
        let mut table = Table { partition_key: "id".to_owned(), ..Table::default() };
        table.global_indexes.insert("by_day".to_owned(), index);
        change(&mut table);
        Schema { tables: [("orders".to_owned(), table)].into(), ..Schema::default() }
    }

    fn found(change: impl FnOnce(&mut Table)) -> Vec<String> {
        differences(&schema(|_| {}), &schema(change))
            .unwrap()
            .into_iter()
            .map(|difference| {
                let text = |value: Option<Value>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
                let address = difference.address.unwrap();
                format!("{address} {} {} {}", difference.path, text(difference.before), text(difference.after))
            })
            .collect()
    }

    #[test]
    fn each_property_is_named() {
        assert_eq!(found(|_| {}), Vec::<String>::new());
        assert_eq!(found(|table| table.partition_key = "pk".to_owned()), ["dynamodb.orders partition_key \"id\" \"pk\""]);
        assert_eq!(
            found(|table| table.global_indexes.get_mut("by_day").unwrap().projection = Projection::KeysOnly),
            ["dynamodb.orders.gsi.by_day projection \"all\" \"keys_only\""]
        );
        assert_eq!(
            found(|table| table.tags = [("a.b".to_owned(), crate::schema::Text::literal("c"))].into()),
            ["dynamodb.orders tags.a.b - \"c\""]
        );
        let gone = found(|table| table.global_indexes.clear());
        assert_eq!(gone.len(), 1);
        assert!(gone[0].starts_with("dynamodb.orders.gsi.by_day  {"), "{}", gone[0]);
        let ttl = found(|table| table.ttl = Some(Ttl { attribute: "expires".to_owned(), enabled: true }));
        assert_eq!(ttl, ["dynamodb.orders ttl.attribute - \"expires\"", "dynamodb.orders ttl.enabled - true"]);
    }

    #[test]
    fn a_table_that_is_gone_is_one_difference() {
        let differences = differences(&schema(|_| {}), &Schema::default()).unwrap();
        assert_eq!(differences.len(), 1);
        assert_eq!(differences[0].address, Some(Address::DynamodbTable("orders".to_owned())));
        assert_eq!(differences[0].path, "");
    }
}
