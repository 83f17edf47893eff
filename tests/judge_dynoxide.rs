//! Judge: dynoxide, a DynamoDB inside this test. It makes every table, and what the coverage of a pattern says is run there:
//! it returns the items that the pattern means, in its order, with what it selects.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

mod judges;
mod dynoxide {
    pub(crate) mod items;
    pub(crate) mod operation;
    pub(crate) mod table;
    pub(crate) mod values;
}

use ::dynoxide::Database;
use camino::{Utf8Path, Utf8PathBuf};
use dynoxide::items::{Item, Parameters, items, parameters};
use dynoxide::operation::{Asked, Operation, Request};
use dynoxide::table;
use dynoxide::values::Value;
use judges::tables::{NotJudged, Verdict, physical_name};
use judges::{files, group, model};
use nosql_gen::design::{Design, Service};
use nosql_gen::model::{DynamodbTable, Entity, Model, Pattern, Verb, Where};
use nosql_gen::schema::dynamodb::Schema;
use nosql_gen::schema::{Address, Store};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// What dynoxide 3.2 has not.
const NOT_JUDGED: &NotJudged = &[("point_in_time_recovery", "it keeps no backups"), ("recovery_days", "it keeps no backups")];

/// Sends a request, which is what the service would take as JSON.
macro_rules! send {
    ($database:expr, $operation:ident, $request:expr) => {{
        let request: Json = $request;
        let sent = serde_json::from_value(request.clone()).unwrap_or_else(|error| panic!("{error}: {request:#}"));
        let answer = $database.$operation(sent).unwrap_or_else(|error| panic!("{error}: {request:#}"));
        serde_json::to_value(answer).unwrap()
    }};
}

#[test]
fn tables_are_made_as_they_are_meant() {
    let mut verdict = Verdict::default();
    for path in everything() {
        let Some(schema) = model(&path).and_then(|(_, design)| design.dynamodb) else { continue };
        let database = database(&schema);
        for table in schema.tables.values() {
            let name = physical_name(table, &schema.parameters);
            let described = send!(database, describe_table, json!({ "TableName": name }))["Table"].clone();
            let arn = described["TableArn"].clone();
            // The key that AWS manages is made up with a region of its own.
            let key = described["SSEDescription"]["KMSMasterKeyArn"].clone();
            let managed = key.as_str().is_some_and(|key| key.starts_with("arn:aws:kms:dynoxide:"));
            let made = json!({
                "table": described,
                "managed_key": managed.then_some(key),
                "ttl": send!(database, describe_time_to_live, json!({ "TableName": name }))["TimeToLiveDescription"],
                "tags": send!(database, list_tags_of_resource, json!({ "ResourceArn": arn }))["Tags"],
            });
            verdict.compare(path.as_str(), (table, &schema.parameters), &made, NOT_JUDGED);
        }
    }
    verdict.pronounce(NOT_JUDGED);
}

