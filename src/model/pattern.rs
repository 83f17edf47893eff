//! Access patterns.

use super::{Allow, Duration, Order, Where};
use crate::schema::{Address, Store};
use crate::source::{Span, Spanned};

/// An access pattern. Entries of a transaction or batch are patterns too, without a name of their own.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its key in the model; for an entry its verb.
    pub span: Span,
    /// Its name; for an entry that of the whole, with its number: `create-account[0]`.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// What it does, to which entities.
    pub verb: Verb,
    /// Where the verb stands.
    pub verb_span: Span,
    /// Which items.
    pub conditions: Option<Where>,
    /// The order the caller relies on.
    pub order: Vec<Order>,
    /// Items returned by one request.
    pub limit: Option<u64>,
    /// What the caller needs; empty: everything.
    pub select: Vec<Spanned<String>>,
    /// Applied after the read.
    pub filter: Option<Where>,
    /// How much the filter keeps, 0 to 1.
    pub keeps: Option<f64>,
    /// How much time a range covers.
    pub time_span: Option<Duration>,
    /// Values or items in one request; 1 by default.
    pub batch_size: u64,
    /// Attributes written by an update.
    pub set: Vec<Spanned<String>>,
    /// Attributes added to by an update.
    pub increment: Vec<Spanned<String>>,
    /// The condition of a write.
    pub guard: Option<Spanned<Guard>>,
    /// Requests a second, on average.
    pub rate: Option<f64>,
    /// Requests a second, at most; the rate when nothing is said.
    pub peak: Option<f64>,
    /// How fresh a read must be.
    pub consistency: Consistency,
    /// The tables or indexes that serve it, when the author says so.
    pub via: Vec<Spanned<Address>>,
    /// The one store it runs on, when the author says so.
    pub backend: Option<Spanned<Store>>,
    /// The reason why no table serves it.
    pub unserved: Option<Spanned<String>>,
    /// The reason for a scan.
    pub reason: Option<String>,
    /// Segments of a parallel scan.
    pub segments: Option<u64>,
    /// The name it had before.
    pub renamed_from: Option<Spanned<String>>,
    /// Findings allowed here.
    pub allow: Vec<Allow>,
}

/// What a pattern does.
#[derive(Clone, Debug)]
pub enum Verb {
    /// Reads items of one or several entities in one request.
    Find(Vec<Spanned<String>>),
    /// Reads a maintained count of an entity.
    Count(Spanned<String>),
    /// Reads everything.
    Scan(Vec<Spanned<String>>),
    /// Inserts or replaces.
    Put(Spanned<String>),
    /// Changes some attributes.
    Update(Spanned<String>),
    /// Deletes.
    Delete(Spanned<String>),
    /// All or nothing.
    Transaction(Vec<Pattern>),
    /// Together, not atomic.
    Batch(Vec<Pattern>),
}

/// The condition of a write.
#[derive(Clone, Debug)]
pub enum Guard {
    /// `exists`
    Exists,
    /// `not exists`
    NotExists,
    /// Conditions on attributes.
    Where(Where),
}

/// How fresh a read must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consistency {
    /// May lag.
    #[default]
    Eventual,
    /// The newest write is seen.
    Strong,
    /// Isolated from other transactions.
    Transactional,
}
