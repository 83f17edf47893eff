//! What the variants of a row depend on.

use serde::Deserialize;

/// A condition of a variant that can be told from the two definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::diff) enum Case {
    /// A new physical table may stand beside the one that is there: its name is generated, or changes too.
    ReplaceableName,
    /// A policy keeps the table when it leaves the stack.
    Retained,
    /// A `moved` block names both addresses.
    Moved,
    /// The table is kept, and its stream to Kinesis is not.
    StreamNotKept,
    /// The table is kept, and its scaling is not.
    ScalingNotKept,
    /// The table is kept, and something that stands beside it is not.
    BesideNotKept,
    /// The name is that of a table which is there already.
    NameTaken,
    /// An index of the table changes too.
    IndexChangesToo,
    /// An index keeps the capacity that its table gives up.
    IndexKeepsCapacity,
    /// A key of several attributes.
    SeveralKeyAttributes,
    /// Several tables with indexes are made at once.
    SeveralIndexedTables,
    /// Write capacity is fixed.
    FixedCapacity,
    /// Replicas without a stream, which is how they hear of one another.
    NoStream,
    /// The type of a column that comes back reads the bytes that the dropped one left.
    ReadsDropped,
    /// It is not said where writes start, or how much may be read of an index.
    LacksSettings,
    /// Blocks carry what exists from its table to a resource of its own, or back.
    CarriedOver,
    /// The table overlooks what a resource of its own is to make.
    Overlooked,
    /// Replicas that are resources of their own, which their table does not overlook.
    NotOverlooked,
    /// The table has replicas, of which each hears by its stream.
    Replicated,
    /// An attribute of another name.
    OtherName,
    /// No attribute is named.
    NoName,
    /// A policy that asks for a snapshot.
    Snapshot,
    /// It is no longer written.
    NotWritten,
    /// The table keeps the capacity that it gives up.
    TableKeepsCapacity,
    /// How the table is paid for is not written.
    BillingNotWritten,
    /// The argument is one that only a later release of the tool knows.
    LaterProvider,
    /// What is taken away forces the table to be made anew.
    Forces,
    /// Of one index alone.
    OfOneIndex,
    /// It is taken away by the value that says so.
    Lifted,
    /// The tool is told to overlook the attributes too, or they stay as they are.
    AttributesIgnored,
    /// Items go on expiring by what would be switched off.
    GoesOnExpiring,
    /// The table lives in one Region.
    SingleReplica,
    /// The period gets shorter.
    Shorter,
    /// What was there is removed.
    Removed,
    /// It is switched off.
    SwitchedOff,
    /// An index that is a resource of its own.
    OwnResource,
    /// The table class of a replica that is a resource of its own.
    ClassOfReplica,
    /// A keyspace with tablets.
    Tablets,
    /// A keyspace with tablets, and more than one step.
    TabletsStep,
    /// A table of counters.
    CounterTable,
    /// A table of counters in a keyspace with tablets.
    CountersOnTablets,
    /// More time windows than the engine takes.
    ManyWindows,
    /// Zero, on a table with a view.
    ZeroUnderView,
    /// A clustering column.
    ClusteringColumn,
    /// The engine cannot read values of the one type as the other.
    IncompatibleTypes,
    /// The type is used in a partition key.
    InPartitionKey,
    /// The type is used in the partition key of a view, or of an index that the engine keeps as one.
    InViewKey,
    /// A duration would come into a clustering key.
    DurationInClustering,
    /// The type is still used.
    StillUsed,
    /// A collection of another type was dropped under the name.
    CollectionOfAnotherType,
    /// The view holds the column.
    ViewHoldsColumn,
    /// An index that the engine keeps as a view needs the column.
    IndexHoldsColumn,
    /// A view, or an index that the engine keeps as one, sorts by the column.
    ClusteringInView,
    /// As many columns come as go.
    ColumnCountStays,
    /// The engine does not take the value.
    BadValue,
    /// An option of views alone, on a table.
    BaseTable,
    /// One factor for all data centres.
    Shorthand,
    /// A data centre is left out.
    LeftOut,
    /// A keyspace without tablets.
    NoTablets,
    /// A keyspace that says nothing of tablets, and has them as the engine is shipped.
    TabletsByDefault,
    /// Another factor for all data centres, while those that are there keep theirs.
    FactorStays,
    /// A strategy that names no factor.
    FactorUnsaid,
    /// Racks are named while a factor changes.
    RacksAndFactor,
    /// A list of racks would become a number.
    RacksGivenUp,
    /// An index is on the column.
    Indexed,
    /// The column, or the table, cannot have such an index.
    NotIndexable,
    /// The table cannot have such a view.
    NotPossible,
}