#[test]
fn patterns_find_what_they_mean() {
    let mut asked: BTreeMap<String, u32> = BTreeMap::new();
    let mut shared = 0;
    for path in everything() {
        let Some(group) = group(&path) else {
            assert!(!path.as_str().contains("fixtures"), "{path} is wrong");
            continue;
        };
        let (model, design) = &group[0];
        let schema = tables_of(&group);
        let database = database(&schema);
        // What other models hold in a table must not be found.
        for (other, _) in &group[1..] {
            fill(&database, other, &schema, &items(other));
            shared += 1;
        }
        let items = items(model);
        fill(&database, model, &schema, &items);
        for coverage in design.coverage.iter().filter(|coverage| coverage.store == Store::Dynamodb) {
            let pattern = &model.patterns[&coverage.pattern];
            if let ([service], false) = (coverage.served.as_slice(), writes(pattern)) {
                let judged = Judged { case: &path, database: &database, model, schema: &schema, items: &items, pattern, service };
                judged.judge();
                let verb = service.operation.split(' ').next().unwrap();
                *asked.entry(verb.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(shared >= 8, "only {shared} models share a table with another");
    for verb in ["BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"] {
        assert!(asked.contains_key(verb), "no model here is read by {verb}: {asked:?}");
    }
}

/// Every model there is: published, of golden cases, and of tests.
fn everything() -> Vec<Utf8PathBuf> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["models", "golden/generate", "golden/plan", "tests/fixtures/patterns"];
    folders
        .iter()
        .flat_map(|folder| {
            files(&root.join(folder), |path| path.extension() == Some("yaml") && path.file_name() != Some("gen.yaml"))
        })
        .collect()
}

/// The tables that the first of some models reads and writes: its own, those it describes, and those of the owners.
fn tables_of(group: &[(Model, Design)]) -> Schema {
    let mut all = Schema::default();
    let (model, design) = &group[0];
    let owners = group[1..].iter().filter_map(|(_, design)| design.dynamodb.as_ref());
    for schema in design.dynamodb.iter().chain(&design.external).chain(owners) {
        all.parameters.extend(schema.parameters.clone());
        all.tables.extend(schema.tables.clone());
    }
    all.tables.retain(|key, _| model.dynamodb.iter().any(|section| section.tables.contains_key(key)));
    all
}

/// All tables of a schema.
fn database(schema: &Schema) -> Database {
    let database = Database::memory().unwrap();
    for table in schema.tables.values() {
        send!(database, create_table, table::create(table, &schema.parameters));
        if let Some(request) = table::time_to_live(table, &schema.parameters) {
            send!(database, update_time_to_live, request);
        }
    }
    database
}

/// Puts the items into every table that holds them.
fn fill(database: &Database, model: &Model, schema: &Schema, items: &[Item<'_>]) {
    for table in model.dynamodb.iter().flat_map(|section| section.tables.values()) {
        let Some(made) = schema.tables.get(&table.key) else { continue };
        let name = physical_name(made, &schema.parameters);
        for stored in items.iter().filter_map(|item| item.stored(table)) {
            send!(database, put_item, json!({ "TableName": name, "Item": stored }));
        }
    }
}

fn writes(pattern: &Pattern) -> bool {
    !matches!(pattern.verb, Verb::Find(_) | Verb::Count(_) | Verb::Scan(_))
}

/// A pattern, the service that its coverage names, and all there is.
struct Judged<'a> {
    case: &'a Utf8Path,
    database: &'a Database,
    model: &'a Model,
    schema: &'a Schema,
    items: &'a [Item<'a>],
    pattern: &'a Pattern,
    service: &'a Service,
}

impl<'a> Judged<'a> {
    /// Asks with the values of several items.
    fn judge(&self) {
        let entities = self.entities();
        let first = &entities[0];
        let mut tried: Vec<Parameters> = Vec::new();
        let mut found = 0;
        for item in self.items.iter().filter(|item| item.entity.name == first.name) {
            match parameters(self.pattern, item) {
                Some(with) if !tried.contains(&with) && tried.len() < 8 => {
                    found += self.ask(&entities, &with);
                    tried.push(with);
                }
                _ => {}
            }
        }
        assert!(found > 0, "{self}: nothing was asked that finds anything");
    }

    /// The entities whose items are meant.
    fn entities(&self) -> Vec<&'a Entity> {
        match &self.pattern.verb {
            Verb::Count(counted) => {
                let given: BTreeSet<&str> = self.pattern.conditions.iter().flat_map(Where::attributes).collect();
                let keeps = |entity: &&Entity| {
                    let key: BTreeSet<&str> = entity.key.iter().map(|name| name.value.as_str()).collect();
                    key == given && entity.attributes.values().any(|attribute| attribute.count_of() == Some(&counted.value))
                };
                self.model.entities.values().filter(keeps).collect()
            }
            Verb::Find(names) | Verb::Scan(names) => names.iter().map(|name| &self.model.entities[&name.value]).collect(),
            _ => panic!("{self} is no read"),
        }
    }

    fn ask(&self, entities: &[&Entity], parameters: &Parameters) -> usize {
        let operation = Operation::parse(&self.service.operation);
        let meant = self.meant(entities, parameters);
        let mut found = Vec::new();
        let requests = match operation.verb.as_str() {
            "Scan" => vec![Request::default()],
            _ => operation.requests(&Asked {
                pattern: self.pattern,
                entity: entities[0],
                parameters,
                types: &self.schema.tables.get(self.table().key.as_str()).unwrap().attributes,
            }),
        };
        for request in &requests {
            let mut rows = self.run(&operation, request);
            self.in_order(&rows);
            if let Some(limit) = operation.limit.filter(|_| operation.filter.is_empty()) {
                let limited = self.query(&operation, request, Some(limit));
                assert_eq!(limited, rows.iter().take(limit).cloned().collect::<Vec<_>>(), "{self}");
            }
            rows.retain(|row| request.without.iter().all(|(attribute, value)| row[attribute] != value.0));
            found.extend(rows);
        }
        let filtered = |row: &Json| self.pattern.filter.as_ref().is_none_or(|filter| self.item(row).meets(filter, parameters));
        found.retain(filtered);
        let names = |rows: &[Json]| rows.iter().map(|row| self.key(row).to_string()).collect::<Vec<_>>();
        let (mut ours, mut theirs) = (names(&found), names(&meant));
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{self} with {parameters:?}: found, and meant");
        for row in &found {
            self.carries(row);
        }
        found.len()
    }

    /// The items as they lie in the table, that the pattern asks for and the index has.
    fn meant(&self, entities: &[&Entity], parameters: &Parameters) -> Vec<Json> {
        let named = |item: &&Item<'_>| entities.iter().any(|entity| entity.name == item.entity.name);
        let holds = |item: &&Item<'_>| {
            let all = self.pattern.conditions.iter().chain(&self.pattern.filter);
            all.into_iter().all(|conditions| item.meets(conditions, parameters))
        };
        let stored = self.items.iter().filter(named).filter(holds).filter_map(|item| item.stored(self.table()));
        let there = |row: &Json| self.index_key().iter().all(|name| row.get(name).is_some());
        stored.filter(there).collect()
    }

    fn run(&self, operation: &Operation, request: &Request) -> Vec<Json> {
        match operation.verb.as_str() {
            "Query" | "Scan" => self.query(operation, request, None),
            "GetItem" | "BatchGetItem" | "TransactGetItems" => {
                assert_eq!(self.index(), None, "{self}");
                let get = json!({ "TableName": self.name(), "Key": request.key, "ConsistentRead": operation.consistent });
                send!(self.database, get_item, get).get("Item").cloned().into_iter().collect()
            }
            other => panic!("{self}: what is {other}?"),
        }
    }

    fn query(&self, operation: &Operation, request: &Request, limit: Option<usize>) -> Vec<Json> {
        let mut sent = json!({ "TableName": self.name(), "ConsistentRead": operation.consistent });
        let (mut names, mut values) = (request.names.clone(), request.values.clone());
        if let Some(index) = self.index() {
            sent["IndexName"] = json!(index);
        }
        if let Some(discriminator) = &self.table().discriminator
            && operation.filter.starts_with(&format!("{} ", discriminator.value))
        {
            names.insert("#d".to_owned(), discriminator.value.clone());
            let entities = self.entities();
            let entities: Vec<(String, Json)> =
                entities.iter().enumerate().map(|(at, entity)| (format!(":e{at}"), Value::text(&entity.name).0)).collect();
            let placeholders: Vec<&str> = entities.iter().map(|(placeholder, _)| placeholder.as_str()).collect();
            sent["FilterExpression"] = json!(format!("#d IN ({})", placeholders.join(", ")));
            values.extend(entities);
        }
        if let Some(limit) = limit {
            sent["Limit"] = json!(limit);
        }
        if !names.is_empty() {
            sent["ExpressionAttributeNames"] = json!(names);
            sent["ExpressionAttributeValues"] = json!(values);
        }
        let answer = if operation.verb == "Scan" {
            send!(self.database, scan, sent)
        } else {
            sent["KeyConditionExpression"] = json!(request.expression());
            sent["ScanIndexForward"] = json!(!operation.backward);
            send!(self.database, query, sent)
        };
        answer["Items"].as_array().unwrap().clone()
    }

    /// The rows of one request come in the order that the pattern relies on.
    fn in_order(&self, rows: &[Json]) {
        let values = |row: &Json| -> Vec<Option<Value>> {
            self.pattern.order.iter().map(|order| row.get(&order.attribute.value).cloned().map(Value)).collect()
        };
        for pair in rows.windows(2) {
            for ((one, other), order) in values(&pair[0]).iter().zip(&values(&pair[1])).zip(&self.pattern.order) {
                let (Some(one), Some(other)) = (one, other) else { break };
                let sorted = if order.descending { other.order(one) } else { one.order(other) };
                assert!(sorted.is_le(), "{self}: {} is not in order: {rows:#?}", order.attribute.value);
                if sorted.is_lt() {
                    break;
                }
            }
        }
    }

    /// A row has what the pattern selects, or all.
    fn carries(&self, row: &Json) {
        let item = self.item(row);
        for (name, value) in &item.values {
            let selected = self.pattern.select.is_empty() || self.pattern.select.iter().any(|select| select.value == *name);
            let is_key = self.table().holds.iter().any(|holding| holding.keys.contains_key(*name));
            // A projected key template spells the attribute out: section 6.3, step 5.
            let spelt = self.index_key().iter().any(|key| row[key] != value.0 && row.get(*name).is_none());
            assert!(!selected || is_key || spelt || row[*name] == value.0, "{self}: {name} is not in {row}");
        }
    }

    /// The item that a row is of.
    fn item(&self, row: &Json) -> &Item<'a> {
        let of = |item: &&Item<'_>| item.stored(self.table()).is_some_and(|stored| self.key(&stored) == self.key(row));
        self.items.iter().find(of).unwrap()
    }

    /// The key of the table, which is in every row.
    fn key(&self, row: &Json) -> Json {
        let names = [&self.table().partition_key].into_iter().chain(&self.table().sort_key);
        names.map(|name| row[&name.value].clone()).collect()
    }

    fn table(&self) -> &'a DynamodbTable {
        let Address::DynamodbTable(key) = self.service.address.table() else { panic!("{self}") };
        &self.model.dynamodb.as_ref().unwrap().tables[&key]
    }

    fn name(&self) -> String {
        physical_name(self.schema.tables.get(self.table().key.as_str()).unwrap(), &self.schema.parameters)
    }

    fn index(&self) -> Option<String> {
        let table = self.schema.tables.get(self.table().key.as_str()).unwrap();
        match &self.service.address {
            Address::GlobalIndex(_, index) => Some(table.global_indexes.get(index).unwrap().name.clone()),
            Address::LocalIndex(_, index) => Some(table.local_indexes.get(index).unwrap().name.clone()),
            _ => None,
        }
    }

    fn index_key(&self) -> Vec<String> {
        let table = self.schema.tables.get(self.table().key.as_str()).unwrap();
        match &self.service.address {
            Address::GlobalIndex(_, index) => table.global_indexes.get(index).unwrap().keys().cloned().collect(),
            Address::LocalIndex(_, index) => vec![table.local_indexes.get(index).unwrap().sort_key.clone()],
            _ => Vec::new(),
        }
    }
}

impl std::fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Service { address, operation, .. } = self.service;
        write!(f, "{}: `{}` on {address} by {operation}", self.case, self.pattern.name)
    }
}
