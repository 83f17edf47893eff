//! HCL as tokens, as far as the layout needs them.

/// What a token is, in the distinctions that the layout makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    Number,
    /// `{`, `[` or `(`
    Open(u8),
    /// `}`, `]` or `)`
    Close(u8),
    /// `${` or `%{`, with a `~`
    TemplateOpen,
    /// `}` that ends a template's part
    TemplateClose,
    /// `"` that opens
    OpenQuote,
    /// `"` that closes
    CloseQuote,
    /// Text in quotes or in a heredoc
    Text,
    /// `<<EOT` with its line end
    OpenHeredoc,
    /// The closing line of a heredoc, without its line end
    CloseHeredoc,
    Comma,
    Dot,
    Ellipsis,
    DoubleColon,
    Equal,
    Bang,
    Minus,
    /// Any other operator, `:`, `?`, `=>` too
    Operator,
    /// A comment; one that starts with `#` or `//` holds its line end
    Comment,
    Newline,
}

/// A token with its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
}

/// About how long a token of a generated file is, with the spaces before it.
const BYTES_OF_A_TOKEN: usize = 6;

/// What the lexer is inside of.
enum Mode<'a> {
    /// Code; how many braces are open.
    Code(usize),
    Quote,
    /// The word that closes it.
    Heredoc(&'a str),
}

