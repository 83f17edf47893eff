//! Names (section 1).

use super::Flaw;
use crate::diagnostic::codes;
use crate::schema::has_reference;

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// Model, pattern: `[a-z][a-z0-9-]*`
    Kebab,
    /// Entity: `[A-Z][A-Za-z0-9]*`
    Pascal,
    /// Type, table, CQL index, view, parameter: `[A-Za-z_][A-Za-z0-9_]*`
    Word,
    /// Attribute: any text that is not empty
    Attribute,
    /// An attribute that DynamoDB is told of: of a key, a projection or a time to live
    TableAttribute,
    /// A table or an index in DynamoDB: `[A-Za-z0-9_.-]{3,255}`
    Dynamodb,
    /// A name in CQL: `[A-Za-z0-9_]{1,48}`; longer ones are refused by some engine, or keep a node from starting
    Cql,
    /// Terraform label: a letter or underscore, then letters, digits, underscores, hyphens
    Label,
    /// CloudFormation logical ID: letters and digits
    LogicalId,
    /// A Region of AWS: `eu-west-1`, `us-gov-east-1`
    Region,
    /// The key of a tag: 1 to 128 characters; `aws:` is the service's own
    TagKey,
    /// The value of a tag: at most 256 characters
    TagValue,
}

impl Name {
    /// Checks a name as it is written. `what` is what it names.
    pub(crate) fn check(self, text: &str, what: &str) -> Result<(), Flaw> {
        if has_reference(text) {
            return Err(Flaw::new(codes::PARAMETER_NOT_HERE, 0..text.len(), format!("a parameter cannot be part of {what}")));
        }
        self.check_letters(text, what)
    }

    /// Checks a name that is what it says: a value, in which `${` begins nothing.
    pub(crate) fn check_letters(self, text: &str, what: &str) -> Result<(), Flaw> {
        let whole = 0..text.len();
        let (fits, rule) = match self {
            Self::Kebab => (
                shaped(text, is_lower, |next| is_lower(next) || next.is_ascii_digit() || next == '-'),
                "lower-case letters, digits and hyphens, a letter first",
            ),
            Self::Pascal => (
                shaped(text, |first| first.is_ascii_uppercase(), |next| next.is_ascii_alphanumeric()),
                "letters and digits, a capital first",
            ),
            Self::Word => (
                shaped(
                    text,
                    |first| first.is_ascii_alphabetic() || first == '_',
                    |next| next.is_ascii_alphanumeric() || next == '_',
                ),
                "letters, digits and underscores, no digit first",
            ),
            Self::Attribute | Self::TableAttribute => (!text.is_empty(), "any text, but not none"),
            Self::Dynamodb => {
                (text.len() >= 3 && text.chars().all(is_dynamodb), "at least 3 letters, digits, underscores, hyphens and dots")
            }
            Self::Cql => (shaped(text, is_cql, is_cql), "letters, digits and underscores"),
            Self::Label => (
                shaped(
                    text,
                    |first| first.is_ascii_alphabetic() || first == '_',
                    |next| next.is_ascii_alphanumeric() || next == '_' || next == '-',
                ),
                "letters, digits, underscores and hyphens, no digit first",
            ),
            Self::LogicalId => (!text.is_empty() && text.chars().all(|next| next.is_ascii_alphanumeric()), "letters and digits"),
            Self::Region => (is_region(text), "the form of `eu-west-1`"),
            Self::TagKey => (
                !text.is_empty() && !text.to_lowercase().starts_with("aws:") && !text.chars().any(char::is_control),
                "1 to 128 characters on one line that do not begin with `aws:`",
            ),
            Self::TagValue => (true, ""),
        };
        if !fits {
            let mut flaw =
                Flaw::new(codes::BAD_NAME, whole, format!("`{text}` cannot be {what}")).help(format!("it may have {rule}"));
            if let Some(instead) = self.nearest(text) {
                flaw = flaw.instead(instead);
            }
            return Err(flaw);
        }
        let limit = match self {
            Self::Cql => 48,
            Self::Attribute => 65_535,
            // A file `table_….tf` has such a name, and 255 bytes are what file systems give it.
            Self::Word | Self::Label => 246,
            Self::TagKey => 128,
            Self::TagValue => 256,
            _ => 255,
        };
        let length = match self {
            Self::TagKey | Self::TagValue => text.chars().count(),
            _ => text.len(),
        };
        if length > limit {
            return Err(Flaw::new(
                codes::NAME_TOO_LONG,
                whole,
                format!("{what} has {length} characters; at most {limit} are possible"),
            ));
        }
        Ok(())
    }

