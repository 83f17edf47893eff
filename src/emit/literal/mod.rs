//! Values as literals of a language: quoting is right by construction.

pub mod hcl;
pub mod yaml;