/// All tokens; None when the text is not HCL.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut lexer = Lexer { text, at: 0, modes: vec![Mode::Code(0)], tokens: Vec::with_capacity(text.len() / BYTES_OF_A_TOKEN) };
    while lexer.at < text.len() {
        match lexer.modes.last()? {
            Mode::Code(_) => lexer.code()?,
            Mode::Quote => lexer.quote()?,
            Mode::Heredoc(word) => lexer.heredoc(word)?,
        }
    }
    matches!(lexer.modes.as_slice(), [Mode::Code(0)]).then_some(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    modes: Vec<Mode<'a>>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, length: usize) {
        if let Some(text) = self.text.get(self.at..self.at + length).filter(|text| !text.is_empty()) {
            self.tokens.push(Token { kind, text });
        }
        self.at += length;
    }

    fn code(&mut self) -> Option<()> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        match first {
            ' ' | '\t' => self.at += length_of(rest, |byte| matches!(byte, b' ' | b'\t')),
            '\n' => self.push(Kind::Newline, 1),
            '\r' if rest.starts_with("\r\n") => self.push(Kind::Newline, 2),
            '#' => self.push(Kind::Comment, line_length(rest)),
            '/' if rest.starts_with("//") => self.push(Kind::Comment, line_length(rest)),
            '/' if rest.starts_with("/*") => self.push(Kind::Comment, rest.find("*/")? + 2),
            '"' => {
                self.push(Kind::OpenQuote, 1);
                self.modes.push(Mode::Quote);
            }
            '<' if rest.starts_with("<<") => {
                let line = line_length(rest);
                let word = rest.get(..line)?.trim_start_matches('<').trim_start_matches('-').trim_end();
                if word.is_empty() || !word.chars().all(is_part_of_name) {
                    return None;
                }
                self.push(Kind::OpenHeredoc, line);
                self.modes.push(Mode::Heredoc(word));
            }
            '{' | '[' | '(' => {
                if first == '{' {
                    self.count_brace(1)?;
                }
                self.push(Kind::Open(u8::try_from(first).ok()?), 1);
            }
            '}' if matches!(self.modes.last(), Some(Mode::Code(0))) && self.modes.len() > 1 => {
                self.push(Kind::TemplateClose, 1);
                self.modes.pop();
            }
            '~' if rest.starts_with("~}") && matches!(self.modes.last(), Some(Mode::Code(0))) && self.modes.len() > 1 => {
                self.push(Kind::TemplateClose, 2);
                self.modes.pop();
            }
            '}' | ']' | ')' => {
                if first == '}' {
                    self.count_brace(-1)?;
                }
                self.push(Kind::Close(u8::try_from(first).ok()?), 1);
            }
            '0'..='9' => self.push(Kind::Number, number_length(rest)),
            _ if is_start_of_name(first) => {
                let length = rest.find(|next: char| !is_part_of_name(next)).unwrap_or(rest.len());
                self.push(Kind::Ident, length);
            }
            _ => {
                let (operator, kind) = OPERATORS.iter().find(|(operator, _)| rest.starts_with(operator))?;
                self.push(*kind, operator.len());
            }
        }
        Some(())
    }

    fn count_brace(&mut self, by: isize) -> Option<()> {
        if let Some(Mode::Code(open)) = self.modes.last_mut() {
            *open = open.checked_add_signed(by)?;
        }
        Some(())
    }

    fn quote(&mut self) -> Option<()> {
        let rest = self.rest();
        let mut length = 0;
        loop {
            length += length_of(rest.get(length..)?, |byte| !matches!(byte, b'"' | b'\n' | b'\\' | b'$' | b'%'));
            let here = rest.get(length..)?;
            match here.chars().next()? {
                '"' => {
                    self.push(Kind::Text, length);
                    self.push(Kind::CloseQuote, 1);
                    self.modes.pop();
                    return Some(());
                }
                '\n' => return None,
                '\\' => length += 1 + here.chars().nth(1)?.len_utf8(),
                _ if here.starts_with("$${") || here.starts_with("%%{") => length += 3,
                _ if here.starts_with("${") || here.starts_with("%{") => {
                    self.push(Kind::Text, length);
                    self.open_template();
                    return Some(());
                }
                other => length += other.len_utf8(),
            }
        }
    }

    fn heredoc(&mut self, word: &str) -> Option<()> {
        let rest = self.rest();
        let mut length = 0;
        loop {
            let here = rest.get(length..)?;
            let starts_line = self.text.get(..self.at + length).is_some_and(|before| before.ends_with('\n'));
            if starts_line {
                let line = here.get(..line_length(here))?;
                if line.trim() == word {
                    self.push(Kind::Text, length);
                    self.push(Kind::CloseHeredoc, line.trim_end().len());
                    self.modes.pop();
                    return Some(());
                }
            }
            if here.starts_with("$${") || here.starts_with("%%{") {
                length += 3;
            } else if here.starts_with("${") || here.starts_with("%{") {
                self.push(Kind::Text, length);
                self.open_template();
                return Some(());
            } else {
                length += here.chars().next()?.len_utf8();
            }
        }
    }

    fn open_template(&mut self) {
        let length = if self.rest().get(2..).is_some_and(|after| after.starts_with('~')) { 3 } else { 2 };
        self.push(Kind::TemplateOpen, length);
        self.modes.push(Mode::Code(0));
    }
}

/// Longer ones first.
const OPERATORS: &[(&str, Kind)] = &[
    ("...", Kind::Ellipsis),
    ("::", Kind::DoubleColon),
    ("==", Kind::Operator),
    ("!=", Kind::Operator),
    ("<=", Kind::Operator),
    (">=", Kind::Operator),
    ("&&", Kind::Operator),
    ("||", Kind::Operator),
    ("=>", Kind::Operator),
    (".", Kind::Dot),
    (",", Kind::Comma),
    ("=", Kind::Equal),
    ("!", Kind::Bang),
    ("-", Kind::Minus),
    ("<", Kind::Operator),
    (">", Kind::Operator),
    ("+", Kind::Operator),
    ("*", Kind::Operator),
    ("/", Kind::Operator),
    ("%", Kind::Operator),
    (":", Kind::Operator),
    ("?", Kind::Operator),
];

/// How many bytes it is up to one that is not so, which must not be a part of a longer character.
pub(super) fn length_of(text: &str, is_so: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(|byte| !is_so(byte)).unwrap_or(text.len())
}

/// Up to and with the line end.
fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let digits = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') && digit(end + 1) {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if digit(end + 1 + sign) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

fn is_start_of_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_part_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '-'
}
