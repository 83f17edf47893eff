//! The text of a lock as a lock: its lines, the facts in them, and the schema that the facts of each backend make.

use super::path::{Key, Path, Written};
use super::text::{Line, Section};
use super::{Digest, Lock, VERSION, facts, text, typed};
use crate::baseline::tree::key;
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::schema::{Backend, Generation, Schema, Store};
use crate::source::{FileId, SourceMap, Span};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

impl Lock {
    /// Reads a lock. Errors go to the sink: `bad-lock`, `lock-too-new`, `lock-conflict`; then there is none.
    pub fn read(sources: &SourceMap, file: FileId, sink: &mut Sink) -> Option<Self> {
        let mut reader = Reader { sink, good: true, named: BTreeSet::new() };
        let lines = reader.lines(sources, file)?;
        let lock = reader.lock(lines, Span::new(file, 0, 0));
        lock.filter(|_| reader.good)
    }
}

/// A fact as it was read.
pub(super) struct Fact<'t> {
    pub(super) path: Path<'t>,
    backend: Option<Backend>,
    /// As JSON.
    pub(super) value: &'t str,
    span: Span,
}

impl<'t> Fact<'t> {
    /// Facts come in the order of their places nearly, as the lines of the lock do: the later store first.
    fn place(&self) -> (Reverse<Option<Store>>, &[Key<'t>], Option<Backend>) {
        (Reverse(self.path.store), &self.path.keys, self.backend)
    }
}

/// A line of facts, taken apart.
struct Raw<'t> {
    written: Written<'t>,
    backend: Option<Backend>,
    /// As JSON.
    value: &'t str,
    span: Span,
}

/// Takes a line of facts apart. `Err`: what is wrong, and where.
fn take_apart<'t>(line: &Line<'t>) -> Result<Raw<'t>, (Span, String)> {
    let parsed = (|| {
        let (written, rest) = Written::take(line.text)?;
        let (backend, rest) = match rest.strip_prefix(" @") {
            None => (None, rest),
            Some(rest) => {
                let (name, _) = rest.split_once(' ')?;
                (Some(Backend::find(name)?), rest.strip_prefix(name)?)
            }
        };
        Some((written, backend, rest.strip_prefix(" = ")?))
    })();
    let (written, backend, json) = parsed.ok_or_else(|| (line.span, "expected `address.property = JSON`".to_owned()))?;
    match serde_json::from_str::<IgnoredAny>(json) {
        Ok(_) => Ok(Raw { written, backend, value: json.trim(), span: line.span }),
        Err(error) => {
            let start = line.text.len() - json.len() + error.column().saturating_sub(1);
            Err((line.span.part(start, line.text.len()), format!("this is not JSON: {error}")))
        }
    }
}

/// Of facts in the order of their places those that concern a store: its own and those that belong to all.
fn of_store<'f, 't>(facts: &'f [Fact<'t>], store: Store) -> impl Iterator<Item = &'f Fact<'t>> {
    let of = |fact: &Fact<'_>| fact.place().0;
    let (_, rest) = facts.split_at(facts.partition_point(|fact| of(fact) < Reverse(Some(store))));
    let (own, rest) = rest.split_at(rest.partition_point(|fact| of(fact) == Reverse(Some(store))));
    let (_, common) = rest.split_at(rest.partition_point(|fact| fact.path.store.is_some()));
    own.iter().chain(common)
}

/// What is said of the whole lock, each in a line of its own.
const WORDS: [&str; 2] = ["model", "backends"];

/// The keyspaces that facts speak of, sorted.
fn keyspaces<'t>(lines: &[Line<'t>]) -> Vec<Key<'t>> {
    let facts = lines.iter().filter(|line| !matches!(line.section, Section::Files { .. }));
    // Nearly no line is one that has to be taken apart for this.
    let may_be = facts.filter(|line| line.text.starts_with("cql.keyspace(") || line.text.starts_with('"'));
    let mut keyspaces: Vec<Key<'t>> = may_be.filter_map(|line| take_apart(line).ok()?.written.into_keyspace()).collect();
    keyspaces.sort_unstable();
    keyspaces.dedup();
    keyspaces
}

struct Reader<'a> {
    sink: &'a mut Sink,
    good: bool,
    /// The backends that have facts of their own.
    named: BTreeSet<Backend>,
}

