//! Tokens in the layout of `terraform fmt`.

use super::tokens::{Kind, Token};

/// A token and the spaces before it.
#[derive(Clone, Copy)]
struct Placed<'a> {
    token: Token<'a>,
    spaces: usize,
}

/// The tokens up to a line end, in three cells: what leads, `=` with its expression, and the comment behind.
#[derive(Default)]
struct Line<'a> {
    lead: Vec<Placed<'a>>,
    assign: Vec<Placed<'a>>,
    comment: Vec<Placed<'a>>,
}

/// Prints tokens in that layout.
pub(super) fn layout(tokens: &[Token<'_>]) -> String {
    let mut lines = lines(tokens);
    indent(&mut lines);
    for line in &mut lines {
        space(&mut line.lead);
        space(&mut line.assign);
    }
    align(&mut lines, |line| &mut line.assign, |line| columns(&line.lead));
    align(&mut lines, |line| &mut line.comment, |line| columns(&line.lead) + columns(&line.assign));
    let mut out = String::new();
    for placed in lines.iter().flat_map(|line| line.lead.iter().chain(&line.assign).chain(&line.comment)) {
        out.extend(std::iter::repeat_n(' ', placed.spaces));
        out.push_str(placed.token.text);
    }
    out
}

fn lines<'a>(tokens: &[Token<'a>]) -> Vec<Line<'a>> {
    let ends_line = |token: &Token| token.kind == Kind::Newline || (token.kind == Kind::Comment && token.text.ends_with('\n'));
    tokens.split_inclusive(ends_line).map(line).collect()
}

fn line<'a>(tokens: &[Token<'a>]) -> Line<'a> {
    let (lead, comment) = match tokens.split_last() {
        Some((last, before)) if last.kind == Kind::Comment && !before.is_empty() => (before, Some(last)),
        _ => (tokens, None),
    };
    // `=` moves into its own cell only with a whole expression behind it, not with one that goes on in the next line.
    let equal = lead.iter().skip(1).position(|token| token.kind == Kind::Equal).map(|at| at + 1);
    let whole = |at: &usize| lead.iter().skip(*at).map(|token| depth(token.kind)).sum::<isize>() == 0;
    let (lead, assign) = lead.split_at(equal.filter(whole).unwrap_or(lead.len()));
    let place = |tokens: &[Token<'a>]| tokens.iter().map(|token| Placed { token: *token, spaces: 0 }).collect();
    Line { lead: place(lead), assign: place(assign), comment: comment.map(|token| place(&[*token])).unwrap_or_default() }
}

/// By how much a token changes the depth of brackets.
fn depth(kind: Kind) -> isize {
    match kind {
        Kind::Open(_) | Kind::TemplateOpen => 1,
        Kind::Close(_) | Kind::TemplateClose => -1,
        _ => 0,
    }
}

/// Two spaces for each line that opened brackets and has not closed them all.
fn indent(lines: &mut [Line<'_>]) {
    let mut open: Vec<isize> = Vec::new();
    for line in lines {
        let Some(first) = line.lead.first_mut() else { continue };
        if first.token.kind == Kind::Newline {
            continue;
        }
        let heredoc = |placed: &&Placed| placed.token.kind != Kind::OpenHeredoc;
        let net: isize = {
            let lead = line.lead.iter().take_while(heredoc).map(|placed| depth(placed.token.kind));
            let assign = line.assign.iter().take_while(heredoc).map(|placed| depth(placed.token.kind));
            lead.chain(assign).sum()
        };
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
        if let Some(first) = line.lead.first_mut() {
            first.spaces = 2 * open.len();
        }
        if net > 0 {
            open.push(net);
        }
    }
}

fn space(cell: &mut [Placed<'_>]) {
    for at in 1..cell.len() {
        let kind = |at: Option<usize>| at.and_then(|at| cell.get(at)).map(|placed| placed.token);
        let (before, subject, after) = (kind(at.checked_sub(2)), kind(Some(at - 1)), kind(Some(at)));
        let (Some(subject), Some(after)) = (subject, after) else { continue };
        let spaces = usize::from(is_spaced(before, subject, after));
        if let Some(placed) = cell.get_mut(at) {
            placed.spaces = spaces;
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

/// Puts one cell of consecutive lines that have it into one column.
fn align<'a>(
    lines: &mut [Line<'a>],
    cell: impl for<'b> Fn(&'b mut Line<'a>) -> &'b mut Vec<Placed<'a>>,
    before: impl Fn(&Line<'a>) -> usize,
) {
    let mut rest = lines;
    while !rest.is_empty() {
        let length = rest.iter_mut().map(|line| cell(line).is_empty()).take_while(|empty| !empty).count();
        let (run, after) = rest.split_at_mut(length.max(1));
        let widest = run.iter().map(&before).max().unwrap_or(0);
        for line in run {
            let spaces = widest - before(line) + 1;
            if let Some(first) = cell(line).first_mut() {
                first.spaces = spaces;
            }
        }
        rest = after;
    }
}
