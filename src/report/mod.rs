//! How findings and plans are shown: text for people, JSON for programs.

pub mod json;
pub mod terminal;
pub mod text;
