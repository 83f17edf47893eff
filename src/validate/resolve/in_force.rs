//! Names with parameters in them: what is in force has to fit as well as what is written. What does not is told at the value.

use super::report::Report;
use crate::diagnostic::{Diagnostic, codes};
use crate::schema::{Part, Text};
use crate::source::Spanned;
use crate::validate::grammar::name::Name;

/// A name as far as it is known.
pub(super) struct InForce {
    /// Without the parameters that have no value.
    text: String,
    /// The values in it, by their parameters.
    values: Vec<(String, Spanned<String>)>,
    /// Whether each parameter has a value.
    complete: bool,
}

impl InForce {
    pub(super) fn of(name: &Text, report: &Report<'_>) -> Self {
        let mut found = Self { text: String::new(), values: Vec::new(), complete: true };
        for part in name.parts() {
            match part {
                Part::Literal(text) => found.text.push_str(text),
                Part::Parameter(parameter) => match report.value_of(parameter) {
                    Some(value) => {
                        found.text.push_str(&value.value);
                        found.values.push((parameter.clone(), value));
                    }
                    None => found.complete = false,
                },
                Part::Expression(_) => found.complete = false,
            }
        }
        found
    }

    /// The name, without what is not known.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The name, when all of it is known.
    pub(super) fn whole(&self) -> Option<&str> {
        self.complete.then_some(self.text.as_str())
    }

    /// Whether the values fit into a name whose own letters do; each that does not is reported. `what` is what it names.
    pub(super) fn check(&self, kind: Name, name: &Spanned<Text>, what: &str, report: &mut Report<'_>) -> bool {
        let Err(flaw) = kind.check_letters(&self.text, what) else { return true };
        let fits = |value: &str| value.chars().all(|next| kind.takes(next));
        let misfits: Vec<_> = self.values.iter().filter(|(_, value)| !fits(&value.value)).collect();
        let help = flaw.help.unwrap_or_default();
        for (parameter, value) in &misfits {
            // It is told once, however many names it is part of.
            report.values.remove(parameter);
            let message = format!("`{}` cannot be part of {what}", value.value);
            let diagnostic = Diagnostic::new(codes::BAD_NAME, value.span, message).context(name.span, "it becomes part of this");
            report.push(diagnostic.help(help.clone()));
        }
        let too_long = flaw.code == codes::NAME_TOO_LONG;
        // What is missing may still be long enough.
        let longest = self.values.iter().max_by_key(|(_, value)| value.value.len()).filter(|_| too_long || self.complete);
        let (Some((_, value)), true) = (longest, misfits.is_empty()) else { return misfits.is_empty() };
        let diagnostic = Diagnostic::new(flaw.code, value.span, flaw.message).context(name.span, "it becomes part of this");
        report.push(if help.is_empty() { diagnostic.help("give it a shorter value") } else { diagnostic.help(help) });
        false
    }
}
