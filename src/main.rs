//! The binary `gen`.

use mimalloc::MiMalloc;
use nosql_gen::cli::{self, Console};
use std::process::ExitCode;

/// A run makes many small values and ends: the system's allocator spends a third of its time on them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &mut Console::standard()).code().into()
}
