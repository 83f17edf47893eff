//! `gen schema model|config|plan`

use super::args::{SchemaArgs, SchemaOf};
use super::{Console, Exit, Failure};
use crate::{config, report, validate};

pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Model => validate::schema(),
        SchemaOf::Config => config::schema(),
        SchemaOf::Plan => report::json::schema(),
    };
    console.print(&(format!("{schema:#}") + "\n"))?;
    Ok(Exit::Done)
}
