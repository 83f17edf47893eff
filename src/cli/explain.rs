//! `gen explain CODE`

use super::args::ExplainArgs;
use super::{Console, Exit, Failure};
use crate::diagnostic::{Code, nearest};
use crate::{diff, rules};

pub(super) fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(page) = Code::find(&args.code).and_then(rules::explain) {
        console.print(page)?;
    } else if let Some(row) = diff::explain(&args.code) {
        console.print(&row)?;
    } else {
        let known = rules::documented().map(Code::slug).chain(diff::rules());
        let hint = nearest(&args.code, known).map_or_else(String::new, |code| format!("; did you mean `{code}`?"));
        return Err(Failure::Other(format!("no code or rule is called `{}`{hint}", args.code)));
    }
    Ok(Exit::Done)
}
