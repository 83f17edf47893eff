//! One table.

use super::Reader;
use super::item::{Fields, Item};
use super::value::truth;
use crate::schema::dynamodb::{
    Billing, Encryption, KEY_NOT_SORTED, KeyType, PointInTimeRecovery, Resource, Stream, Table, TableClass, Ttl,
};
use crate::schema::{Text, Value};
use crate::source::Entry;
use std::collections::BTreeMap;

/// Attributes of a resource that change nothing of what exists: its order, its notes, how a stack waits for it.
pub(super) const NOT_PART_OF_IT: [&str; 5] = ["Type", "DependsOn", "Metadata", "CreationPolicy", "UpdatePolicy"];

impl Reader<'_> {
    /// A table under its logical ID. What only one of the two resource types has is carried along.
    pub(super) fn table(&mut self, entry: &Entry, resource: Resource) -> Option<Table> {
        let mut item = Item::at(entry.key_span);
        let mut attributes = self.fields(&entry.value, "", &mut item)?;
        for key in NOT_PART_OF_IT {
            attributes.take(key);
        }
        let deletion_policy = self.policy(&mut attributes, "DeletionPolicy", "deletion_policy", &mut item);
        let update_replace_policy = self.policy(&mut attributes, "UpdateReplacePolicy", "update_replace_policy", &mut item);
        let Some(properties) = attributes.take("Properties") else {
            self.wrong(entry.key_span, format!("the table `{}` has no `Properties`", entry.key));
            return None;
        };
        attributes.carry_rest(&mut item);
        if self.computed(properties, "Properties") {
            return None;
        }
        let mut properties = self.fields(properties, "", &mut item)?;
        let name = self.text_at(&mut properties, "TableName", "name", &mut item);
        let key = self.key(&mut properties, &mut item)?;
        self.key_fits(&key, 1, 0..=1, "table");
        if key.is_unsorted {
            item.extra.insert("KeySchema".to_owned(), KEY_NOT_SORTED.to_owned());
        }
        let partition_key = key.hash.into_iter().next().unwrap_or_default();
        let mut writes = BTreeMap::new();
        let mut table = Table {
            logical_id: entry.key.clone(),
            template: self.template,
            resource,
            name,
            attributes: self.attributes(&mut properties, &mut item),
            local_indexes: self.local_indexes(&mut properties, &partition_key, &mut item),
            global_indexes: self.global_indexes(&mut properties, &mut item, &mut writes),
            partition_key,
            sort_key: key.range.into_iter().next(),
            ttl: self.ttl(&mut properties, &mut item),
            stream: self.stream(&mut properties, &mut item),
            billing: self.billing(&mut properties, &mut item),
            throughput: self.throughput(&mut properties, &mut item),
            on_demand_maximum: self.on_demand_maximum(&mut properties, &mut item),
            warm_throughput: self.warm_throughput(&mut properties, &mut item),
            table_class: self.table_class(&mut properties, &mut item),
            encryption: self.encryption(&mut properties, resource, &mut item),
            point_in_time_recovery: self.point_in_time_recovery(&mut properties, &mut item),
            deletion_protection: self.deletion_protection(&mut properties, &mut item),
            contributor_insights: self.insights(&mut properties, &mut item),
            kinesis_stream: self.kinesis_stream(&mut properties, &mut item),
            resource_policy: self.resource_policy(&mut properties, &mut item),
            tags: self.tags(&mut properties, &mut item),
            deletion_policy,
            update_replace_policy,
            ..Table::default()
        };
        if resource == Resource::GlobalTable {
            self.global_table(&mut properties, &mut item, &mut table, writes);
        }
        properties.carry_rest(&mut item);
        Some(Table { about: item.about, extra: item.extra, ..table })
    }

    pub(super) fn policy(
        &mut self,
        fields: &mut Fields<'_>,
        key: &str,
        property: &'static str,
        item: &mut Item,
    ) -> Option<String> {
        let node = fields.take(key)?;
        item.place(property, node.span);
        self.name(node)
    }

    pub(super) fn text_at(
        &mut self,
        fields: &mut Fields<'_>,
        key: &str,
        property: &'static str,
        item: &mut Item,
    ) -> Option<Text> {
        let node = fields.take(key)?;
        item.place(property, node.span);
        self.text(node)
    }

    fn attributes(&mut self, table: &mut Fields<'_>, item: &mut Item) -> BTreeMap<String, KeyType> {
        let types = [("S", KeyType::S), ("N", KeyType::N), ("B", KeyType::B)];
        let mut attributes = BTreeMap::new();
        for (path, node) in self.items(table, "AttributeDefinitions", item) {
            let Some(mut fields) = self.fields(node, path, item) else { continue };
            let name = self.required(&mut fields, "AttributeName").and_then(|name| self.name(name));
            let kind = self.required(&mut fields, "AttributeType");
            let kind = kind.and_then(|kind| self.word(kind, fields.path("AttributeType"), &types, item));
            let (Some(name), Some(kind)) = (name, kind) else { continue };
            if attributes.get(&name).is_some_and(|other| *other != kind) {
                self.wrong(node.span, format!("the attribute `{name}` is defined twice, with different types"));
            }
            item.place(["attributes.", &name].concat(), node.span);
            attributes.insert(name, kind);
        }
        attributes
    }

    /// An empty attribute name stands for none: the service lets it out only where TTL is off.
    fn ttl(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<Ttl> {
        let node = table.take("TimeToLiveSpecification")?;
        let mut fields = self.fields(node, "TimeToLiveSpecification", item)?;
        let switch = self.required(&mut fields, "Enabled")?;
        let enabled = match self.boolean(switch)? {
            Value::Literal(enabled) => Some(enabled),
            Value::Parameter(_) | Value::Expression(_) => self.in_force(switch).and_then(|value| truth(&value)),
        };
        let Some(enabled) = enabled else {
            self.carry_call(node, "TimeToLiveSpecification", item);
            return None;
        };
        item.place("ttl", node.span);
        let attribute = if enabled { self.required(&mut fields, "AttributeName") } else { fields.take("AttributeName") };
        let attribute = attribute.and_then(|attribute| self.name(attribute)).unwrap_or_default();
        fields.carry_rest(item);
        Some(Ttl { attribute, enabled })
    }

    fn stream(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<Stream> {
        let views = [Stream::KeysOnly, Stream::NewImage, Stream::OldImage, Stream::NewAndOldImages];
        let known: Vec<_> = views.into_iter().filter_map(|stream| Some((stream.view_type()?, stream))).collect();
        let mut fields = self.nested(table, "StreamSpecification", item)?;
        item.place("stream", fields.span());
        let view = self.required(&mut fields, "StreamViewType");
        let stream = view.and_then(|view| self.word(view, fields.path("StreamViewType"), &known, item));
        fields.carry_rest(item);
        stream
    }

    fn billing(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<Billing> {
        let node = table.take("BillingMode")?;
        item.place("billing", node.span);
        let modes = [("PAY_PER_REQUEST", Billing::OnDemand), ("PROVISIONED", Billing::Provisioned)];
        self.word(node, "BillingMode", &modes, item)
    }

    pub(super) fn table_class(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<TableClass> {
        let node = table.take("TableClass")?;
        item.place("table_class", node.span);
        self.word(node, "TableClass", &TableClass::ALL.map(|class| (class.name(), class)), item)
    }

    /// `SSEType` says nothing more: it has one value, `KMS`. The keys of a global table are those of its replicas.
    fn encryption(&mut self, table: &mut Fields<'_>, resource: Resource, item: &mut Item) -> Option<Encryption> {
        let node = table.take("SSESpecification")?;
        let mut fields = self.fields(node, "SSESpecification", item)?;
        let enabled = self.required(&mut fields, "SSEEnabled").and_then(|enabled| self.boolean(enabled))?;
        let Value::Literal(enabled) = enabled else {
            self.carry_call(node, "SSESpecification", item);
            return None;
        };
        item.place("encryption", node.span);
        if !enabled {
            fields.carry_rest(item);
            return Some(Encryption::AwsOwned);
        }
        if let Some(kind) = fields.take("SSEType") {
            self.word(kind, "SSESpecification.SSEType", &[("KMS", ())], item);
        }
        let key = if resource == Resource::Table { fields.take("KMSMasterKeyId") } else { None };
        let key = key.and_then(|key| self.text(key));
        fields.carry_rest(item);
        Some(key.map_or(Encryption::AwsManaged, Encryption::KmsKey))
    }

    pub(super) fn point_in_time_recovery(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<PointInTimeRecovery> {
        let mut fields = self.nested(table, "PointInTimeRecoverySpecification", item)?;
        item.place("point_in_time_recovery", fields.span());
        let enabled = fields.take("PointInTimeRecoveryEnabled").and_then(|enabled| self.boolean(enabled));
        let days = fields.take("RecoveryPeriodInDays").and_then(|node| match self.number(node)? {
            Value::Literal(days) => {
                let days = u8::try_from(days).ok().filter(|days| (1..=35).contains(days));
                if days.is_none() {
                    self.wrong(node.span, "the period has to be 1 to 35 days");
                }
                days
            }
            Value::Parameter(_) | Value::Expression(_) => {
                self.carry_call(node, fields.path("RecoveryPeriodInDays"), item);
                None
            }
        });
        fields.carry_rest(item);
        Some(PointInTimeRecovery { enabled: enabled.unwrap_or(Value::Literal(false)), days })
    }

    pub(super) fn deletion_protection(&mut self, table: &mut Fields<'_>, item: &mut Item) -> Option<Value<bool>> {
        let node = table.take("DeletionProtectionEnabled")?;
        item.place("deletion_protection", node.span);
        self.boolean(node)
    }

    pub(super) fn tags(&mut self, table: &mut Fields<'_>, item: &mut Item) -> BTreeMap<String, Text> {
        let mut tags = BTreeMap::new();
        for (path, node) in self.items(table, "Tags", item) {
            let Some(mut fields) = self.fields(node, path, item) else { continue };
            let key = self.required(&mut fields, "Key").and_then(|key| self.name(key));
            let value = self.required(&mut fields, "Value").and_then(|value| self.text(value));
            let (Some(key), Some(value)) = (key, value) else { continue };
            item.place(["tags.", &key].concat(), node.span);
            if tags.contains_key(&key) {
                self.wrong(node.span, format!("the tag `{key}` is given twice"));
            }
            tags.insert(key, value);
        }
        tags
    }
}