impl Reader<'_> {
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.good = false;
        self.sink.push(
            Diagnostic::new(codes::BAD_LOCK, span, message)
                .help("take the file from version control; to start anew, delete it: the generated files are then read instead"),
        );
    }

    /// The lines behind the header, unless the header or a conflict forbids to go on.
    fn lines<'s>(&mut self, sources: &'s SourceMap, file: FileId) -> Option<Vec<Line<'s>>> {
        let (lines, conflicts) = text::lines(sources.text(file), file);
        let mut lines = lines.into_iter();
        let header = lines.next();
        let span = header.as_ref().map_or(Span::new(file, 0, 0), |line| line.span);
        let digits = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let version = header.and_then(|line| line.text.strip_prefix("gen-lock ").filter(digits));
        let version = version.map(|text| text.parse::<u64>().unwrap_or(u64::MAX));
        let lines: Vec<Line<'s>> = lines.collect();
        match version {
            _ if !conflicts.is_empty() => {
                self.good = false;
                for span in conflicts {
                    self.sink.push(
                        Diagnostic::new(codes::LOCK_CONFLICT, span, "the lock has conflict markers among its facts").help(
                            "keep the lines of both sides that the merged model still needs, or take one side whole and run `gen plan`",
                        ),
                    );
                }
                None
            }
            Some(VERSION) => Some(lines),
            Some(newer) if newer > VERSION => {
                self.good = false;
                self.sink.push(
                    Diagnostic::new(
                        codes::LOCK_TOO_NEW,
                        span,
                        format!("the lock has format {newer}; this gen reads format {VERSION}"),
                    )
                    .help("use the version of gen that wrote it, or a later one; nothing was changed"),
                );
                None
            }
            _ => {
                self.wrong(span, format!("a lock starts with the line `gen-lock {VERSION}`"));
                None
            }
        }
    }

    fn lock(&mut self, lines: Vec<Line<'_>>, start: Span) -> Option<Lock> {
        let keyspaces = keyspaces(&lines);
        // Nearly every line is a fact.
        let (mut words, mut facts, mut added) = (Vec::new(), Vec::with_capacity(lines.len()), Vec::new());
        let mut files = BTreeMap::new();
        for line in lines {
            match line.section {
                Section::Facts => match self.raw(&line) {
                    Some(raw) if raw.written.word().is_some_and(|word| WORDS.contains(&word)) => words.push(raw),
                    raw => facts.extend(raw.and_then(|raw| self.resolve(raw, &keyspaces))),
                },
                Section::Templates => added.extend(self.raw(&line).and_then(|raw| self.resolve(raw, &keyspaces))),
                Section::Files { certain } => self.file(&line, certain, &mut files),
            }
        }
        let model = self.one(&words, "model", start, |value| value.as_str().map(str::to_owned));
        let backends = self.one(&words, "backends", start, |value| {
            value.as_array()?.iter().map(|name| Backend::find(name.as_str()?)).collect::<Option<Vec<Backend>>>()
        });
        let (facts, added) = (self.in_order(facts), self.in_order(added));
        let backends = backends?;
        let generation = self.generation(&backends, &facts);
        let completed = self.completed(&backends, &facts, &added);
        for fact in added.iter().filter(|fact| fact.backend.is_none()) {
            self.wrong(fact.span, "what templates added is for one backend: `address.property @backend = JSON`");
        }
        // A large lock has many facts, and nearly none is of one backend alone.
        if self.named.iter().any(|backend| !backends.contains(backend)) {
            let is_strange = |fact: &&Fact<'_>| fact.backend.is_some_and(|backend| !backends.contains(&backend));
            for fact in facts.iter().chain(&added).filter(is_strange) {
                self.wrong(fact.span, "this backend is not among `backends`");
            }
        }
        Some(Lock { model: model?, generation, completed, files })
    }

    fn raw<'t>(&mut self, line: &Line<'t>) -> Option<Raw<'t>> {
        take_apart(line).map_err(|(span, message)| self.wrong(span, message)).ok()
    }

    /// A path and its hash, with one space between.
    fn file(&mut self, line: &Line<'_>, certain: bool, files: &mut BTreeMap<String, Option<Digest>>) {
        let parsed = line.text.rsplit_once(' ').and_then(|(path, digest)| Some((path, Digest::parse(digest)?)));
        let Some((path, digest)) = parsed.filter(|(path, _)| crate::baseline::is_inside(path)) else {
            self.wrong(line.span, "expected a path inside this folder, a space and a SHA-256");
            return;
        };
        match files.entry(key(path.into())) {
            Entry::Vacant(entry) => _ = entry.insert(certain.then_some(digest)),
            Entry::Occupied(mut entry) if !certain => _ = entry.insert(None),
            Entry::Occupied(_) => self.wrong(line.span, format!("`{path}` stands here twice")),
        }
    }

    /// Takes the one fact of a name that is no address.
    fn one<T>(&mut self, words: &[Raw<'_>], word: &str, start: Span, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let found: Vec<&Raw<'_>> = words.iter().filter(|fact| fact.written.word() == Some(word)).collect();
        match found.as_slice() {
            [fact] => {
                let value =
                    serde_json::from_str(fact.value).ok().and_then(|value| read(&value)).filter(|_| fact.backend.is_none());
                if value.is_none() {
                    self.wrong(fact.span, format!("`{}` is not a value of `{word}`", fact.value));
                }
                value
            }
            [] => {
                self.wrong(start, format!("the line `{word} = …` is missing"));
                None
            }
            [_, again, ..] => {
                self.wrong(again.span, format!("`{word}` stands here twice"));
                None
            }
        }
    }

    fn resolve<'t>(&mut self, raw: Raw<'t>, keyspaces: &[Key<'t>]) -> Option<Fact<'t>> {
        let Raw { written, backend, value, span } = raw;
        let path = written.resolve(keyspaces);
        if path.is_none() {
            self.wrong(span, "this is not the address of a property of a schema");
        }
        self.named.extend(backend);
        Some(Fact { path: path?, backend, value, span })
    }

    /// Facts in the order of their places, each place once.
    fn in_order<'t>(&mut self, mut facts: Vec<Fact<'t>>) -> Vec<Fact<'t>> {
        if facts.is_sorted_by(|one, other| one.place() < other.place()) {
            return facts;
        }
        facts.sort_by(|one, other| one.place().cmp(&other.place()));
        facts.dedup_by(|again, first| {
            let twice = again.place() == first.place();
            if twice {
                self.good = false;
                self.sink.push(
                    Diagnostic::new(codes::BAD_LOCK, again.span, "this fact stands here twice")
                        .context(first.span, "first here")
                        .help("remove the one that is not true"),
                );
            }
            twice
        });
        facts
    }

    /// The schema of each backend. Those of a store for which the lock says nothing of their own share one.
    fn generation(&mut self, backends: &[Backend], facts: &[Fact<'_>]) -> Generation {
        let mut generation = Generation::new();
        let mut common: BTreeMap<Store, Option<Schema>> = BTreeMap::new();
        for &backend in backends {
            let store = backend.store();
            let has_own = self.named.contains(&backend) && facts.iter().any(|fact| fact.backend == Some(backend));
            let schema = if has_own {
                self.schema(store, Some(backend), of_store(facts, store))
            } else {
                common.entry(store).or_insert_with(|| self.schema(store, None, of_store(facts, store))).clone()
            };
            generation.extend(schema.map(|schema| (backend, schema)));
        }
        generation
    }

    /// The schema of each backend to which templates added something.
    fn completed(&mut self, backends: &[Backend], facts: &[Fact<'_>], added: &[Fact<'_>]) -> Generation {
        let mut completed = Generation::new();
        for &backend in backends.iter().filter(|backend| added.iter().any(|fact| fact.backend == Some(**backend))) {
            let mut all: Vec<&Fact<'_>> = facts.iter().chain(added).collect();
            // What was added comes behind what it takes the place of.
            all.sort_by(|one, other| one.place().cmp(&other.place()));
            completed.extend(self.schema(backend.store(), Some(backend), all.into_iter()).map(|schema| (backend, schema)));
        }
        completed
    }

    /// The schema that the facts of a store make, and those of one backend in the place of the others'.
    fn schema<'t: 'f, 'f>(
        &mut self,
        store: Store,
        backend: Option<Backend>,
        facts: impl Iterator<Item = &'f Fact<'t>>,
    ) -> Option<Schema> {
        let concerns =
            |fact: &&Fact<'t>| fact.path.store.is_none_or(|of| of == store) && fact.backend.is_none_or(|of| Some(of) == backend);
        let mut given: Vec<&Fact<'t>> = Vec::with_capacity(facts.size_hint().1.unwrap_or_default());
        for fact in facts.filter(concerns) {
            // A fact without a backend sorts first, and what templates added last.
            if fact.backend.is_some() {
                given.pop_if(|before| before.path == fact.path);
            }
            if fact.backend.is_none() || fact.value != facts::NOTHING {
                given.push(fact);
            }
        }
        match typed::schema(store, &given) {
            Ok(schema) => Some(schema),
            Err(wrong) => {
                for (number, message) in wrong {
                    if let Some(fact) = given.get(number) {
                        self.wrong(fact.span, message);
                    }
                }
                None
            }
        }
    }
}
