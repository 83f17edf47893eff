//! Tables that a module makes: `terraform-aws-modules/dynamodb-table/aws`, by its inputs (`variables.tf` and `main.tf` of
//! <https://github.com/terraform-aws-modules/terraform-aws-dynamodb-table>, versions 4 and 5).
//!
//! Most inputs have the name of the argument they become. What an input cannot say of a table is not in the table: its
//! `lifecycle`, and so `prevent_destroy`.

use super::Reader;
use super::fields::{Fields, Item, Source};
use super::json::json;
use super::syntax::{Block, Expression};
use crate::schema::dynamodb::{
    Billing, Encryption, GlobalIndex, IN_MODULE, KeyType, LocalIndex, PointInTimeRecovery, Table, Ttl,
};
use crate::schema::{Items, Text, Value};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Where the registry has the module, whatever the host before it, and where its repository is.
const SOURCES: [&str; 2] = ["terraform-aws-modules/dynamodb-table/aws", "terraform-aws-modules/terraform-aws-dynamodb-table"];

/// Whether a module block calls the module.
pub(super) fn makes_a_table(block: &Block<'_>) -> bool {
    let source = block.body.get_attribute("source").and_then(|source| source.value.as_str());
    source.is_some_and(|source| {
        let place = source.split('?').next().unwrap_or(source).trim_end_matches(".git");
        SOURCES.iter().any(|known| place.strip_suffix(known).is_some_and(|host| host.is_empty() || host.ends_with(['/', ':'])))
    })
}

impl<'a> Reader<'a> {
    /// The table of one call; None when it makes none.
    pub(super) fn table_of_module(&mut self, source: Source<'a>, block: &'a Block<'a>, name: &str) -> Option<Table> {
        let mut fields = Fields::new(source, &block.body);
        let mut item = Item::at(block.labels.last().map_or_else(|| source.span(&block.ident), |label| source.span(label)));
        for argument in ["source", "depends_on", "providers", "timeouts"] {
            fields.argument(argument);
        }
        if self.input(&mut fields, "create_table", &mut item) == Some(false) {
            return None;
        }
        let physical = self.text(&mut fields, "name", "name", &mut item);
        let mut tags = self.tags(&mut fields, &mut item);
        // The module names each table in a tag.
        tags.insert("Name".to_owned(), physical.clone().unwrap_or_else(|| Text::literal("")));
        let table = Table {
            terraform_name: format!("{IN_MODULE}{name}"),
            name: physical,
            attributes: self.attributes_of_module(&mut fields, &mut item),
            partition_key: self.key(&mut fields, "hash_key", "partition_key", &mut item).unwrap_or_default(),
            sort_key: self.key(&mut fields, "range_key", "sort_key", &mut item).filter(|key| !key.is_empty()),
            local_indexes: self.local_indexes_of_module(&mut fields, &mut item),
            global_indexes: self.global_indexes_of_module(&mut fields, &mut item),
            ttl: self.ttl_of_module(&mut fields, &mut item),
            stream: self.stream(&mut fields, &mut item),
            billing: Some(self.billing(&mut fields, &mut item).unwrap_or(Billing::OnDemand)),
            throughput: self.throughput(&mut fields, &mut item),
            on_demand_maximum: self.on_demand_maximum(&mut fields, &mut item),
            warm_throughput: self.warm_throughput(&mut fields, &mut item),
            table_class: self.table_class(&mut fields, &mut item),
            encryption: Some(self.encryption_of_module(&mut fields, &mut item)),
            point_in_time_recovery: Some(self.recovery_of_module(&mut fields, &mut item)),
            deletion_protection: self.deletion_protection(&mut fields, &mut item),
            ignore_changes: self.overlooked_by_module(&mut fields, &mut item),
            resource_policy: self.policy_of_module(&mut fields, &mut item),
            tags,
            ..Table::default()
        };
        self.import_of_module(&mut fields, &mut item);
        self.repeated(&mut fields, &mut item);
        fields.carry_rest("", &mut item);
        Some(Table { about: item.about, extra: item.extra, ..table })
    }

    /// A switch of the module; None where nothing is said, or nothing that can be known here.
    fn input(&mut self, fields: &mut Fields<'a>, name: &str, item: &mut Item) -> Option<bool> {
        let value = fields.argument(name)?;
        self.known_bool(fields.source, value, name, item)
    }

