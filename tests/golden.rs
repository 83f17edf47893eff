//! Golden cases: one directory a case, one idea a case. `BLESS=1` rewrites what is expected.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod golden {
    pub(crate) mod case;
    pub(crate) mod kinds;
    pub(crate) mod migrate;
    pub(crate) mod workspace;
}

use golden::kinds::KINDS;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (kind, run) in KINDS {
        for case in golden::case::all(kind) {
            let run = *run;
            trials.push(Trial::test(format!("{kind}/{}", case.name), move || run(&case).map_err(Into::into)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
