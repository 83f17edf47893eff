//! The statements of a text in CQL, whatever comments and spaces stand between their parts.

/// The parts, as they are written: words with what is stuck to them, and texts and names in quotes, or between `$$`.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = code(rest);
        let (piece, behind) = rest.split_at_checked(length(rest)).filter(|(piece, _)| !piece.is_empty())?;
        rest = behind;
        Some(piece)
    })
}

/// What follows spaces and comments.
fn code(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let comment = match rest.as_bytes() {
            [b'-', b'-', ..] | [b'/', b'/', ..] => rest.find('\n'),
            [b'/', b'*', ..] => rest.find("*/").map(|end| end + 2),
            _ => return rest,
        };
        rest = comment.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
}

/// How long the part at the beginning is.
fn length(text: &str) -> usize {
    let until = |from: usize, end: &str| text.get(from..).and_then(|rest| rest.find(end)).map(|at| from + at + end.len());
    let quoted = match text.as_bytes() {
        [b'\'', ..] => until(1, "'"),
        [b'"', ..] => until(1, "\""),
        [b'$', b'$', ..] => until(2, "$$"),
        [b'-' | b'/' | b'$', ..] => Some(1),
        _ => text.bytes().position(|byte| matches!(byte, b'\'' | b'"' | b'$' | b'-' | b'/') || byte.is_ascii_whitespace()),
    };
    quoted.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::pieces;

    fn same(one: &str, other: &str) -> bool {
        pieces(one).eq(pieces(other))
    }

    #[test]
    fn comments_and_spaces_are_left_out() {
        let text = "CREATE TABLE t (a int PRIMARY KEY) WITH comment = 'it''s';";
        for other in [
            "-- head\nCREATE TABLE t (a int PRIMARY KEY)\r\n\tWITH comment = 'it''s';\n-- foot",
            "/* a\nb */CREATE TABLE t (a int PRIMARY KEY)// c\n WITH comment = 'it''s';/**/",
        ] {
            assert!(same(text, other), "{other}");
        }
    }

    #[test]
    fn nothing_else_is() {
        let text = "CREATE TABLE t (a int) WITH comment = 'x -- y\n--z' AND b = \"c  d\" AND e = $$ -- f $$ AND g = 1 - 2;";
        for other in [
            text.replace("t (", "t("),
            text.replace("CREATE TABLE", "CREATETABLE"),
            text.replace("x -- y", "x  -- y"),
            text.replace("--z", "--"),
            text.replace("c  d", "c d"),
            text.replace("-- f", "-- g"),
            text.replace(" - ", " "),
            text.replace(';', ""),
            text.replace('\'', ""),
            "CREATE".to_owned(),
            String::new(),
        ] {
            assert!(!same(text, &other) && !same(&other, text), "{other}");
        }
        assert!(same(text, text) && same("", " -- a"));
    }
}
