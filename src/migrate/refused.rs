//! Changes for which an engine has no statement.

use super::scripts::Work;
use crate::diff::{Action, Change, Deploying, Effect, Needs};
use crate::schema::Address;

impl Work<'_> {
    /// Says what the engine never takes, in place or anew, and which types stand in the key of a view, or of an index that is one: it
    /// has to go before they change.
    pub(super) fn refuse(&mut self) {
        for (address, path, why) in self.refused(|_, effect| effect.needs == Needs::Unsupported) {
            let path = path.map_or_else(String::new, |path| format!(" {path}"));
            self.problem(address, &path, &why);
        }
        let is_type = |change: &Change| {
            let is_column = change.path.as_ref().is_some_and(|path| path.starts_with("columns."));
            matches!(change.address, Address::UserType(_)) || is_column && change.action == Action::Modify
        };
        for (address, _, why) in self.refused(|change, effect| effect.needs == Needs::Stages && is_type(change)) {
            self.problem(address, "", &format!("{why} Take that out for one migration, and bring it back with the next"));
        }
    }

    /// The changes that the engine refuses and a test holds for: what changes, and why it is refused.
    fn refused(&self, holds: impl Fn(&Change, &Effect) -> bool) -> Vec<(Address, Option<String>, String)> {
        let refused = self.changes.iter().filter_map(|change| {
            let effect = change.effects.get(&self.backend)?;
            let is_refused = effect.deploying == Deploying::Refuses && holds(change, effect);
            is_refused.then(|| (change.address.clone(), change.path.clone(), effect.reason.to_string()))
        });
        refused.collect()
    }
}
