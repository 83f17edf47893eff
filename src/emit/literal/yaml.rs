//! Literals of YAML and JSON.
