//! Every stable code, once: its name, its kind and one line about it. The long text is in `docs/codes/<code>.md`.

use super::Level;

/// What kind of thing a code names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// The text is wrong, or a hard limit is broken.
    Error,
    /// A judgement, with its level unless the numbers say otherwise.
    Finding(Level),
}

/// A stable code such as `unknown-key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// The code as users see it.
    #[must_use]
    pub fn slug(self) -> &'static str {
        self.entry().0
    }

    /// Error or finding.
    #[must_use]
    pub fn kind(self) -> CodeKind {
        self.entry().1
    }

    /// One line about it.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.entry().2
    }

    /// A code by its name.
    #[must_use]
    pub fn find(slug: &str) -> Option<Self> {
        Self::all().find(|code| code.slug() == slug)
    }

    /// All codes, sorted by name.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).filter_map(|index| u16::try_from(index).ok()).map(Self)
    }

    fn entry(self) -> (&'static str, CodeKind, &'static str) {
        TABLE.get(self.0 as usize).copied().unwrap_or(("unknown", CodeKind::Error, ""))
    }
}

macro_rules! codes {
    ($($name:ident = $slug:literal, $kind:expr, $summary:literal;)*) => {
        #[expect(non_camel_case_types, reason = "the variants only number the table")]
        #[expect(clippy::upper_case_acronyms, reason = "the variants only number the table")]
        enum Number { $($name),* }

        const TABLE: &[(&str, CodeKind, &str)] = &[$(($slug, $kind, $summary)),*];

        /// One constant a code.
        pub mod codes {
            use super::{Code, Number};
            $(
                #[doc = $summary]
                pub const $name: Code = Code(Number::$name as u16);
            )*
        }
    };
}

