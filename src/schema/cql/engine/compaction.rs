//! Compaction strategies and the keys of each.
//!
//! Sources: Cassandra `db/compaction/*`, `CompactionParams.java`, `db/compaction/unified/Controller.java`, each key tried on a
//! node; ScyllaDB `compaction_strategy.cc` and docs/cql/compaction.rst.

use super::kind::{Kind, MIB, MOST, SubOption};
use super::{CASSANDRA, CASSANDRA_5_0, SCYLLA, SELF_HOSTED};
use crate::schema::Engine;

/// A compaction strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactionClass {
    /// By size.
    SizeTiered,
    /// In levels.
    Leveled,
    /// By the time of writing.
    TimeWindow,
    /// Cassandra 5.0's, which can be any of the others.
    Unified,
    /// ScyllaDB's, by size in small steps.
    Incremental,
}

impl CompactionClass {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::SizeTiered, Self::Leveled, Self::TimeWindow, Self::Unified, Self::Incremental];

    /// The name in a model.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SizeTiered => "size_tiered",
            Self::Leveled => "leveled",
            Self::TimeWindow => "time_window",
            Self::Unified => "unified",
            Self::Incremental => "incremental",
        }
    }

    /// The class, without its package.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::SizeTiered => "SizeTieredCompactionStrategy",
            Self::Leveled => "LeveledCompactionStrategy",
            Self::TimeWindow => "TimeWindowCompactionStrategy",
            Self::Unified => "UnifiedCompactionStrategy",
            Self::Incremental => "IncrementalCompactionStrategy",
        }
    }

    /// Whether an engine has it.
    #[must_use]
    pub fn is_on(self, engine: Engine) -> bool {
        let engines = match self {
            Self::SizeTiered | Self::Leveled | Self::TimeWindow => SELF_HOSTED,
            Self::Unified => CASSANDRA_5_0,
            Self::Incremental => SCYLLA,
        };
        engines.contains(&engine)
    }
}

macro_rules! rows {
    ($($name:ident: $kind:expr, $engines:expr;)*) => {
        &[$(SubOption { name: stringify!($name), kind: $kind, engines: $engines }),*]
    };
}

const ANY: f64 = f64::MAX;

const COMMON: &[SubOption] = rows! {
    enabled: Kind::Bool, SELF_HOSTED;
    log_all: Kind::Bool, CASSANDRA;
    only_purge_repaired_tombstones: Kind::Bool, CASSANDRA;
    provide_overlapping_tombstones: Kind::AnyCase(&["NONE", "ROW", "CELL"]), CASSANDRA;
    tombstone_compaction_interval: Kind::Integer(0, MOST), SELF_HOSTED;
    tombstone_threshold: Kind::Decimal(0.0, ANY), SELF_HOSTED;
    unchecked_tombstone_compaction: Kind::Bool, SELF_HOSTED;
};

/// 1 is refused, and 0, which once switched compaction off (run). Unified compaction has neither.
const THRESHOLDS: &[SubOption] = rows! {
    min_threshold: Kind::Integer(2, MOST), SELF_HOSTED;
    max_threshold: Kind::Integer(2, MOST), SELF_HOSTED;
};

const SIZE_TIERED: &[SubOption] = rows! {
    bucket_high: Kind::Decimal(0.0, ANY), SELF_HOSTED;
    bucket_low: Kind::Decimal(0.0, ANY), SELF_HOSTED;
    min_sstable_size: Kind::Integer(0, MOST), SELF_HOSTED;
    cold_reads_to_omit: Kind::Decimal(0.0, 1.0), SCYLLA;
};

const LEVELED: &[SubOption] = rows! {
    sstable_size_in_mb: Kind::Integer(1, MOST), SELF_HOSTED;
    fanout_size: Kind::Integer(1, MOST), CASSANDRA;
    single_sstable_uplevel: Kind::Bool, CASSANDRA;
};

/// `unsafe_aggressive_sstable_expiration` is refused by a node that was not started for it (run).
const TIME_WINDOW: &[SubOption] = rows! {
    compaction_window_size: Kind::Integer(1, MOST), SELF_HOSTED;
    compaction_window_unit: Kind::Word(&["MINUTES", "HOURS", "DAYS"]), SELF_HOSTED;
    expired_sstable_check_frequency_seconds: Kind::Integer(0, MOST), SELF_HOSTED;
    timestamp_resolution: Kind::Word(&["MICROSECONDS", "MILLISECONDS"]), SELF_HOSTED;
    enable_optimized_twcs_queries: Kind::Bool, SCYLLA;
};

const UNIFIED: &[SubOption] = rows! {
    base_shard_count: Kind::Integer(1, MOST), CASSANDRA_5_0;
    expired_sstable_check_frequency_seconds: Kind::Integer(0, MOST), CASSANDRA_5_0;
    flush_size_override: Kind::Size(1), CASSANDRA_5_0;
    max_sstables_to_compact: Kind::Integer(0, MOST), CASSANDRA_5_0;
    min_sstable_size: Kind::Size(0), CASSANDRA_5_0;
    overlap_inclusion_method: Kind::AnyCase(&["NONE", "SINGLE", "TRANSITIVE"]), CASSANDRA_5_0;
    scaling_parameters: Kind::Scaling, CASSANDRA_5_0;
    sstable_growth: Kind::Share, CASSANDRA_5_0;
    target_sstable_size: Kind::Size(MIB), CASSANDRA_5_0;
};

const INCREMENTAL: &[SubOption] = rows! {
    bucket_high: Kind::Decimal(0.0, ANY), SCYLLA;
    bucket_low: Kind::Decimal(0.0, ANY), SCYLLA;
    min_sstable_size: Kind::Integer(0, MOST), SCYLLA;
    space_amplification_goal: Kind::Decimal(1.0, 2.0), SCYLLA;
    sstable_size_in_mb: Kind::Integer(1, MOST), SCYLLA;
};

/// The keys of a strategy's map beside `class`.
#[must_use]
pub fn compaction_options(class: CompactionClass) -> Vec<SubOption> {
    let tables: &[&[SubOption]] = match class {
        CompactionClass::SizeTiered => &[COMMON, THRESHOLDS, SIZE_TIERED],
        CompactionClass::Leveled => &[COMMON, THRESHOLDS, SIZE_TIERED, LEVELED],
        CompactionClass::TimeWindow => &[COMMON, THRESHOLDS, TIME_WINDOW],
        CompactionClass::Unified => &[COMMON, UNIFIED],
        CompactionClass::Incremental => &[COMMON, THRESHOLDS, INCREMENTAL],
    };
    tables.concat()
}
