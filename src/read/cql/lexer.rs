//! Text to tokens. Comments (`--`, `//`, `/* */`) and white space are left out, but for the one in which an engine says that there
//! is a table.

use crate::diagnostic::{Diagnostic, Sink, codes};
use crate::source::{FileId, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word: a keyword or a name.
    Word,
    /// A name in double quotes, without them.
    Quoted(String),
    /// A string in single quotes or between `$$`, without them.
    Text(String),
    /// Anything that starts with a digit: a number, a UUID, a blob, a duration.
    Constant,
    /// Punctuation.
    Symbol,
    /// `${name}` or `{{ name }}`: the text is a template that was not rendered.
    Placeholder,
    /// A comment says that a table is there; its name follows.
    Omitted,
    /// The end of the file.
    End,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether it is the first of its line.
    pub(super) starts_line: bool,
}

impl Token {
    /// What it says, in one spelling: a bare word in lower case.
    pub(super) fn word(&self, text: &str) -> String {
        let own = text.get(self.span.range()).unwrap_or_default();
        if self.kind == Kind::Word { own.to_lowercase() } else { own.to_owned() }
    }
}

/// The tokens of a file; the last is always [`Kind::End`]. What is no token is told and left out.
pub(super) fn lex(file: FileId, text: &str, sink: &mut Sink) -> Vec<Token> {
    // A token and what is around it are six bytes on average; too few only cost a copy.
    let mut lexer = Lexer { file, text, at: 0, starts_line: true, tokens: Vec::with_capacity(text.len() / 6) };
    while let Some(first) = lexer.skip_to_token(sink) {
        let start = lexer.at;
        if let Some(kind) = lexer.token(first, sink) {
            lexer.push(kind, start);
        }
    }
    let end = text.len();
    lexer.push(Kind::End, end);
    lexer.tokens
}

