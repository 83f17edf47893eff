//! Rules: one static table, one file and one page of documentation each.
