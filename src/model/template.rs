//! Key templates (model language, section 6.1).

use super::Duration;
use crate::source::Span;
use std::fmt;

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
        self.parts.iter().filter_map(TemplatePart::attribute)
    }
}

impl TemplatePart {
    /// The attribute it prints; None for a literal.
    #[must_use]
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::Literal(_) => None,
            Self::Attribute { name, .. } | Self::Bucket { name, .. } | Self::Shard { name, .. } => Some(name),
        }
    }
}

/// As it is written in a template.
impl fmt::Display for TemplatePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Self::Attribute { name, case: Some(Case::Upper), .. } => write!(f, "{{upper({name})}}"),
            Self::Attribute { name, case: Some(Case::Lower), .. } => write!(f, "{{lower({name})}}"),
            Self::Attribute { name, pad: Some(pad), .. } => write!(f, "{{{name}:0{pad}}}"),
            Self::Attribute { name, .. } => write!(f, "{{{name}}}"),
            Self::Bucket { name, period } => write!(f, "{{bucket({name}, {period})}}"),
            Self::Shard { name, into } => write!(f, "{{shard({name}, {into})}}"),
        }
    }
}

impl Period {
    /// How long it lasts, in seconds; a month is 30 days and a year 365, as in durations.
    #[must_use]
    pub fn seconds(self) -> u64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 3_600,
            Self::Day => 86_400,
            Self::Week => 604_800,
            Self::Month => 2_592_000,
            Self::Year => 31_536_000,
            Self::Every(duration) => duration.seconds,
        }
    }

    /// Whether a date tells its buckets apart: those of a part of a day would have one.
    #[must_use]
    pub fn has_dates(self) -> bool {
        self.seconds() >= Self::Day.seconds()
    }
}

/// As it is written in a template.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
            Self::Every(duration) => return duration.fmt(f),
        })
    }
}
