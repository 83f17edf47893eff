//! What is read from texts.
