//! The lines that modules mostly consist of, laid out without tokens: blank ones, comments, what opens and closes a block or a map,
//! and attributes with a plain value. At anything else it gives up, and the text is laid out from its tokens.

use super::layout::push_spaces;
use super::tokens::length_of;
use crate::source::search::{first_of, first_other};

/// The text in its layout; None when that takes tokens.
pub(super) fn format(text: &str) -> Option<String> {
    let mut layout = Layout { out: String::with_capacity(text.len() + text.len() / 4), depth: 0, run: Vec::new() };
    let mut rest = text;
    while !rest.is_empty() {
        let (line, next) = rest.split_at_checked(first_of(rest.as_bytes(), [b'\n'])?)?;
        layout.line(line.get(first_other(line.as_bytes(), b' ').unwrap_or(line.len())..)?)?;
        rest = next.get(1..)?;
    }
    layout.end_run();
    (layout.depth == 0).then_some(layout.out)
}

struct Layout<'a> {
    out: String,
    /// Blocks and maps that are open.
    depth: usize,
    /// Attributes one below the other, whose values stand in one column: what is before `=`, and what is behind.
    run: Vec<(&'a str, &'a str)>,
}

impl<'a> Layout<'a> {
    /// A line without the spaces before it.
    fn line(&mut self, line: &'a str) -> Option<()> {
        if line.starts_with('#') {
            self.end_run();
            self.indent();
            self.put([line]);
            return Some(());
        }
        let line = line.trim_end_matches(' ');
        let name = match line.as_bytes() {
            [] => {
                self.end_run();
                self.put([]);
                return Some(());
            }
            [b'}'] => {
                self.end_run();
                self.depth = self.depth.checked_sub(1)?;
                self.indent();
                self.put(["}"]);
                return Some(());
            }
            [b'"', ..] => ascii(quoted(line)?)?,
            _ => word(line)?,
        };
        let rest = line.get(name.len()..)?.trim_start_matches(' ');
        match rest.strip_prefix('=').map(|value| value.trim_start_matches(' ')) {
            Some("{") => {
                self.end_run();
                self.indent();
                self.put([name, " = {"]);
                self.depth += 1;
            }
            Some(value) if is_plain(value) => self.run.push((name, value)),
            Some(_) => return None,
            None => self.header(name, rest)?,
        }
        Some(())
    }

    /// What opens a block: its type, and the labels behind it.
    fn header(&mut self, kind: &str, mut rest: &str) -> Option<()> {
        self.end_run();
        self.indent();
        // A key is no type.
        self.out.push_str(word(kind)?);
        while rest != "{" {
            let label = quoted(rest)?;
            self.out.extend([" ", label]);
            rest = rest.get(label.len()..)?.trim_start_matches(' ');
        }
        self.put([" {"]);
        self.depth += 1;
        Some(())
    }

    fn end_run(&mut self) {
        let widest = self.run.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut run = std::mem::take(&mut self.run);
        for (name, value) in run.drain(..) {
            self.indent();
            self.out.push_str(name);
            push_spaces(&mut self.out, widest - name.len());
            self.put([" = ", value]);
        }
        self.run = run;
    }

    fn indent(&mut self) {
        push_spaces(&mut self.out, 2 * self.depth);
    }

    /// The rest of a line.
    fn put<const N: usize>(&mut self, parts: [&str; N]) {
        self.out.extend(parts);
        self.out.push('\n');
    }
}

/// Whether a value is one that no space has to come into or go out of.
fn is_plain(value: &str) -> bool {
    let items = value.strip_prefix('[').and_then(|items| items.strip_suffix(']'));
    items.map_or_else(|| atom(value) == Some(value), |items| items.is_empty() || is_list(items))
}

/// Whether a text is values with a comma and a space between them.
fn is_list(mut items: &str) -> bool {
    loop {
        let Some(rest) = atom(items).and_then(|item| items.strip_prefix(item)) else { return false };
        match rest.strip_prefix(", ") {
            Some(next) => items = next,
            None => return rest.is_empty(),
        }
    }
}

/// The text in quotes, the number or the reference at the beginning.
fn atom(text: &str) -> Option<&str> {
    match text.as_bytes().first()? {
        b'"' => quoted(text),
        b'0'..=b'9' => text.get(..length_of(text, |byte| byte.is_ascii_digit())),
        _ => reference(text),
    }
}

