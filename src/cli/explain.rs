//! `gen explain CODE`

use super::args::ExplainArgs;
use super::{Console, Exit, Failure};
use crate::diagnostic::{Code, nearest};
use crate::{diff, rules};

pub(super) fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(page) = rules::explain(&args.code) {
        console.print(page)?;
    } else if let Some(row) = diff::rows::explain(&args.code) {
        console.print(&row)?;
    } else {
        let known = Code::all().map(Code::slug).filter(|slug| rules::explain(slug).is_some());
        let meant = nearest(&args.code, known.chain(diff::rows::rules()));
        let hint = meant.map_or_else(String::new, |code| format!("; did you mean `{code}`?"));
        return Err(Failure::Other(format!("no code or rule is called `{}`{hint}", args.code)));
    }
    Ok(Exit::Done)
}
