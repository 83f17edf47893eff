//! What the values of a key template look like: whether two templates can print the same text.

use super::request::Request;
use crate::model::{Attribute, AttributeType, Case, Encoding, Entity, TemplatePart};
use std::ops::RangeInclusive;

/// Characters that may stand at one place.
type Class = Vec<RangeInclusive<char>>;

/// One place of a text, or (`many`) any number of them.
#[derive(Clone, Debug)]
struct Place {
    class: Class,
    many: bool,
}

/// All texts that a template can print.
#[derive(Clone, Debug, Default)]
pub(super) struct Spelling(Vec<Place>);

/// How much two templates have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Overlap {
    /// No text is printed by both.
    Never,
    /// Some value of an attribute spells a literal of the other template.
    SomeValue,
    /// The same literals stand in the same places.
    Alike,
}

impl Spelling {
    /// The texts a template prints for the items of an entity.
    pub(super) fn of(parts: &[TemplatePart], entity: &Entity) -> Self {
        let mut places = Vec::new();
        for part in parts {
            match part {
                TemplatePart::Literal(text) => places.extend(text.chars().map(|letter| one(vec![letter..=letter]))),
                TemplatePart::Attribute { name, pad, case } => {
                    if let Some(attribute) = entity.attributes.get(name) {
                        places.extend(printed(attribute, *pad, *case));
                    } else {
                        places.extend(some(any()));
                    }
                }
                TemplatePart::Bucket { .. } => places.extend(some(vec!['0'..='9', '-'..='-', 'T'..='T', 'W'..='W', ':'..=':'])),
                TemplatePart::Shard { .. } => places.extend(some(vec!['0'..='9'])),
            }
        }
        Self(places)
    }

    /// The same texts with anything behind them.
    pub(super) fn then_anything(mut self) -> Self {
        self.0.push(Place { class: any(), many: true });
        self
    }

    /// The same texts with one more character from `first` to `last`.
    pub(super) fn then(mut self, letters: RangeInclusive<char>) -> Self {
        self.0.push(one(vec![letters]));
        self
    }

    /// The characters a text can begin with, from the lowest to the highest.
    pub(super) fn first(&self) -> RangeInclusive<char> {
        let class = self.0.first().map(|place| place.class.as_slice()).unwrap_or_default();
        let low = class.iter().map(|range| *range.start()).min();
        let high = class.iter().map(|range| *range.end()).max();
        low.unwrap_or('\0')..=high.unwrap_or(char::MAX)
    }

    /// Whether some text belongs to both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        // States are pairs of positions; `reached` holds those of the row above and of this row.
        let width = other.0.len() + 1;
        let mut reached = vec![vec![false; width]; self.0.len() + 1];
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            let Some(seen) = reached.get_mut(left).and_then(|row| row.get_mut(right)) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            let (ours, theirs) = (self.0.get(left), other.0.get(right));
            if ours.is_none() && theirs.is_none() {
                return true;
            }
            if ours.is_some_and(|place| place.many) {
                open.push((left + 1, right));
            }
            if theirs.is_some_and(|place| place.many) {
                open.push((left, right + 1));
            }
            if let (Some(ours), Some(theirs)) = (ours, theirs)
                && classes_meet(&ours.class, &theirs.class)
            {
                open.push((left + usize::from(!ours.many), right + usize::from(!theirs.many)));
            }
        }
        false
    }
}

/// How much two templates of two entities have in common.
pub(super) fn overlap(ours: (&[TemplatePart], &Entity), theirs: (&[TemplatePart], &Entity)) -> Overlap {
    if !Spelling::of(ours.0, ours.1).meets(&Spelling::of(theirs.0, theirs.1)) {
        Overlap::Never
    } else if behind(ours.0, theirs.0).is_some_and(|rest| rest.is_empty()) {
        Overlap::Alike
    } else {
        Overlap::SomeValue
    }
}

/// What follows `prefix` in a template that has the same literals in the same places; None when it has not.
pub(super) fn behind(prefix: &[TemplatePart], template: &[TemplatePart]) -> Option<Vec<TemplatePart>> {
    let mut rest = template.iter().cloned();
    let mut next = rest.next();
    for part in prefix {
        match (part, next) {
            (TemplatePart::Literal(ours), Some(TemplatePart::Literal(theirs))) => {
                let tail = theirs.strip_prefix(ours.as_str())?;
                next = if tail.is_empty() { rest.next() } else { Some(TemplatePart::Literal(tail.to_owned())) };
            }
            (TemplatePart::Literal(_), _) | (_, None | Some(TemplatePart::Literal(_))) => return None,
            (_, Some(_)) => next = rest.next(),
        }
    }
    Some(next.into_iter().chain(rest).collect())
}

