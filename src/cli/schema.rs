//! `gen schema model|config|acknowledgements|plan`

use super::args::{SchemaArgs, SchemaOf};
use super::{Console, Exit, Failure};
use crate::baseline::acknowledgements;
use crate::{config, report, validate};

pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Model => validate::schema(),
        SchemaOf::Config => config::schema(),
        SchemaOf::Acknowledgements => acknowledgements::schema(),
        SchemaOf::Plan => report::json::schema(),
    };
    console.print(&(format!("{schema:#}") + "\n"))?;
    Ok(Exit::Done)
}
