//! How findings and plans are shown: text for people, JSON for programs.

pub mod json;
mod palette;
mod place;
pub mod terminal;
pub mod text;

pub use palette::Palette;
