//! What each engine has: one table for whoever checks a model, or writes for an engine. The source stands beside each fact.
//!
//! "Run" means: tried on Apache Cassandra 4.0.19, 4.1.10 and 5.0.9.

mod compaction;
mod kind;
mod option;
mod resource;
mod retry;

pub use compaction::{CompactionClass, compaction_options};
pub use kind::{Kind, SubOption, bytes};
pub use option::{capture_options, knows_option, rate_limit_options, sai_options, tombstone_options};
pub use resource::{Form, is_name};
pub use retry::{Policy, function as policy_function};

use crate::schema::{Engine, Family};

/// Cassandra, in all its versions.
const CASSANDRA: &[Engine] = &[Engine::Cassandra40, Engine::Cassandra41, Engine::Cassandra50];
/// From the version on that has what is new in 4.1.
const CASSANDRA_4_1: &[Engine] = &[Engine::Cassandra41, Engine::Cassandra50];
const CASSANDRA_5_0: &[Engine] = &[Engine::Cassandra50];
const SCYLLA: &[Engine] = &[Engine::Scylla20251, Engine::Scylla20261];
const KEYSPACES: &[Engine] = &[Engine::Keyspaces];
/// Engines with storage of their own to tune.
const SELF_HOSTED: &[Engine] =
    &[Engine::Cassandra40, Engine::Cassandra41, Engine::Cassandra50, Engine::Scylla20251, Engine::Scylla20261];

/// Something that not every engine has, and that cannot be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// `CREATE INDEX` of the engine's own kind.
    SecondaryIndex,
    /// A storage-attached index.
    AttachedIndex,
    /// An index within a partition of the table.
    LocalIndex,
    /// `CREATE MATERIALIZED VIEW`.
    View,
    /// `vector<float, n>`.
    Vector,
    /// `duration`.
    Duration,
    /// Change capture on a table with counters, or on a view.
    CaptureOfCountersAndViews,
    /// Tablets, the unit by which ScyllaDB spreads a table.
    Tablets,
    /// Replication by Regions.
    Regions,
    /// Replication by data centres.
    DataCentres,
    /// Names that begin with an underscore.
    LeadingUnderscore,
    /// Names of columns with more than 48 characters.
    LongColumnNames,
}

impl Feature {
    /// Why an engine does not have it; None: it has.
    #[must_use]
    pub fn lacking_on(self, engine: Engine) -> Option<&'static str> {
        let has = |engines: &[Engine], why: &'static str| (!engines.contains(&engine)).then_some(why);
        match self {
            // Amazon Keyspaces developer guide, cassandra-apis: CREATE INDEX "No".
            Self::SecondaryIndex => has(SELF_HOSTED, "Amazon Keyspaces has no indexes"),
            // Cassandra 5.0, `index/sai`; ScyllaDB `create_index_statement.cc` takes the class for vectors alone.
            Self::AttachedIndex => has(CASSANDRA_5_0, "storage-attached indexes came with Cassandra 5.0"),
            // ScyllaDB docs/cql/secondary-indexes.rst: local secondary indexes; the others' grammars have one target.
            Self::LocalIndex => has(SCYLLA, "only ScyllaDB has local indexes"),
            // Amazon Keyspaces developer guide, cassandra-apis: CREATE MATERIALIZED VIEW "No".
            Self::View => has(SELF_HOSTED, "Amazon Keyspaces has no materialized views"),
            // Cassandra `CQL3Type.java` (5.0); `vector` is a word of ScyllaDB's `Cql.g` in branch 2026.1, not in 2025.1.
            Self::Vector => has(
                &[Engine::Cassandra50, Engine::Scylla20261],
                "vectors came with Cassandra 5.0 and, after 2025.1, with ScyllaDB",
            ),
            // Amazon Keyspaces developer guide, cql.elements, "Data types": `duration` is not among them.
            Self::Duration => has(SELF_HOSTED, "`duration` is not among the types of Amazon Keyspaces"),
            // ScyllaDB `create_table_statement.cc`, `create_view_statement.cc`; Cassandra takes both (run).
            Self::CaptureOfCountersAndViews => {
                has(&[CASSANDRA, KEYSPACES].concat(), "ScyllaDB captures no changes of counters and views")
            }
            // ScyllaDB `ks_prop_defs.cc`; Cassandra says `Unknown property 'tablets'` (run).
            Self::Tablets => has(SCYLLA, "tablets are ScyllaDB's"),
            // Amazon Keyspaces developer guide, cql.ddl.keyspace.
            Self::Regions => has(KEYSPACES, "Regions are Amazon Keyspaces'"),
            // Amazon Keyspaces developer guide, cql.ddl.keyspace: SingleRegionStrategy, or Regions with three replicas each.
            Self::DataCentres => has(SELF_HOSTED, "Amazon Keyspaces keeps three replicas in each Region of a keyspace"),
            // Amazon Keyspaces API reference: `[a-zA-Z0-9][a-zA-Z0-9_]{0,47}`.
            Self::LeadingUnderscore => {
                has(SELF_HOSTED, "names of keyspaces and tables in Amazon Keyspaces begin with a letter or a digit")
            }
            // Amazon Keyspaces API reference, ColumnDefinition: 1 to 48 characters. The others know no limit (run; ScyllaDB `Cql.g`).
            Self::LongColumnNames => has(SELF_HOSTED, "names of columns in Amazon Keyspaces have at most 48 characters"),
        }
    }
}

/// What a keyspace with tablets cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTablets {
    /// Tables of counters.
    Counters,
    /// Change capture.
    ChangeCapture,
    /// Statements with an `IF`.
    Conditions,
    /// Secondary indexes.
    SecondaryIndexes,
    /// Materialized views.
    Views,
}

impl InTablets {
    /// Whether an engine refuses it in a keyspace with tablets (ScyllaDB docs/architecture/tablets.rst of branches 2025.1 and
    /// 2026.1: before 2025.4 none of these; in 2026.1 all, views and indexes in keyspaces with a rack for each replica).
    #[must_use]
    pub fn refused_on(self, engine: Engine) -> bool {
        engine == Engine::Scylla20251
    }

    /// Whether an engine takes it only where each replica has a rack of its own (the same page).
    #[must_use]
    pub fn needs_racks_on(self, engine: Engine) -> bool {
        engine == Engine::Scylla20261 && matches!(self, Self::SecondaryIndexes | Self::Views)
    }
}

/// Whether a keyspace that says nothing of tablets gets them: `scylla.yaml` as it is shipped says
/// `tablets_mode_for_new_keyspaces: enabled`, and generated keyspaces have `NetworkTopologyStrategy`.
#[must_use]
pub fn has_tablets(engine: Engine, said: Option<bool>) -> bool {
    engine.family() == Family::Scylla && said != Some(false)
}
