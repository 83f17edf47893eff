//! What a template may do with a schema: add to it, never drop or contradict.
//!
//! Tables, keys, columns and indexes are the model's. Anything else that a schema leaves open may be added: what it does not
//! have, and what rests on its first value (no recovery, the service's own key) while the model does not speak of it. What was
//! added is a part of the schema from then on: of the lock, and of the next plan.

use crate::schema::{Address, Described, Difference};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A schema with what templates added to it.
pub(super) struct Completed<S> {
    /// The whole; None when nothing was added.
    pub(super) schema: Option<S>,
    /// What is lost, contradicted, or not a template's to add.
    pub(super) refused: Vec<Difference>,
}

/// Completes a schema by what differs between it, as its format expresses it, and what was read back; both in the words of
/// the schema.
pub(super) fn complete<S>(schema: &S, differences: Vec<Difference>) -> Result<Completed<S>, serde_json::Error>
where
    S: Described + Serialize + DeserializeOwned,
{
    let mut tree = serde_json::to_value(schema)?;
    let mut refused = Vec::new();
    let mut any = false;
    for difference in differences.into_iter().filter(|difference| !is_elsewhere(difference)) {
        let says = |address: &Address, property: &str| {
            schema.about(address).is_some_and(|about| about.properties.contains_key(property))
        };
        match difference.after.clone().filter(|_| may_add(&difference, at(&tree, &difference.keys), says)) {
            Some(value) => {
                any = true;
                put(&mut tree, &difference.keys, value);
            }
            None => refused.push(difference),
        }
    }
    if !any || !refused.is_empty() {
        return Ok(Completed { schema: None, refused });
    }
    let mut completed: S = serde_json::from_value(tree)?;
    completed.take_about(schema);
    Ok(Completed { schema: Some(completed), refused })
}

/// Properties that say what a table is and how it is read.
const STRUCTURE: &[&str] = &[
    "attributes",
    "clustering",
    "column",
    "columns",
    "dropped",
    "fields",
    "filter",
    "kept",
    "local",
    "logical_id",
    "name",
    "partition_key",
    "projection",
    "replica_consistency",
    "replication",
    "resource",
    "sort_key",
    "target",
    "terraform_name",
    "using",
    "witness",
];

/// Whether it is an import block that the team's root module has: Terraform takes them nowhere else, and without any it refuses to
/// create what exists.
fn is_elsewhere(difference: &Difference) -> bool {
    difference.address.is_none() && difference.after.is_none() && difference.keys.first().is_some_and(|key| key == "imported")
}

/// Whether the difference is a template's to make. `own` is what the schema itself has at its place, whatever the format can
/// say of it.
fn may_add(difference: &Difference, own: Option<&Value>, says: impl Fn(&Address, &str) -> bool) -> bool {
    let property = difference.path.split('.').next().unwrap_or_default();
    let Some(address) = &difference.address else {
        // Statements of no table, and blocks that move the state of one.
        return own.is_none() && matches!(property, "extra" | "moved");
    };
    if difference.path.is_empty() {
        return own.is_none() && matches!(address, Address::Parameter(_));
    }
    // A Region is the model's, what a replica has is not.
    let region = property == "replicas" && difference.path.split('.').count() <= 2;
    if STRUCTURE.contains(&property) || region {
        return false;
    }
    match own {
        None => true,
        // The format had no word for it until something else was added.
        Some(own) if Some(own) == difference.after.as_ref() => true,
        Some(own) if property == "ignore_changes" => is_part(own, difference.after.as_ref()),
        Some(own) => rests(&difference.path, own) && !says(address, property),
    }
}

/// Whether a value is what holds where nobody asks for anything.
fn rests(path: &str, value: &Value) -> bool {
    match path {
        "encryption" => *value == json!("aws_owned"),
        "contributor_insights" | "stream" => *value == json!("off"),
        "table_class" => *value == json!("standard"),
        "options.custom_properties.encryption_specification.encryption_type" => *value == json!("AWS_OWNED_KMS_KEY"),
        "options.custom_properties.point_in_time_recovery.status" => *value == json!("disabled"),
        "point_in_time_recovery.enabled" | "ttl.enabled" | "deletion_protection" => *value == json!(false),
        _ => false,
    }
}

/// Whether a list has all items of another.
fn is_part(part: &Value, whole: Option<&Value>) -> bool {
    let items = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let whole = items(whole);
    items(Some(part)).iter().all(|item| whole.contains(item))
}

fn at<'v>(tree: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(tree, |value, key| value.get(key))
}

