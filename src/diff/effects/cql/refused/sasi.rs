//! Indexes of SASI that Cassandra does not make. Options that none of its parts asks for are taken, whatever they are.
//!
//! Sources: Cassandra `SASIIndex.java`, `IndexMode.java` and `index/sasi/analyzer/*`, each rule run on 4.0.19, 4.1.10 and 5.0.9.

use super::name::is_word;
use crate::schema::Engine;
use crate::schema::cql::{Index, Table, Type};

/// Where the analyzers of the engine itself are.
const PACKAGE: &str = "org.apache.cassandra.index.sasi.analyzer.";

/// Whether what an index takes depends on an analyzer that is not the engine's own.
pub(in crate::diff::effects::cql) fn is_of_others(index: &Index) -> bool {
    let analyzer = index.options.get("analyzer_class");
    analyzer.is_some_and(|class| class.contains('.') && !class.starts_with(PACKAGE))
}

/// Why there is no such index of a column of a type.
pub(super) fn flaw(engine: Engine, table: &Table, index: &Index, kind: &Type) -> Option<&'static str> {
    if table.partition_key.contains(&index.column) {
        return Some("the column is part of the partition key");
    }
    if kind.is_multi_cell_collection() {
        return Some("the column is a collection that is not frozen");
    }
    // 4.x takes any name.
    if engine == Engine::Cassandra50 && !(is_word(&index.column) && index.column.len() <= super::index::LONGEST) {
        return Some("the name of the column has other than letters, digits and underscores, or more than 48");
    }
    let option = |name: &str| index.options.get(name).map(String::as_str);
    let is_true = |name: &str| option(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if option("target").is_some() || option("class_name").is_some() {
        return Some("`target` and `class_name` are options of the engine itself");
    }
    let mode = option("mode").map_or("PREFIX".to_owned(), str::to_uppercase);
    if !["PREFIX", "CONTAINS", "SPARSE"].contains(&mode.as_str()) {
        return Some("there is no such mode");
    }
    if option("max_compaction_flush_memory_in_mb").is_some_and(|value| value.parse::<i64>().is_err()) {
        return Some("`max_compaction_flush_memory_in_mb` is no whole number");
    }
    let is_text = matches!(kind, Type::Native(name) if ["ascii", "text"].contains(name));
    if mode == "SPARSE" {
        if option("is_literal").map_or(is_text, |_| is_true("is_literal")) {
            return Some("the mode SPARSE is not for text");
        }
        if option("analyzer_class").is_some() || is_true("analyzed") {
            return Some("the mode SPARSE has no analyzer");
        }
    }
    let class = option("analyzer_class").filter(|_| !is_of_others(index))?;
    let analyzer = class.strip_prefix(PACKAGE).unwrap_or_default();
    if analyzer == "NoOpAnalyzer" {
        return None;
    }
    if !["DelimiterAnalyzer", "NonTokenizingAnalyzer", "StandardAnalyzer"].contains(&analyzer) {
        return Some("there is no such analyzer");
    }
    if !is_text {
        return Some("the analyzer is for text");
    }
    let has_normal = ["normalize_lowercase", "normalize_uppercase"].iter().any(|name| option(name).is_some());
    match analyzer {
        "NonTokenizingAnalyzer" if option("case_sensitive").is_some() && has_normal => {
            Some("`case_sensitive` does not go with `normalize_lowercase` and `normalize_uppercase`")
        }
        "NonTokenizingAnalyzer" if is_true("normalize_lowercase") && is_true("normalize_uppercase") => {
            Some("`normalize_lowercase` does not go with `normalize_uppercase`")
        }
        "DelimiterAnalyzer" if option("delimiter").is_some_and(|delimiter| delimiter.chars().count() != 1) => {
            Some("the delimiter is not one character")
        }
        _ => None,
    }
}
