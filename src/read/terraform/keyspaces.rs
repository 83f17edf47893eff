//! Amazon Keyspaces: `aws_keyspaces_keyspace`, `aws_keyspaces_table` and the scaling of their capacity, with the options that
//! statements have.

mod taken;

use super::Reader;
use super::fields::{Fields, Item, Source};
use super::syntax::{Block, Expression, Name};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::{Clustering, Column, Keyspace, Managed, OptionValue, Table, Type};
use crate::schema::{Part, Text};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The resources of one module, as they come.
#[derive(Default)]
pub(super) struct Keyspaces<'a> {
    own: Vec<(Source<'a>, &'a Block<'a>)>,
    tables: Vec<(Source<'a>, &'a Block<'a>)>,
    targets: Vec<(Source<'a>, &'a Block<'a>)>,
    policies: Vec<(Source<'a>, &'a Block<'a>)>,
}

impl<'a> Keyspaces<'a> {
    /// Takes a resource in, when it may be one of these.
    pub(super) fn take(&mut self, source: Source<'a>, block: &'a Block<'a>, kind: &str) {
        match kind {
            "aws_keyspaces_keyspace" => self.own.push((source, block)),
            "aws_keyspaces_table" => self.tables.push((source, block)),
            TARGET => self.targets.push((source, block)),
            "aws_appautoscaling_policy" => self.policies.push((source, block)),
            _ => {}
        }
    }
}

/// The type of what is scaled.
const TARGET: &str = "aws_appautoscaling_target";

/// A table: its keyspace and its label.
type Place = (String, String);

/// Options, by the name that they have in statements.
type Options = BTreeMap<String, OptionValue>;

fn label_of<'b>(block: &'b Block<'_>) -> &'b str {
    block.labels.get(1).map_or("", Name::as_str)
}

/// Text that stands for a name: an expression as the lock writes it.
fn known(text: &Text) -> String {
    text.as_literal().map_or_else(|| text.to_string(), ToOwned::to_owned)
}

fn map<const N: usize>(entries: [(&str, String); N]) -> OptionValue {
    OptionValue::Map(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

impl<'a> Reader<'a> {
    /// Reads keyspaces, their tables, and what scales these.
    pub(super) fn keyspaces(&mut self, found: &Keyspaces<'a>) {
        // What a table's `keyspace_name` may say, and the keyspace it means.
        let mut names: BTreeMap<Text, String> = BTreeMap::new();
        for (source, block) in &found.own {
            if let Some((name, keyspace)) = self.one_keyspace(*source, block) {
                for attribute in ["name", "id"] {
                    let part = Part::Expression(format!("aws_keyspaces_keyspace.{}.{attribute}", label_of(block)));
                    names.insert(Text::from_parts([part]), name.clone());
                }
                if self.module.keyspaces.keyspaces.insert(name.clone(), keyspace).is_some() {
                    self.twice(*source, block, &format!("the keyspace `{name}`"));
                }
            }
        }
        let mut places: BTreeMap<Text, Place> = BTreeMap::new();
        for (source, block) in &found.tables {
            let Some((keyspace, written, table)) = self.keyspaces_table(*source, block, &names) else { continue };
            let label = label_of(block).to_owned();
            for id in ids(&keyspace, &written, &names, &label, &table.name) {
                places.insert(id, (keyspace.clone(), label.clone()));
            }
            let tables = &mut self.module.keyspaces.keyspaces.entry(keyspace).or_default().tables;
            if tables.insert(label, table).is_some() {
                self.twice(*source, block, &format!("`aws_keyspaces_table.{}`", label_of(block)));
            }
        }
        self.keyspaces_scaling(found, &places);
    }

    fn twice(&mut self, source: Source<'a>, block: &Block<'_>, what: &str) {
        self.fail(Diagnostic::new(codes::DUPLICATE_NAME, source.span(&block.ident), format!("{what} is defined twice")));
    }

    fn one_keyspace(&mut self, source: Source<'a>, block: &'a Block<'a>) -> Option<(String, Keyspace)> {
        let mut fields = Fields::new(source, &block.body);
        let mut item = Item::at(block.labels.last().map_or_else(|| source.span(&block.ident), |label| source.span(label)));
        fields.argument("depends_on");
        let Some(name) = self.text(&mut fields, "name", "name", &mut item) else {
            self.wrong(source.span(&block.ident), format!("`aws_keyspaces_keyspace.{}` has no `name`", label_of(block)));
            return None;
        };
        let mut replication = BTreeMap::from([("class".to_owned(), "SingleRegionStrategy".to_owned())]);
        if let Some(block) = fields.block("replication_specification") {
            let mut inner = Fields::new(source, &block.body);
            item.place("replication", source.span(&block.ident));
            let strategy = inner.argument("replication_strategy").and_then(|word| self.scope.word(source, word));
            let regions = inner.argument("region_list").filter(|_| strategy.as_deref() == Some("MULTI_REGION"));
            if let Some(regions) = regions {
                let (place, followed) = self.scope.follow(source, regions);
                let list = followed
                    .as_array()
                    .map(|list| list.iter().map(|region| self.scope.word(place, region)).collect::<Option<Vec<_>>>());
                if let Some(Some(list)) = list {
                    "NetworkTopologyStrategy".clone_into(replication.entry("class".to_owned()).or_default());
                    replication.extend(list.into_iter().map(|region| (region, "3".to_owned())));
                } else {
                    self.not_evaluated(source.span(regions), "region_list");
                    item.carry("replication_specification.region_list", source, regions);
                }
            }
            inner.carry_rest("replication_specification", &mut item);
        }
        let managed = self.managed(&mut fields, block, &mut item);
        self.repeated(&mut fields, &mut item);
        fields.carry_rest("", &mut item);
        let keyspace = Keyspace { about: item.about, managed, replication, extra: item.extra, ..Keyspace::default() };
        Some((known(&name), keyspace))
    }

    fn managed(&mut self, fields: &mut Fields<'a>, block: &'a Block<'a>, item: &mut Item) -> Managed {
        let source = fields.source;
        let (prevent_destroy, mut ignore_changes) = self.lifecycle(fields, item);
        // Parts of arguments too: `capacity_specification[0].read_capacity_units`.
        let lifecycle = block.body.get_blocks("lifecycle").next();
        let parts = lifecycle.and_then(|lifecycle| lifecycle.body.get_attribute("ignore_changes")?.value.as_array());
        if let Some(parts) = parts.filter(|_| item.extra.remove("lifecycle.ignore_changes").is_some()) {
            ignore_changes = parts.iter().map(|part| source.slice(part)).collect();
        }
        Managed { terraform_name: label_of(block).to_owned(), prevent_destroy, ignore_changes, ..Managed::default() }
    }

    /// A table with the name of its keyspace, and what is written for that.
    fn keyspaces_table(
        &mut self,
        source: Source<'a>,
        block: &'a Block<'a>,
        names: &BTreeMap<Text, String>,
    ) -> Option<(String, Text, Table)> {
        let mut fields = Fields::new(source, &block.body);
        let mut item = Item::at(block.labels.last().map_or_else(|| source.span(&block.ident), |label| source.span(label)));
        fields.argument("depends_on");
        let keyspace = self.text(&mut fields, "keyspace_name", "keyspace", &mut item);
        let name = self.text(&mut fields, "table_name", "name", &mut item);
        let (Some(written), Some(name)) = (keyspace, name) else {
            let message = format!("`aws_keyspaces_table.{}` has no `keyspace_name` or no `table_name`", label_of(block));
            self.wrong(source.span(&block.ident), message);
            return None;
        };
        let keyspace = names.get(&written).cloned().unwrap_or_else(|| known(&written));
        let managed = self.managed(&mut fields, block, &mut item);
        let mut table = Table { name: known(&name), managed, ..Table::default() };
        if let Some(block) = fields.block("schema_definition") {
            self.columns(source, block, &mut table, &mut item);
        } else {
            self.wrong(
                source.span(&block.ident),
                format!("`aws_keyspaces_table.{}` has no `schema_definition`", label_of(block)),
            );
        }
        table.options = self.options(&mut fields, &mut table.managed, &mut item);
        self.repeated(&mut fields, &mut item);
        fields.carry_rest("", &mut item);
        Some((keyspace, written, Table { about: item.about, extra: item.extra, ..table }))
    }

    fn columns(&mut self, source: Source<'a>, block: &'a Block<'a>, table: &mut Table, item: &mut Item) {
        let mut fields = Fields::new(source, &block.body);
        for block in fields.blocks("column") {
            let mut inner = Fields::new(source, &block.body);
            let name = self.key(&mut inner, "name", "columns", item);
            let kind = inner.argument("type");
            let (Some(name), Some(kind)) = (name, kind) else {
                self.wrong(source.span(&block.ident), "a `column` has a `name` and a `type`");
                continue;
            };
            item.place(format!("columns.{name}"), source.span(&block.ident));
            let Some(text) = self.scope.word(source, kind) else {
                self.not_evaluated(source.span(kind), "type");
                item.carry(format!("column.{name}.type"), source, kind);
                continue;
            };
            note(&mut table.managed, ("column", &name, "type"), &text, source.span(kind), item);
            match Type::parse(&text) {
                Some(kind) => {
                    table.columns.insert(name, Column { kind, is_static: false, extra: None });
                }
                None => self.wrong(source.span(kind), format!("`{text}` is no type of CQL")),
            }
        }
        for block in fields.blocks("partition_key") {
            let mut inner = Fields::new(source, &block.body);
            table.partition_key.extend(self.key(&mut inner, "name", "partition_key", item));
        }
        for block in fields.blocks("clustering_key") {
            let mut inner = Fields::new(source, &block.body);
            let Some(column) = self.key(&mut inner, "name", "clustering", item) else { continue };
            let argument = inner.argument("order_by");
            let order = argument.and_then(|order| self.scope.word(source, order));
            if let (Some(argument), Some(order)) = (argument, &order) {
                note(&mut table.managed, ("clustering_key", &column, "order_by"), order, source.span(argument), item);
            }
            table.clustering.push(Clustering { column, descending: order.is_some_and(|order| order == "DESC") });
        }
        for block in fields.blocks("static_column") {
            let mut inner = Fields::new(source, &block.body);
            let name = self.key(&mut inner, "name", "static", item);
            match name.and_then(|name| table.columns.get_mut(&name)) {
                Some(column) => column.is_static = true,
                None => self.wrong(source.span(&block.ident), "this static column is no `column`"),
            }
        }
        fields.carry_rest("schema_definition", item);
    }

    fn options(&mut self, table: &mut Fields<'a>, managed: &mut Managed, item: &mut Item) -> Options {
        let source = table.source;
        let mut options = Options::new();
        if let Some(seconds) = table.argument("default_time_to_live") {
            item.place("options.default_time_to_live", source.span(seconds));
            let value = self.known_text(source, seconds);
            options.insert("default_time_to_live".to_owned(), OptionValue::Number(value));
        }
        if let Some(block) = table.block("comment") {
            let mut fields = Fields::new(source, &block.body);
            item.place("options.comment", source.span(&block.ident));
            let message = fields.argument("message").map(|message| self.known_text(source, message));
            options.insert("comment".to_owned(), OptionValue::Text(message.unwrap_or_default()));
            fields.carry_rest("comment", item);
        }
        let tags = self.tags(table, item);
        if !tags.is_empty() {
            let tags = tags.into_iter().map(|(key, value)| (key, known(&value))).collect();
            options.insert("tags".to_owned(), OptionValue::Map(tags));
        }
        let mut custom = Options::new();
        for (name, property, arguments) in [
            (
                "capacity_specification",
                "capacity_mode",
                &[
                    ("throughput_mode", "throughput_mode"),
                    ("read_capacity_units", "read_capacity_units"),
                    ("write_capacity_units", "write_capacity_units"),
                ][..],
            ),
            (
                "encryption_specification",
                "encryption_specification",
                &[("type", "encryption_type"), ("kms_key_identifier", "kms_key_identifier")],
            ),
            ("client_side_timestamps", "client_side_timestamps", &[("status", "status")]),
            ("point_in_time_recovery", "point_in_time_recovery", &[("status", "status")]),
            ("ttl", "ttl", &[("status", "status")]),
        ] {
            let Some(block) = table.block(name) else { continue };
            item.place(format!("custom_properties.{property}"), source.span(&block.ident));
            let mut fields = Fields::new(source, &block.body);
            let mut entries = BTreeMap::new();
            for (argument, key) in arguments {
                let Some(value) = fields.argument(argument) else { continue };
                let text = self.known_text(source, value);
                note(managed, (name, "", argument), &text, source.span(value), item);
                // Statements have it in lower case.
                entries.insert((*key).to_owned(), if *key == "status" { text.to_lowercase() } else { text });
            }
            fields.carry_rest(name, item);
            custom.insert(property.to_owned(), OptionValue::Map(entries));
        }
        if !custom.is_empty() {
            options.insert("custom_properties".to_owned(), OptionValue::Nested(custom));
        }
        options
    }

    /// What an argument comes to, as text; variables stand for themselves.
    fn known_text(&self, source: Source<'a>, value: &'a Expression<'a>) -> String {
        self.scope.text(source, value).map(|text| known(&text)).unwrap_or_default()
    }

    /// Targets and policies of Application Auto Scaling that are for these tables.
    fn keyspaces_scaling(&mut self, found: &Keyspaces<'a>, places: &BTreeMap<Text, Place>) {
        let mut scaled: BTreeMap<(Place, &'static str), BTreeMap<&str, String>> = BTreeMap::new();
        let mut by_address = BTreeMap::new();
        for (source, block) in &found.targets {
            let mut fields = Fields::new(*source, &block.body);
            let Some(place) = self.scaled_table(block, &mut fields, places) else { continue };
            let units = scaled.entry(place.clone()).or_default();
            for (argument, key) in [("min_capacity", "minimum_units"), ("max_capacity", "maximum_units")] {
                if let Some(value) = fields.argument(argument) {
                    units.insert(key, self.known_text(*source, value));
                }
            }
            by_address.insert(format!("{TARGET}.{}", label_of(block)), place);
        }
        for (source, block) in &found.policies {
            let mut fields = Fields::new(*source, &block.body);
            let id = block.body.get_attribute("resource_id").and_then(|id| self.scope.text(*source, &id.value));
            let named = id.map(|id| self.named_by(&id, &[TARGET])).unwrap_or_default();
            // That of another service's target is not looked at.
            let place = match named.first() {
                Some(target) => by_address.get(target).cloned(),
                None => self.scaled_table(block, &mut fields, places),
            };
            let Some(units) = place.and_then(|place| scaled.get_mut(&place)) else { continue };
            let target = block.body.get_blocks("target_tracking_scaling_policy_configuration").next();
            if let Some(value) = target.and_then(|block| block.body.get_attribute("target_value")) {
                units.insert("target_value", self.known_text(*source, &value.value));
            }
        }
        for (((keyspace, label), dimension), units) in scaled {
            let keyspaces = &mut self.module.keyspaces.keyspaces;
            let Some(table) = keyspaces.get_mut(&keyspace).and_then(|keyspace| keyspace.tables.get_mut(&label)) else { continue };
            let number = |key: &str| units.get(key).map(|text| (key.to_owned(), OptionValue::Number(text.clone())));
            let mut policy: Options = ["minimum_units", "maximum_units"].into_iter().filter_map(number).collect();
            if let Some(target) = units.get("target_value") {
                let tracking =
                    ("target_tracking_scaling_policy_configuration".to_owned(), map([("target_value", target.clone())]));
                policy.insert("scaling_policy".to_owned(), OptionValue::Nested([tracking].into()));
            }
            let settings = table.options.entry("autoscaling_settings".to_owned());
            if let OptionValue::Nested(settings) = settings.or_insert_with(|| OptionValue::Nested(Options::new())) {
                settings.insert(dimension.to_owned(), OptionValue::from_entries(policy));
            }
        }
    }

    fn scaled_table(
        &mut self,
        block: &'a Block<'a>,
        fields: &mut Fields<'a>,
        places: &BTreeMap<Text, Place>,
    ) -> Option<(Place, &'static str)> {
        let id = fields.argument("resource_id").and_then(|id| self.scope.text(fields.source, id))?;
        let dimension = fields.argument("scalable_dimension").and_then(|word| self.scope.word(fields.source, word))?;
        let setting = match dimension.as_str() {
            "cassandra:table:ReadCapacityUnits" => "provisioned_read_capacity_autoscaling_update",
            "cassandra:table:WriteCapacityUnits" => "provisioned_write_capacity_autoscaling_update",
            _ => return None,
        };
        let named = self.named_by(&id, &["aws_keyspaces_table"]);
        let of_name = |(_, label): &&Place| named.len() == 1 && named.contains(&format!("aws_keyspaces_table.{label}"));
        let place = places.get(&id).or_else(|| places.values().find(of_name));
        if place.is_none() && id.as_literal().is_none() {
            self.not_placed(block, fields.source);
        }
        Some((place?.clone(), setting))
    }
}

/// Notes a value that the provider does not take, by its block, the name in it, and its argument.
fn note(managed: &mut Managed, (block, name, argument): (&str, &str, &str), text: &str, span: Span, item: &mut Item) {
    if text.is_empty() || taken::takes(block, argument, text) {
        return;
    }
    let path = [block, name, argument].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
    item.place(format!("refused.{path}"), span);
    managed.refused.insert(path, text.to_owned());
}

/// The IDs by which Application Auto Scaling may know a table: `keyspace/shop/table/orders`, each name as it is or by reference.
fn ids(keyspace: &str, written: &Text, names: &BTreeMap<Text, String>, label: &str, table: &str) -> BTreeSet<Text> {
    let literal = |text: &str| vec![Part::Literal(text.to_owned())];
    let of_keyspace = names.iter().filter(|(_, name)| *name == keyspace).map(|(text, _)| text.parts().to_vec());
    let keyspaces: Vec<_> = of_keyspace.chain([written.parts().to_vec(), literal(keyspace)]).collect();
    let reference = vec![Part::Expression(format!("aws_keyspaces_table.{label}.table_name"))];
    let tables = [reference, literal(table)];
    let id = |keyspace: &[Part], table: &[Part]| {
        Text::from_parts([&literal("keyspace/"), keyspace, &literal("/table/"), table].concat())
    };
    keyspaces.iter().flat_map(|keyspace| tables.iter().map(move |table| id(keyspace, table))).collect()
}