/// What stands around the name of a table with COMPACT STORAGE in the comment that DESCRIBE makes of it (Cassandra
/// `SchemaCQLHelper.java`; run on 4.0 to 5.0). What follows is "approximate structure, for reference".
const OMITTED: (&str, &str) = ("Warning: Table ", " omitted because it has constructs not compatible with CQL");

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    starts_line: bool,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span, starts_line: self.starts_line });
        self.starts_line = false;
    }

    /// Goes over white space and comments; the first character of the next token, None at the end.
    fn skip_to_token(&mut self, sink: &mut Sink) -> Option<char> {
        loop {
            let rest = self.rest();
            // What is indented is so by blanks.
            let blanks = rest.bytes().take_while(|byte| *byte == b' ').count();
            if blanks > 0 {
                self.at += blanks;
                continue;
            }
            let first = rest.chars().next()?;
            if first.is_whitespace() || first == '\u{feff}' {
                self.starts_line |= first == '\n';
                self.at += first.len_utf8();
            } else if rest.starts_with("--") || rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let start = self.at;
                let length = rest.get(2..).and_then(|inner| inner.find("*/")).map(|end| end + 4);
                self.at += length.unwrap_or(rest.len());
                self.omitted(start);
                if length.is_none() {
                    let span = Span::new(self.file, start, start + 2);
                    sink.push(Diagnostic::new(codes::BAD_CQL, span, "a comment that never ends").help("close it with `*/`"));
                }
            } else {
                return Some(first);
            }
        }
    }

    /// Tokens for the table that a comment says is there; the comment ends here. Inside a statement it says nothing.
    fn omitted(&mut self, start: usize) {
        let ends = |token: &Token| token.kind == Kind::Symbol && self.text.get(token.span.range()) == Some(";");
        let comment = self.text.get(start..self.at).unwrap_or_default();
        let Some((before, after)) = comment.split_once(OMITTED.0) else { return };
        let (Some((name, _)), true) = (after.split_once(OMITTED.1), self.tokens.last().is_none_or(ends)) else { return };
        let at = start + before.len() + OMITTED.0.len();
        let text = self.text.get(..at + name.len()).unwrap_or_default();
        let mut inner = Lexer { text, at, tokens: Vec::new(), ..*self };
        let span = Span::new(self.file, start + before.len(), at);
        self.tokens.push(Token { kind: Kind::Omitted, span, starts_line: true });
        let mut quiet = Sink::default();
        while let Some(first) = inner.skip_to_token(&mut quiet) {
            let start = inner.at;
            if let Some(kind) = inner.token(first, &mut quiet) {
                inner.push(kind, start);
            }
        }
        self.tokens.extend(inner.tokens);
        self.starts_line = true;
    }

    fn token(&mut self, first: char, sink: &mut Sink) -> Option<Kind> {
        let start = self.at;
        let rest = self.rest();
        match first {
            '\'' => Some(Kind::Text(self.quoted('\'', sink))),
            '"' => Some(Kind::Quoted(self.quoted('"', sink))),
            '$' if rest.starts_with("$$") => {
                let body = rest.get(2..).unwrap_or("");
                let Some((body, _)) = body.split_once("$$") else {
                    self.unclosed(start, 2, "$$", sink);
                    return Some(Kind::Text(body.to_owned()));
                };
                self.at += body.len() + 4;
                Some(Kind::Text(body.to_owned()))
            }
            '$' | '{' if rest.starts_with("${") || rest.starts_with("{{") => {
                let line = rest.lines().next().unwrap_or(rest);
                let close = if first == '$' { "}" } else { "}}" };
                self.at += line.find(close).map_or(2, |end| end + close.len());
                Some(Kind::Placeholder)
            }
            _ if first.is_ascii_digit() => {
                self.at += constant(rest);
                Some(Kind::Constant)
            }
            _ if is_word(first) => {
                let word = word(rest);
                // A UUID may start with a letter.
                self.at += uuid(rest).unwrap_or(word);
                Some(if self.at - start > word { Kind::Constant } else { Kind::Word })
            }
            _ if first.is_ascii_punctuation() => {
                let pair = ["<=", ">=", "!="].iter().any(|pair| rest.starts_with(pair));
                self.at += if pair { 2 } else { 1 };
                Some(Kind::Symbol)
            }
            _ => {
                self.at += first.len_utf8();
                let message = format!("`{}` is no part of CQL outside quotes", first.escape_debug());
                sink.push(Diagnostic::new(codes::BAD_CQL, self.span(start), message));
                None
            }
        }
    }

    /// Text in quotes; a doubled quote stands for one, and nothing else is an escape.
    fn quoted(&mut self, quote: char, sink: &mut Sink) -> String {
        let start = self.at;
        let mut value = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let Some((before, after)) = rest.split_once(quote) else {
                self.unclosed(start, 1, &quote.to_string(), sink);
                value.push_str(rest);
                return value;
            };
            value.push_str(before);
            self.at += before.len() + 1;
            if !after.starts_with(quote) {
                return value;
            }
            value.push(quote);
            self.at += 1;
        }
    }

    /// What is never closed goes to the end of the file, and is told at its start.
    fn unclosed(&mut self, start: usize, length: usize, close: &str, sink: &mut Sink) {
        self.at = self.text.len();
        let span = Span::new(self.file, start, start + length);
        let help = format!("close it with `{close}`; inside, a doubled quote stands for one");
        sink.push(Diagnostic::new(codes::BAD_CQL, span, "quotes that are never closed").help(help));
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Length of the word that a text starts with.
fn word(text: &str) -> usize {
    let ascii = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    match text.as_bytes().get(ascii) {
        Some(next) if !next.is_ascii() => text.find(|next| !is_word(next)).unwrap_or(text.len()),
        _ => ascii,
    }
}

/// Length of what starts with a digit: `12`, `0.01`, `1.5E-4`, `0xCAFE`, `1h30m`, a UUID; or a wrong name such as `1st`.
fn constant(text: &str) -> usize {
    if let Some(length) = uuid(text) {
        return length;
    }
    let mut length = 0;
    let mut previous = ' ';
    for next in text.chars() {
        let exponent = matches!(next, '+' | '-') && matches!(previous, 'e' | 'E') && !text.starts_with("0x");
        if !(is_word(next) || next == '.' || exponent) {
            break;
        }
        length += next.len_utf8();
        previous = next;
    }
    length
}

/// Length of a UUID at the start of the text.
fn uuid(text: &str) -> Option<usize> {
    const LENGTH: usize = 36;
    let shaped = text.bytes().take(LENGTH).enumerate().all(|(index, byte)| match index {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    (shaped && text.len() >= LENGTH && !text.get(LENGTH..)?.starts_with(is_word)).then_some(LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn tokens(text: &str) -> (Vec<String>, Vec<String>) {
        let mut sources = SourceMap::default();
        let file = sources.add("a.cql", text);
        let mut sink = Sink::default();
        let tokens = lex(file, sources.text(file), &mut sink);
        let shown = tokens.iter().map(|token| match &token.kind {
            Kind::Text(text) => format!("'{text}"),
            Kind::Quoted(name) => format!("\"{name}"),
            Kind::Constant => format!("#{}", sources.snippet(token.span)),
            Kind::Placeholder => format!("?{}", sources.snippet(token.span)),
            _ => sources.snippet(token.span).to_owned(),
        });
        (shown.collect(), sink.diagnostics().iter().map(|diagnostic| diagnostic.message.clone()).collect())
    }

    #[test]
    fn every_token_form_is_known() {
        let (shown, errors) = tokens(
            "a_1 -- x;\n\"q\"\"n\" /* ; -- ' */ 'it''s\r\n;' // y\n$$ it's $$ 0.01 1.5E-4 -3 0xCAFE <= >={ P1D 1h30m \
             f7082a30-ecb1-11f1-a670-216e8a72c60e 12345678-ecb1-11f1-a670-216e8a72c60e deadbeef ${ks} {{ ks }} ü",
        );
        assert_eq!(errors, Vec::<String>::new());
        let expected = [
            "a_1",
            "\"q\"n",
            "'it's\r\n;",
            "' it's ",
            "#0.01",
            "#1.5E-4",
            "-",
            "#3",
            "#0xCAFE",
            "<=",
            ">=",
            "{",
            "P1D",
            "#1h30m",
            "#f7082a30-ecb1-11f1-a670-216e8a72c60e",
            "#12345678-ecb1-11f1-a670-216e8a72c60e",
            "deadbeef",
            "?${ks}",
            "?{{ ks }}",
            "ü",
            "",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_never_ends_is_told_at_its_start() {
        for (text, message) in [
            ("a 'b", "quotes that are never closed"),
            ("a \"b", "quotes that are never closed"),
            ("a $$b", "quotes that are never closed"),
            ("a /* b", "a comment that never ends"),
            ("a /*/", "a comment that never ends"),
            ("a \u{0} b", "`\\0` is no part of CQL outside quotes"),
        ] {
            assert_eq!(tokens(text).1, [message], "{text}");
        }
        assert_eq!(tokens("").0, [""]);
    }
}
