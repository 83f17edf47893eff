//! What an unquoted scalar is, by the core schema of YAML 1.2 (section 10.3.2), and what YAML 1.1 took it for.

use super::node::{Kind, Node};

/// Null, bool, number or text.
pub(super) fn resolve(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" => Kind::Bool(true),
        "false" | "False" | "FALSE" => Kind::Bool(false),
        _ if is_number(text) => Kind::Number(text.to_owned()),
        _ => Kind::String { value: text.to_owned(), plain: true },
    }
}

fn is_number(text: &str) -> bool {
    // What most texts are not is told by the first character.
    if !matches!(text.as_bytes().first(), Some(b'-' | b'+' | b'.' | b'0'..=b'9')) {
        return false;
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(mantissa),
    };
    mantissa_fits && exponent.is_none_or(digits)
}

/// What readers of YAML 1.1 (`PyYAML`, Go's yaml.v2) take an unquoted value for, when that is something else: "a bool" for
/// `yes`, "an octal number" for `012`, "a number in base 60" for `12:30:45`.
#[must_use]
pub fn yaml_1_1(node: &Node) -> Option<&'static str> {
    match &node.kind {
        Kind::String { value, plain: true } => {
            if is_bool_word(value) {
                return Some("a bool");
            }
            let unsigned = value.trim_start_matches(['-', '+']);
            if !unsigned.starts_with(|first: char| first.is_ascii_digit()) {
                return None;
            }
            let mut groups = unsigned.split(':');
            let first = groups.next().is_some_and(|group| group.bytes().all(|digit| digit.is_ascii_digit()));
            let rest: Vec<&str> = groups.collect();
            let base_60 = |group: &&str| matches!(group.len(), 1 | 2) && group.parse::<u8>().is_ok_and(|number| number < 60);
            (first && !rest.is_empty() && rest.iter().all(base_60)).then_some("a number in base 60")
        }
        Kind::Number(text) => {
            let digits = text.trim_start_matches(['-', '+']);
            (digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)))
                .then_some("an octal number")
        }
        _ => None,
    }
}

/// `yes`, `Yes`, `YES` and so on, but not `yES`.
fn is_bool_word(value: &str) -> bool {
    if value.len() > "yes".len() {
        return false;
    }
    let Some(lower) = ["yes", "no", "on", "off", "y", "n"].into_iter().find(|word| word.eq_ignore_ascii_case(value)) else {
        return false;
    };
    let tail = value.get(1..).unwrap_or("");
    value == lower || tail == tail.to_ascii_lowercase() || value == value.to_ascii_uppercase()
}

/// A number of the core schema as JSON; None for infinity and not-a-number, which JSON lacks.
#[must_use]
pub fn json_number(text: &str) -> Option<serde_json::Number> {
    let radix = |digits: &str, radix: u32| u64::from_str_radix(digits, radix).ok().map(serde_json::Number::from);
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole.into());
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    text.parse::<f64>().ok().and_then(serde_json::Number::from_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for number in ["0", "12", "-3", "+4", "012", "0x1F", "0o17", "1.5", ".5", "3.", "1e3", "-2.5E-7", ".inf", "-.INF", ".nan"]
        {
            assert_eq!(resolve(number), Kind::Number(number.into()), "{number}");
        }
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "1_000",
            "0b11",
            "12:30",
            "1.2.3",
            "10M",
            "-",
            "+",
            ".",
            "e3",
            "1e",
            "0x",
            "nan",
            "2026-11-30",
        ] {
            assert_eq!(resolve(text), Kind::String { value: text.into(), plain: true }, "{text}");
        }
        assert_eq!(resolve("~"), Kind::Null);
        assert_eq!(resolve("TRUE"), Kind::Bool(true));
        assert_eq!(resolve("tRUE"), Kind::String { value: "tRUE".into(), plain: true });
    }

    #[test]
    fn numbers_become_json() {
        let json = |text| json_number(text).map(|number| number.to_string());
        assert_eq!(json("0x1F").as_deref(), Some("31"));
        assert_eq!(json("0o17").as_deref(), Some("15"));
        assert_eq!(json("012").as_deref(), Some("12"));
        assert_eq!(json("+4").as_deref(), Some("4"));
        assert_eq!(json("-3").as_deref(), Some("-3"));
        assert_eq!(json(".5").as_deref(), Some("0.5"));
        assert_eq!(json(".inf"), None);
    }

    #[test]
    fn what_yaml_1_1_reads_otherwise_is_told() {
        use crate::source::SourceMap;
        let mut sources = SourceMap::default();
        let span = crate::source::Span::new(sources.add("m", ""), 0, 0);
        let node = |kind| Node { span, tag: None, kind };
        for word in ["yes", "No", "ON", "off", "y"] {
            assert_eq!(yaml_1_1(&node(resolve(word))), Some("a bool"), "{word}");
        }
        assert_eq!(yaml_1_1(&node(resolve("012"))), Some("an octal number"));
        assert_eq!(yaml_1_1(&node(resolve("12:30:45"))), Some("a number in base 60"));
        for same in ["yES", "12", "0", "089", "text", "true", "1:x"] {
            assert_eq!(yaml_1_1(&node(resolve(same))), None, "{same}");
        }
        assert_eq!(yaml_1_1(&node(Kind::String { value: "yes".into(), plain: false })), None);
    }
}