fn put(tree: &mut Value, keys: &[String], value: Value) {
    let Some((key, rest)) = keys.split_first() else {
        *tree = value;
        return;
    };
    if !tree.is_object() {
        *tree = Value::Object(Map::new());
    }
    if let Value::Object(map) = tree {
        put(map.entry(key).or_insert(Value::Null), rest, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::differences;
    use crate::schema::dynamodb::{Encryption, GlobalIndex, PointInTimeRecovery, Schema, Stream, Table, Template, Ttl};
    use crate::schema::{About, Notes};
    use crate::schema::{Parameter, Text, Value as Known};
    use crate::source::{SourceMap, Span};

    fn schema() -> Schema {
        let table = Table {
            template: Template::FIRST,
            partition_key: "id".to_owned(),
            encryption: Some(Encryption::AwsOwned),
            point_in_time_recovery: Some(PointInTimeRecovery { enabled: Known::Literal(false), days: None }),
            deletion_protection: Some(Known::Literal(true)),
            prevent_destroy: true,
            tags: [("team".to_owned(), Text::literal("orders"))].into(),
            ignore_changes: ["read_capacity".to_owned()].into(),
            ..Table::default()
        };
        Schema { tables: [("orders".to_owned(), table)].into(), ..Schema::default() }
    }

    /// What a template makes of a table of which the model writes these properties: the completed table, or what is refused.
    fn made(written: &[&str], change: impl FnOnce(&mut Table)) -> Result<Table, Vec<String>> {
        let (mut schema, mut found) = (schema(), schema());
        let span = Span::new(SourceMap::default().add("model.yaml", ""), 0, 0);
        let about = &mut schema.tables.get_mut("orders").unwrap().about;
        *about = About::from(Notes { description: Some("told".to_owned()), ..Notes::at(span) });
        about.properties.extend(written.iter().map(|name| ((*name).to_owned(), span)));
        change(found.tables.get_mut("orders").unwrap());
        let completed = complete(&schema, differences(&schema, &found).unwrap()).unwrap();
        let Some(mut whole) = completed.schema else {
            return Err(completed.refused.into_iter().map(|difference| difference.path).collect());
        };
        assert!(completed.refused.is_empty());
        assert_eq!(whole, found, "what was added is all that was found");
        let table = whole.tables.remove("orders").unwrap();
        assert_eq!(table.about.description.as_deref(), Some("told"));
        Ok(table)
    }

    #[test]
    fn import_blocks_may_stand_elsewhere() {
        let imports = |id: Option<&str>| Schema {
            imported: id.map(|id| ("orders".to_owned(), Text::literal(id))).into_iter().collect(),
            ..schema()
        };
        let refused = |found: &Schema| complete(&imports(Some("orders")), differences(&imports(Some("orders")), found).unwrap());
        assert_eq!(refused(&imports(None)).unwrap().refused.len(), 0);
        assert_eq!(refused(&imports(Some("sales"))).unwrap().refused.len(), 1);
    }

    #[test]
    fn what_is_open_may_be_added() {
        let additions: [fn(&mut Table); 8] = [
            |table| table.encryption = Some(Encryption::AwsManaged),
            |table| table.point_in_time_recovery.as_mut().unwrap().enabled = Known::Parameter("recovery".to_owned()),
            |table| table.point_in_time_recovery.as_mut().unwrap().days = Some(7),
            |table| table.stream = Some(Stream::KeysOnly),
            |table| _ = table.tags.insert("a.b".to_owned(), Text::literal("x")),
            |table| table.ttl = Some(Ttl { attribute: "at".to_owned(), enabled: true }),
            |table| _ = table.ignore_changes.insert("tags".to_owned()),
            |table| _ = table.extra.insert("region".to_owned(), "\"us-east-1\"".to_owned()),
        ];
        for add in additions {
            made(&["tags", "tags.team"], add).unwrap();
        }
    }

    #[test]
    fn nothing_is_dropped_or_contradicted_and_structure_is_the_models() {
        type Lose = fn(&mut Table);
        let losses: [(Lose, &str); 9] = [
            (|table| table.tags.clear(), "tags.team"),
            (|table| _ = table.tags.insert("team".to_owned(), Text::literal("x")), "tags.team"),
            (|table| table.encryption = None, "encryption"),
            (|table| table.deletion_protection = Some(Known::Literal(false)), "deletion_protection"),
            (|table| table.prevent_destroy = false, "prevent_destroy"),
            (|table| table.sort_key = Some("at".to_owned()), "sort_key"),
            (|table| _ = table.global_indexes.insert("by_x".to_owned(), GlobalIndex::default()), ""),
            (|table| table.ignore_changes = ["tags".to_owned()].into(), "ignore_changes"),
            (|table| table.name = Some(Text::literal("x")), "name"),
        ];
        for (lose, path) in losses {
            assert_eq!(made(&[], lose).unwrap_err(), [path]);
        }
        let said = |table: &mut Table| table.encryption = Some(Encryption::AwsManaged);
        assert_eq!(made(&["encryption"], said).unwrap_err(), ["encryption"]);
    }

    #[test]
    fn parameters_and_blocks_that_move_state_may_be_added_and_tables_may_not() {
        let mut found = schema();
        found.parameters.insert("kms_key".to_owned(), Parameter::default());
        found.moved.insert("a".to_owned(), "b".to_owned());
        let completed = complete(&schema(), differences(&schema(), &found).unwrap()).unwrap();
        assert_eq!(completed.schema, Some(found.clone()));
        found.tables.insert("audit".to_owned(), Table::default());
        let completed = complete(&schema(), differences(&schema(), &found).unwrap()).unwrap();
        assert!(completed.schema.is_none());
        assert_eq!(completed.refused[0].address, Some(Address::DynamodbTable("audit".to_owned())));
    }
}
