//! Who serves a pattern that reads.

use super::candidate::{Candidate, Candidates};
use super::choose::choose;
use super::explain::{self, Refusal};
use super::lack::quoted;
use super::operation;
use super::request::Request;
use super::serve::{How, Read, may_serve, serve};
use crate::design::buckets::Buckets;
use crate::design::{Service, scope};
use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::model::{Model, Pattern, Verb, Where};
use crate::schema::Address;
use crate::source::Spanned;

/// The most keys of a `BatchGetItem` or a `TransactGetItems` (DynamoDB developer guide, "Service quotas").
const MOST_KEYS: u64 = 100;

/// The table or index that serves a read; none when there is none, which is an error, or is said to be so.
pub(super) fn read<'m>(
    model: &'m Model,
    candidates: &Candidates<'m>,
    pattern: &'m Pattern,
    transactional: bool,
    sink: &mut Sink,
) -> Option<Service> {
    let requests = requests(model, pattern, transactional);
    let Some(first) = requests.first() else {
        if pattern.unserved.is_none() {
            sink.push(uncounted(pattern));
        }
        return None;
    };
    let serving = asked(candidates, &requests).filter(|(candidate, request)| may_serve(candidate, request));
    let reads: Vec<Read<'_, 'm>> = serving.filter_map(|(candidate, request)| serve(candidate, request).ok()).collect();
    let via: Vec<&Spanned<Address>> = pattern.via.iter().filter(|via| on_dynamodb(&via.value)).collect();
    if let Some(reason) = &pattern.unserved {
        if let Some(read) = choose(&reads).first() {
            let message = format!("`{}` is said to be unserved, but {} serves it", pattern.name, read.candidate);
            let diagnostic = Diagnostic::new(codes::UNSERVED_BUT_SERVED, reason.span, message)
                .context(read.candidate.span, "this one")
                .note(format!("it is read by {}", operation::read(read)))
                .help("remove `unserved`")
                .of_pattern(&pattern.name)
                .at(&read.candidate.address);
            sink.push(diagnostic);
        }
        return None;
    }
    let read = if via.is_empty() {
        if reads.is_empty() {
            sink.push(explain::unserved(pattern, first, &refusals(candidates, &requests)));
            return None;
        }
        one(pattern, choose(&reads), sink)?
    } else {
        by_via(candidates, pattern, &via, (&requests, reads), sink)?
    };
    judge(model, pattern, &read, sink);
    Some(Service {
        address: read.candidate.address.clone(),
        operation: candidates.operations.text(|| operation::read(&read)),
        partitions: read.partitions.count(),
        endless: read.partitions == Buckets::Endless,
    })
}

/// What may serve each of some requests: one that lacks the first entity cannot.
fn asked<'c, 'm>(
    candidates: &'c Candidates<'m>,
    requests: &'c [Request<'m>],
) -> impl Iterator<Item = (&'c Candidate<'m>, &'c Request<'m>)> {
    requests.iter().flat_map(|request| {
        let holding = request.entities.first().into_iter().flat_map(|entity| candidates.with(&entity.name));
        holding.map(move |candidate| (candidate, request))
    })
}

/// Why each of those does not serve that does not. Looked at where somebody wants to know alone.
fn refusals<'c, 'm>(candidates: &'c Candidates<'m>, requests: &'c [Request<'m>]) -> Vec<Refusal<'c, 'm>> {
    let refused = |(candidate, request)| Some((candidate, serve(candidate, request).err()?));
    asked(candidates, requests).filter_map(refused).collect()
}

/// What is asked: the entities of a read, or each entity that keeps the count.
fn requests<'m>(model: &'m Model, pattern: &'m Pattern, transactional: bool) -> Vec<Request<'m>> {
    let entity = |name: &str| model.entities.get(name);
    let mut requests = match &pattern.verb {
        Verb::Count(counted) => {
            let keeping = scope::counters(model, pattern, &counted.value);
            let request =
                |(name, attribute)| Some(Request { select: vec![attribute], ..Request::new(pattern, vec![entity(name)?]) });
            keeping.into_iter().filter_map(request).collect()
        }
        verb => vec![Request::new(pattern, verb.entities().into_iter().filter_map(entity).collect())],
    };
    for request in &mut requests {
        request.transactional |= transactional;
    }
    requests
}

fn uncounted(pattern: &Pattern) -> Diagnostic {
    let counted = pattern.verb.entities().concat();
    let given: Vec<&str> = pattern.conditions.iter().flat_map(Where::attributes).collect();
    let message = format!("no entity keeps the count of `{counted}` that `{}` asks for", pattern.name);
    Diagnostic::new(codes::PATTERN_UNSERVED, pattern.span, message)
        .note("a count is read from an attribute that is maintained; DynamoDB cannot count items without reading them")
        .help(format!("give the entity whose key is {} an attribute with `count_of: {counted}`", quoted(&given)))
        .of_pattern(&pattern.name)
}

fn one<'c, 'm>(pattern: &Pattern, mut left: Vec<Read<'c, 'm>>, sink: &mut Sink) -> Option<Read<'c, 'm>> {
    if left.len() < 2 {
        return left.pop();
    }
    left.sort_by(|one, other| one.candidate.address.cmp(&other.candidate.address));
    let names: Vec<String> = left.iter().map(|read| read.candidate.address.to_string()).collect();
    let message = format!("`{}` could be served by {}", pattern.name, quoted(&names));
    let mut diagnostic = Diagnostic::new(codes::AMBIGUOUS_PATTERN, pattern.span, message);
    for read in &left {
        diagnostic =
            diagnostic.context(read.candidate.span, "one of them").note(format!("{}: {}", read.candidate, operation::read(read)));
    }
    let first = names.first().map_or("", String::as_str);
    sink.push(diagnostic.help(format!("say which with `via`, such as `via: {first}`")).of_pattern(&pattern.name));
    None
}

