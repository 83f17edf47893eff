//! Where the reading stands: bytes, and what is made of them alone.

use super::super::tree::Name;
use crate::source::search::first_of;
use std::borrow::Cow;
use std::ops::Range;

pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// From a place to where the reading stands.
    pub(super) fn since(&self, start: usize) -> Range<usize> {
        start..self.at
    }

    pub(super) fn is_over(&self) -> bool {
        self.at >= self.text.len()
    }

    /// The byte that comes next; 0 at the end, which nothing begins with.
    pub(super) fn here(&self) -> u8 {
        self.byte(self.at)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn since_text(&self, start: usize) -> Option<&'a str> {
        self.text.get(self.since(start))
    }

    /// Goes past a byte, if it comes next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.here() == byte;
        self.at += usize::from(found);
        found
    }

    /// Where what is looked for from a place on is; the end of the text if it is not there.
    fn find(&self, from: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        search(rest).map_or(self.text.len(), |length| from + length)
    }

    /// Goes past blanks, and comments that end before their line may.
    pub(super) fn skip_blanks(&mut self) -> Option<()> {
        loop {
            match self.here() {
                b' ' | b'\t' => self.at += 1,
                b'/' if self.byte(self.at + 1) == b'*' => {
                    let start = self.at + 2;
                    self.at = start + self.text.get(start..)?.find("*/")? + 2;
                }
                _ => return Some(()),
            }
        }
    }

    fn skip_line_comment(&mut self) {
        if self.here() == b'#' || (self.here() == b'/' && self.byte(self.at + 1) == b'/') {
            self.at = self.find(self.at, |rest| first_of(rest, [b'\n', b'\r']));
        }
    }

    /// A lone carriage return is no line end.
    pub(super) fn take_line_end(&mut self) -> bool {
        let length = match self.here() {
            b'\n' => 1,
            b'\r' if self.byte(self.at + 1) == b'\n' => 2,
            _ => 0,
        };
        self.at += length;
        length > 0
    }

    /// Goes to where a line ends, if nothing but a comment is left of it.
    pub(super) fn skip_to_line_end(&mut self) -> Option<()> {
        self.skip_blanks()?;
        self.skip_line_comment();
        Some(())
    }

    /// Goes past blanks, comments and line ends.
    pub(super) fn skip_gap(&mut self) -> Option<()> {
        self.skip_to_line_end()?;
        while self.take_line_end() {
            self.skip_to_line_end()?;
        }
        Some(())
    }

    pub(super) fn is_word(&self) -> bool {
        matches!(self.here(), b'a'..=b'z' | b'A'..=b'Z' | b'_')
    }

    /// A name of ASCII letters. One that goes on with a letter of another alphabet is followed by nothing that is read here.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        if !self.is_word() {
            return None;
        }
        let start = self.at;
        self.at = self.find(start, |rest| rest.iter().position(|byte| !is_of_word(*byte)));
        self.since_text(start)
    }

    pub(super) fn name(&mut self) -> Option<Name<'a>> {
        let start = self.at;
        let text = Cow::Borrowed(self.word()?);
        Some(Name { text, range: self.since(start) })
    }

    /// Text in quotes without a template, without its quotes.
    pub(super) fn quoted(&mut self) -> Option<Name<'a>> {
        let start = self.at;
        let text = if self.take(b'"') { self.literal()? } else { return None };
        self.take(b'"').then(|| Name { text, range: self.since(start) })
    }

    /// What stands between quotes, as far as it is no template.
    pub(super) fn literal(&mut self) -> Option<Cow<'a, str>> {
        let mut text = Cow::Borrowed("");
        let (mut from, mut end) = (self.at, self.at);
        loop {
            end = self.find(end, |rest| first_of(rest, *b"\"\\$%\n\r"));
            match (self.byte(end), self.byte(end + 1), self.byte(end + 2)) {
                (b'"', ..) | (b'$', b'{', _) => break,
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => {
                    // The first one only says that the second begins nothing.
                    text += self.text.get(from..end)?;
                    from = end + 1;
                    end += 3;
                }
                (b'$', ..) => end += 1,
                (b'%', next, _) if next != b'{' => end += 1,
                (b'\\', next, _) => {
                    text += self.text.get(from..end)?;
                    text += escaped(next)?;
                    end += 2;
                    from = end;
                }
                _ => return None,
            }
        }
        text += self.text.get(from..end)?;
        self.at = end;
        Some(text)
    }

    /// A number without an exponent.
    pub(super) fn number(&mut self) -> Option<f64> {
        let start = self.at;
        self.take(b'-');
        self.skip_digits()?;
        if self.take(b'.') {
            self.skip_digits()?;
        }
        self.since_text(start)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn skip_digits(&mut self) -> Option<()> {
        let start = self.at;
        self.at = self.find(start, |rest| rest.iter().position(|byte| !byte.is_ascii_digit()));
        (self.at > start).then_some(())
    }
}

/// What stands after a backslash, but for the numbers of characters.
fn escaped(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'n' => "\n",
        b'r' => "\r",
        b't' => "\t",
        b'"' => "\"",
        b'\\' => "\\",
        _ => return None,
    })
}

/// Which bytes a word may be of: names are gone over byte by byte, and a table tells it fastest.
#[expect(clippy::indexing_slicing, reason = "beyond its end it would not build")]
const OF_WORD: [bool; 256] = {
    let mut of_word = [false; 256];
    let mut byte = 0;
    while byte < u8::MAX {
        of_word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        byte += 1;
    }
    of_word
};

fn is_of_word(byte: u8) -> bool {
    OF_WORD.get(usize::from(byte)).is_some_and(|is_of_word| *is_of_word)
}
