//! Which of several tables and indexes serves a read (model language, section 6.3).

use super::candidate::Kind;
use super::serve::{How, Read};

/// The reads that are left: whole keys before queries; a table before a local, a local before a global index.
pub(super) fn choose<'c, 'm>(reads: &[Read<'c, 'm>]) -> Vec<Read<'c, 'm>> {
    let rank = |read: &Read<'_, '_>| -> (bool, Kind) { (!matches!(read.how, How::Keys { .. }), read.candidate.kind) };
    let best = reads.iter().map(rank).min();
    reads.iter().filter(|read| Some(rank(read)) == best).cloned().collect()
}
