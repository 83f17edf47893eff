//! What of a table a block of Terraform names: an address that holds none moves, keeps and imports nothing.

use crate::diff::Pair;
use crate::schema::dynamodb::{IN_MODULE, Table};
use crate::schema::moved::{End, FIRST, Move};

/// What of a table is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// One of several instances; or it is not known which resource of its module the table is.
    Part,
    /// Nothing that is there.
    Nothing,
}

/// What one end of a block names of a table with its label.
fn of(end: &End, table: &Table) -> Extent {
    let inside = match (&end.inside, table.resource_in_module()) {
        (Some(_), None) if table.terraform_name.starts_with(IN_MODULE) => Extent::Part,
        (Some(named), Some(made)) if named != made => Extent::Nothing,
        _ => Extent::Whole,
    };
    let instance = match &end.instance {
        Some(_) if table.is_repeated() => Extent::Part,
        Some(instance) if instance != FIRST => Extent::Nothing,
        _ => Extent::Whole,
    };
    inside.max(instance)
}

/// What the blocks with one end name of a table: the most that one of them does. Without any that names a part of it, all.
pub(super) fn by(ends: &[End], table: &Table) -> Extent {
    let own = ends.iter().filter(|end| end.label == table.terraform_name);
    own.map(|end| of(end, table)).min().unwrap_or(Extent::Whole)
}

/// What `moved` blocks take from the previous address of a table or bring to its next one, as far as they name parts. None: they do not.
pub(super) fn moved(moves: &[Move], tables: Pair<&Table>) -> Option<Extent> {
    let leaves = |step: &&Move| step.from.label == tables.previous.terraform_name;
    let arrives = |step: &&Move| step.to.label == tables.next.terraform_name;
    let both = moves.iter().filter(|step| leaves(step) && arrives(step));
    let straight = both.map(|step| of(&step.from, tables.previous).max(of(&step.to, tables.next))).min();
    let left = moves.iter().filter(leaves).map(|step| of(&step.from, tables.previous)).min();
    let arrived = moves.iter().filter(arrives).map(|step| of(&step.to, tables.next)).min();
    straight.or_else(|| left.max(arrived))
}