fn by_via<'c, 'm>(
    candidates: &Candidates<'m>,
    pattern: &Pattern,
    via: &[&Spanned<Address>],
    (requests, reads): (&[Request<'m>], Vec<Read<'c, 'm>>),
    sink: &mut Sink,
) -> Option<Read<'c, 'm>> {
    let serves = |address: &&&Spanned<Address>| reads.iter().any(|read| read.candidate.address == address.value);
    let mut refused = via.iter().filter(|address| !serves(address)).peekable();
    if refused.peek().is_some() {
        let refusals = refusals(candidates, requests);
        for address in refused {
            let refusal = refusals.iter().find(|(candidate, _)| candidate.address == address.value);
            sink.push(cannot_serve(candidates, pattern, address, refusal));
        }
        return None;
    }
    let named = |read: &Read<'_, '_>| via.iter().any(|address| address.value == read.candidate.address);
    let anyway: Vec<Address> = choose(&reads).iter().map(|read| read.candidate.address.clone()).collect();
    let named: Vec<Read<'c, 'm>> = reads.into_iter().filter(named).collect();
    let read = one(pattern, choose(&named), sink)?;
    if anyway.iter().eq([&read.candidate.address])
        && let Some(address) = via.first()
    {
        let message = format!("`{}` would be served by {} without `via`", pattern.name, read.candidate);
        let diagnostic = Diagnostic::new(codes::VIA_NEEDLESS, pattern.span, message).context(address.span, "not needed");
        sink.push(diagnostic.help("remove `via`, or allow the finding to pin it").of_pattern(&pattern.name).at(&address.value));
    }
    Some(read)
}

fn cannot_serve(
    candidates: &Candidates<'_>,
    pattern: &Pattern,
    address: &Spanned<Address>,
    refusal: Option<&Refusal<'_, '_>>,
) -> Diagnostic {
    let message = format!("{} cannot serve `{}`", address.value, pattern.name);
    let diagnostic = Diagnostic::new(codes::VIA_CANNOT_SERVE, address.span, message).of_pattern(&pattern.name).at(&address.value);
    match refusal {
        Some((candidate, lacks)) => {
            diagnostic.context(candidate.span, "this one").note(format!("{candidate} {}", explain::sentence(lacks)))
        }
        None => match candidates.at(&address.value) {
            Some(candidate) => diagnostic
                .context(candidate.span, "this one")
                .note(format!("{candidate} does not hold {}", quoted(&pattern.verb.entities()))),
            None => diagnostic.note("there is no table or index of that name"),
        },
    }
}

/// Findings and errors about the read that was chosen.
fn judge(model: &Model, pattern: &Pattern, read: &Read<'_, '_>, sink: &mut Sink) {
    let candidate = read.candidate;
    if !read.others.is_empty() {
        let message = format!("`{}` on {candidate} also reads {}, which a filter removes", pattern.name, quoted(&read.others));
        let diagnostic = Diagnostic::new(codes::READS_OTHER_ENTITIES, pattern.span, message)
            .context(candidate.span, "this one is read")
            .note("what a filter removes has been read and paid for, and `limit` counts it");
        sink.push(
            diagnostic
                .help("begin the sort keys of each entity with a word of its own")
                .of_pattern(&pattern.name)
                .at(&candidate.address),
        );
    }
    for (entity, attribute) in &read.hidden {
        let message = format!("`{}` on {candidate} does not find items of `{entity}` without `{attribute}`", pattern.name);
        let mut diagnostic = Diagnostic::new(codes::INDEX_HIDES_ITEMS, pattern.span, message)
            .context(candidate.span, "items without a key attribute are not in it");
        if let Some(place) = model.entities.get(*entity).and_then(|entity| entity.attributes.get(attribute)) {
            diagnostic = diagnostic.context(place.span, "optional");
        }
        sink.push(
            diagnostic
                .help(format!("ask for `{attribute}` in `where`, or allow the finding when that is meant"))
                .of_pattern(&pattern.name)
                .of_attribute(*entity, attribute)
                .at(&candidate.address),
        );
    }
    if let How::Keys { count, .. } = read.how
        && count > MOST_KEYS
    {
        let message =
            format!("`{}` reads {count} items by their keys in one request; at most {MOST_KEYS} are possible", pattern.name);
        sink.push(
            Diagnostic::new(codes::BATCH_TOO_LARGE, pattern.span, message)
                .context(candidate.span, "this one is read")
                .help("the caller splits them; give the size of one request")
                .of_pattern(&pattern.name)
                .at(&candidate.address),
        );
    }
    if !matches!(read.how, How::Query { .. }) {
        return;
    }
    let filters = pattern.filter.iter().flat_map(|filter| &filter.conditions);
    for condition in filters.filter(|condition| candidate.key.contains(&condition.attribute.value.as_str())) {
        let name = &condition.attribute.value;
        let message = format!("`{}` filters `{name}`, a key attribute of {candidate}", pattern.name);
        let diagnostic = Diagnostic::new(codes::FILTER_ON_KEY, condition.span, message).context(candidate.span, "its key");
        sink.push(
            diagnostic
                .note("DynamoDB refuses a FilterExpression on a key attribute of what is queried")
                .help(format!("ask for it in `where`, or key another index so that `{name}` can be asked for"))
                .of_pattern(&pattern.name)
                .at(&candidate.address),
        );
    }
}

fn on_dynamodb(address: &Address) -> bool {
    matches!(address, Address::DynamodbTable(_) | Address::GlobalIndex(..) | Address::LocalIndex(..))
}
