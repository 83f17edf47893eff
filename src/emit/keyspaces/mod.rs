//! Amazon Keyspaces as infrastructure code: what its two formats share.

mod lack;
mod settings;

pub use lack::lacks;
pub(super) use settings::{Scaling, Settings};