    /// The objects of a list input; one that is computed is carried along.
    fn objects(&mut self, fields: &mut Fields<'a>, input: &str, item: &mut Item) -> Vec<(Fields<'a>, Span)> {
        let Some(value) = fields.argument(input) else { return Vec::new() };
        let source = fields.source;
        let (place, followed) = self.scope.follow(source, value);
        let object = |value: &'a Expression<'a>| {
            let (place, followed) = self.scope.follow(place, value);
            Some((Fields::of_object(place, followed)?, place.span(followed)))
        };
        let objects = followed.as_array().and_then(|array| array.iter().map(object).collect::<Option<Vec<_>>>());
        objects.unwrap_or_else(|| {
            self.not_evaluated(source.span(value), input);
            item.carry(input, source, value);
            Vec::new()
        })
    }

    /// An import, by the paths of the block that it becomes: the module takes where from beside the format. An empty one is none.
    fn import_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) {
        let Some(value) = fields.argument("import_table") else { return };
        let (place, followed) = self.scope.follow(fields.source, value);
        let Some(mut import) = Fields::of_object(place, followed) else {
            self.not_evaluated(fields.source.span(value), "import_table");
            return item.carry("import_table", fields.source, value);
        };
        for argument in ["bucket", "bucket_owner", "key_prefix"] {
            if let Some(value) = import.argument(argument) {
                item.carry(format!("import_table.s3_bucket_source.{argument}"), place, value);
            }
        }
        import.carry_rest("import_table", item);
    }

    fn attributes_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> BTreeMap<String, KeyType> {
        let mut attributes = BTreeMap::new();
        for (mut object, _) in self.objects(fields, "attributes", item) {
            let name = self.key(&mut object, "name", "attributes", item);
            let kind = object.argument("type").and_then(|kind| KeyType::find(&self.scope.word(object.source, kind)?));
            attributes.extend(name.zip(kind));
        }
        attributes
    }

    fn ttl_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<Ttl> {
        let attribute = self.key(fields, "ttl_attribute_name", "ttl.attribute", item).filter(|name| !name.is_empty());
        let enabled = self.input(fields, "ttl_enabled", item).unwrap_or(false);
        // The module has the block at all times; without an attribute it says nothing.
        attribute.map(|attribute| Ttl { attribute, enabled })
    }

    fn encryption_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Encryption {
        let key = self.text(fields, "server_side_encryption_kms_key_arn", "encryption", item);
        let enabled = self.input(fields, "server_side_encryption_enabled", item).unwrap_or(false);
        match (enabled, key) {
            (true, Some(key)) => Encryption::KmsKey(key),
            (true, None) => Encryption::AwsManaged,
            (false, _) => Encryption::AwsOwned,
        }
    }

    fn recovery_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> PointInTimeRecovery {
        let source = fields.source;
        let enabled = fields.argument("point_in_time_recovery_enabled");
        let enabled = enabled.map_or(Value::Literal(false), |enabled| self.scope.value(source, enabled));
        let days = fields.argument("point_in_time_recovery_period_in_days");
        let known = days.and_then(|days| self.scope.word(source, days)?.parse().ok());
        if let (Some(days), None) = (days, known) {
            item.carry("point_in_time_recovery_period_in_days", source, days);
        }
        PointInTimeRecovery { enabled, days: known }
    }

    /// With autoscaling the module overlooks the table's capacity, and all indexes where it is told to.
    fn overlooked_by_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> BTreeSet<String> {
        let scaled = self.input(fields, "autoscaling_enabled", item).unwrap_or(false);
        let indexes = self.input(fields, "ignore_changes_global_secondary_index", item).unwrap_or(false);
        let names = ["read_capacity", "write_capacity"].into_iter().chain(indexes.then_some("global_secondary_index"));
        names.filter(|_| scaled).map(str::to_owned).collect()
    }

    fn policy_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Option<serde_json::Value> {
        let value = fields.argument("resource_policy")?;
        let known = json(&self.scope, fields.source, value);
        if known.is_none() {
            item.carry("resource_policy", fields.source, value);
        }
        known
    }

    fn local_indexes_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Items<LocalIndex> {
        let mut indexes = Items::new();
        for (object, span) in self.objects(fields, "local_secondary_indexes", item) {
            self.local_index(object, span, &mut indexes);
        }
        indexes
    }

    fn global_indexes_of_module(&mut self, fields: &mut Fields<'a>, item: &mut Item) -> Items<GlobalIndex> {
        let mut indexes = Items::new();
        for (object, span) in self.objects(fields, "global_secondary_indexes", item) {
            self.global_index(object, span, &mut indexes);
        }
        indexes
    }
}