codes! {
    ACK_EXPIRED = "ack-expired", CodeKind::Finding(Level::Warning), "An acknowledgement has expired";
    ACK_UNUSED = "ack-unused", CodeKind::Finding(Level::Warning), "An acknowledgement matches no change";
    ADJACENT_PLACEHOLDERS = "adjacent-placeholders", CodeKind::Error, "Two placeholders of a key template with nothing between them";
    ALIAS_LIMIT = "alias-limit", CodeKind::Error, "Anchors and aliases expand to too much";
    ALLOW_EXPIRED = "allow-expired", CodeKind::Finding(Level::Warning), "An allowance is past its date";
    ALLOW_OF_ERROR = "allow-of-error", CodeKind::Error, "An error cannot be allowed";
    ALLOW_UNUSED = "allow-unused", CodeKind::Finding(Level::Warning), "An allowance silences nothing";
    ALLOW_WITHOUT_REASON = "allow-without-reason", CodeKind::Error, "An allowance gives no reason";
    AMBIGUOUS_PATTERN = "ambiguous-pattern", CodeKind::Error, "Several tables or indexes serve a pattern";
    AMBIGUOUS_UNIT = "ambiguous-unit", CodeKind::Error, "`m` may be minutes or months";
    BAD_ACKNOWLEDGEMENT = "bad-acknowledgement", CodeKind::Error, "acknowledgements.yaml is wrong";
    BAD_CLOUDFORMATION = "bad-cloudformation", CodeKind::Error, "The CloudFormation text cannot be read";
    BAD_COLLECTION = "bad-collection", CodeKind::Error, "A collection that CQL does not allow";
    BAD_CONDITION = "bad-condition", CodeKind::Error, "A condition that cannot be read";
    BAD_CONFIG = "bad-config", CodeKind::Error, "gen.yaml is wrong";
    BAD_CQL = "bad-cql", CodeKind::Error, "The CQL text cannot be read";
    BAD_LOCK = "bad-lock", CodeKind::Error, "gen.lock cannot be read";
    BAD_NAME = "bad-name", CodeKind::Error, "A name with characters that are not allowed there";
    BAD_PATTERN = "bad-pattern", CodeKind::Error, "A pattern combines keys that do not go together";
    BAD_TEMPLATE = "bad-template", CodeKind::Error, "A key template that cannot be read";
    BAD_TERRAFORM = "bad-terraform", CodeKind::Error, "The Terraform text cannot be read";
    BAD_VALUE = "bad-value", CodeKind::Error, "A value of the wrong grammar: count, size, duration, rate, share";
    BAD_YAML = "bad-yaml", CodeKind::Error, "The text is not YAML or JSON";
    BATCH_TOO_LARGE = "batch-too-large", CodeKind::Error, "More items in a batch than the service takes";
    CANNOT_SEPARATE = "cannot-separate", CodeKind::Error, "A read would return items of other entities";
    COLUMN_TYPE_DIFFERS = "column-type-differs", CodeKind::Error, "Entities give one column different types";
    CONDITIONAL_ON_COPIES = "conditional-on-copies", CodeKind::Finding(Level::Warning), "A conditional write to several copies";
    CONFLICTING_CONDITIONS = "conflicting-conditions", CodeKind::Error, "Conditions on one attribute exclude each other";
    COPY_NEVER_UPDATED = "copy-never-updated", CodeKind::Finding(Level::Warning), "A copy is not refreshed when its original changes";
    COPY_TYPE_DIFFERS = "copy-type-differs", CodeKind::Error, "A copy has another type than its original";
    COUNTER_MIXED = "counter-mixed", CodeKind::Error, "Counters and other columns in one table";
    COUNTER_WRITTEN = "counter-written", CodeKind::Error, "A counter is set instead of incremented";
    DUPLICATE_KEY = "duplicate-key", CodeKind::Error, "A key is given twice";
    DUPLICATE_NAME = "duplicate-name", CodeKind::Error, "Two tables or indexes of one name";
    DURATION_IN_KEY = "duration-in-key", CodeKind::Error, "A duration in a key";
    EDITED_BY_HAND = "edited-by-hand", CodeKind::Finding(Level::Warning), "A generated file was edited by hand";
    ENGINE_SETTING = "engine-setting", CodeKind::Finding(Level::Info), "Nodes must be set up for it";
    ENVIRONMENT_LAYOUT = "environment-layout", CodeKind::Error, "The output is laid out as if gen.yaml had other environments";
    ENVIRONMENT_LEFT = "environment-left", CodeKind::Finding(Level::Warning), "An environment left gen.yaml; its files stay";
    FILTER_ON_KEY = "filter-on-key", CodeKind::Error, "A filter on a key attribute";
    FILTER_SCANS = "filter-scans", CodeKind::Error, "A filter that would scan";
    FILTER_WASTES_READS = "filter-wastes-reads", CodeKind::Finding(Level::Warning), "A filter throws away most of what is read";
    HOT_PARTITION = "hot-partition", CodeKind::Finding(Level::Warning), "One partition takes more traffic than it can";
    INDEX_HIDES_ITEMS = "index-hides-items", CodeKind::Finding(Level::Warning), "Items without the attribute are not in the index";
    INDEX_KEY = "index-key", CodeKind::Error, "An index key with too few or too many attributes";
    INDEX_NOT_POSSIBLE = "index-not-possible", CodeKind::Error, "The engine cannot index that column";
    INDEX_WITHOUT_PARTITION = "index-without-partition", CodeKind::Finding(Level::Warning), "An index read goes to every node";
    INDEX_WRITE_COST = "index-write-cost", CodeKind::Finding(Level::Info), "An index carries more than its patterns need";
    ITEM_COLLECTION_SIZE = "item-collection-size", CodeKind::Finding(Level::Warning), "An item collection grows beyond 10 GB";
    ITEM_TOO_LARGE = "item-too-large", CodeKind::Error, "An item is larger than the store takes";
    ITEMS_INCONSISTENT = "items-inconsistent", CodeKind::Finding(Level::Info), "Items, growth and retention do not agree";
    KEY_ATTRIBUTE_MISSING = "key-attribute-missing", CodeKind::Error, "An entity lacks a key attribute of its table";
    KEY_ATTRIBUTE_UPDATED = "key-attribute-updated", CodeKind::Finding(Level::Warning), "A pattern updates a key attribute";
    KEY_COLLISION = "key-collision", CodeKind::Error, "Two entities may write the same key";
    KEY_MAY_COLLIDE = "key-may-collide", CodeKind::Finding(Level::Warning), "Some value could make two keys alike";
    KEY_NOT_UNIQUE = "key-not-unique", CodeKind::Finding(Level::Warning), "Two items may share one key";
    KEY_TYPE_DIFFERS = "key-type-differs", CodeKind::Error, "Entities give one key attribute different types";
    LARGE_BATCH = "large-batch", CodeKind::Finding(Level::Warning), "A batch is large";
    LEFT_OUT = "left-out", CodeKind::Finding(Level::Info), "An engine does not know it, and does without";
    LITERAL_TYPE = "literal-type", CodeKind::Error, "A literal of another type than its attribute";
    LOCK_CONFLICT = "lock-conflict", CodeKind::Error, "gen.lock holds conflict markers";
    LOCK_TOO_NEW = "lock-too-new", CodeKind::Error, "gen.lock was written by a newer gen";
    LOW_CARDINALITY_PARTITION = "low-cardinality-partition", CodeKind::Finding(Level::Warning), "Few values of the partition key";
    LSI_NEEDS_SORT_KEY = "lsi-needs-sort-key", CodeKind::Error, "A local index on a table without a sort key";
    MADE_TWICE = "made-twice", CodeKind::Finding(Level::Warning), "Two models would make one table or keyspace";
    MERGE_KEY = "merge-key", CodeKind::Error, "Merge keys are not allowed";
    MIGRATION_INCOMPLETE = "migration-incomplete", CodeKind::Error, "A migration does not lead to the schema";
    MIGRATION_NOT_POSSIBLE = "migration-not-possible", CodeKind::Error, "The engine has no statement for a change";
    MIGRATION_NUMBER_TWICE = "migration-number-twice", CodeKind::Error, "Two migrations have one number";
    MISSING_PATTERN = "missing-pattern", CodeKind::Finding(Level::Info), "An entity that nothing reads or nothing writes";
    MODEL_LEFT = "model-left", CodeKind::Finding(Level::Warning), "A model is no more; what came of it stays";
    MRSC_NOT_POSSIBLE = "mrsc-not-possible", CodeKind::Error, "Strong consistency over Regions is not possible here";
    NAME_TAKEN = "name-taken", CodeKind::Error, "A name that is already in use";
    NAME_TOO_LONG = "name-too-long", CodeKind::Error, "A name is too long";
    NEEDS_NUMBERS = "needs-numbers", CodeKind::Finding(Level::Info), "Numbers that would allow a judgement are missing";
    NO_PATTERNS = "no-patterns", CodeKind::Finding(Level::Info), "The model has no access patterns";
    NO_RECOVERY = "no-recovery", CodeKind::Finding(Level::Warning), "Point-in-time recovery is off";
    NO_VERB = "no-verb", CodeKind::Error, "A pattern without a verb";
    NOT_A_KEY_TYPE = "not-a-key-type", CodeKind::Error, "A type that no key can have";
    NOT_CARRIED = "not-carried", CodeKind::Finding(Level::Warning), "A property that gen does not model; it is carried along as text";
    NOT_EVALUATED = "not-evaluated", CodeKind::Finding(Level::Warning), "An expression that cannot be evaluated is kept as text";
    NOT_IN_ENUM = "not-in-enum", CodeKind::Error, "A literal outside the closed set of values";
    NOT_IN_FORMAT = "not-in-format", CodeKind::Error, "Format 1 has no word for that";
    NOT_ON_ENGINE = "not-on-engine", CodeKind::Error, "The engine cannot do that";
    NOT_ON_PROVIDER = "not-on-provider", CodeKind::Error, "The provider version cannot do that";
    NOT_ON_RESOURCE = "not-on-resource", CodeKind::Error, "The CloudFormation resource cannot do that";
    NOT_OURS = "not-ours", CodeKind::Error, "A file that gen did not write is in the way";
    NOT_READ = "not-read", CodeKind::Finding(Level::Warning), "What may make tables is not read";
    NOT_THE_OWNER = "not-the-owner", CodeKind::Error, "Only the owner of a table says that";
    OPTION_UNKNOWN = "option-unknown", CodeKind::Error, "An option that the engine does not know";
    OPTIONAL_IN_KEY = "optional-in-key", CodeKind::Finding(Level::Warning), "An attribute that may be absent is in a table key";
    OPTIONAL_KEY = "optional-key", CodeKind::Error, "An optional attribute is part of the identity";
    PARAMETER_NOT_HERE = "parameter-not-here", CodeKind::Error, "A parameter cannot stand here";
    PARAMETER_UNSET = "parameter-unset", CodeKind::Error, "A parameter has no value";
    PARTITION_SIZE = "partition-size", CodeKind::Finding(Level::Warning), "A partition grows too large";
    PATTERN_UNSERVED = "pattern-unserved", CodeKind::Error, "No table or index serves a pattern";
    PROJECTED_KEY = "projected-key", CodeKind::Error, "A key attribute is listed in a projection";
    PROVIDER_CHOSEN = "provider-chosen", CodeKind::Finding(Level::Warning), "Terraform is generated for a later provider than the first";
    RANGE_WRITE = "range-write", CodeKind::Error, "A write that does not name one item";
    READS_OTHER_ENTITIES = "reads-other-entities", CodeKind::Finding(Level::Warning), "A read returns items of other entities, which a filter removes";
    RENAME_DONE = "rename-done", CodeKind::Finding(Level::Info), "A rename has been carried out";
    REPLICA_NEEDS_KEY = "replica-needs-key", CodeKind::Error, "A replica needs a key of its own";
    REPLICA_NEEDS_STREAM = "replica-needs-stream", CodeKind::Error, "Replicas need a stream with both images";
    REPLICATION_FACTOR = "replication-factor", CodeKind::Finding(Level::Warning), "A replication factor below 3, or even";
    RETENTION_NOT_ENFORCED = "retention-not-enforced", CodeKind::Finding(Level::Warning), "Nothing deletes what is past its retention";
    SCAN_WITHOUT_REASON = "scan-without-reason", CodeKind::Error, "A scan gives no reason";
    SEPARATOR_IN_VALUE = "separator-in-value", CodeKind::Finding(Level::Warning), "A value may hold the separator of its key";
    SHARED_NOT_JUDGED = "shared-not-judged", CodeKind::Error, "A shared table cannot be judged: another model is wrong";
    SHARES_TOTAL = "shares-total", CodeKind::Error, "Shares do not add up to 100%";
    SHORT_GC_GRACE = "short-gc-grace", CodeKind::Finding(Level::Warning), "Deletes may come back: `gc_grace` is short where patterns delete";
    SORT_KEY_IS_PARTITION_KEY = "sort-key-is-partition-key", CodeKind::Error, "Sort key and partition key are one attribute";
    STACK_TOO_LARGE = "stack-too-large", CodeKind::Error, "A CloudFormation template holds more than the service takes";
    STATEMENT_SKIPPED = "statement-skipped", CodeKind::Finding(Level::Info), "A statement that is not part of a schema was skipped";
    STATIC_KEY = "static-key", CodeKind::Error, "A static column is part of the primary key";
    STATIC_NEEDS_CLUSTERING = "static-needs-clustering", CodeKind::Error, "Static columns need a clustering key";
    TABLE_KEPT = "table-kept", CodeKind::Finding(Level::Info), "A table that left the model is kept";
    TEMPLATE_FAILED = "template-failed", CodeKind::Error, "A template cannot be rendered";
    TEMPLATE_LOSES = "template-loses", CodeKind::Error, "A template does not print what the schema says";
    TEMPLATE_NEEDS_BUCKET = "template-needs-bucket", CodeKind::Finding(Level::Info), "A template is too large for a request";
    THROUGHPUT_MODE = "throughput-mode", CodeKind::Error, "The throughput does not fit the billing mode";
    TOMBSTONES = "tombstones", CodeKind::Finding(Level::Warning), "Deleted rows slow reads down";
    TOO_DEEP = "too-deep", CodeKind::Error, "The nesting is too deep";
    TOO_MANY_GSI = "too-many-gsi", CodeKind::Error, "More global indexes than the service takes";
    TOO_MANY_LSI = "too-many-lsi", CodeKind::Error, "More than five local indexes";
    TOO_MANY_PROJECTED = "too-many-projected", CodeKind::Error, "More than 100 projected attributes";
    TRANSACTION_NOT_ATOMIC = "transaction-not-atomic", CodeKind::Finding(Level::Warning), "A transaction that is not atomic on this store";
    TTL_ATTRIBUTE = "ttl-attribute", CodeKind::Error, "The TTL attribute is not a time";
    TTL_ENCODING = "ttl-encoding", CodeKind::Error, "A TTL attribute is always in epoch seconds";
    TWCS_REWRITES = "twcs-rewrites", CodeKind::Finding(Level::Warning), "Time windows are rewritten";
    TWCS_WINDOWS = "twcs-windows", CodeKind::Finding(Level::Warning), "Too many time windows";
    TWCS_WITHOUT_TTL = "twcs-without-ttl", CodeKind::Finding(Level::Warning), "Time windows without a TTL";
    TWO_VERBS = "two-verbs", CodeKind::Error, "A pattern with two verbs";
    TYPE_NEEDS_ENGINE = "type-needs-engine", CodeKind::Error, "The engine is too early for that type";
    UNBOUNDED_FAN_OUT = "unbounded-fan-out", CodeKind::Finding(Level::Error), "A read touches an unbounded number of partitions";
    UNBOUNDED_PARTITION = "unbounded-partition", CodeKind::Finding(Level::Warning), "A partition grows for ever";
    UNBOUNDED_READ = "unbounded-read", CodeKind::Finding(Level::Warning), "A read returns an unbounded amount";
    UNIQUENESS_NOT_GUARDED = "uniqueness-not-guarded", CodeKind::Finding(Level::Warning), "Nothing keeps an attribute unique";
    UNKNOWN_ACKNOWLEDGEMENT = "unknown-acknowledgement", CodeKind::Error, "No change of the plan has that id";
    UNKNOWN_ATTRIBUTE = "unknown-attribute", CodeKind::Error, "No attribute has that name";
    UNKNOWN_BLOCK = "unknown-block", CodeKind::Error, "A block of a template that nothing prints";
    UNKNOWN_ENTITY = "unknown-entity", CodeKind::Error, "No entity has that name";
    UNKNOWN_KEY = "unknown-key", CodeKind::Error, "A key that the language does not know";
    UNKNOWN_NAME = "unknown-name", CodeKind::Error, "A name that nothing defines";
    UNKNOWN_OWNER = "unknown-owner", CodeKind::Error, "No model owns that table";
    UNKNOWN_PARAMETER = "unknown-parameter", CodeKind::Error, "A parameter that is not defined";
    UNKNOWN_TEMPLATE = "unknown-template", CodeKind::Error, "An overlay file that matches no template";
    UNKNOWN_TYPE = "unknown-type", CodeKind::Error, "No type has that name";
    UNPADDED_NUMBER = "unpadded-number", CodeKind::Finding(Level::Warning), "A number in a text key is not padded";
    UNQUOTED_COMMA = "unquoted-comma", CodeKind::Error, "A value was cut off at a comma";
    UNSERVED_BUT_SERVED = "unserved-but-served", CodeKind::Error, "A pattern marked unserved is served";
    UNSUPPORTED_FORMAT = "unsupported-format", CodeKind::Error, "A format version this gen does not read";
    UNUSED_INDEX = "unused-index", CodeKind::Finding(Level::Warning), "An index serves no pattern";
    UNUSED_PARAMETER = "unused-parameter", CodeKind::Finding(Level::Warning), "A parameter that nothing uses";
    UNUSED_TABLE = "unused-table", CodeKind::Finding(Level::Warning), "A table serves no pattern";
    UNUSED_TYPE = "unused-type", CodeKind::Finding(Level::Warning), "A user type that nothing uses";
    UPDATE_SETS_NOTHING = "update-sets-nothing", CodeKind::Error, "An update that sets nothing";
    UPDATED_BY_NEEDS_STREAM = "updated-by-needs-stream", CodeKind::Error, "The original has no stream";
    VIA_CANNOT_SERVE = "via-cannot-serve", CodeKind::Error, "The table or index named in `via` cannot serve the pattern";
    VIA_NEEDLESS = "via-needless", CodeKind::Finding(Level::Info), "`via` names what would be chosen anyway";
    VIEW_BASE = "view-base", CodeKind::Error, "The view does not fit its base table";
    VIEW_EXPERIMENTAL = "view-experimental", CodeKind::Finding(Level::Warning), "Materialized views are experimental";
    VIEW_KEY = "view-key", CodeKind::Error, "The key of a view is not possible";
    WIDE_FAN_OUT = "wide-fan-out", CodeKind::Finding(Level::Warning), "A read touches many partitions";
    WRITE_NEEDS_READ = "write-needs-read", CodeKind::Finding(Level::Warning), "A write needs a read first";
    WRONG_SHAPE = "wrong-shape", CodeKind::Error, "A value of the wrong shape";
    YAML_1_1 = "yaml-1-1", CodeKind::Finding(Level::Warning), "A plain value that older YAML readers take for something else";
}
