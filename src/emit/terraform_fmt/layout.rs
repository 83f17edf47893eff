//! Tokens in the layout of `terraform fmt`.

use super::tokens::{Kind, Token};
use std::ops::Range;

/// A token and the spaces before it.
#[derive(Clone, Copy)]
struct Placed<'a> {
    token: Token<'a>,
    spaces: usize,
}

/// The tokens up to a line end, in three cells: what leads, `=` with its expression, and the comment behind. A cell is where it
/// stands among all tokens.
struct Line {
    lead: Range<usize>,
    assign: Range<usize>,
    comment: Range<usize>,
}

/// All tokens, placed.
struct Layout<'a> {
    placed: Vec<Placed<'a>>,
    lines: Vec<Line>,
}

/// Prints tokens in that layout.
pub(super) fn layout(tokens: &[Token<'_>]) -> String {
    let mut layout =
        Layout { placed: tokens.iter().map(|token| Placed { token: *token, spaces: 0 }).collect(), lines: lines(tokens) };
    layout.indent();
    layout.space();
    layout.align(|line| &line.assign, |line| line.lead.clone());
    layout.align(|line| &line.comment, |line| line.lead.start..line.assign.end);
    let length: usize = layout.placed.iter().map(|placed| placed.spaces + placed.token.text.len()).sum();
    let mut out = String::with_capacity(length);
    for placed in &layout.placed {
        push_spaces(&mut out, placed.spaces);
        out.push_str(placed.token.text);
    }
    out
}

pub(super) fn push_spaces(out: &mut String, mut number: usize) {
    const SPACES: &str = "                                ";
    while number > 0 {
        let some = SPACES.get(..number).unwrap_or(SPACES);
        out.push_str(some);
        number -= some.len();
    }
}

fn lines(tokens: &[Token<'_>]) -> Vec<Line> {
    let ends_line = |token: &Token| token.kind == Kind::Newline || (token.kind == Kind::Comment && token.text.ends_with('\n'));
    let mut start = 0;
    tokens
        .split_inclusive(ends_line)
        .map(|tokens| {
            let line = line(tokens, start);
            start += tokens.len();
            line
        })
        .collect()
}

/// A line that begins with the token of a number.
fn line(tokens: &[Token<'_>], start: usize) -> Line {
    let (code, end) = match tokens.split_last() {
        Some((last, before)) if last.kind == Kind::Comment && !before.is_empty() => (before, start + tokens.len()),
        _ => (tokens, start + tokens.len()),
    };
    // `=` moves into its own cell only with a whole expression behind it, not with one that goes on in the next line.
    let equal = code.iter().skip(1).position(|token| token.kind == Kind::Equal).map(|at| at + 1);
    let whole = |at: &usize| code.iter().skip(*at).map(|token| depth(token.kind)).sum::<isize>() == 0;
    let (equal, comment) = (start + equal.filter(whole).unwrap_or(code.len()), start + code.len());
    Line { lead: start..equal, assign: equal..comment, comment: comment..end }
}

/// By how much a token changes the depth of brackets.
fn depth(kind: Kind) -> isize {
    match kind {
        Kind::Open(_) | Kind::TemplateOpen => 1,
        Kind::Close(_) | Kind::TemplateClose => -1,
        _ => 0,
    }
}

impl<'a> Layout<'a> {
    fn cell(&self, cell: &Range<usize>) -> &[Placed<'a>] {
        self.placed.get(cell.clone()).unwrap_or_default()
    }

    /// Two spaces for each line that opened brackets and has not closed them all.
    fn indent(&mut self) {
        let mut open: Vec<isize> = Vec::new();
        for Line { lead, assign, .. } in &self.lines {
            match self.cell(lead).first() {
                Some(first) if first.token.kind != Kind::Newline => {}
                _ => continue,
            }
            let heredoc = |placed: &&Placed| placed.token.kind != Kind::OpenHeredoc;
            let net = |cell| self.cell(cell).iter().take_while(heredoc).map(|placed| depth(placed.token.kind)).sum::<isize>();
            let net = net(lead) + net(assign);
            let mut closing = -net;
            while closing > 0 {
                match open.last_mut() {
                    Some(last) if *last > closing => {
                        *last -= closing;
                        closing = 0;
                    }
                    Some(last) => {
                        closing -= *last;
                        open.pop();
                    }
                    None => closing = 0,
                }
            }
            if let Some(first) = self.placed.get_mut(lead.start) {
                first.spaces = 2 * open.len();
            }
            if net > 0 {
                open.push(net);
            }
        }
    }

    /// One space or none between the tokens of a cell.
    fn space(&mut self) {
        for cell in self.lines.iter().flat_map(|line| [&line.lead, &line.assign]) {
            let Some(cell) = self.placed.get_mut(cell.clone()) else { continue };
            let mut before = None;
            let mut tokens = cell.iter_mut();
            let Some(mut subject) = tokens.next().map(|placed| placed.token) else { continue };
            for placed in tokens {
                placed.spaces = usize::from(is_spaced(before, subject, placed.token));
                before = Some(subject);
                subject = placed.token;
            }
        }
    }

    /// Puts one cell of consecutive lines that have it into one column; `before` is what stands before it.
    fn align(&mut self, cell: impl Fn(&Line) -> &Range<usize>, before: impl Fn(&Line) -> Range<usize>) {
        let mut spaces = Vec::new();
        let width = |line: &Line| columns(self.cell(&before(line)));
        for run in self.lines.chunk_by(|one, next| !cell(one).is_empty() && !cell(next).is_empty()) {
            match run {
                [line] if cell(line).is_empty() => {}
                [line] => spaces.push((cell(line).start, 1)),
                lines => {
                    let widest = lines.iter().map(width).max().unwrap_or(0);
                    spaces.extend(lines.iter().map(|line| (cell(line).start, widest - width(line) + 1)));
                }
            }
        }
        for (at, spaces) in spaces {
            if let Some(first) = self.placed.get_mut(at) {
                first.spaces = spaces;
            }
        }
    }
}

/// Whether a space stands between two tokens; `before` is the one before them.
#[expect(clippy::match_same_arms, reason = "the order of the rules is hclwrite's, and a rule shadows those below it")]
fn is_spaced(before: Option<Token<'_>>, subject: Token<'_>, after: Token<'_>) -> bool {
    use Kind::{
        Bang, Close, CloseHeredoc, CloseQuote, Comma, Dot, DoubleColon, Ellipsis, Equal, Ident, Minus, Newline, Number, Open,
        OpenHeredoc, OpenQuote, Operator, TemplateClose, TemplateOpen, Text,
    };
    match (subject.kind, after.kind) {
        (_, Newline | Comma | Ellipsis | Dot) | (Dot, _) | (Ident, Open(b'(') | DoubleColon) | (DoubleColon, Ident) => false,
        (Comma, _) => true,
        (Text | OpenQuote | OpenHeredoc, _) | (_, Text | CloseQuote | CloseHeredoc) => false,
        (Ident, _) if subject.text == "in" && before.is_some_and(|token| token.kind == Ident) => true,
        (Ident | Number | Close(_) | TemplateClose, Open(b'[')) | (Bang, _) => false,
        // A minus behind what can end an expression is a subtraction.
        (Minus, _) => !matches!(before.map(|token| token.kind), None | Some(Open(_) | Equal | Operator | Comma | Minus | Bang)),
        (Open(b'{'), Close(b'}')) => false,
        (Open(b'{'), _) | (_, Close(b'}')) => true,
        (TemplateOpen, Open(b'{')) | (Close(b'}'), TemplateClose) => true,
        (TemplateClose, TemplateOpen) => false,
        (Open(_) | TemplateOpen, _) | (_, Close(_) | TemplateClose) => false,
        _ => true,
    }
}

/// The width of a cell, in characters.
fn columns(cell: &[Placed<'_>]) -> usize {
    cell.iter().map(|placed| placed.spaces + placed.token.text.chars().count()).sum()
}
