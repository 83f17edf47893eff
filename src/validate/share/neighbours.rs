//! What a model knows of the others: the tables that it shares with them, and what they hold there.

use super::{Lookup, Member, Part, SharedTable, unjudged};
use crate::diagnostic::{Diagnostic, Sink, codes, listed, nearest};
use crate::model::{AttributeType, DynamodbTable, Encoding, Holding, Model, Other, Shared};
use crate::source::{FileId, SourceMap, Spanned};
use crate::validate::Values;
use crate::validate::resolve::resolve;

/// A model as it is by itself.
pub(in crate::validate) struct Alone {
    model: Option<Model>,
    /// The first error of its text.
    wrong: Option<Diagnostic>,
}

impl Alone {
    pub(super) fn read(sources: &SourceMap, member: &Member<'_>, values: &Values) -> Self {
        let mut sink = Sink::default();
        sink.extend(member.said.iter().cloned());
        let draft = member.draft;
        let model = draft.map(|draft| resolve(&draft.document, draft.root, sources, values, None, &mut sink));
        let wrong = sink.into_sorted().into_iter().find(Diagnostic::is_error);
        Self { model, wrong }
    }

    fn owned(&self, key: &str) -> Option<&DynamodbTable> {
        self.model.as_ref()?.dynamodb.as_ref()?.tables.get(key)
    }

    fn shared(&self, key: &str) -> Option<&Shared> {
        self.model.as_ref()?.dynamodb.as_ref()?.shared.get(key)
    }

    fn name(&self) -> &str {
        self.model.as_ref().map_or("", |model| &model.name.value)
    }
}

/// The models that one is checked among.
pub(in crate::validate) struct Neighbours<'n> {
    sources: &'n SourceMap,
    members: &'n [Member<'n>],
    /// Each member by itself; empty when there is only one.
    alone: &'n [Alone],
    this: usize,
}

/// A table of another model, and what all others hold in it.
pub(in crate::validate) struct Borrowed<'n> {
    pub(in crate::validate) table: &'n DynamodbTable,
    pub(in crate::validate) others: Vec<Other>,
}

impl<'n> Neighbours<'n> {
    pub(in crate::validate) fn new(sources: &'n SourceMap, members: &'n [Member<'n>], alone: &'n [Alone], this: usize) -> Self {
        Self { sources, members, alone, this }
    }

    /// Of a model that shares no table.
    pub(in crate::validate) fn none(sources: &'n SourceMap) -> Self {
        Self::new(sources, &[], &[], 0)
    }

    /// The table that a model is said to own, when it does; else [`Neighbours::why_not`] says why not.
    pub(in crate::validate) fn borrow(&self, key: &str, owner: &str) -> Option<Borrowed<'n>> {
        let Some(Lookup::Found(file)) = self.lookup(owner) else { return None };
        let at = self.place(*file).filter(|at| *at != self.this)?;
        let alone = self.alone.get(at).filter(|alone| alone.wrong.is_none())?;
        let table = alone.owned(key).filter(|table| table.is_emitted())?;
        Some(Borrowed { table, others: self.others(at, key) })
    }

    /// What other models hold in a table of this one.
    pub(in crate::validate) fn guests(&self, key: &str) -> Vec<Other> {
        self.others(self.this, key)
    }

