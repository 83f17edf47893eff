//! The arguments of each command.

use anstream::ColorChoice;
use camino::Utf8PathBuf;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;

/// Access patterns in, DynamoDB and CQL tables out, and the truth about every change.
#[derive(Debug, Parser)]
#[command(
    name = "gen",
    version,
    after_help = "\
Start with `gen init`, then `gen plan` and `gen apply`.
`gen explain CODE` tells about any code that gen prints.

Examples:
  gen init
  gen plan
  gen apply

Exit codes:
   0  nothing to do, or only safe changes
   1  it could not be done: a bad model, a file
   2  there are changes (--detailed-exitcode), or the output is stale (check)
   3  blocked by a dangerous change or a finding
  64  wrong arguments"
)]
pub struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
pub(super) struct Global {
    /// When to print in colour
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN", display_order = 900)]
    color: When,
    /// Print without colour; the same as --color never
    #[arg(long, global = true, display_order = 901)]
    no_color: bool,
    /// Work on this many threads instead of one for each processor; the output is the same
    #[arg(long, global = true, env = "GEN_THREADS", hide_env_values = true, value_name = "N", value_parser = threads, display_order = 902)]
    threads: Option<Threads>,
    /// Do not show how far a long run is; it is shown on a terminal alone, and never with CI=true
    #[arg(long, global = true, display_order = 903)]
    pub(super) no_progress: bool,
}

impl Global {
    /// How many threads are asked for.
    pub(super) fn threads(&self) -> Option<NonZeroUsize> {
        self.threads.and_then(|Threads(number)| number)
    }

    pub(super) fn color(&self) -> ColorChoice {
        match (self.no_color, self.color) {
            (true, _) | (_, When::Never) => ColorChoice::Never,
            (_, When::Always) => ColorChoice::Always,
            (_, When::Auto) => ColorChoice::Auto,
        }
    }
}

/// A number of threads; none where the variable of a pipeline is empty.
#[derive(Clone, Copy, Debug)]
struct Threads(Option<NonZeroUsize>);

fn threads(text: &str) -> Result<Threads, &'static str> {
    if text.is_empty() {
        return Ok(Threads(None));
    }
    text.parse().map(|number| Threads(Some(number))).map_err(|_| "it is not a number from 1 on")
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start a repository: gen.yaml and a first model
    Init(InitArgs),
    /// Show what would change; writes nothing
    Plan(PlanArgs),
    /// Write the files and gen.lock, all or nothing
    Apply(ApplyArgs),
    /// Fail if the committed output is not what the models give, or was edited by hand
    Check(CheckArgs),
    /// Show what differs between any two models, locks, directories or native files
    Diff(DiffArgs),
    /// Record that a dangerous change is meant
    Ack(AckArgs),
    /// Explain a code, or the rule of a change
    Explain(ExplainArgs),
    /// List, copy or check the templates that print the output
    #[command(subcommand)]
    Templates(TemplatesCommand),
    /// Print the JSON Schema of models, of gen.yaml or of plans
    Schema(SchemaArgs),
    /// Print the completion of a shell
    Completions(CompletionsArgs),
    /// Print a man page, or write all of them
    Man(ManArgs),
}

impl Command {
    /// How the plan of this command is printed; None when it makes none.
    pub(super) fn report(&self) -> Option<&ReportArgs> {
        match self {
            Self::Plan(PlanArgs { report, .. }) | Self::Apply(ApplyArgs { report, .. }) | Self::Diff(DiffArgs { report, .. }) => {
                Some(report)
            }
            _ => None,
        }
    }
}

/// A path, which is not empty.
fn path(text: &str) -> Result<Utf8PathBuf, &'static str> {
    if text.is_empty() { Err("it is empty") } else { Ok(text.into()) }
}

