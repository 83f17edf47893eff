//! Section `dynamodb` (section 6).

use super::{Allowance, BoolOrParameter, Field, Map, NumberOrParameter, OneOrMany, Recovery, Removal, Share, Value};
use crate::source::Spanned;
use schemars::JsonSchema;
use serde::Deserialize;

/// Tables on Amazon DynamoDB
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dynamodb {
    /// Settings of every table; a table's own value wins whole, except `tags`, which merge
    pub defaults: Field<DynamodbDefaults>,
    /// Tables, by key
    pub tables: Field<Map<DynamodbTable>>,
    /// Tables that left the model: `retain` says it is meant, `destroy` deletes them
    pub removed: Field<Map<Removal>>,
}

macro_rules! table_settings {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        #[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            /// What the stream shows of a changed item; `false` when nothing is said
            pub stream: Field<Stream>,
            /// How capacity is paid for; `on_demand` when nothing is said
            pub billing: Field<Billing>,
            /// Capacity. Required when provisioned; on demand only `{ max }`
            pub throughput: Field<Throughput>,
            /// Storage class; `standard` when nothing is said
            pub table_class: Field<TableClass>,
            /// Encryption at rest; `aws_owned` when nothing is said
            pub encryption: Field<Encryption>,
            /// Point-in-time recovery: a bool, or 1d to 35d; off when nothing is said
            pub point_in_time_recovery: Field<Recovery>,
            /// Deletion protection: a bool or a parameter; on when nothing is said
            pub deletion_protection: Field<BoolOrParameter>,
            /// Other Regions: a list, or a map from Region to options
            pub replicas: Field<Replicas>,
            /// Consistency between Regions; `eventual` when nothing is said
            pub replica_consistency: Field<ReplicaConsistency>,
            /// The witness Region of a strongly consistent global table
            pub witness: Field<String>,
            /// Contributor insights; `false` when nothing is said
            pub contributor_insights: Field<Insights>,
            /// Tags; `${name}` stands for a parameter
            pub tags: Field<Map<Value>>,
        }
    };
}

table_settings! {
    /// Settings of every table
    pub struct DynamodbDefaults {
        /// Physical names of all tables, with `{table}` for the key: `"${environment}-shop-{table}"`
        pub table_name: Field<String>,
    }
}

table_settings! {
    /// A table
    #[schemars(extend("required" = ["holds"]))]
    pub struct DynamodbTable {
        /// What the table is for
        pub description: Field<String>,
        /// What it holds: an entity, a list of entities, or a map from entity to its key templates
        pub holds: Field<Holds>,
        /// Partition key attribute
        pub partition_key: Field<String>,
        /// Sort key attribute
        pub sort_key: Field<String>,
        /// Physical name; `${name}` stands for a parameter
        pub name: Field<String>,
        /// Local secondary indexes, at most 5. They come and go with the table only
        pub local_secondary_indexes: Field<Map<LocalSecondaryIndex>>,
        /// Global secondary indexes, at most 20
        pub global_secondary_indexes: Field<Map<GlobalSecondaryIndex>>,
        /// The attribute with the second at which an item expires: a timestamp, or an integer holding epoch seconds
        pub ttl: Field<String>,
        /// A text attribute holding the entity's name in every item, so that a read can tell them apart
        pub discriminator: Field<String>,
        /// Capacity the table is warmed up for
        pub warm_throughput: Field<WarmThroughput>,
        /// ARN of the Kinesis stream that gets every change
        pub kinesis_stream: Field<String>,
        /// JSON policy: a file's path, or a map
        pub resource_policy: Field<ResourcePolicy>,
        /// Terraform label, for an adopted resource; the table key when nothing is said
        pub terraform_name: Field<String>,
        /// CloudFormation logical ID, for an adopted resource; the table key in `PascalCase` when nothing is said
        pub logical_id: Field<String>,
        /// The model that owns the table, when another does
        pub owner: Field<String>,
        /// The table exists elsewhere: described, checked, never emitted
        pub external: Field<bool>,
        /// The key it had before
        pub renamed_from: Field<String>,
        /// Findings that are allowed here, each with its reason
        pub allow: Field<Map<Allowance>>,
    }
}

/// What a table holds
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Holds", untagged)]
pub enum Holds {
    /// One entity
    Text(Spanned<String>),
    /// Several entities
    List(Vec<Spanned<String>>),
    /// Entity → key attribute → template
    Map(Map<Map<KeyTemplate>>),
}

/// How the value of a key attribute is made: a template such as `"ORDER#{order_id}"`, a number, or a template with a condition
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "KeyTemplate", untagged)]
pub enum KeyTemplate {
    /// A template: `{name}`, `{name:010}`, `{upper(name)}`, `{lower(name)}`, `{bucket(name, month)}`, `{shard(name, 8)}`
    Text(Spanned<String>),
    /// A constant number
    Number(#[schemars(with = "f64")] Spanned<Value>),
    /// A template that only some items have
    Map(ConditionalTemplate),
}

/// A template that only some items have: it makes the index sparse
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["template"]))]
pub struct ConditionalTemplate {
    /// The template
    pub template: Field<Value>,
    /// Only items for which this holds have the attribute
    pub when: Field<String>,
    /// How many items that are
    pub present: Field<Share>,
}

