//! Key templates (section 6.1).

use super::{Flaw, units};
use crate::diagnostic::{codes, nearest};
use crate::model::{Case, Period, Template, TemplatePart};
use crate::source::Span;
use std::ops::Range;

/// Reads a key template.
pub(crate) fn template(text: &str, span: Span) -> Result<Template, Flaw> {
    let mut parts: Vec<TemplatePart> = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    let mut previous: Option<Range<usize>> = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("${") {
            return Err(Flaw::new(
                codes::PARAMETER_NOT_HERE,
                at..text.len().min(at + rest.find('}').map_or(rest.len(), |end| end + 1)),
                "a parameter cannot be part of a key",
            )
            .help("a key is made of attributes: `{name}`"));
        }
        if rest.starts_with("{{") || rest.starts_with("}}") {
            literal.push_str(rest.get(..1).unwrap_or_default());
            at += 2;
        } else if rest.starts_with('}') {
            return Err(flaw(at..at + 1, "a `}` that closes nothing").instead("}}"));
        } else if let Some(inner) = rest.strip_prefix('{') {
            let Some(width) = closing(inner) else {
                return Err(flaw(at..text.len(), "a `{` that is never closed").help("a brace as such is written `{{`"));
            };
            let range = at..at + width + 2;
            if !literal.is_empty() {
                parts.push(TemplatePart::Literal(std::mem::take(&mut literal)));
            } else if let Some(previous) = previous {
                return Err(Flaw::new(
                    codes::ADJACENT_PLACEHOLDERS,
                    previous.start..range.end,
                    "nothing stands between two placeholders, so their values run together",
                )
                .help("put a separator between them, such as `#`"));
            }
            parts.push(expression(inner.get(..width).unwrap_or_default(), at + 1)?);
            at = range.end;
            previous = Some(range);
        } else {
            let next = rest.chars().next().unwrap_or_default();
            literal.push(next);
            at += next.len_utf8();
        }
    }
    if !literal.is_empty() {
        parts.push(TemplatePart::Literal(literal));
    }
    if parts.is_empty() {
        return Err(flaw(0..text.len(), "a key cannot be empty text"));
    }
    Ok(Template { span, parts })
}

fn flaw(range: Range<usize>, message: impl Into<String>) -> Flaw {
    Flaw::new(codes::BAD_TEMPLATE, range, message)
}

/// The length of an expression: up to the brace that is not in quotes.
fn closing(inner: &str) -> Option<usize> {
    let mut quoted = false;
    inner
        .char_indices()
        .find(|(_, next)| {
            quoted ^= *next == '"';
            *next == '}' && !quoted
        })
        .map(|(at, _)| at)
}

fn expression(text: &str, at: usize) -> Result<TemplatePart, Flaw> {
    let whole = at..at + text.len();
    if let Some((function, arguments)) = text.split_once('(').filter(|(function, _)| !function.contains('"')) {
        let Some(arguments) = arguments.trim_end().strip_suffix(')') else {
            return Err(flaw(whole, "a `(` that is never closed"));
        };
        let start = at + function.len() + 1;
        return call(function.trim(), arguments, start, whole);
    }
    let (name, format) = match text.rsplit_once(':').filter(|(_, format)| !format.contains('"')) {
        Some((name, format)) => (name, Some(format)),
        None => (text, None),
    };
    let pad = match format {
        None => None,
        Some(format) => {
            let range = whole.end - format.len()..whole.end;
            let digits =
                format.strip_prefix('0').and_then(|digits| digits.parse::<u8>().ok()).filter(|digits| (1..=38).contains(digits));
            match digits {
                Some(digits) => Some(digits),
                None => {
                    return Err(flaw(range, format!("`{format}` is no padding"))
                        .help("`{n:010}` pads with zeros to 10 digits; 1 to 38 are possible"));
                }
            }
        }
    };
    Ok(TemplatePart::Attribute { name: attribute(name, at)?, pad, case: None })
}

fn call(function: &str, arguments: &str, start: usize, whole: Range<usize>) -> Result<TemplatePart, Flaw> {
    let (first, second) = match arguments.rsplit_once(',').filter(|(_, second)| !second.contains('"')) {
        Some((first, second)) => (first, Some((second.trim(), start + arguments.len() - second.trim_start().len()))),
        None => (arguments, None),
    };
    let name = || attribute(first, start);
    let second_range = |(text, at): (&str, usize)| at..at + text.len();
    match (function, second) {
        ("upper", None) => Ok(TemplatePart::Attribute { name: name()?, pad: None, case: Some(Case::Upper) }),
        ("lower", None) => Ok(TemplatePart::Attribute { name: name()?, pad: None, case: Some(Case::Lower) }),
        ("upper" | "lower", Some(second)) => Err(flaw(second_range(second), format!("`{function}` takes one attribute"))),
        ("bucket", Some(second)) => {
            let period = period(second.0).map_err(|inner| Flaw { range: second_range(second), ..inner })?;
            Ok(TemplatePart::Bucket { name: name()?, period })
        }
        ("shard", Some(second)) => match second.0.parse::<u32>() {
            Ok(into) if into >= 2 => Ok(TemplatePart::Shard { name: name()?, into }),
            _ => Err(flaw(second_range(second), format!("`{}` is no number of shards", second.0)).help("2 or more")),
        },
        ("bucket", None) => {
            Err(flaw(whole, "`bucket` takes an attribute and a period").help("write `{bucket(created_at, month)}`"))
        }
        ("shard", None) => Err(flaw(whole, "`shard` takes an attribute and a number").help("write `{shard(order_id, 8)}`")),
        _ => {
            let range = whole.start..whole.start + function.len();
            let flaw = flaw(range, format!("`{function}` is no function"));
            Err(match nearest(function, ["upper", "lower", "bucket", "shard"]) {
                Some(near) => flaw.instead(near),
                None => flaw.help("there are `upper`, `lower`, `bucket` and `shard`"),
            })
        }
    }
}

