//! `where`, `filter`, `if` and `order` (section 5).

use super::Flaw;
use super::lexer::{Placed, Token, tokens};
use super::operand::arithmetic;
use super::words::{Words, flaw};
use crate::model::{Comparison, Condition, Order, Where};
use crate::source::{Inside, Span};
use std::ops::Range;

/// Where the conditions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// `where`
    Where,
    /// `when`: what is compared with is written, since it is known before any request
    When,
    /// `filter` and `if`: `!=` and `exists` are allowed too
    Filter,
}

/// Reads conditions joined by `and`. After a flaw it goes on at the next `and` or `or`.
pub(crate) fn conditions(text: &str, span: Span, inside: &Inside, place: Place) -> Result<Where, Vec<Flaw>> {
    let tokens = tokens(text).map_err(|flaw| vec![flaw])?;
    let mut words = Words::new(text, &tokens, inside);
    words.all_written = place == Place::When;
    let mut parser = Parser { words, place };
    let is_joint = |(token, _): &&Placed| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case("and"));
    let mut conditions = Vec::with_capacity(1 + tokens.iter().filter(is_joint).count());
    let mut flaws = Vec::new();
    loop {
        match parser.condition() {
            Ok(condition) => conditions.push(condition),
            Err(flaw) => {
                flaws.push(flaw);
                parser.skip();
            }
        }
        if !parser.joint(&mut flaws) {
            break;
        }
    }
    if flaws.is_empty() { Ok(Where { span, conditions }) } else { Err(flaws) }
}

/// Reads `attribute [asc|desc]`.
pub(crate) fn order(text: &str, inside: &Inside) -> Result<Order, Flaw> {
    let tokens = tokens(text)?;
    let mut words = Words::new(text, &tokens, inside);
    let attribute = words.attribute()?;
    let descending = match words.next() {
        None => false,
        Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("asc") => false,
        Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("desc") => true,
        Some((Token::Comma, range)) => {
            return Err(flaw(range, "one attribute stands here").help("several are a list: `order: [a, b desc]`"));
        }
        Some((_, range)) => return Err(flaw(range, "expected `asc` or `desc`")),
    };
    match words.next() {
        None => Ok(Order { attribute, descending }),
        Some((_, range)) => Err(flaw(range, "nothing can follow here")),
    }
}

struct Parser<'a> {
    words: Words<'a>,
    place: Place,
}

/// One end of a range, in the name of its parameter.
const LOWER: &str = "_from";
const UPPER: &str = "_to";