/// Words with a dot between them.
fn reference(text: &str) -> Option<&str> {
    let mut end = word(text)?.len();
    while let Some(next) = text.get(end..)?.strip_prefix('.') {
        end += 1 + word(next)?.len();
    }
    text.get(..end)
}

/// A word of ASCII letters.
fn word(text: &str) -> Option<&str> {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let length = length_of(text, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    text.get(..length).filter(|_| starts)
}

/// Text in quotes with its quotes; what is put in is a reference.
fn quoted(text: &str) -> Option<&str> {
    let mut end = 1;
    text.strip_prefix('"')?;
    loop {
        end += length_of(text.get(end..)?, |byte| !matches!(byte, b'"' | b'\\' | b'$' | b'%'));
        match text.as_bytes().get(end..)? {
            [b'"', ..] => return text.get(..=end),
            [b'\\', b'"' | b'\\' | b'n' | b'r' | b't' | b'u', ..] => end += 2,
            [b'$', b'{', ..] => {
                end += 2;
                end += reference(text.get(end..)?)?.len();
                text.get(end..)?.strip_prefix('}')?;
                end += 1;
            }
            // Two of them may say that a brace is a brace.
            [b'$' | b'%', b'$' | b'%' | b'{', ..] | [] => return None,
            [b'$' | b'%', ..] => end += 1,
            _ => return None,
        }
    }
}

/// A key whose width is its length.
fn ascii(text: &str) -> Option<&str> {
    text.is_ascii().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::emit::terraform_fmt::in_full;
    use crate::source::samples::files;
    use proptest::prelude::*;

    /// Whether a text is laid out without tokens. If it is, that is the layout that its tokens have.
    fn is_laid_out(text: &str) -> bool {
        let Some(simple) = format(text) else { return false };
        assert_eq!(simple, in_full(text), "{text:?}");
        true
    }

    #[test]
    fn most_of_what_is_generated_takes_no_tokens() {
        let found = files("golden", &["tf"]);
        let simple = found.iter().filter(|(_, text)| is_laid_out(text)).count();
        assert!(2 * simple > found.len() && found.len() > 100, "{simple} of {}", found.len());
    }

    #[test]
    fn what_is_simple() {
        for text in [
            "",
            "\n  \n# a  \n  # b\r\n",
            "a=1\nlong-name =\"b\"  \n\nc = d.e_f.g\n",
            "a {\n}\nb \"c\"   \"d\"{\ne = true\n  f {\n# g\n}\n}\n",
            "a={\n\"b c\" = \"d\"\ne = \"ü ${f.g} \\\" $ % ${h}\"\n}\n",
            "a = []\nbb = [c, \"d, e\", 1]\n",
        ] {
            assert!(is_laid_out(text), "{text:?}");
        }
    }

    #[test]
    fn what_takes_tokens() {
        for text in [
            "a = 1",
            "a = 1 # b\n",
            "a = b(c)\n",
            "a = b + c\n",
            "a = -1\n",
            "a = 1.5\n",
            "a = b[0]\n",
            "a = [b,c]\n",
            "a = [ b ]\n",
            "a = [\n]\n",
            "a = <<EOT\nb\nEOT\n",
            "a = \"$${b}\"\n",
            "a = \"%{ if b }c%{ endif }\"\n",
            "a = \"${ b }\"\n",
            "a = \"b\n",
            "a = \"b\\\n\"\n",
            "a = {}\n",
            "a {}\n",
            "\"a\" {\n}\n",
            "\"ü\" = 1\n",
            "ü = 1\n",
            "a\t= 1\n",
            "a = 1\r\n",
            "a {\n",
            "}\n",
            "a \"b\" c {\n}\n",
        ] {
            assert!(!is_laid_out(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_layout_is_that_of_the_tokens(lines in proptest::collection::vec(
            "( {0,3})(|#|# a|[ab]{1,2} ?(\"[$%{}\\\\a\"]{0,3}\" ?)?\\{|\\}|(\"a\"|[ab_-]{1,3}) {0,2}= {0,2}(\\{|1|a|a\\.b|\\[\\]|\\[a(, \"b\"){0,2}\\]|\"[$%{}\\\\a]{0,4}\"|[-a.1\\[\\],\" ]{1,4})) {0,1}",
            0..8,
        )) {
            is_laid_out(&(lines.join("\n") + "\n"));
        }
    }
}
