//! Reads back what was rendered and compares.