    /// Whether a character may stand in the name of something in a store, where it makes no difference at which place.
    pub(crate) fn takes(self, next: char) -> bool {
        match self {
            Self::Dynamodb => is_dynamodb(next),
            Self::Cql => is_cql(next),
            _ => true,
        }
    }

    /// A name that would do.
    fn nearest(self, text: &str) -> Option<String> {
        let words = text.split(|next: char| !next.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let instead = match self {
            Self::Kebab => words.join("-").to_lowercase(),
            Self::Pascal => words.iter().map(|word| capitalised(word)).collect(),
            Self::Word => words.join("_"),
            _ => return None,
        };
        (instead != text && self.check(&instead, "").is_ok()).then_some(instead)
    }
}

/// A character of a name in DynamoDB.
pub(crate) fn is_dynamodb(next: char) -> bool {
    next.is_ascii_alphanumeric() || matches!(next, '_' | '.' | '-')
}

fn is_cql(next: char) -> bool {
    next.is_ascii_alphanumeric() || next == '_'
}

fn is_region(text: &str) -> bool {
    let word = |part: &str| shaped(part, is_lower, is_lower);
    let number = |part: &str| !part.is_empty() && part.len() <= 2 && part.chars().all(|next| next.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    parts.split_last().is_some_and(|(last, words)| words.len() >= 2 && words.iter().all(|part| word(part)) && number(last))
}

fn is_lower(next: char) -> bool {
    next.is_ascii_lowercase()
}

fn shaped(text: &str, first: impl Fn(char) -> bool, next: impl Fn(char) -> bool) -> bool {
    text.chars().next().is_some_and(&first) && text.chars().all(next)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(kind: Name, text: &str) -> Option<&'static str> {
        kind.check(text, "a name").err().map(|flaw| flaw.code.slug())
    }

    #[test]
    fn each_kind_has_its_characters() {
        for (kind, good, bad) in [
            (Name::Kebab, "get-order2", "Get"),
            (Name::Pascal, "Order2", "order"),
            (Name::Word, "_a1", "1a"),
            (Name::Attribute, "my \"name\"", ""),
            (Name::Dynamodb, "a.b-c_D", "ab"),
            (Name::Cql, "1a_B", "a-b"),
            (Name::Label, "a-b", "a.b"),
            (Name::LogicalId, "Orders1", "a_b"),
            (Name::Region, "us-gov-east-1", "eu-west"),
            (Name::Region, "ap-southeast-12", "EU-west-1"),
        ] {
            assert_eq!(code(kind, good), None, "{good}");
            assert_eq!(code(kind, bad), Some("bad-name"), "{bad}");
        }
        assert_eq!(code(Name::Cql, &"a".repeat(49)), Some("name-too-long"));
        assert_eq!(code(Name::Dynamodb, &"a".repeat(256)), Some("name-too-long"));
        assert_eq!(code(Name::Word, "${x}"), Some("parameter-not-here"));
        assert_eq!(code(Name::Kebab, "größe"), Some("bad-name"));
    }

    #[test]
    fn a_better_spelling_is_offered() {
        let instead = |kind: Name, text| kind.check(text, "a name").unwrap_err().instead;
        assert_eq!(instead(Name::Kebab, "Get_Order").as_deref(), Some("get-order"));
        assert_eq!(instead(Name::Pascal, "line_item").as_deref(), Some("LineItem"));
        assert_eq!(instead(Name::Word, "by-date").as_deref(), Some("by_date"));
        assert_eq!(instead(Name::Word, "1"), None);
    }
}
