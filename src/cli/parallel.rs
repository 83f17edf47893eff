//! Work that is spread over threads. What comes of it, and its order, do not depend on their number.

use super::progress::Progress;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Deep models are walked by recursion; a thread of its own starts with less room than the first.
const STACK: usize = 8 << 20;

/// The threads of a run, and who is told how far they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    pub(super) threads: NonZeroUsize,
    pub(super) progress: Progress,
}

impl Pool {
    /// Does the same with each item; the results are in the order of the items.
    pub(super) fn map<T: Send, R: Send>(&self, what: &str, items: Vec<T>, each: impl Fn(T) -> R + Sync) -> Vec<R> {
        let done = AtomicUsize::new(0);
        let counted = |item: T| {
            let result = each(item);
            done.fetch_add(1, Ordering::Relaxed);
            result
        };
        self.progress.during(what, &done, items.len(), || map(self.threads, items, counted))
    }
}

fn map<T: Send, R: Send>(threads: NonZeroUsize, items: Vec<T>, each: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = threads.get().min(items.len());
    if threads <= 1 {
        return items.into_iter().map(each).collect();
    }
    let waiting = Mutex::new(items.into_iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = || {
        let mut done = Vec::new();
        while let Some((place, item)) = next() {
            done.push((place, each(item)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        // A thread that cannot be had leaves its share to the others.
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut done = work();
        for thread in others {
            done.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_items() {
        let items: Vec<u64> = (0..500).collect();
        let slow_first = |item: u64| {
            thread::sleep(std::time::Duration::from_micros(500 - item));
            item * 2
        };
        for threads in [1, 2, 7, 1000] {
            let doubled = map(NonZeroUsize::new(threads).unwrap(), items.clone(), slow_first);
            assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>(), "{threads}");
        }
        assert!(map(NonZeroUsize::MIN, Vec::new(), slow_first).is_empty());
        let pool = Pool { threads: NonZeroUsize::MIN, progress: Progress::silent() };
        assert_eq!(pool.map("doubling", vec![1], slow_first), [2]);
    }
}
