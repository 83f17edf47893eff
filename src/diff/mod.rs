//! What differs between two generations, and what that means on each backend.

mod change;
mod effect;

pub use change::{Action, Change};
pub use effect::{Confidence, Deploying, Effect, Loss, Needs, Unguarded, When};

/// The two sides of a diff; the names keep its direction from being confused.
#[derive(Clone, Copy, Debug)]
pub struct Pair<T> {
    /// What was there.
    pub previous: T,
    /// What is to be there.
    pub next: T,
}
