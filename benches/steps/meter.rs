//! CPU time and peak memory of a step, from Linux's own counters. Elsewhere the time is that of the clock, and the memory unknown.

use std::fs;
use std::time::{Duration, Instant};

/// What a step took.
pub(crate) struct Reading {
    /// CPU time of the thread.
    pub(crate) time: Duration,
    /// The most memory the process had while it ran, in KiB.
    pub(crate) peak: Option<u32>,
}

/// Runs a step and measures it.
pub(crate) fn measure<T>(step: impl FnOnce() -> T) -> (T, Reading) {
    // 5: the peak starts anew (proc(5)).
    let _ = fs::write("/proc/self/clear_refs", "5");
    let (before, start) = (cpu(), Instant::now());
    let result = step();
    let time = match (before, cpu()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    (result, Reading { time, peak: peak() })
}

/// The first number of `schedstat`: nanoseconds on a processor.
fn cpu() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn peak() -> Option<u32> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}
