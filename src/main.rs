//! The binary `gen`.

use mimalloc::MiMalloc;
use nosql_gen::cli::{self, Console};
use std::ffi::{c_int, c_long};
use std::process::ExitCode;

/// A run makes many small values and ends: the system's allocator spends a third of its time on them. It is `MiMalloc` 2, which uses again
/// at once what was given back; 3 waits, and takes a third more memory.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2 (`mi_option_e` in its `mimalloc.h`): after how many milliseconds memory that is free goes
/// back to the system; below zero, never.
const PURGE_DELAY: c_int = 15;

#[expect(unsafe_code, reason = "docs/adr/0029: the allocator has no other way to be told, and takes two numbers")]
unsafe extern "C" {
    /// Sets an option that the environment (`MIMALLOC_PURGE_DELAY`) does not.
    safe fn mi_option_set_default(option: c_int, value: c_long);
}

fn main() -> ExitCode {
    mi_option_set_default(PURGE_DELAY, -1);
    cli::run(std::env::args_os(), &mut Console::standard()).code().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(unsafe_code, reason = "as above")]
    unsafe extern "C" {
        safe fn mi_option_get(option: c_int) -> c_long;
    }

    #[test]
    fn the_option_is_the_one_that_is_meant() {
        // Of the options around it, none has this default.
        assert_eq!(mi_option_get(PURGE_DELAY), 10, "mimalloc has another order of options");
        mi_option_set_default(PURGE_DELAY, -1);
        assert_eq!(mi_option_get(PURGE_DELAY), -1);
    }
}