/// How a plan is printed, and where to.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Write the report to this file instead of standard output
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub(super) output: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; `gen schema plan` describes it
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  gen init\n  gen init --ci github --pre-commit")]
pub(super) struct InitArgs {
    /// Also write a pipeline for this service
    #[arg(long, value_enum)]
    pub(super) ci: Option<CiService>,
    /// Also write .pre-commit-config.yaml
    #[arg(long)]
    pub(super) pre_commit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CiService {
    Github,
    Gitlab,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen plan
  gen plan models/shop.yaml
  gen plan --environment prod
  gen plan --against origin/main --changed --detailed-exitcode
  gen plan --format json --output plan.json")]
pub(super) struct PlanArgs {
    /// Models to plan, or folders of them; all of gen.yaml when none is given
    #[arg(value_name = "MODEL", value_parser = path)]
    pub(super) models: Vec<Utf8PathBuf>,
    /// Only for this environment of gen.yaml, instead of all; repeatable
    #[arg(long = "environment", short = 'e', value_name = "NAME")]
    pub(super) environments: Vec<String>,
    /// Only the models whose inputs or output changed since HEAD, or since they parted from REF; --against names it too
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) changed: Option<String>,
    /// Compare with this instead of the lock: a git ref, a directory, a lock or a native file
    #[arg(long, value_name = "PREVIOUS")]
    pub(super) against: Option<String>,
    /// Exit with 2 when there are changes
    #[arg(long)]
    pub(super) detailed_exitcode: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen apply
  gen apply models/shop.yaml --environment dev
  gen apply --changed
  gen apply --discard-edits infra/shop/terraform/table_orders.tf")]
pub(super) struct ApplyArgs {
    /// Models to apply; all of gen.yaml when none is given
    #[arg(value_name = "MODEL", value_parser = path)]
    pub(super) models: Vec<Utf8PathBuf>,
    /// Only for this environment of gen.yaml, instead of all; repeatable
    #[arg(long = "environment", short = 'e', value_name = "NAME")]
    pub(super) environments: Vec<String>,
    /// Only the models whose inputs or output changed since HEAD, or since they parted from REF
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) changed: Option<String>,
    /// Overwrite this file although it was edited by hand, or was not written by gen; repeatable
    #[arg(long, value_name = "PATH", value_parser = path)]
    pub(super) discard_edits: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen check
  gen check models/shop.yaml
  gen check --changed=origin/main")]
pub(super) struct CheckArgs {
    /// Models to check; all of gen.yaml when none is given
    #[arg(value_name = "MODEL", value_parser = path)]
    pub(super) models: Vec<Utf8PathBuf>,
    /// Only for this environment of gen.yaml, instead of all; repeatable
    #[arg(long = "environment", short = 'e', value_name = "NAME")]
    pub(super) environments: Vec<String>,
    /// Only the models whose inputs or output changed since HEAD, or since they parted from REF
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) changed: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A and B are each a model, a lock, a directory, a Terraform, CloudFormation or CQL file, or REF:PATH of one in git. CQL files of a
directory are one history, run in the order of their numbers.

Examples:
  gen diff before.tf after.tf
  gen diff origin/main:models/shop.yaml models/shop.yaml
  gen diff origin/main:models/shop.yaml models/shop.yaml --environment prod
  gen diff before.cql after.cql --backend cassandra-5.0 --format json
  gen diff infra/shop/cql/cassandra-5.0/migrations models/shop.yaml
  gen diff before.cql after.cql --history migrations")]
pub(super) struct DiffArgs {
    /// What was there
    #[arg(value_name = "A", value_parser = NonEmptyStringValueParser::new())]
    pub(super) previous: String,
    /// What is to be there
    #[arg(value_name = "B", value_parser = NonEmptyStringValueParser::new())]
    pub(super) next: String,
    /// CQL that ran before A, a file or a folder of migrations: it knows which columns were dropped
    #[arg(long, value_name = "FILE")]
    pub(super) history: Option<Utf8PathBuf>,
    /// Take the models' values from this environment of gen.yaml
    #[arg(long, short = 'e', value_name = "NAME")]
    pub(super) environment: Option<String>,
    /// Report the effects on this backend; repeatable. With one engine, CQL means what it means to that engine
    #[arg(long, value_name = "BACKEND")]
    pub(super) backend: Vec<String>,
    /// Exit with 2 when there are changes
    #[arg(long)]
    pub(super) detailed_exitcode: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen ack lsi-by-date-3f9a1c2e --reason \"The table is empty until launch\" --owner orders-team
  gen ack lsi-by-date-3f9a1c2e --reason \"Copied to orders_v2\" --owner orders-team --until 2027-01-31")]
pub(super) struct AckArgs {
    /// The change's id, as `gen plan` prints it
    pub(super) id: String,
    /// Why it is meant
    #[arg(long)]
    pub(super) reason: String,
    /// Who answers for it
    #[arg(long)]
    pub(super) owner: String,
    /// The last day it holds, YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    pub(super) until: Option<String>,
    /// Look only in this environment of gen.yaml, instead of all; repeatable
    #[arg(long = "environment", short = 'e', value_name = "NAME")]
    pub(super) environments: Vec<String>,
    /// What the plan was compared with, when that was not the lock
    #[arg(long, value_name = "PREVIOUS")]
    pub(super) against: Option<String>,
    /// Models to look in; all of gen.yaml when none is given
    #[arg(value_name = "MODEL", value_parser = path)]
    pub(super) models: Vec<Utf8PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  gen explain pattern-unserved\n  gen explain lsi-add")]
pub(super) struct ExplainArgs {
    /// A code such as `pattern-unserved`, or a rule such as `lsi-add`
    pub(super) code: String,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gen schema model > model.schema.json\n  gen schema config\n  gen schema acknowledgements\n  gen schema plan"
)]
pub(super) struct SchemaArgs {
    /// Of what
    #[arg(value_enum)]
    pub(super) of: SchemaOf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SchemaOf {
    /// models/*.yaml
    Model,
    /// gen.yaml
    Config,
    /// acknowledgements.yaml
    Acknowledgements,
    /// What `plan --format json` prints
    Plan,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
A file in the folder that gen.yaml names (`templates: templates`) replaces the template of its name.

Examples:
  gen templates list
  gen templates eject terraform/table.tf.j2
  gen templates check")]
pub(super) enum TemplatesCommand {
    /// List the templates, their blocks, and which of them yours replace
    #[command(after_help = "Examples:\n  gen templates list")]
    List,
    /// Write templates of gen into your own folder; overwrites nothing
    Eject(EjectArgs),
    /// Render the models that gen is tested with through your templates, and say what these lose
    Check(TemplatesCheckArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen templates eject terraform/table.tf.j2
  gen templates eject cql/index.cql.j2 cql/view.cql.j2 --to platform/templates")]
pub(super) struct EjectArgs {
    /// Templates, as `gen templates list` names them
    #[arg(value_name = "NAME", required = true)]
    pub(super) names: Vec<String>,
    /// Write into this folder instead of that of gen.yaml
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(super) to: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
   0  nothing is lost
   1  a template could not be rendered, or replaces nothing
   2  something is lost

Examples:
  gen templates check
  gen templates check platform/templates")]
pub(super) struct TemplatesCheckArgs {
    /// The folder of templates; that of gen.yaml when none is given
    #[arg(value_name = "DIR", value_parser = path)]
    pub(super) folder: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen completions bash > ~/.local/share/bash-completion/completions/gen
  gen completions zsh > ~/.zfunc/_gen
  gen completions fish > ~/.config/fish/completions/gen.fish")]
pub(super) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gen man | man -l -
  gen man plan
  gen man --to man/man1")]
pub(super) struct ManArgs {
    /// The command whose page is printed, as it is typed; that of gen itself when none is given
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    pub(super) command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(super) to: Option<Utf8PathBuf>,
}
