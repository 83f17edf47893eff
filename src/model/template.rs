//! Key templates (model language, section 6.1).

use super::Duration;
use crate::source::Span;

/// A key template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The whole text.
    pub span: Span,
    /// Its pieces; adjacent literals are joined.
    pub parts: Vec<TemplatePart>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Text as it is, braces resolved.
    Literal(String),
    /// `{name}`, `{name:010}`, `{upper(name)}`, `{lower(name)}`
    Attribute {
        /// The attribute.
        name: String,
        /// Zero-padded to this many digits.
        pad: Option<u8>,
        /// Written in one case.
        case: Option<Case>,
    },
    /// `{bucket(name, period)}`
    Bucket {
        /// The attribute with the time.
        name: String,
        /// How long one bucket lasts.
        period: Period,
    },
    /// `{shard(name, n)}`
    Shard {
        /// The attribute that is hashed.
        name: String,
        /// Number of shards.
        into: u32,
    },
}

/// A letter case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `upper(…)`
    Upper,
    /// `lower(…)`
    Lower,
}

/// How long a bucket lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// Calendar minute: `2026-11-30T11:10`
    Minute,
    /// Calendar hour: `2026-11-30T11`
    Hour,
    /// Calendar day: `2026-11-30`
    Day,
    /// ISO week: `2026-W48`
    Week,
    /// Calendar month: `2026-11`
    Month,
    /// Calendar year: `2026`
    Year,
    /// A number of seconds: prints the whole periods since the epoch.
    Every(Duration),
}

impl Template {
    /// The one attribute of a template that is nothing but `{name}`.
    #[must_use]
    pub fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [TemplatePart::Attribute { name, pad: None, case: None }] => Some(name),
            _ => None,
        }
    }

    /// The attributes it mentions, in order, with repetitions.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Literal(_) => None,
            TemplatePart::Attribute { name, .. } | TemplatePart::Bucket { name, .. } | TemplatePart::Shard { name, .. } => {
                Some(name.as_str())
            }
        })
    }
}
