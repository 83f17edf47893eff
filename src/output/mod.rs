//! Writes many files at once, or none of them.