impl Parser<'_> {
    /// Goes to the next `and` or `or`, else to the end.
    fn skip(&mut self) {
        while self.words.peek().is_some() && !["and", "or"].iter().any(|word| self.words.is_next(word)) {
            self.words.next();
        }
    }

    /// Goes behind what joins two conditions; false at the end.
    fn joint(&mut self, flaws: &mut Vec<Flaw>) -> bool {
        loop {
            let is_or = self.words.is_next("or") || matches!(self.words.peek(), Some(Token::Operator("&&" | "||")));
            match self.and() {
                Ok(more) => return more,
                Err(flaw) => flaws.push(flaw),
            }
            if is_or {
                return true;
            }
            self.skip();
        }
    }

    /// What follows a condition: `and`, or the end (false).
    fn and(&mut self) -> Result<bool, Flaw> {
        let range = self.words.range();
        match self.words.next() {
            None => Ok(false),
            Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("and") => Ok(true),
            Some((Token::Operator("&&"), _)) => Err(flaw(range, "conditions are joined by `and`").instead("and")),
            Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("or") => {
                Err(flaw(range, "conditions are joined by `and` alone")
                    .help("two alternatives are two patterns; several values are `in (…)`"))
            }
            Some((Token::Operator("||"), _)) => {
                Err(flaw(range, "conditions are joined by `and` alone").help("two alternatives are two patterns"))
            }
            Some((Token::Operator(sign @ ("+" | "-" | "*" | "/" | "%")), _)) => Err(arithmetic(range, sign)),
            _ => Err(flaw(range, "expected `and` or the end")),
        }
    }

    fn condition(&mut self) -> Result<Condition, Flaw> {
        let start = self.words.range();
        if let Some(word) = self.words.peek_word()
            && matches!(self.words.peek_at(1), Some(Token::Open))
            && !word.eq_ignore_ascii_case("in")
        {
            return Err(self.call(&word.to_lowercase(), start));
        }
        if self.words.is_next("not") && self.words.peek_at(1).is_some() {
            return Err(flaw(start, "`not` cannot stand before a condition")
                .help("write `!=`, or `not exists` behind the attribute; both stand in `filter` and `if` only"));
        }
        let attribute = self.words.attribute()?;
        let comparison = self.comparison(&attribute)?;
        Ok(Condition { span: self.words.span_since(start), attribute, comparison })
    }

    fn comparison(&mut self, attribute: &str) -> Result<Comparison, Flaw> {
        let range = self.words.range();
        let Some((token, _)) = self.words.next() else {
            return Err(flaw(range, format!("nothing is asked of `{attribute}`")).help(format!("write `{attribute} = ?`")));
        };
        match token {
            Token::Operator("=") => Ok(Comparison::Equal(self.words.value(attribute, "")?)),
            Token::Operator("<") => Ok(Comparison::Less(self.words.value(attribute, UPPER)?)),
            Token::Operator("<=") => Ok(Comparison::LessOrEqual(self.words.value(attribute, UPPER)?)),
            Token::Operator(">") => Ok(Comparison::Greater(self.words.value(attribute, LOWER)?)),
            Token::Operator(">=") => Ok(Comparison::GreaterOrEqual(self.words.value(attribute, LOWER)?)),
            Token::Operator("!=") => {
                self.only_in_filter(&range, "!=")?;
                Ok(Comparison::NotEqual(self.words.value(attribute, "")?))
            }
            Token::Operator("==") => Err(flaw(range, "equality is one `=`").instead("=")),
            Token::Operator("<>") => {
                self.only_in_filter(&range, "!=")?;
                Err(flaw(range, "inequality is `!=`").instead("!="))
            }
            Token::Operator(sign @ ("+" | "-" | "*" | "/" | "%")) => Err(arithmetic(range, sign)),
            Token::Word(word) => self.worded(attribute, &word.to_lowercase(), range),
            _ => Err(flaw(range, format!("expected a comparison after `{attribute}`")).help(COMPARISONS)),
        }
    }

    fn worded(&mut self, attribute: &str, word: &str, range: Range<usize>) -> Result<Comparison, Flaw> {
        match word {
            "between" => {
                let lower = self.words.value(attribute, LOWER)?;
                let and = self.words.range();
                match self.words.next() {
                    Some((Token::Word(word), _)) if word.eq_ignore_ascii_case("and") => {}
                    _ => {
                        return Err(flaw(and, "`between` needs two values joined by `and`")
                            .help(format!("write `{attribute} between ? and ?`")));
                    }
                }
                Ok(Comparison::Between(lower, self.words.value(attribute, UPPER)?))
            }
            "in" => self.words.in_values(attribute).map(Comparison::In),
            "begins_with" => Ok(Comparison::BeginsWith(self.words.value(attribute, "")?)),
            "contains" => Ok(Comparison::Contains(self.words.value(attribute, "")?)),
            "contains_key" => Ok(Comparison::ContainsKey(self.words.value(attribute, "")?)),
            "exists" => {
                self.only_in_filter(&range, "exists")?;
                Ok(Comparison::Exists)
            }
            "not" if self.words.is_next("exists") => {
                self.only_in_filter(&range, "not exists")?;
                self.words.next();
                Ok(Comparison::NotExists)
            }
            "not" => Err(flaw(range, "`not` stands only before `exists`")),
            "is" => {
                let negated = self.words.is_next("not");
                let end = self.words.end_of(usize::from(negated)).unwrap_or(range.end);
                let instead = if negated { "exists" } else { "not exists" };
                let flaw = flaw(range.start..end, format!("there is no `{}`", self.words.source(range.start..end)));
                Err(if self.place == Place::Filter {
                    flaw.instead(instead)
                } else {
                    flaw.help(format!("`{instead}` stands in `filter` and `if` only: keys cannot find what is absent"))
                })
            }
            "like" => Err(flaw(range, "there is no `like`").help(format!("write `{attribute} begins_with ?`"))),
            _ => Err(flaw(range, format!("`{word}` is no comparison")).help(COMPARISONS)),
        }
    }

    fn only_in_filter(&self, range: &Range<usize>, what: &str) -> Result<(), Flaw> {
        if self.place == Place::Filter {
            return Ok(());
        }
        Err(flaw(range.clone(), format!("`{what}` cannot find items; it stands in `filter` and `if` only")))
    }

    /// `begins_with(a, ?)` and the like.
    fn call(&self, word: &str, start: Range<usize>) -> Flaw {
        let range = start.start..self.words.close();
        let inner = self.words.source(range.clone()).split_once('(').map_or("", |(_, inner)| inner.trim_end_matches(')'));
        let arguments: Vec<&str> = inner.split(',').map(str::trim).collect();
        let flaw = flaw(range, format!("`{word}` is no function here"));
        match (word, arguments.as_slice()) {
            ("begins_with" | "contains" | "contains_key", [name, value]) => flaw.instead(format!("{name} {word} {value}")),
            ("attribute_exists", [name]) => flaw.instead(format!("{name} exists")),
            ("attribute_not_exists", [name]) => flaw.instead(format!("{name} not exists")),
            _ => flaw.help(COMPARISONS),
        }
    }
}

