//! One `aws_dynamodb_table`.

use super::Reader;
use super::fields::{Fields, Item, Source};
use super::syntax::{Block, Expression, Name, ObjectKey};
use crate::schema::dynamodb::{
    Billing, Encryption, KeyType, PointInTimeRecovery, REGION_OF_PROVIDER, SETTINGS_OF_PROVIDER, Stream, Table, TableClass, Ttl,
};
use crate::schema::{Part, Text, Value};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Reader<'a> {
    pub(super) fn table(&mut self, source: Source<'a>, block: &'a Block<'a>, label: &str) -> Table {
        let mut fields = Fields::new(source, &block.body);
        let mut item = Item::at(block.labels.last().map_or_else(|| source.span(&block.ident), |label| source.span(label)));
        // The order of things and the patience of the tool, not what the table is.
        fields.argument("depends_on");
        self.timeouts(&mut fields);
        let (replicas, replica_consistency) = self.replicas(&mut fields, &mut item);
        let table = Table {
            terraform_name: label.to_owned(),
            name: self.text(&mut fields, "name", "name", &mut item),
            attributes: self.attributes(&mut fields, &mut item),
            partition_key: self.key(&mut fields, "hash_key", "partition_key", &mut item).unwrap_or_default(),
            sort_key: self.key(&mut fields, "range_key", "sort_key", &mut item).filter(|key| !key.is_empty()),
            local_indexes: self.local_indexes(&mut fields),
            global_indexes: self.global_indexes(&mut fields),
            ttl: self.ttl(&mut fields, &mut item),
            stream: self.stream(&mut fields, &mut item),
            billing: self.billing(&mut fields, &mut item),
            throughput: self.throughput(&mut fields, &mut item),
            on_demand_maximum: self.on_demand_maximum(&mut fields, &mut item),
            warm_throughput: self.warm_throughput(&mut fields, &mut item),
            table_class: self.table_class(&mut fields, &mut item),
            encryption: self.encryption(&mut fields, &mut item),
            point_in_time_recovery: self.recovery(&mut fields, &mut item),
            deletion_protection: self.deletion_protection(&mut fields, &mut item),
            replicas,
            replica_consistency,
            witness: self.witness(&mut fields, &mut item),
            tags: self.tags(&mut fields, &mut item),
            ..Table::default()
        };
        let (prevent_destroy, ignore_changes) = self.lifecycle(&mut fields, &mut item);
        let table = Table { prevent_destroy, ignore_changes, ..table };
        self.repeated(&mut fields, &mut item);
        self.of_provider(&mut fields, &mut item);
        fields.carry_rest("", &mut item);
        Table { about: item.about, extra: item.extra, ..table }
    }

    /// What the block of the provider says of the table, where there is one: its Region, its account, its tags.
    fn of_provider(&self, fields: &mut Fields<'a>, item: &mut Item) {
        let provider = fields.argument("provider");
        if let Some(provider) = provider {
            item.carry("provider", fields.source, provider);
        }
        let settings = self.scope.settings_of(provider).map(|settings| (SETTINGS_OF_PROVIDER.to_owned(), settings));
        let region = self.scope.region_of(provider).map(|region| (REGION_OF_PROVIDER.to_owned(), region));
        item.extra.extend(settings.into_iter().chain(region));
    }

    pub(super) fn text(&self, fields: &mut Fields<'a>, argument: &str, property: &'static str, item: &mut Item) -> Option<Text> {
        let value = fields.argument(argument)?;
        item.place(property, fields.source.span(value));
        self.scope.text(fields.source, value)
    }

    /// A name that a key or an index needs. One that only Terraform knows is kept as `${source}`. (An empty `range_key` is as
    /// good as none to the provider; its callers see to that.)
    pub(super) fn key(
        &mut self,
        fields: &mut Fields<'a>,
        argument: &str,
        property: &'static str,
        item: &mut Item,
    ) -> Option<String> {
        let source = fields.source;
        let value = fields.argument(argument)?;
        item.place(property, source.span(value));
        Some(self.scope.word(source, value).unwrap_or_else(|| {
            self.not_evaluated(source.span(value), argument);
            format!("${{{}}}", source.slice(value))
        }))
    }

    fn attributes(&mut self, table: &mut Fields<'a>, item: &mut Item) -> BTreeMap<String, KeyType> {
        let mut attributes = BTreeMap::new();
        for block in table.blocks("attribute") {
            let source = table.source;
            let mut fields = Fields::new(source, &block.body);
            let Some(name) = self.key(&mut fields, "name", "attributes", item) else {
                self.wrong(source.span(&block.ident), "`attribute` has no `name`");
                continue;
            };
            item.place(["attributes.", &name].concat(), source.span(&block.ident));
            let Some(kind) = fields.argument("type") else {
                self.wrong(source.span(&block.ident), format!("the attribute `{name}` has no `type`"));
                continue;
            };
            let Some(word) = self.scope.word(source, kind) else {
                self.not_evaluated(source.span(kind), "type");
                item.carry(format!("attribute.{name}.type"), source, kind);
                continue;
            };
            match KeyType::find(&word) {
                Some(kind) => _ = attributes.insert(name, kind),
                None => self.wrong(source.span(kind), "the type of a key attribute has to be `S`, `N` or `B`"),
            }
        }
        attributes
    }

    pub(super) fn billing(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Billing> {
        let value = fields.argument("billing_mode")?;
        let source = fields.source;
        item.place("billing", source.span(value));
        match self.scope.word(source, value).as_deref() {
            Some("PAY_PER_REQUEST") => Some(Billing::OnDemand),
            Some("PROVISIONED") => Some(Billing::Provisioned),
            Some(_) => {
                self.wrong(source.span(value), "`billing_mode` has to be `PAY_PER_REQUEST` or `PROVISIONED`");
                None
            }
            None => {
                self.not_evaluated(source.span(value), "billing_mode");
                item.carry("billing_mode", source, value);
                None
            }
        }
    }

    pub(super) fn table_class(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<TableClass> {
        let value = fields.argument("table_class")?;
        let source = fields.source;
        item.place("table_class", source.span(value));
        let Some(word) = self.scope.word(source, value) else {
            self.not_evaluated(source.span(value), "table_class");
            item.carry("table_class", source, value);
            return None;
        };
        let class = TableClass::find(&word);
        if class.is_none() {
            self.wrong(source.span(value), "`table_class` has to be `STANDARD` or `STANDARD_INFREQUENT_ACCESS`");
        }
        class
    }

    pub(super) fn deletion_protection(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Value<bool>> {
        let value = fields.argument("deletion_protection_enabled")?;
        item.place("deletion_protection", fields.source.span(value));
        Some(self.scope.value(fields.source, value))
    }

    /// A bool that has to be known; None, and carried along, when it is not.
    pub(super) fn known_bool(
        &mut self,
        source: Source<'a>,
        value: &'a Expression<'a>,
        path: &str,
        item: &mut Item,
    ) -> Option<bool> {
        let known = value.as_bool().or_else(|| self.scope.word(source, value)?.parse().ok());
        if known.is_none() {
            self.not_evaluated(source.span(value), path);
            item.carry(path, source, value);
        }
        known
    }

    /// On needs a view type; off needs none, and one that is written all the same is carried along.
    pub(super) fn stream(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Stream> {
        let source = fields.source;
        let (enabled, view) = (fields.argument("stream_enabled"), fields.argument("stream_view_type"));
        let view = view.filter(|view| self.scope.word(source, view).as_deref() != Some(""));
        let on = enabled.and_then(|enabled| {
            item.place("stream", source.span(enabled));
            self.known_bool(source, enabled, "stream_enabled", item)
        });
        let stream = view.and_then(|view| Stream::from_view_type(&self.scope.word(source, view)?));
        if let (Some(true), Some(stream), Some(view)) = (on, stream, view) {
            item.place("stream", source.span(view));
            return Some(stream);
        }
        if let Some(view) = view {
            item.carry("stream_view_type", source, view);
        }
        match (on, enabled) {
            (Some(false), _) => Some(Stream::Off),
            (Some(true), Some(enabled)) => {
                item.carry("stream_enabled", source, enabled);
                None
            }
            _ => None,
        }
    }

    fn ttl(&mut self, table: &mut Fields<'a>, item: &mut Item) -> Option<Ttl> {
        let block = table.block("ttl")?;
        let mut fields = Fields::new(table.source, &block.body);
        item.place("ttl", table.source.span(&block.ident));
        let enabled = match fields.argument("enabled") {
            Some(enabled) => self.known_bool(table.source, enabled, "ttl.enabled", item),
            None => Some(false),
        };
        let Some(enabled) = enabled else {
            fields.carry_rest("ttl", item);
            return None;
        };
        let attribute = self.key(&mut fields, "attribute_name", "ttl.attribute", item).unwrap_or_default();
        fields.carry_rest("ttl", item);
        Some(Ttl { attribute, enabled })
    }

    fn encryption(&mut self, table: &mut Fields<'a>, item: &mut Item) -> Option<Encryption> {
        let block = table.block("server_side_encryption")?;
        let mut fields = Fields::new(table.source, &block.body);
        item.place("encryption", table.source.span(&block.ident));
        let enabled = fields
            .argument("enabled")
            .and_then(|enabled| self.known_bool(table.source, enabled, "server_side_encryption.enabled", item));
        let encryption = match enabled {
            Some(true) => {
                let key = self.text(&mut fields, "kms_key_arn", "encryption", item);
                Some(key.map_or(Encryption::AwsManaged, Encryption::KmsKey))
            }
            Some(false) => Some(Encryption::AwsOwned),
            None => None,
        };
        fields.carry_rest("server_side_encryption", item);
        encryption
    }

    fn recovery(&mut self, table: &mut Fields<'a>, item: &mut Item) -> Option<PointInTimeRecovery> {
        let source = table.source;
        let block = table.block("point_in_time_recovery")?;
        let mut fields = Fields::new(source, &block.body);
        item.place("point_in_time_recovery", source.span(&block.ident));
        let enabled = fields.argument("enabled").map(|enabled| self.scope.value(source, enabled));
        let days = fields.argument("recovery_period_in_days").and_then(|days| {
            let known = self.scope.word(source, days).and_then(|word| word.parse().ok());
            if known.is_none() {
                self.not_evaluated(source.span(days), "recovery_period_in_days");
                item.carry("point_in_time_recovery.recovery_period_in_days", source, days);
            }
            known
        });
        fields.carry_rest("point_in_time_recovery", item);
        enabled.map(|enabled| PointInTimeRecovery { enabled, days })
    }

    /// A map with known keys; anything else is carried along as a whole.
    pub(super) fn tags(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> BTreeMap<String, Text> {
        let Some(value) = fields.argument("tags") else { return BTreeMap::new() };
        let source = fields.source;
        item.place("tags", source.span(value));
        let tags = self.scope.entries(source, value).and_then(|entries| {
            let mut tags = BTreeMap::new();
            for (place, key, value) in entries {
                let key = self.tag_key(place, key)?;
                match self.scope.text(place, value) {
                    Some(text) => {
                        item.place(["tags.", &key].concat(), place.span(value));
                        tags.insert(key, text);
                    }
                    None => _ = tags.remove(&key),
                }
            }
            Some(tags)
        });
        tags.unwrap_or_else(|| {
            self.not_evaluated(source.span(value), "tags");
            item.carry("tags", source, value);
            BTreeMap::new()
        })
    }

    /// A bare word is a key as it is, one in parentheses is an expression.
    fn tag_key(&self, source: Source<'a>, key: &'a ObjectKey<'a>) -> Option<String> {
        match key {
            ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
            ObjectKey::Expression(expression) => match self.scope.text(source, expression)?.parts() {
                [] => Some(String::new()),
                [Part::Literal(text)] => Some(text.clone()),
                _ => None,
            },
        }
    }

    /// Whether it is guarded, and which arguments Terraform overlooks.
    pub(super) fn lifecycle(&mut self, table: &mut Fields<'a>, item: &mut Item) -> (bool, BTreeSet<String>) {
        let Some(block) = table.block("lifecycle") else { return (false, BTreeSet::new()) };
        let mut fields = Fields::new(table.source, &block.body);
        item.place("lifecycle", table.source.span(&block.ident));
        let prevent = fields.argument("prevent_destroy").inspect(|value| {
            item.place("prevent_destroy", table.source.span(*value));
        });
        let prevent = prevent.and_then(|value| self.known_bool(table.source, value, "lifecycle.prevent_destroy", item));
        let ignored = fields.argument("ignore_changes").and_then(|value| {
            item.place("ignore_changes", table.source.span(value));
            let names = overlooked(value);
            if names.is_none() {
                item.carry("lifecycle.ignore_changes", table.source, value);
            }
            names
        });
        fields.carry_rest("lifecycle", item);
        (prevent.unwrap_or(false), ignored.unwrap_or_default())
    }

    /// Passed over. A second block, which Terraform refuses, is what a template that adds its own comes to.
    fn timeouts(&mut self, table: &mut Fields<'a>) {
        for further in table.blocks("timeouts").into_iter().skip(1) {
            self.wrong(table.source.span(&further.ident), "`timeouts` stands here twice");
        }
    }

    /// `count`, `for_each` and `dynamic` make several of one: how many, only Terraform knows, unless it is written. One is what
    /// there is without `count`: Terraform takes the instance over by itself.
    pub(super) fn repeated(&mut self, fields: &mut Fields<'a>, item: &mut Item) {
        let source = fields.source;
        let count = fields.argument("count");
        let known = count.and_then(|count| self.scope.word(source, count));
        match (count, known.as_deref()) {
            (Some(_), Some("1")) | (None, _) => {}
            (Some(count), known) => {
                if known != Some("0") {
                    self.not_evaluated(source.span(count), "count");
                }
                item.carry("count", source, count);
                item.extra.extend(known.map(|known| ("count".to_owned(), known.to_owned())));
            }
        }
        if let Some(value) = fields.argument("for_each") {
            self.not_evaluated(source.span(value), "for_each");
            item.carry("for_each", source, value);
        }
        for block in fields.blocks("dynamic") {
            let label = block.labels.first().map_or("", Name::as_str);
            self.not_evaluated(source.span(&block.ident), &format!("dynamic \"{label}\""));
            item.carry(format!("dynamic.{label}"), source, &block.body);
        }
    }
}

/// The arguments that `ignore_changes` names, or `all`; None when it names parts of arguments.
fn overlooked(value: &Expression<'_>) -> Option<BTreeSet<String>> {
    // Terraform takes names in quotes too, as they were written before 0.12.
    let name = |value: &Expression<'_>| {
        let word = value.as_variable().or_else(|| value.as_str())?;
        (!word.contains(['[', '.'])).then(|| word.to_owned())
    };
    match value.as_array() {
        Some(names) => names.iter().map(name).collect(),
        None => name(value).map(|name| BTreeSet::from([name])),
    }
}
