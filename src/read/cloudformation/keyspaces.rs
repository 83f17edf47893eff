//! Amazon Keyspaces: `AWS::Cassandra::Keyspace`, `Table` and `Type`, with the options that statements have.

use super::Reader;
use super::item::{Fields, Item};
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::cql::{Clustering, Column, Keyspace, Managed, OptionValue, Schema, Table, Type, UserType};
use crate::schema::{Part, Text, Value};
use crate::source::{Entry, Node};
use std::collections::BTreeMap;

/// Options, by the name that they have in statements.
type Options = BTreeMap<String, OptionValue>;

/// Text that stands for a name: an expression as the lock writes it.
fn known(text: &Text) -> String {
    text.as_literal().map_or_else(|| text.to_string(), ToOwned::to_owned)
}

fn shown<T: std::fmt::Display>(value: Value<T>) -> String {
    match value {
        Value::Literal(value) => value.to_string(),
        Value::Parameter(name) => known(&Text::from_parts([Part::Parameter(name)])),
        Value::Expression(source) => known(&Text::from_parts([Part::Expression(source)])),
    }
}

/// The name that CloudFormation makes up for a resource.
fn generated(logical_id: &str) -> String {
    known(&reference(logical_id))
}

/// `Ref` of a resource.
fn reference(logical_id: &str) -> Text {
    Text::from_parts([Part::Expression(serde_json::json!({ "Ref": logical_id }).to_string())])
}

fn status(on: &str) -> OptionValue {
    OptionValue::Map([("status".to_owned(), on.to_owned())].into())
}

fn enabled(value: &Value<bool>) -> String {
    match value {
        Value::Literal(true) => "enabled".to_owned(),
        Value::Literal(false) => "disabled".to_owned(),
        other => shown(other.clone()),
    }
}

