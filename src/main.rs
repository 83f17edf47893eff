//! The binary `gen`.

use mimalloc::MiMalloc;
use nosql_gen::cli::{self, Console};
use std::process::ExitCode;

/// A run makes many small values and ends: the system's allocator spends a third of its time on them. It is `MiMalloc` 2, which uses again
/// at once what was given back; 3 waits, and takes a third more memory.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &mut Console::standard()).code().into()
}
