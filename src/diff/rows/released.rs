//! What a row says of some releases of a tool alone, where it is known which these may be.

use super::{Entry, Variant};
use crate::schema::{Release, Releases};

impl Entry {
    /// What holds in all releases that are allowed, and what holds in some of them. Of a range that no release bounds nobody can tell.
    pub(super) fn in_releases(&self, releases: Option<Releases>) -> (Option<&Variant>, Option<&Variant>) {
        let Some(releases) = releases.filter(|_| !self.versions.is_empty()) else { return (None, None) };
        let (mut all, mut some) = (None, None);
        for version in &self.versions {
            let Some(release) = version.before().or_else(|| version.surely_before()) else { continue };
            match releases.are_before(release) {
                Some(true) => all = all.or(Some(version)),
                // Behind a release that is no end of the range it may go on.
                None if version.before().is_some() => some = some.or(Some(version)),
                _ => {}
            }
        }
        (all, some)
    }
}

impl Variant {
    /// The release before which it holds: `before 6.29`.
    fn before(&self) -> Option<Release> {
        release(self.range.as_ref()?.strip_prefix("before ")?)
    }

    /// The release before which it holds in any case.
    fn surely_before(&self) -> Option<Release> {
        release(self.surely_before.as_ref()?)
    }
}

/// A release from its major and minor number.
fn release(text: &str) -> Option<Release> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?, 0))
}
