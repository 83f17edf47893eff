//! How far a run is, for somebody who waits at a terminal: one line, rewritten while it lasts, and gone at its end.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Nobody waits for less.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is rewritten.
const PACE: Duration = Duration::from_millis(100);

/// Back to the start of the line, and what stands there wiped out.
const WIPE: &str = "\r\x1b[K";

/// Who is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// When the run started; None: nobody wants to know.
    since: Option<Instant>,
}

impl Progress {
    /// Tells whoever sits at the terminal that standard error is, unless it is `off` or this is a pipeline.
    pub(super) fn standard(off: bool) -> Self {
        let variable = |name| env::var(name).ok();
        let shown = is_wanted(off, io::stderr().is_terminal(), variable("CI").as_deref(), variable("TERM").as_deref());
        Self { since: shown.then(Instant::now) }
    }

    /// Tells nobody.
    pub(super) fn silent() -> Self {
        Self { since: None }
    }

    /// Does some work and tells how far it is: so many of the total are `done`.
    pub(super) fn during<R>(&self, what: &str, done: &AtomicUsize, total: usize, work: impl FnOnce() -> R) -> R {
        let Some(since) = self.since else { return work() };
        let ended = (Mutex::new(false), Condvar::new());
        thread::scope(|scope| {
            let tell = || {
                let mut line = Line { out: io::stderr(), elapsed: || since.elapsed(), is_shown: false };
                let mut is_over = ended.0.lock().unwrap_or_else(PoisonError::into_inner);
                while !*is_over {
                    line.show(what, done.load(Ordering::Relaxed), total);
                    is_over = ended.1.wait_timeout(is_over, PACE).unwrap_or_else(PoisonError::into_inner).0;
                }
                line.wipe();
            };
            // Without a thread to tell, the work is done in silence.
            let told = thread::Builder::new().spawn_scoped(scope, tell).is_ok();
            let _end = End(told.then_some(&ended));
            work()
        })
    }
}

/// Ends the telling, however the work ends.
struct End<'a>(Option<&'a (Mutex<bool>, Condvar)>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        if let Some((is_over, changed)) = self.0 {
            *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            changed.notify_all();
        }
    }
}

/// The line.
struct Line<W, C> {
    out: W,
    /// Since the start of the run.
    elapsed: C,
    is_shown: bool,
}

impl<W: Write, C: Fn() -> Duration> Line<W, C> {
    fn show(&mut self, what: &str, done: usize, total: usize) {
        if (self.elapsed)() >= PATIENCE && done < total {
            self.is_shown = true;
            self.write(&format!("{WIPE}{what}: {done} of {total}"));
        }
    }

    fn wipe(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            self.write(WIPE);
        }
    }

    /// Whoever cannot be told is not told.
    fn write(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

fn is_wanted(off: bool, is_terminal: bool, ci: Option<&str>, term: Option<&str>) -> bool {
    let is_pipeline = ci.is_some_and(|ci| !["", "0", "false"].contains(&ci));
    !off && is_terminal && !is_pipeline && term != Some("dumb")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn the_line_is_rewritten_and_wiped() {
        let clock = Cell::new(Duration::ZERO);
        let mut line = Line { out: Vec::new(), elapsed: || clock.get(), is_shown: false };
        line.show("planning", 0, 3);
        line.wipe();
        assert!(line.out.is_empty(), "a short run says nothing");
        clock.set(Duration::from_millis(999));
        line.show("planning", 1, 3);
        assert!(line.out.is_empty());
        clock.set(PATIENCE);
        line.show("planning", 1, 3);
        line.show("planning", 2, 3);
        line.show("planning", 3, 3);
        line.wipe();
        line.wipe();
        let text = String::from_utf8(line.out).unwrap();
        assert_eq!(text, "\r\x1b[Kplanning: 1 of 3\r\x1b[Kplanning: 2 of 3\r\x1b[K");
    }

    #[test]
    fn only_somebody_at_a_terminal_is_told() {
        assert!(is_wanted(false, true, None, Some("xterm")));
        assert!(is_wanted(false, true, Some("false"), None) && is_wanted(false, true, Some(""), None));
        assert!(!is_wanted(true, true, None, None));
        assert!(!is_wanted(false, false, None, None));
        assert!(!is_wanted(false, true, Some("true"), None) && !is_wanted(false, true, Some("1"), None));
        assert!(!is_wanted(false, true, None, Some("dumb")));
    }

    #[test]
    fn the_work_is_done_and_the_telling_ends_with_it() {
        let done = AtomicUsize::new(0);
        for progress in [Progress::silent(), Progress { since: Some(Instant::now()) }] {
            assert_eq!(progress.during("working", &done, 1, || 7), 7);
        }
    }
}
