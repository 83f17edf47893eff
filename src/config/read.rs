//! Reads `gen.yaml`. Each part is read by itself, so that an error in one does not hide those of the next.

use super::targets::{Provider, Targets};
use super::{Config, Environment, Setting, Terraform};
use crate::diagnostic::{Code, CodeKind, Diagnostic, Limited, Limits, Sink, Thresholds, codes, listed, nearest};
use crate::source::{Entry, FileId, Kind, Node, SourceMap, Span, Spanned, from_node, normal, parse};
use crate::validate::number;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) const KEYS: &[&str] =
    &["gen", "models", "output", "templates", "targets", "environments", "fail_on", "thresholds", "vars"];
/// What is written to beside the folders of environments.
const TAKEN: &[&str] = &["terraform", "cloudformation", "cql"];
pub(super) const TARGETS: &[&str] = &["terraform", "cloudformation", "cql", "keyspaces"];

/// Reads the file. Every error goes to the sink; None when there is one.
pub fn load(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Config> {
    let mut own = Sink::default();
    let config = parse(sources, file, &mut own).map(|node| Reader { sources, sink: &mut own }.config(&node));
    let config = config.filter(|_| !own.has_errors());
    sink.extend(own.into_sorted());
    config
}

struct Reader<'a> {
    sources: &'a SourceMap,
    sink: &'a mut Sink,
}

