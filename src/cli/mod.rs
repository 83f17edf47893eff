//! The command line: arguments, exit codes, one file per command.
