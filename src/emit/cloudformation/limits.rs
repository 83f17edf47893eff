//! What one template may hold.

use crate::read::cloudformation::Entries;

/// The most that one template may hold, or what one holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Its text.
    pub(crate) bytes: usize,
    /// Its sections.
    pub(crate) entries: Entries,
}

/// CloudFormation's own limits: <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html>.
/// What counts of a text is what it may have in a bucket; whether "1 MB" is a little more than this is not said there.
pub(crate) const SERVICE: Size =
    Size { bytes: 1_000_000, entries: Entries { resources: 500, outputs: 200, parameters: 200, mappings: 200 } };

/// The most that a request may hold of a template itself; a larger one has to lie in a bucket (the same page).
pub(crate) const BYTES_OF_A_REQUEST: usize = 51_200;

impl Size {
    /// The size of a template with one entry of a kind each: its numbers, named.
    fn named(&self) -> [(usize, &'static str); 5] {
        let Self { bytes, entries: Entries { resources, outputs, parameters, mappings } } = *self;
        [(bytes, "bytes"), (resources, "resources"), (outputs, "outputs"), (parameters, "parameters"), (mappings, "mappings")]
    }

    /// How far a template is filled with new tables: two thirds. The rest is left to those that are in it, for what they get
    /// later, since a table cannot move to another stack: one that gets a stream has three outputs instead of two.
    pub(super) fn room(&self) -> Self {
        self.map(|most| most * 2 / 3)
    }

    fn map(&self, change: impl Fn(usize) -> usize) -> Self {
        let Self { bytes, entries: Entries { resources, outputs, parameters, mappings } } = *self;
        let entries = Entries {
            resources: change(resources),
            outputs: change(outputs),
            parameters: change(parameters),
            mappings: change(mappings),
        };
        Self { bytes: change(bytes), entries }
    }

    fn with(&self, other: &Self, combine: impl Fn(usize, usize) -> usize) -> Self {
        let entries = Entries {
            resources: combine(self.entries.resources, other.entries.resources),
            outputs: combine(self.entries.outputs, other.entries.outputs),
            parameters: combine(self.entries.parameters, other.entries.parameters),
            mappings: combine(self.entries.mappings, other.entries.mappings),
        };
        Self { bytes: combine(self.bytes, other.bytes), entries }
    }

    /// Both together.
    pub(super) fn plus(&self, other: &Self) -> Self {
        self.with(other, usize::saturating_add)
    }

    /// That of some as large as this one.
    pub(super) fn times(&self, number: usize) -> Self {
        self.map(|size| size.saturating_mul(number))
    }

    /// What is more than in another.
    pub(super) fn less(&self, other: &Self) -> Self {
        self.with(other, usize::saturating_sub)
    }

    /// Whether it keeps within limits.
    pub(super) fn fits(&self, limits: &Self) -> bool {
        self.beyond(limits).next().is_none()
    }

    /// What is beyond the limits: how many there are, how many there may be, of what.
    pub(super) fn beyond(&self, limits: &Self) -> impl Iterator<Item = (usize, usize, &'static str)> {
        let both = self.named().into_iter().zip(limits.named());
        both.filter(|((is, _), (most, _))| is > most).map(|((is, what), (most, _))| (is, most, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_is_left_for_what_tables_get_later() {
        let room = SERVICE.room();
        assert_eq!((room.bytes, room.entries.resources, room.entries.outputs), (666_666, 333, 133));
        // As many tables as fit by their names and ARNs still fit when each has a stream.
        assert!(room.entries.outputs / 2 * 3 <= SERVICE.entries.outputs);
    }

    #[test]
    fn what_is_beyond_a_limit_is_named() {
        let one = Size { bytes: 7, ..SERVICE }.plus(&Size { bytes: 1, entries: Entries { outputs: 1, ..Entries::default() } });
        assert_eq!(one.beyond(&SERVICE).collect::<Vec<_>>(), [(201, 200, "outputs")]);
        assert!(!one.fits(&SERVICE) && SERVICE.fits(&SERVICE) && one.less(&SERVICE).entries.outputs == 1);
    }
}