impl Reader<'_> {
    /// Reads the keyspaces of a template into a schema, their tables by logical ID.
    pub(super) fn keyspaces(&mut self, resources: &Node, schema: &mut Schema) {
        let of = |kind: &'static str| {
            let is = move |entry: &&Entry| entry.value.get("Type").and_then(Node::as_str) == Some(kind);
            resources.entries().iter().filter(is)
        };
        let mut names: BTreeMap<Text, String> = BTreeMap::new();
        for entry in of("AWS::Cassandra::Keyspace") {
            let Some((name, keyspace)) = self.one_keyspace(entry) else { continue };
            names.insert(reference(&entry.key), name.clone());
            if schema.keyspaces.insert(name.clone(), keyspace).is_some() {
                self.fail(Diagnostic::new(
                    codes::DUPLICATE_NAME,
                    entry.key_span,
                    format!("two resources are the keyspace `{name}`"),
                ));
            }
        }
        for entry in of("AWS::Cassandra::Type") {
            let Some((keyspace, name, user)) = self.user_type(entry, &names) else { continue };
            schema.keyspaces.entry(keyspace).or_default().types.insert(name, user);
        }
        for entry in of("AWS::Cassandra::Table") {
            let Some((keyspace, table)) = self.keyspaces_table(entry, &names) else { continue };
            if schema.keyspaces.entry(keyspace).or_default().tables.insert(entry.key.clone(), table).is_some() {
                self.fail(Diagnostic::new(
                    codes::DUPLICATE_NAME,
                    entry.key_span,
                    format!("two templates have a table `{}`", entry.key),
                ));
            }
        }
    }

    /// The properties of a resource, with what guards it.
    fn managed<'n>(&mut self, entry: &'n Entry, item: &mut Item) -> Option<(Fields<'n>, Managed)> {
        self.of_template(&mut item.about);
        let mut attributes = self.fields(&entry.value, "", item)?;
        for key in super::table::NOT_PART_OF_IT {
            attributes.take(key);
        }
        let managed = Managed {
            logical_id: entry.key.clone(),
            deletion_policy: self.policy(&mut attributes, "DeletionPolicy", "deletion_policy", item),
            update_replace_policy: self.policy(&mut attributes, "UpdateReplacePolicy", "update_replace_policy", item),
            ..Managed::default()
        };
        let Some(properties) = attributes.take("Properties") else {
            // A keyspace needs none.
            if entry.value.get("Type").and_then(Node::as_str) != Some("AWS::Cassandra::Keyspace") {
                self.wrong(entry.key_span, format!("the resource `{}` has no `Properties`", entry.key));
                return None;
            }
            return Some((attributes, managed));
        };
        attributes.carry_rest(item);
        if self.computed(properties, "Properties") {
            return None;
        }
        Some((self.fields(properties, "", item)?, managed))
    }

    fn one_keyspace(&mut self, entry: &Entry) -> Option<(String, Keyspace)> {
        let mut item = Item::at(entry.key_span);
        let (mut properties, managed) = self.managed(entry, &mut item)?;
        let name = self.text_at(&mut properties, "KeyspaceName", "name", &mut item);
        let name = name.map_or_else(|| generated(&entry.key), |name| known(&name));
        let mut replication = BTreeMap::from([("class".to_owned(), "SingleRegionStrategy".to_owned())]);
        if let Some(mut specification) = self.nested(&mut properties, "ReplicationSpecification", &mut item) {
            item.place("replication", specification.span());
            let several = specification.take("ReplicationStrategy").and_then(|word| {
                self.word(word, "ReplicationStrategy", &[("SINGLE_REGION", false), ("MULTI_REGION", true)], &mut item)
            });
            let regions = self.items(&mut specification, "RegionList", &mut item);
            if several == Some(true) {
                "NetworkTopologyStrategy".clone_into(replication.entry("class".to_owned()).or_default());
                for (_, region) in regions {
                    replication.extend(self.name(region).map(|region| (region, "3".to_owned())));
                }
            }
            specification.carry_rest(&mut item);
        }
        let mut options = Options::new();
        if let Some(node) = properties.take("ClientSideTimestampsEnabled") {
            item.place("options.client_side_timestamps", node.span);
            if let Some(value) = self.boolean(node) {
                options.insert("client_side_timestamps".to_owned(), status(&enabled(&value)));
            }
        }
        properties.carry_rest(&mut item);
        let keyspace = Keyspace { about: item.about, managed, replication, options, extra: item.extra, ..Keyspace::default() };
        Some((name, keyspace))
    }

    /// The keyspace that a table or a type is in.
    fn keyspace_of(&mut self, properties: &mut Fields<'_>, names: &BTreeMap<Text, String>, item: &mut Item) -> Option<String> {
        let node = self.required(properties, "KeyspaceName")?;
        item.place("keyspace", node.span);
        let text = self.text(node)?;
        Some(names.get(&text).cloned().unwrap_or_else(|| known(&text)))
    }

    fn user_type(&mut self, entry: &Entry, names: &BTreeMap<Text, String>) -> Option<(String, String, UserType)> {
        let mut item = Item::at(entry.key_span);
        let (mut properties, managed) = self.managed(entry, &mut item)?;
        let keyspace = self.keyspace_of(&mut properties, names, &mut item)?;
        let name = self.required(&mut properties, "TypeName").and_then(|name| self.name(name))?;
        let mut fields = Vec::new();
        for (path, node) in self.items(&mut properties, "Fields", &mut item) {
            let Some(mut field) = self.fields(node, path, &mut item) else { continue };
            let name = self.required(&mut field, "FieldName").and_then(|name| self.name(name));
            let kind = self.required(&mut field, "FieldType").and_then(|kind| self.cql_type(kind));
            let (Some(name), Some(kind)) = (name, kind) else { continue };
            item.place(format!("fields.{name}"), node.span);
            fields.push((name, kind));
        }
        properties.carry_rest(&mut item);
        Some((keyspace, name, UserType { about: item.about, managed, fields }))
    }

    fn cql_type(&mut self, node: &Node) -> Option<Type> {
        let text = self.name(node)?;
        let kind = Type::parse(&text);
        if kind.is_none() {
            self.wrong(node.span, format!("`{text}` is no type of CQL"));
        }
        kind
    }

    fn keyspaces_table(&mut self, entry: &Entry, names: &BTreeMap<Text, String>) -> Option<(String, Table)> {
        let mut item = Item::at(entry.key_span);
        let (mut properties, managed) = self.managed(entry, &mut item)?;
        let keyspace = self.keyspace_of(&mut properties, names, &mut item)?;
        let name = self.text_at(&mut properties, "TableName", "name", &mut item);
        let mut table =
            Table { managed, name: name.map_or_else(|| generated(&entry.key), |name| known(&name)), ..Table::default() };
        for (path, node) in self.items(&mut properties, "PartitionKeyColumns", &mut item) {
            let Some(mut fields) = self.fields(node, path, &mut item) else { continue };
            let column = self.column(&mut fields, &mut table, &mut item);
            fields.carry_rest(&mut item);
            item.place("partition_key", node.span);
            table.partition_key.extend(column);
        }
        for (path, node) in self.items(&mut properties, "ClusteringKeyColumns", &mut item) {
            let Some(mut fields) = self.fields(node, path, &mut item) else { continue };
            item.place("clustering", node.span);
            let order =
                fields.take("OrderBy").and_then(|word| self.word(word, "OrderBy", &[("ASC", false), ("DESC", true)], &mut item));
            let column = self
                .nested(&mut fields, "Column", &mut item)
                .and_then(|mut inner| self.column(&mut inner, &mut table, &mut item));
            table.clustering.extend(column.map(|column| Clustering { column, descending: order.unwrap_or(false) }));
            fields.carry_rest(&mut item);
        }
        for (path, node) in self.items(&mut properties, "RegularColumns", &mut item) {
            let Some(mut fields) = self.fields(node, path, &mut item) else { continue };
            self.column(&mut fields, &mut table, &mut item);
            fields.carry_rest(&mut item);
        }
        table.options = self.options(&mut properties, &mut item);
        properties.carry_rest(&mut item);
        Some((keyspace, Table { about: item.about, extra: item.extra, ..table }))
    }

    /// Reads a column in and gives its name.
    fn column(&mut self, fields: &mut Fields<'_>, table: &mut Table, item: &mut Item) -> Option<String> {
        let span = fields.span();
        let name = self.required(fields, "ColumnName").and_then(|name| self.name(name));
        let kind = self.required(fields, "ColumnType").and_then(|kind| self.cql_type(kind));
        let (name, kind) = (name?, kind?);
        item.place(format!("columns.{name}"), span);
        table.columns.insert(name.clone(), Column { kind, is_static: false, extra: None });
        Some(name)
    }

    fn options(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Options {
        let mut options = Options::new();
        let mut custom = Options::new();
        if let Some(node) = table.take("DefaultTimeToLive") {
            item.place("options.default_time_to_live", node.span);
            if let Some(seconds) = self.number(node) {
                options.insert("default_time_to_live".to_owned(), OptionValue::Number(shown(seconds)));
            }
        }
        if let Some(mut billing) = self.nested(table, "BillingMode", item) {
            item.place("custom_properties.capacity_mode", billing.span());
            custom.extend(self.capacity_mode(&mut billing, item).map(|mode| ("capacity_mode".to_owned(), mode)));
            billing.carry_rest(item);
        }
        if let Some(mut encryption) = self.nested(table, "EncryptionSpecification", item) {
            item.place("custom_properties.encryption_specification", encryption.span());
            let kind = self.required(&mut encryption, "EncryptionType").and_then(|kind| self.text(kind));
            let key = encryption.take("KmsKeyIdentifier").and_then(|key| self.text(key));
            let entries = [("encryption_type", kind), ("kms_key_identifier", key)];
            let entries = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), known(&value?))));
            custom.insert("encryption_specification".to_owned(), OptionValue::Map(entries.collect()));
            encryption.carry_rest(item);
        }
        for (key, property) in
            [("PointInTimeRecoveryEnabled", "point_in_time_recovery"), ("ClientSideTimestampsEnabled", "client_side_timestamps")]
        {
            let Some(node) = table.take(key) else { continue };
            item.place(format!("custom_properties.{property}"), node.span);
            let value = self.boolean(node).map(|value| status(&enabled(&value)));
            // A table that never had client-side timestamps is one that says nothing of them.
            let is_default = |value: &OptionValue| property == "client_side_timestamps" && *value == status("disabled");
            custom.extend(value.filter(|value| !is_default(value)).map(|value| (property.to_owned(), value)));
        }
        if let Some(mut capture) = self.nested(table, "CdcSpecification", item) {
            item.place("options.cdc", capture.span());
            let on = self
                .required(&mut capture, "Status")
                .and_then(|word| self.word(word, "CdcSpecification.Status", &[("ENABLED", true), ("DISABLED", false)], item));
            options.extend(on.map(|on| ("cdc".to_owned(), OptionValue::Bool(on))));
            if let Some(view) = capture.take("ViewType").and_then(|view| self.text(view)) {
                let view = OptionValue::Map([("view_type".to_owned(), known(&view))].into());
                custom.insert("cdc_specification".to_owned(), view);
            }
            capture.carry_rest(item);
        }
        if let Some(mut scaling) = self.nested(table, "AutoScalingSpecifications", item) {
            item.place("options.autoscaling_settings", scaling.span());
            let mut settings = Options::new();
            for (key, dimension) in [
                ("ReadCapacityAutoScaling", "provisioned_read_capacity_autoscaling_update"),
                ("WriteCapacityAutoScaling", "provisioned_write_capacity_autoscaling_update"),
            ] {
                let Some(mut one) = self.nested(&mut scaling, key, item) else { continue };
                let policy = self.scaling(&mut one, item);
                settings.insert(dimension.to_owned(), OptionValue::from_entries(policy));
                one.carry_rest(item);
            }
            scaling.carry_rest(item);
            options.insert("autoscaling_settings".to_owned(), OptionValue::Nested(settings));
        }
        let tags = self.tags(table, item);
        if !tags.is_empty() {
            let tags = tags.into_iter().map(|(key, value)| (key, known(&value))).collect();
            options.insert("tags".to_owned(), OptionValue::Map(tags));
        }
        if !custom.is_empty() {
            options.insert("custom_properties".to_owned(), OptionValue::Nested(custom));
        }
        options
    }

    fn capacity_mode(&mut self, billing: &mut Fields<'_>, item: &mut Item) -> Option<OptionValue> {
        let modes = [("ON_DEMAND", "PAY_PER_REQUEST"), ("PROVISIONED", "PROVISIONED")];
        let mode = self.required(billing, "Mode").and_then(|mode| self.word(mode, "BillingMode.Mode", &modes, item))?;
        let mut entries = BTreeMap::from([("throughput_mode".to_owned(), mode.to_owned())]);
        if let Some(mut throughput) = self.nested(billing, "ProvisionedThroughput", item) {
            for (key, name) in [("ReadCapacityUnits", "read_capacity_units"), ("WriteCapacityUnits", "write_capacity_units")] {
                let units = throughput.take(key).and_then(|units| self.number(units));
                entries.extend(units.map(|units| (name.to_owned(), shown(units))));
            }
            throughput.carry_rest(item);
        }
        Some(OptionValue::Map(entries))
    }

    fn scaling(&mut self, one: &mut Fields<'_>, item: &mut Item) -> Options {
        let mut policy = Options::new();
        if let Some(disabled) = one.take("AutoScalingDisabled").and_then(|disabled| self.boolean(disabled))
            && disabled != Value::Literal(false)
        {
            policy.insert("autoscaling_disabled".to_owned(), OptionValue::Text(shown(disabled)));
        }
        for (key, name) in [("MinimumUnits", "minimum_units"), ("MaximumUnits", "maximum_units")] {
            let units = one.take(key).and_then(|units| self.number(units));
            policy.extend(units.map(|units| (name.to_owned(), OptionValue::Number(shown(units)))));
        }
        let Some(mut scaling) = self.nested(one, "ScalingPolicy", item) else { return policy };
        let tracking = self.nested(&mut scaling, "TargetTrackingScalingPolicyConfiguration", item);
        if let Some(mut tracking) = tracking {
            let target = self.required(&mut tracking, "TargetValue").and_then(|target| self.per_cent(target));
            let entries = target.map(|target| ("target_value".to_owned(), shown(target)));
            let tracked = OptionValue::Map(entries.into_iter().collect());
            let inner = [("target_tracking_scaling_policy_configuration".to_owned(), tracked)].into();
            policy.insert("scaling_policy".to_owned(), OptionValue::Nested(inner));
            tracking.carry_rest(item);
        }
        scaling.carry_rest(item);
        policy
    }
}
