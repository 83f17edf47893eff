//! The binary `gen`.

use nosql_gen::cli::{self, Console};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &mut Console::standard()).code().into()
}
