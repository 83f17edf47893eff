//! Where a command prints: results to standard output, diagnostics to standard error. Where a text is written in colour, the
//! streams take it out again when they are no terminal or nobody wants it.

use super::parallel::Pool;
use super::progress::Progress;
use super::{Exit, Failure};
use crate::diagnostic::Diagnostic;
use crate::report::{Palette, terminal};
use crate::source::SourceMap;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::io::{self, Stderr, Stdout, Write};
use std::num::NonZeroUsize;
use std::thread;

/// Diagnostics of one run that are printed; somebody fed `gen` a file of another kind when there are more.
const MOST: usize = 500;

/// The two streams of a run.
pub struct Console {
    out: AutoStream<Stdout>,
    err: AutoStream<Stderr>,
    pool: Pool,
}

impl Console {
    /// The process's own streams; colour by `NO_COLOR`, `CLICOLOR` and whether they are terminals.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            out: AutoStream::auto(io::stdout()),
            err: AutoStream::auto(io::stderr()),
            pool: Pool { threads: NonZeroUsize::MIN, progress: Progress::silent() },
        }
    }

    /// Colour as the arguments say; `Auto` leaves it as it is.
    pub fn set_color(&mut self, choice: ColorChoice) {
        if choice != ColorChoice::Auto {
            self.out = AutoStream::new(io::stdout(), choice);
            self.err = AutoStream::new(io::stderr(), choice);
        }
    }

    /// Work on this many threads, or on as many as there are processors; whoever sits at a terminal is told how far it is,
    /// unless nobody wants that.
    pub(super) fn set_work(&mut self, threads: Option<NonZeroUsize>, no_progress: bool) {
        let threads = threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        self.pool = Pool { threads, progress: Progress::standard(no_progress) };
    }

    /// Who does the work of a run.
    pub(super) fn pool(&self) -> Pool {
        self.pool
    }

    /// The colours that results are printed in.
    pub(super) fn palette(&self) -> Palette {
        if self.out.current_choice() == ColorChoice::Never { Palette::PLAIN } else { Palette::COLOURED }
    }

    /// Prints a result. A pipe that was closed by its reader is the reader's right and no failure.
    pub fn print(&mut self, text: &str) -> Result<(), Failure> {
        let written = match self.out.current_choice() {
            // Without colour it is one piece, and one call of the system.
            ColorChoice::Never => io::stdout().write_all(plain(text).as_bytes()),
            _ => self.out.write_all(text.as_bytes()),
        };
        match written.and_then(|()| self.out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Prints a remark beside the result. When even that fails there is nobody left to tell.
    pub fn remark(&mut self, text: &str) {
        let _ = match self.err.current_choice() {
            ColorChoice::Never => io::stderr().write_all(plain(text).as_bytes()),
            _ => self.err.write_all(text.as_bytes()),
        }
        .and_then(|()| self.err.flush());
    }

    /// Prints diagnostics, each with an empty line behind it. Of more than anybody reads the rest is counted.
    pub fn diagnostics<'a>(&mut self, diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &SourceMap) {
        let mut rest = diagnostics.into_iter();
        for diagnostic in rest.by_ref().take(MOST) {
            self.remark(&(terminal::diagnostic(diagnostic, sources, Palette::COLOURED) + "\n"));
        }
        let more = rest.count();
        if more > 0 {
            self.remark(&format!("… and {more} more; --format json has them all\n\n"));
        }
    }

    /// Says why a command gave up.
    pub fn failure(&mut self, failure: &Failure) -> Exit {
        self.remark(&format!("error: {}\n", terminal::one_line(&failure.to_string())));
        Exit::Failed
    }

    /// Prints help, the version, or what is wrong with the arguments.
    pub fn usage(&mut self, error: &clap::Error) -> Exit {
        let text = error.render().ansi().to_string();
        if error.use_stderr() {
            self.remark(&text);
            Exit::Usage
        } else {
            self.print(&text).map_or(Exit::Failed, |()| Exit::Done)
        }
    }
}

/// A text without the terminal's codes. Nearly always there are none, or colours alone, which are found faster than all that
/// there is.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if is_printed(text) {
        return text.into();
    }
    colourless(text).unwrap_or_else(|| strip_str(text).to_string()).into()
}

/// Whether there is nothing but what is printed, and where.
fn is_printed(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| all & (byte >= b' ' && byte != 0x7f || matches!(byte, b'\n' | b'\t')))
}

/// A text without its colours; None where it has other codes.
fn colourless(text: &str) -> Option<String> {
    let mut pieces = text.split('\x1b');
    let mut plain = String::with_capacity(text.len());
    plain.push_str(pieces.next()?);
    for piece in pieces {
        let code = piece.strip_prefix('[')?;
        // A code is short: no search is prepared for its end.
        let (code, rest) = code.split_at_checked(code.bytes().position(|byte| byte == b'm')?)?;
        let rest = rest.get(1..)?;
        plain.push_str(Some(rest).filter(|_| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'))?);
    }
    is_printed(&plain).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::{colourless, plain};
    use anstream::adapter::strip_str;

    #[test]
    fn a_text_without_colours_is_that_of_the_library() {
        for text in ["", "a\n", "\x1b[1;31ma\x1b[0m b\x1b[2mc\x1b[0m\n", "ü\x1b[mö\t", "m\x1b[0mm"] {
            assert_eq!(colourless(text), Some(strip_str(text).to_string()), "{text:?}");
        }
        for text in ["\x1b[2Ja", "\x1b]0;a\x07b", "a\x1b", "\x1b[1", "\x1b[1Kam", "a\rb", "\x7f"] {
            assert_eq!(colourless(text), None, "{text:?}");
            assert_eq!(plain(text), strip_str(text).to_string());
        }
    }
}
