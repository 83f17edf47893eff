//! The binary `gen`.

fn main() {}
