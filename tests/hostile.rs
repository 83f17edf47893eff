//! `gen` as somebody meets it who means it no good, or who is merely unlucky: the binary is run on bad input, and each time it
//! has to end soon, with the right code, a message that helps, and nothing written or lost.
#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

#[path = "hostile/arguments.rs"]
mod arguments;
#[path = "hostile/configuration.rs"]
mod configuration;
#[path = "hostile/locks.rs"]
mod locks;
#[path = "hostile/models.rs"]
mod models;
#[path = "hostile/outputs.rs"]
mod outputs;
#[path = "hostile/reports.rs"]
mod reports;
#[path = "hostile/repository.rs"]
mod repository;
#[path = "hostile/runs.rs"]
mod runs;
#[path = "hostile/story.rs"]
mod story;
#[path = "hostile/strings.rs"]
mod strings;
#[path = "hostile/workspaces.rs"]
mod workspaces;