/// The template with the values that a request writes out in place of their attributes.
pub(super) fn substitute(parts: &[TemplatePart], request: &Request<'_>) -> Vec<TemplatePart> {
    let mut joined: Vec<TemplatePart> = Vec::new();
    for part in parts {
        let part = match part {
            TemplatePart::Attribute { name, pad, case } => match request.literal(name) {
                Some(text) => TemplatePart::Literal(print(text, *pad, *case)),
                None => part.clone(),
            },
            other => other.clone(),
        };
        match (joined.last_mut(), part) {
            (Some(TemplatePart::Literal(last)), TemplatePart::Literal(text)) => last.push_str(&text),
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// A text as a placeholder prints it.
pub(super) fn print(text: &str, pad: Option<u8>, case: Option<Case>) -> String {
    match (pad, case) {
        (Some(width), _) => format!("{text:0>width$}", width = usize::from(width)),
        (None, Some(Case::Upper)) => text.to_uppercase(),
        (None, Some(Case::Lower)) => text.to_lowercase(),
        (None, None) => text.to_owned(),
    }
}

fn printed(attribute: &Attribute, pad: Option<u8>, case: Option<Case>) -> Vec<Place> {
    if let Some(values) = &attribute.values {
        let letters = values.keys().flat_map(|value| print(value, pad, case).chars().collect::<Vec<_>>());
        return some(letters.map(|letter| letter..=letter).collect());
    }
    let digits = || vec!['0'..='9'];
    match &attribute.kind {
        AttributeType::Uuid | AttributeType::Timeuuid => {
            let letters = if case == Some(Case::Upper) { 'A'..='F' } else { 'a'..='f' };
            exactly(36, &vec!['0'..='9', letters, '-'..='-'])
        }
        AttributeType::Ulid => exactly(26, &vec!['0'..='9', 'A'..='Z', 'a'..='z']),
        AttributeType::Ksuid => exactly(27, &vec!['0'..='9', 'A'..='Z', 'a'..='z']),
        AttributeType::Date => exactly(10, &vec!['0'..='9', '-'..='-']),
        AttributeType::Time => some(vec!['0'..='9', ':'..=':', '.'..='.']),
        AttributeType::Timestamp if attribute.encoding == Encoding::Iso => {
            let rest = vec!['0'..='9', '-'..='-', ':'..=':', '.'..='.', 'T'..='T', 'Z'..='Z', 't'..='t', 'z'..='z'];
            exactly(4, &digits()).into_iter().chain(some(rest)).collect()
        }
        AttributeType::Inet => some(vec!['0'..='9', 'a'..='f', 'A'..='F', '.'..='.', ':'..=':']),
        AttributeType::Blob => some(vec!['0'..='9', 'a'..='z', 'A'..='Z', '+'..='+', '/'..='/', '='..='=']),
        _ if attribute.is_stored_as_number() && pad.is_some() => {
            let mut places = exactly(usize::from(pad.unwrap_or_default()), &digits());
            places.push(Place { class: digits(), many: true });
            places
        }
        _ if attribute.is_stored_as_number() => some(vec!['0'..='9', '-'..='-', '.'..='.', 'E'..='E', '+'..='+']),
        _ => some(match case {
            Some(Case::Lower) => vec!['\0'..='@', '['..=char::MAX],
            Some(Case::Upper) => vec!['\0'..='`', '{'..=char::MAX],
            None => any(),
        }),
    }
}

fn any() -> Class {
    vec!['\0'..=char::MAX]
}

fn one(class: Class) -> Place {
    Place { class, many: false }
}

/// At least one character.
fn some(class: Class) -> Vec<Place> {
    vec![one(class.clone()), Place { class, many: true }]
}

fn exactly(count: usize, class: &Class) -> Vec<Place> {
    vec![one(class.clone()); count]
}

fn classes_meet(left: &Class, right: &Class) -> bool {
    left.iter().any(|ours| right.iter().any(|theirs| ours.start() <= theirs.end() && theirs.start() <= ours.end()))
}
