//! The division of a schema into CloudFormation templates: each is deployed as a stack of its own.

use crate::schema::TemplateFormat;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::num::NonZeroU32;

/// In which CloudFormation template of its schema a table is, counted from 1. A schema that was not divided yet, or that was
/// read from something else than a template of ours, does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Template(Option<NonZeroU32>);

impl Template {
    /// `template.yaml`, which most schemas fit into.
    pub const FIRST: Self = Self(Some(NonZeroU32::MIN));

    /// `template.yaml`: what a lock without a word of it means.
    pub(super) fn first() -> Self {
        Self::FIRST
    }

    /// Whether it is not worth a word: the first one, or not known.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference to `skip_serializing_if`")]
    pub(super) fn goes_without_saying(&self) -> bool {
        *self <= Self::FIRST
    }

    /// Whether anything says which one it is.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.0.is_some()
    }

    /// This one; the first where nothing is said.
    #[must_use]
    pub fn or_first(self) -> Self {
        self.max(Self::FIRST)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0.map_or(1, NonZeroU32::get)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(NonZeroU32::new(self.number().saturating_add(1)))
    }

    /// This one and those before it, the last one first.
    pub fn and_before(self) -> impl Iterator<Item = Self> {
        (1..=self.number()).rev().map(|number| Self(NonZeroU32::new(number)))
    }

    /// The name of its file.
    #[must_use]
    pub fn file_name(self, format: TemplateFormat) -> String {
        match self.number() {
            1 => format!("template.{}", format.name()),
            number => format!("template-{number}.{}", format.name()),
        }
    }

    /// By the name of a file; not known for one that is not named as ours are.
    #[must_use]
    pub fn of_file(path: &Utf8Path) -> Self {
        let Some(rest) = path.file_stem().and_then(|stem| stem.strip_prefix("template")) else { return Self::default() };
        if rest.is_empty() {
            return Self::FIRST;
        }
        let number = rest.strip_prefix('-').filter(|digits| !digits.starts_with('0')).and_then(|digits| digits.parse().ok());
        Self(number.filter(|number| *number > NonZeroU32::MIN))
    }
}

/// As people write it by hand.
impl TryFrom<Value> for Template {
    type Error = String;

    fn try_from(written: Value) -> Result<Self, String> {
        let number = written.as_u64().and_then(|number| u32::try_from(number).ok()).and_then(NonZeroU32::new);
        number.map(|number| Self(Some(number))).ok_or_else(|| format!("`{written}` is not the number of a template: 1 or higher"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_there_and_back() {
        for template in Template::FIRST.next().next().and_before() {
            for format in [TemplateFormat::Yaml, TemplateFormat::Json] {
                let path = format!("cloudformation/{}", template.file_name(format));
                assert_eq!(Template::of_file(Utf8Path::new(&path)), template);
            }
        }
        for foreign in
            ["orders.yaml", "template-1.yaml", "template-02.yaml", "template-x.yaml", "template2.yaml", "template-.yaml"]
        {
            assert!(!Template::of_file(Utf8Path::new(foreign)).is_known(), "{foreign}");
        }
    }
}