/// A local secondary index: the table's partition key with another sort key
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["sort_key"]))]
pub struct LocalSecondaryIndex {
    /// What the index is for
    pub description: Field<String>,
    /// Name in the service; the key when nothing is said
    pub name: Field<String>,
    /// Sort key attribute
    pub sort_key: Field<String>,
    /// What the index carries; `all` when nothing is said
    pub projection: Field<Projection>,
    /// The key it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// A global secondary index
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["partition_key"]))]
pub struct GlobalSecondaryIndex {
    /// What the index is for
    pub description: Field<String>,
    /// Name in the service; the key when nothing is said
    pub name: Field<String>,
    /// Partition key: an attribute, or a list of 1 to 4
    pub partition_key: Field<OneOrMany>,
    /// Sort key: an attribute, or a list of 1 to 4
    pub sort_key: Field<OneOrMany>,
    /// What the index carries; `all` when nothing is said
    pub projection: Field<Projection>,
    /// Capacity; the table's when nothing is said
    pub throughput: Field<Throughput>,
    /// Capacity the index is warmed up for
    pub warm_throughput: Field<WarmThroughput>,
    /// Contributor insights; `false` when nothing is said
    pub contributor_insights: Field<Insights>,
    /// The key it had before
    pub renamed_from: Field<String>,
    /// Findings that are allowed here, each with its reason
    pub allow: Field<Map<Allowance>>,
}

/// What an index carries beside the keys
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Projection", untagged)]
pub enum Projection {
    /// Everything, or the keys alone
    Text(ProjectionWord),
    /// These attributes too
    List(Vec<Spanned<String>>),
}

/// What an index carries beside the keys, in a word
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectionWord {
    /// All attributes
    All,
    /// Only the keys of table and index
    KeysOnly,
}

/// What a stream shows of a changed item
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Stream", untagged)]
pub enum Stream {
    /// No stream
    Bool(#[schemars(extend("enum" = [false]))] bool),
    /// What it shows
    Text(StreamWord),
}

/// What a stream shows of a changed item
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamWord {
    /// The key alone
    KeysOnly,
    /// The item after the change
    NewImage,
    /// The item before the change
    OldImage,
    /// The item before and after the change
    NewAndOldImages,
}

/// How capacity is paid for
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Billing {
    /// By the request
    OnDemand,
    /// By the capacity
    Provisioned,
}

/// Capacity in units a second
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Throughput {
    /// Read capacity units
    pub read: Field<Capacity>,
    /// Write capacity units
    pub write: Field<Capacity>,
}

/// Capacity: a number, a parameter, or a range that autoscaling keeps to
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Capacity", untagged)]
pub enum Capacity {
    /// A fixed number
    #[schemars(skip)]
    Number(Spanned<NumberOrParameter>),
    /// A count such as `2K`, or a parameter as `${name}`
    Text(Spanned<NumberOrParameter>),
    /// Autoscaling; on demand only `max`
    Map(Autoscaling),
}

/// A range of capacity
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Autoscaling {
    /// The least
    pub min: Field<NumberOrParameter>,
    /// The most
    pub max: Field<NumberOrParameter>,
    /// Utilisation that is aimed at, 20% to 90%; 70% when nothing is said
    pub target: Field<Share>,
}

/// Capacity that is there from the start
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WarmThroughput {
    /// Read units a second
    pub read: Field<NumberOrParameter>,
    /// Write units a second
    pub write: Field<NumberOrParameter>,
}

/// Storage class
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableClass {
    /// For tables that are read and written
    Standard,
    /// For tables that mostly lie there
    StandardInfrequentAccess,
}

/// Encryption at rest
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Encryption", untagged)]
pub enum Encryption {
    /// A key of the service
    Text(EncryptionWord),
    /// A customer's key
    Map(KmsKey),
}

/// Encryption by a key of the service
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EncryptionWord {
    /// The service's own key
    AwsOwned,
    /// The key `aws/dynamodb`
    AwsManaged,
}

/// Encryption by a customer's key
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("required" = ["kms_key"]))]
pub struct KmsKey {
    /// The key's ARN; `${name}` stands for a parameter
    pub kms_key: Field<String>,
}

/// Other Regions
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "Replicas", untagged)]
pub enum Replicas {
    /// Regions
    List(Vec<Spanned<String>>),
    /// Region → options
    Map(Map<Replica>),
}

/// A replica in another Region
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Replica {
    /// ARN of the key in that Region; `${name}` stands for a parameter
    pub kms_key: Field<String>,
    /// Point-in-time recovery
    pub point_in_time_recovery: Field<Recovery>,
    /// Deletion protection
    pub deletion_protection: Field<BoolOrParameter>,
    /// Storage class
    pub table_class: Field<TableClass>,
}

/// Consistency between Regions
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplicaConsistency {
    /// May lag
    Eventual,
    /// The newest write is seen in every Region
    Strong,
}

/// Contributor insights
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "ContributorInsights", untagged)]
pub enum Insights {
    /// Off
    Bool(#[schemars(extend("enum" = [false]))] bool),
    /// What is watched
    Text(InsightsWord),
}

/// What contributor insights watch
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InsightsWord {
    /// Keys that are read and written most, and those that are throttled
    AccessedAndThrottledKeys,
    /// Keys that are throttled
    ThrottledKeys,
}

/// A JSON policy
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "$kind", rename_all = "snake_case")]
#[schemars(rename = "ResourcePolicy", untagged)]
pub enum ResourcePolicy {
    /// A file's path
    Text(String),
    /// The policy
    Map(serde_json::Map<String, serde_json::Value>),
}
