//! Numbers of the language that stand elsewhere than in a model.

use super::grammar::units;
use crate::diagnostic::{Diagnostic, Unit};
use crate::source::{Inside, SourceMap, Spanned};

/// A number with its unit: sizes in bytes, shares from 0 to 1, durations in seconds.
pub fn number(sources: &SourceMap, text: &Spanned<String>, unit: Unit) -> Result<f64, Box<Diagnostic>> {
    let read = match unit {
        Unit::Count => units::count(text),
        Unit::Size => units::size(text),
        Unit::Share => units::share(text),
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        Unit::Duration => units::duration(text).map(|duration| duration.seconds as f64),
    };
    read.map_err(|flaw| Box::new(flaw.into_diagnostic(&Inside::new(sources, text.span, &text.value))))
}