const COMPARISONS: &str = "a condition is `a = ?`, `a < ?`, `a between ? and ?`, `a in ?`, `a begins_with ?` or `a contains ?`";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes;
    use crate::source::SourceMap;

    fn read(text: &str, place: Place) -> Result<Where, Vec<Flaw>> {
        let mut sources = SourceMap::default();
        let file = sources.add("m", text);
        let span = Span::new(file, 0, text.len());
        conditions(text, span, &Inside::new(&sources, span, text), place)
    }

    fn only_flaw(text: &str, place: Place) -> Flaw {
        let flaws = read(text, place).unwrap_err();
        assert_eq!(flaws.len(), 1, "{text}: {flaws:?}");
        flaws.into_iter().next().unwrap()
    }

    #[test]
    fn every_condition_is_judged() {
        let flaws = read("a == ? and b is null and c = ? or d = ? and e between ? and f <> 1", Place::Where).unwrap_err();
        assert_eq!(flaws.iter().map(|flaw| flaw.range.clone()).collect::<Vec<_>>(), [2..4, 13..20, 31..33, 60..61]);
    }

    fn shown(text: &str) -> Vec<String> {
        let show = |condition: &Condition| format!("{} {:?}", condition.attribute.value, condition.comparison);
        read(text, Place::Filter).unwrap().conditions.iter().map(show).collect()
    }

    #[test]
    fn conditions_are_read() {
        assert_eq!(
            shown("a = ? AND \"my name\" >= :from"),
            ["a Equal(Parameter(\"a\"))", "my name GreaterOrEqual(Parameter(\"from\"))"]
        );
        assert_eq!(
            shown("t between ? and ? and s = 'it''s'"),
            ["t Between(Parameter(\"t_from\"), Parameter(\"t_to\"))", "s Equal(Literal(Text(\"it's\")))"]
        );
        assert_eq!(
            shown("n in (1, -2.5) and b = true"),
            ["n In(List([Literal(Number(\"1\")), Literal(Number(\"-2.5\"))]))", "b Equal(Literal(Bool(true)))"]
        );
        assert_eq!(shown("a in ?"), ["a In(Parameter(\"a\"))"]);
        assert_eq!(shown("a > ? and a <= ?"), ["a Greater(Parameter(\"a_from\"))", "a LessOrEqual(Parameter(\"a_to\"))"]);
        assert_eq!(
            shown("a exists and b not exists and c != 1"),
            ["a Exists", "b NotExists", "c NotEqual(Literal(Number(\"1\")))"]
        );
        assert_eq!(shown("tags contains ? and m contains_key 'k' and t begins_with 'ü'").len(), 3);
        assert_eq!(shown("\"and\" = ?"), ["and Equal(Parameter(\"and\"))"]);
    }

    #[test]
    fn a_when_compares_with_what_is_written() {
        assert_eq!(read("a = 'x' and n in (1, 2) and t between 1 and 5", Place::When).unwrap().conditions.len(), 3);
        for (text, at) in [("n > ?", 4), ("a = :one", 4), ("a in ?", 5), ("a in ('x', ?)", 11), ("a between 1 and ?", 16)] {
            assert_eq!(only_flaw(text, Place::When).range.start, at, "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_text() {
        let conditions = read("a = ? and bb < 5", Place::Where).unwrap().conditions;
        assert_eq!(conditions.iter().map(|condition| condition.span.range()).collect::<Vec<_>>(), [0..5, 10..16]);
        assert_eq!(conditions[1].attribute.span.range(), 10..12);
    }

    #[test]
    fn common_mistakes_are_met_with_the_spelling() {
        for (text, range, instead) in [
            ("begins_with(a, ?)", 0..17, "a begins_with ?"),
            ("contains(a, 'x')", 0..16, "a contains 'x'"),
            ("attribute_not_exists(a)", 0..23, "a not exists"),
            ("a == ?", 2..4, "="),
            ("a <> ?", 2..4, "!="),
            ("a is null", 2..9, "not exists"),
            ("a is not null", 2..13, "exists"),
            ("a = \"x\"", 4..7, "'x'"),
            ("a = ? && b = ?", 6..8, "and"),
        ] {
            let flaw = only_flaw(text, Place::Filter);
            assert_eq!((flaw.code, flaw.range, flaw.instead.as_deref()), (codes::BAD_CONDITION, range, Some(instead)), "{text}");
        }
        for (text, help) in [
            ("a = ? or b = ?", "two alternatives are two patterns; several values are `in (…)`"),
            ("a > ? + 1", "let the caller pass the result as a parameter"),
            ("a > 5-1", "let the caller pass the result as a parameter"),
            ("in = ?", "an attribute of that name is written `\"in\"`"),
        ] {
            assert_eq!(only_flaw(text, Place::Where).help.as_deref(), Some(help), "{text}");
        }
        assert_eq!(only_flaw("(a, b) > (?, ?)", Place::Where).code, codes::NOT_IN_FORMAT);
    }

    #[test]
    fn what_cannot_be_read_is_told_at_its_place() {
        for (text, at) in [
            ("", 0),
            ("a", 1),
            ("a =", 3),
            ("a = ? and", 9),
            ("a = ? b = ?", 6),
            ("a ~ ?", 2),
            ("a = 'x", 4),
            ("a in (1", 7),
            ("a in 3", 5),
            ("a between ?", 11),
            ("? = a", 0),
            ("a = : and", 4),
            ("a = b", 4),
            ("a != ?", 2),
            ("a exists", 2),
            ("not a = ?", 0),
            ("a = ?)", 5),
            ("1a = ?", 0),
            ("a like 'x'", 2),
            ("ü = ?", 0),
        ] {
            let flaw = only_flaw(text, Place::Where);
            assert_eq!((flaw.code, flaw.range.start), (codes::BAD_CONDITION, at), "{text}: {flaw:?}");
        }
    }

    #[test]
    fn an_order_is_read() {
        let read = |text: &str| {
            let mut sources = SourceMap::default();
            let span = Span::new(sources.add("m", text), 0, text.len());
            order(text, &Inside::new(&sources, span, text)).map(|order| (order.attribute.value, order.descending))
        };
        assert_eq!(read("a").unwrap(), ("a".to_owned(), false));
        assert_eq!(read("\"my name\" DESC").unwrap(), ("my name".to_owned(), true));
        for wrong in ["", "a up", "a, b", "a desc x", "desc"] {
            assert_eq!(read(wrong).unwrap_err().code, codes::BAD_CONDITION, "{wrong}");
        }
    }
}