    /// What became of the name of an owner.
    fn lookup(&self, owner: &str) -> Option<&'n Lookup> {
        self.members.get(self.this)?.owners.get(owner)
    }

    fn place(&self, file: FileId) -> Option<usize> {
        self.members.iter().position(|member| member.file == file)
    }

    /// Why a table cannot be had from the model that is said to own it.
    pub(in crate::validate) fn why_not(&self, key: &Spanned<String>, owner: &Spanned<String>) -> Diagnostic {
        let name = &owner.value;
        let unknown = |message: String| Diagnostic::new(codes::UNKNOWN_OWNER, owner.span, message);
        match self.lookup(name) {
            Some(Lookup::Found(file)) => {
                let at = self.place(*file).filter(|at| *at != self.this);
                match at.and_then(|at| self.alone.get(at)) {
                    Some(alone) => self.not_owned(alone, key, owner),
                    None => unknown(format!("a table cannot be owned by `{name}`, which is this very model"))
                        .help("remove `owner` and describe the table, or name the model that owns it"),
                }
            }
            Some(Lookup::Several(places)) => {
                let diagnostic = unknown(format!("{} models are called `{name}`", places.len()));
                let diagnostic = places.iter().fold(diagnostic, |diagnostic, place| diagnostic.context(*place, "one of them"));
                diagnostic.help("give each model a name of its own")
            }
            Some(Lookup::Missing { known, searched }) => {
                let diagnostic =
                    unknown(format!("no model is called `{name}`")).note(format!("models were looked for in {searched}"));
                match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), owner.span, near),
                    None if known.is_empty() => diagnostic.help("there is no other model there"),
                    None => diagnostic.help(format!("there are {}", listed(known.iter().take(12)))),
                }
            }
            None => unknown(format!("no model is called `{name}`")),
        }
    }

    /// Why a model that was found does not own a table.
    fn not_owned(&self, alone: &Alone, key: &Spanned<String>, owner: &Spanned<String>) -> Diagnostic {
        let (name, table) = (&owner.value, &key.value);
        let unknown = |message: String| Diagnostic::new(codes::UNKNOWN_OWNER, owner.span, message);
        if let Some(wrong) = &alone.wrong {
            return unjudged(self.sources, key.span, table, &format!("`{name}`, which owns it,"), wrong);
        }
        if let Some(shared) = alone.shared(table) {
            let next = &shared.owner;
            let diagnostic = unknown(format!("`{name}` does not own `{table}` either: it names `{next}`"));
            let diagnostic = diagnostic.context(next.span, "named there");
            return if self.alone.get(self.this).is_some_and(|own| own.name() == next.value) {
                diagnostic.help("one of the two has to describe the table")
            } else {
                diagnostic.suggest(format!("name `{next}`"), owner.span, next.value.clone())
            };
        }
        if let Some(external) = alone.owned(table) {
            return unknown(format!("`{name}` does not own `{table}`: there it is `external`"))
                .context(external.span, "described there")
                .note("what exists elsewhere is owned by no model here")
                .help("describe the table here with `external: true` too");
        }
        let tables = alone.model.iter().flat_map(|model| &model.dynamodb).flat_map(|section| &section.tables);
        let keys: Vec<&str> = tables.filter(|(_, table)| table.is_emitted()).map(|(key, _)| key.as_str()).collect();
        let diagnostic = Diagnostic::new(codes::UNKNOWN_OWNER, key.span, format!("`{name}` has no table `{table}` in DynamoDB"));
        match nearest(table, keys.iter().copied()) {
            Some(near) => diagnostic.suggest(format!("did you mean `{near}`?"), key.span, near),
            None if keys.is_empty() => diagnostic.help(format!("`{name}` owns no table in DynamoDB")),
            None => diagnostic.help(format!("it owns {}", listed(keys))),
        }
    }

    /// What all but this model hold in a table: the owner's first, then by the models' names.
    fn others(&self, owner: usize, key: &str) -> Vec<Other> {
        let Some(table) =
            tables(self.members, self.alone).into_iter().find(|table| table.owner.member == owner && table.key == key)
        else {
            return self.of_owner(owner, key, true);
        };
        let mut others = Vec::new();
        let mut precedes = true;
        for part in table.parts() {
            if part.member == self.this {
                precedes = false;
            } else if part.member == owner {
                others.extend(self.of_owner(owner, key, precedes));
            } else if let Some(alone) = self.alone.get(part.member)
                && let Some(shared) = alone.shared(key)
            {
                others.extend(self.held(alone, &shared.holds, (owner, key), precedes));
            }
        }
        others
    }

    fn of_owner(&self, owner: usize, key: &str, precedes: bool) -> Vec<Other> {
        let Some(alone) = self.alone.get(owner).filter(|_| owner != self.this) else { return Vec::new() };
        alone.owned(key).map(|table| self.held(alone, &table.holds, (owner, key), precedes)).unwrap_or_default()
    }

    fn held(&self, alone: &Alone, holds: &[Holding], (owner, key): (usize, &str), precedes: bool) -> Vec<Other> {
        let Some(model) = &alone.model else { return Vec::new() };
        let expires = self.alone.get(owner).and_then(|owner| owner.owned(key)).and_then(|table| table.ttl.as_ref());
        let other = |holding: &Holding| {
            let mut entity = model.entities.get(&holding.entity.value)?.clone();
            // A timestamp by which items expire is in epoch seconds.
            if let Some(attribute) = expires.and_then(|ttl| entity.attributes.get_mut(&ttl.value))
                && attribute.kind == AttributeType::Timestamp
            {
                attribute.encoding = Encoding::EpochSeconds;
            }
            Some(Other { model: model.name.value.clone(), entity, holding: holding.clone(), precedes })
        };
        holds.iter().filter_map(other).collect()
    }
}

/// The tables that members share, as far as they can be known.
pub(super) fn tables(members: &[Member<'_>], alone: &[Alone]) -> Vec<SharedTable> {
    let mut tables: Vec<SharedTable> = Vec::new();
    for (at, (member, sharer)) in members.iter().zip(alone).enumerate() {
        let sections = sharer.model.iter().flat_map(|model| &model.dynamodb);
        for (key, shared) in sections.flat_map(|section| &section.shared) {
            let Some(Lookup::Found(file)) = member.owners.get(&shared.owner.value) else { continue };
            let Some(owner) = members.iter().position(|member| member.file == *file).filter(|owner| *owner != at) else {
                continue;
            };
            let Some(owned) = alone.get(owner).and_then(|alone| alone.owned(key)).filter(|table| table.is_emitted()) else {
                continue;
            };
            let part = Part { member: at, name: sharer.name().to_owned(), span: shared.span };
            match tables.iter_mut().find(|table| table.owner.member == owner && table.key == *key) {
                Some(table) => table.sharers.push(part),
                None => tables.push(SharedTable {
                    key: key.clone(),
                    owner: Part { member: owner, name: shared.owner.value.clone(), span: owned.span },
                    sharers: vec![part],
                }),
            }
        }
    }
    for table in &mut tables {
        table.sharers.sort_by(|one, next| one.name.cmp(&next.name));
    }
    tables.sort_by(|one, next| (one.owner.member, &one.key).cmp(&(next.owner.member, &next.key)));
    tables
}