impl Reader<'_> {
    fn config(&mut self, node: &Node) -> Config {
        let mut config = Config::default();
        let mut named = Vec::new();
        let mut output_at = None;
        if !self.is_map(node, "gen.yaml") {
            return config;
        }
        if node.get("gen").is_none() {
            self.bad(node.span.part(0, 0), "`gen` is missing", "write `gen: 1` in the first line");
        }
        for entry in node.entries() {
            let value = &entry.value;
            match entry.key.as_str() {
                "gen" => self.version(value),
                "models" => {
                    let models: Option<Vec<Utf8PathBuf>> = self.typed(value);
                    for (item, path) in value.items().iter().zip(models.iter().flatten()) {
                        self.relative(item.span, path);
                        named.push((normal(path), item.span));
                    }
                    config.models = models.unwrap_or_default();
                    if value.kind == Kind::Sequence(Vec::new()) {
                        self.bad(value.span, "no model is named", "name files, or folders with models: `models: [models]`");
                    }
                }
                "output" => {
                    config.output = self.output(value).unwrap_or_default();
                    output_at = Some(value.span);
                }
                "templates" => {
                    config.templates = self.typed(value);
                    config.templates_at = Some(value.span);
                    if let Some(path) = &config.templates {
                        self.relative(value.span, path);
                    }
                }
                "targets" => config.targets = self.targets(value),
                "environments" => {
                    config.environments = self.environments(value);
                    config.environments_at = Some(entry.key_span);
                }
                "fail_on" => config.fail_on = self.typed(value).unwrap_or_default(),
                "thresholds" => config.thresholds = self.thresholds(value),
                "vars" => {
                    if self.is_map(value, "vars") {
                        config.vars = self.typed(value).unwrap_or_default();
                    }
                }
                _ => self.unknown(entry, KEYS),
            }
        }
        if let (None, Some(span)) = (node.get("models"), output_at) {
            named.extend(config.models.iter().map(|path| (normal(path), span)));
        }
        let output = normal(&config.output);
        for (_, span) in named.into_iter().filter(|(path, _)| *path == output) {
            self.bad(
                span,
                "the models are in the folder that is written to, `output`",
                "what is written there would be read as models: let `output` name another folder, which may be one below",
            );
        }
        // A file that says nothing of the provider means the first profile: a major version is never taken by itself.
        if let Some(Terraform { provider }) = &mut config.targets.terraform {
            provider.get_or_insert(Provider::Aws5);
        }
        config
    }

    fn version(&mut self, value: &Node) {
        if self.typed::<u64>(value).is_some_and(|version| version != 1) {
            self.push(codes::UNSUPPORTED_FORMAT, value.span, "this gen reads format 1 of gen.yaml", "write `gen: 1`");
        }
    }

    /// A path that is written to: inside the folder of `gen.yaml`, by its words alone. Links are looked at when it is opened.
    fn output(&mut self, value: &Node) -> Option<Utf8PathBuf> {
        let path: Utf8PathBuf = self.typed(value)?;
        self.relative(value.span, &path);
        if path.components().any(|component| component == Utf8Component::ParentDir) {
            self.bad(
                value.span,
                "`output` leads out of the folder of gen.yaml",
                "name a folder beside gen.yaml, or move gen.yaml to the folder that holds both",
            );
        }
        Some(path.components().filter(|component| *component != Utf8Component::CurDir).collect())
    }

    /// A path that means the same on every machine.
    fn relative(&mut self, span: Span, path: &Utf8Path) {
        if path.as_str().is_empty() || path.has_root() {
            self.bad(span, format!("`{path}` is not a path relative to gen.yaml"), "write it from the folder of gen.yaml on");
        }
    }

    fn targets(&mut self, node: &Node) -> Targets {
        let mut targets = Targets::none();
        if !self.is_map(node, "targets") {
            return targets;
        }
        for entry in node.entries() {
            let value = &entry.value;
            match entry.key.as_str() {
                "terraform" => {
                    targets.terraform = Some(self.typed(value).unwrap_or_default());
                }
                "cloudformation" => {
                    targets.cloudformation = Some(self.typed(value).unwrap_or_default());
                }
                "cql" => {
                    self.typed::<Empty>(value);
                    targets.cql = true;
                }
                "keyspaces" => {
                    targets.keyspaces = self.typed(value);
                }
                _ => self.unknown(entry, TARGETS),
            }
        }
        if node.entries().is_empty() {
            self.bad(
                node.span,
                "no target is named",
                "name one of `terraform`, `cloudformation`, `cql`, or leave `targets` out for all",
            );
        }
        targets
    }

    fn environments(&mut self, node: &Node) -> BTreeMap<String, Environment> {
        let mut environments = BTreeMap::new();
        if !self.is_map(node, "environments") {
            return environments;
        }
        for entry in node.entries() {
            let (name, span) = (&entry.key, entry.key_span);
            if !is_environment(name) {
                let help = "take lower-case letters, digits, `-` and `_`, with a letter or digit first";
                self.bad(span, format!("`{name}` is no name of an environment, which is a folder"), help);
            } else if TAKEN.contains(&name.as_str()) {
                self.bad(
                    span,
                    format!("an environment `{name}` would be taken for a folder of generated files"),
                    "choose another name",
                );
            }
            environments.insert(name.clone(), Environment { span, set: self.set(&entry.value) });
        }
        if node.entries().is_empty() {
            self.bad(node.span, "no environment is named", "name one: `environments: { prod: {} }`, or leave `environments` out");
        }
        environments
    }

    /// What an environment sets. The parameters and their types are those of the models.
    fn set(&mut self, node: &Node) -> BTreeMap<String, Setting> {
        let mut set = BTreeMap::new();
        if node.kind == Kind::Null || !self.is_map(node, "environments") {
            return set;
        }
        for entry in node.entries() {
            if entry.key != "set" {
                self.unknown(entry, &["set"]);
                continue;
            }
            if !self.is_map(&entry.value, "set") {
                continue;
            }
            for parameter in entry.value.entries() {
                if let Some(value) = self.typed::<Spanned<Written>>(&parameter.value) {
                    set.insert(
                        parameter.key.clone(),
                        Setting { name: parameter.key_span, value: value.map(|Written(text)| text) },
                    );
                }
            }
        }
        set
    }

    fn thresholds(&mut self, node: &Node) -> Thresholds {
        let mut thresholds = Thresholds::default();
        if self.is_map(node, "thresholds") {
            for entry in node.entries() {
                if let Some((code, limits)) = self.threshold(entry) {
                    thresholds.set(code, limits);
                }
            }
        }
        thresholds
    }

    /// Other limits of one finding.
    fn threshold(&mut self, entry: &Entry) -> Option<(Code, Limits)> {
        let written: Option<Threshold> = self.typed(&entry.value);
        let is_finding = |code: &Code| matches!(code.kind(), CodeKind::Finding(_));
        let Some(code) = Code::find(&entry.key).filter(is_finding) else {
            let message = format!("no finding is called `{}`", entry.key);
            let mut diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, entry.key_span, message);
            if let Some(known) = nearest(&entry.key, Limited::codes().map(Code::slug)) {
                diagnostic = diagnostic.suggest(format!("did you mean `{known}`?"), entry.key_span, known);
            }
            self.sink.push(diagnostic);
            return None;
        };
        let Some(limited) = Limited::find(code) else {
            let help = format!("these have: {}", listed(Limited::codes().map(Code::slug)));
            self.bad(entry.key_span, format!("`{}` is made from no number, so it has no limits", entry.key), &help);
            return None;
        };
        let Threshold { warn, error, reason } = written?;
        if reason.value.trim().is_empty() {
            self.bad(reason.span, "the reason is empty", "say why these limits are better here");
        }
        if warn.is_none() && error.is_none() {
            self.bad(entry.key_span, "no limit is given", "say `warn: …`, `error: …` or both");
        }
        let limits = Limits { warn: self.limit(warn.as_ref(), limited), error: self.limit(error.as_ref(), limited) };
        let in_force = Limits { warn: limits.warn.or(limited.limits.warn), error: limits.error.or(limited.limits.error) };
        if let (Some(warn), Some(error)) = (in_force.warn, in_force.error)
            && limited.is_past(warn, error)
        {
            let help = "what warns comes before what is an error: change both, or the other one";
            self.bad(entry.key_span, format!("the limits of `{}` are in the wrong order", entry.key), help);
        }
        Some((code, limits))
    }

    fn limit(&mut self, written: Option<&Spanned<Written>>, limited: &Limited) -> Option<f64> {
        let written = written?;
        let text = Spanned::new(written.value.0.clone(), written.span);
        let read = number(self.sources, &text, limited.unit);
        read.map_err(|diagnostic| self.sink.push(*diagnostic)).ok()
    }

    fn typed<'n, T: Deserialize<'n>>(&mut self, node: &'n Node) -> Option<T> {
        from_node(node).map_err(|error| self.sink.push(error.into_diagnostic(node.span))).ok()
    }

    fn is_map(&mut self, node: &Node, name: &str) -> bool {
        let is_map = matches!(node.kind, Kind::Map(_));
        if !is_map {
            self.push(
                codes::WRONG_SHAPE,
                node.span,
                format!("expected a map, found {}", node.kind.in_words()),
                &format!("`{name}` is a map"),
            );
        }
        is_map
    }

    fn unknown(&mut self, entry: &Entry, known: &[&str]) {
        let mut diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, entry.key_span, format!("unknown key `{}`", entry.key));
        if let Some(near) = nearest(&entry.key, known.iter().copied()) {
            diagnostic = diagnostic.suggest(format!("did you mean `{near}`?"), entry.key_span, near);
        }
        self.sink.push(diagnostic);
    }

    fn bad(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.push(codes::BAD_CONFIG, span, message, help);
    }

    fn push(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::new(code, span, message).help(help));
    }
}

/// `cql: {}`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

/// Limits of one finding.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Threshold {
    #[serde(default)]
    warn: Option<Spanned<Written>>,
    #[serde(default)]
    error: Option<Spanned<Written>>,
    reason: Spanned<String>,
}

/// Text, a number or a bool, as it was written.
#[derive(Deserialize)]
#[serde(rename = "$scalar")]
struct Written(String);

/// Whether an environment may have a name: its folder is called so.
fn is_environment(name: &str) -> bool {
    let is_word = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    name.bytes().next().is_some_and(is_word) && name.bytes().all(|letter| is_word(letter) || letter == b'-' || letter == b'_')
}
