//! Where it stands what a backend has: one or two documents for each kind of key and family of backends.

use crate::experiment::is_scylla;
use nosql_gen::schema::{Backend, Engine};

/// What a key is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// The DynamoDB table itself.
    Table,
    /// Capacity that follows the load.
    Autoscaling,
    /// Contributor insights.
    Insights,
    /// The stream of Kinesis.
    Kinesis,
    /// The policy of a table.
    Policy,
    /// Other Regions.
    Replicas,
    /// Types of attributes and columns.
    Types,
    /// Parameters.
    Parameters,
    /// The keyspace.
    Keyspace,
    /// Columns, keys and names of a table of CQL.
    CqlTable,
    /// Storage options.
    Options,
    /// What only Amazon Keyspaces has.
    Managed,
    /// Secondary indexes of CQL.
    Index,
    /// Materialized views.
    View,
}

/// A document: what a link to it says, and its address.
pub(crate) type Source = (&'static str, &'static str);

macro_rules! sources {
    ($($name:ident: $text:literal, $address:expr;)*) => {
        $(const $name: Source = ($text, $address);)*
    };
}

macro_rules! template_reference {
    ($page:literal) => {
        concat!("https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-", $page, ".html")
    };
}

macro_rules! provider {
    ($page:literal) => {
        concat!("https://github.com/hashicorp/terraform-provider-aws/blob/main/website/docs/r/", $page, ".html.markdown")
    };
}

macro_rules! cassandra {
    ($file:literal) => {
        concat!("https://github.com/apache/cassandra/blob/cassandra-5.0/src/java/org/apache/cassandra/", $file)
    };
}

macro_rules! scylla {
    ($file:literal) => {
        concat!("https://github.com/scylladb/scylladb/blob/branch-2026.1/cql3/", $file)
    };
}

macro_rules! keyspaces {
    ($page:literal) => {
        concat!("https://docs.aws.amazon.com/keyspaces/latest/devguide/", $page, ".html")
    };
}

sources! {
    TF_TABLE: "aws_dynamodb_table", provider!("dynamodb_table");
    TF_INSIGHTS: "aws_dynamodb_contributor_insights", provider!("dynamodb_contributor_insights");
    TF_KINESIS: "aws_dynamodb_kinesis_streaming_destination", provider!("dynamodb_kinesis_streaming_destination");
    TF_POLICY: "aws_dynamodb_resource_policy", provider!("dynamodb_resource_policy");
    TF_SCALING: "aws_appautoscaling_target", provider!("appautoscaling_target");
    TF_VARIABLES: "Terraform variables", "https://developer.hashicorp.com/terraform/language/values/variables";
    CFN_TABLE: "Table", template_reference!("dynamodb-table");
    CFN_GLOBAL: "GlobalTable", template_reference!("dynamodb-globaltable");
    CFN_SCALING: "ScalableTarget", template_reference!("applicationautoscaling-scalabletarget");
    CFN_PARAMETERS: "Parameters", "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html";
    DYNAMODB_TYPES: "data types", "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html";
    C_KEYSPACE: "Cassandra", cassandra!("cql3/statements/schema/KeyspaceAttributes.java");
    C_TABLE: "Cassandra", cassandra!("cql3/statements/schema/CreateTableStatement.java");
    C_OPTIONS: "Cassandra", cassandra!("cql3/statements/schema/TableAttributes.java");
    C_INDEX: "Cassandra", cassandra!("cql3/statements/schema/CreateIndexStatement.java");
    C_VIEW: "Cassandra", cassandra!("cql3/statements/schema/CreateViewStatement.java");
    C_TYPES: "Cassandra", cassandra!("cql3/CQL3Type.java");
    S_KEYSPACE: "ScyllaDB", scylla!("statements/ks_prop_defs.cc");
    S_TABLE: "ScyllaDB", scylla!("statements/create_table_statement.cc");
    S_OPTIONS: "ScyllaDB", scylla!("statements/cf_prop_defs.cc");
    S_INDEX: "ScyllaDB", scylla!("statements/create_index_statement.cc");
    S_VIEW: "ScyllaDB", scylla!("statements/create_view_statement.cc");
    S_TYPES: "ScyllaDB", scylla!("Cql.g");
    K_KEYSPACE: "Keyspaces", keyspaces!("cql.ddl.keyspace");
    K_TABLE: "Keyspaces", keyspaces!("cql.ddl.table");
    K_APIS: "Keyspaces", keyspaces!("cassandra-apis");
    K_TYPES: "Keyspaces", keyspaces!("cql.elements");
    KT_KEYSPACE: "aws_keyspaces_keyspace", provider!("keyspaces_keyspace");
    KT_TABLE: "aws_keyspaces_table", provider!("keyspaces_table");
    KC_KEYSPACE: "Cassandra::Keyspace", template_reference!("cassandra-keyspace");
    KC_TABLE: "Cassandra::Table", template_reference!("cassandra-table");
    KC_TYPE: "Cassandra::Type", template_reference!("cassandra-type");
    OWN: "parameters", "model.md";
}

/// Where it stands what a backend has of a kind of keys.
pub(crate) fn source(topic: Topic, backend: Backend) -> Source {
    match backend {
        Backend::TerraformAws5 | Backend::TerraformAws6 => match topic {
            Topic::Autoscaling => TF_SCALING,
            Topic::Insights => TF_INSIGHTS,
            Topic::Kinesis => TF_KINESIS,
            Topic::Policy => TF_POLICY,
            Topic::Types => DYNAMODB_TYPES,
            Topic::Parameters => TF_VARIABLES,
            _ => TF_TABLE,
        },
        Backend::CloudformationTable | Backend::CloudformationGlobalTable => match topic {
            Topic::Types => DYNAMODB_TYPES,
            Topic::Parameters => CFN_PARAMETERS,
            _ if backend == Backend::CloudformationGlobalTable => CFN_GLOBAL,
            Topic::Replicas => CFN_GLOBAL,
            Topic::Autoscaling => CFN_SCALING,
            _ => CFN_TABLE,
        },
        Backend::KeyspacesTerraform => match topic {
            Topic::Keyspace => KT_KEYSPACE,
            Topic::Parameters => OWN,
            _ => KT_TABLE,
        },
        Backend::KeyspacesCloudformation => match topic {
            Topic::Keyspace => KC_KEYSPACE,
            Topic::Types => KC_TYPE,
            Topic::Parameters => OWN,
            _ => KC_TABLE,
        },
        Backend::Cql(Engine::Keyspaces) => match topic {
            Topic::Keyspace => K_KEYSPACE,
            Topic::Types => K_TYPES,
            Topic::Options | Topic::Index | Topic::View => K_APIS,
            Topic::Parameters => OWN,
            _ => K_TABLE,
        },
        Backend::Cql(engine) if is_scylla(engine) => match topic {
            Topic::Keyspace => S_KEYSPACE,
            Topic::Options | Topic::Managed => S_OPTIONS,
            Topic::Index => S_INDEX,
            Topic::View => S_VIEW,
            Topic::Types => S_TYPES,
            Topic::Parameters => OWN,
            _ => S_TABLE,
        },
        Backend::Cql(_) => match topic {
            Topic::Keyspace => C_KEYSPACE,
            Topic::Options | Topic::Managed => C_OPTIONS,
            Topic::Index => C_INDEX,
            Topic::View => C_VIEW,
            Topic::Types => C_TYPES,
            Topic::Parameters => OWN,
            _ => C_TABLE,
        },
    }
}