/// A name, in double quotes when it is no word.
fn attribute(text: &str, at: usize) -> Result<String, Flaw> {
    let name = text.trim();
    if let Some(inner) = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|inner| !inner.is_empty()) {
        return Ok(inner.to_owned());
    }
    let word = !name.is_empty()
        && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_')
        && !name.starts_with(|first: char| first.is_ascii_digit());
    if word {
        return Ok(name.to_owned());
    }
    let message = if name.is_empty() { "an attribute is missing".to_owned() } else { format!("`{name}` is no attribute") };
    Err(flaw(at..at + text.len(), message).help("other names than words stand in double quotes: `{\"like this\"}`"))
}

/// `month`, `10d`
pub(crate) fn period(text: &str) -> Result<Period, Flaw> {
    Ok(match text {
        "minute" => Period::Minute,
        "hour" => Period::Hour,
        "day" => Period::Day,
        "week" => Period::Week,
        "month" => Period::Month,
        "year" => Period::Year,
        _ if text.starts_with(|first: char| first.is_ascii_digit()) => {
            let duration = units::duration(text)?;
            if duration.seconds == 0 {
                return Err(Flaw::value(0..text.len(), "a period cannot be zero"));
            }
            Period::Every(duration)
        }
        _ => {
            let flaw = Flaw::value(0..text.len(), format!("`{text}` is no period"));
            return Err(match nearest(text, ["minute", "hour", "day", "week", "month", "year"]) {
                Some(near) => flaw.instead(near),
                None => flaw.help("write `minute`, `hour`, `day`, `week`, `month`, `year`, or a duration such as `10d`"),
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn read(text: &str) -> Result<Vec<TemplatePart>, Flaw> {
        let span = Span::new(SourceMap::default().add("m", text), 0, text.len());
        template(text, span).map(|template| template.parts)
    }

    #[test]
    fn templates_are_read() {
        let attribute = |name: &str, pad, case| TemplatePart::Attribute { name: name.into(), pad, case };
        let literal = |text: &str| TemplatePart::Literal(text.into());
        assert_eq!(read("ORDER#{id}").unwrap(), [literal("ORDER#"), attribute("id", None, None)]);
        assert_eq!(
            read("{n:010}/{upper(a)}#{lower( b )}").unwrap(),
            [
                attribute("n", Some(10), None),
                literal("/"),
                attribute("a", None, Some(Case::Upper)),
                literal("#"),
                attribute("b", None, Some(Case::Lower))
            ]
        );
        assert_eq!(
            read("{bucket(at, month)}#{shard(id, 4)}").unwrap(),
            [
                TemplatePart::Bucket { name: "at".into(), period: Period::Month },
                literal("#"),
                TemplatePart::Shard { name: "id".into(), into: 4 }
            ]
        );
        assert_eq!(
            read("{bucket(at, 10d)}").unwrap(),
            [TemplatePart::Bucket { name: "at".into(), period: Period::Every(crate::model::Duration { seconds: 864_000 }) }]
        );
        assert_eq!(read("{{x}}ü").unwrap(), [literal("{x}ü")]);
        assert_eq!(read("{\"my, } (name:0\"}").unwrap(), [attribute("my, } (name:0", None, None)]);
    }

    #[test]
    fn wrong_templates_are_told_at_their_place() {
        for (text, code, range) in [
            ("", "bad-template", 0..0),
            ("a{b", "bad-template", 1..3),
            ("a}b", "bad-template", 1..2),
            ("{}", "bad-template", 1..1),
            ("{a b}", "bad-template", 1..4),
            ("{n:10}", "bad-template", 3..5),
            ("{n:0}", "bad-template", 3..4),
            ("{n:099}", "bad-template", 3..6),
            ("{uper(a)}", "bad-template", 1..5),
            ("{upper(a}", "bad-template", 1..8),
            ("{shard(a, 1)}", "bad-template", 10..11),
            ("{shard(a)}", "bad-template", 1..9),
            ("{bucket(a, fortnight)}", "bad-value", 11..20),
            ("{bucket(a, 10m)}", "ambiguous-unit", 11..14),
            ("x{a}{b}", "adjacent-placeholders", 1..7),
            ("${env}#{a}", "parameter-not-here", 0..6),
        ] {
            let flaw = read(text).unwrap_err();
            assert_eq!((flaw.code.slug(), flaw.range), (code, range), "{text}");
        }
    }
}
