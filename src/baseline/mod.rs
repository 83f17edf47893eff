//! Where the previous generation comes from: the lock, a directory, a git ref.
