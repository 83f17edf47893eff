//! Capacity of tables and indexes, as their billing mode takes it.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::Capacity;
use crate::schema::Value;
use crate::schema::dynamodb::{Autoscaling, Billing, Range, Throughput, Units};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::grammar::{Flaw, units};
use crate::validate::resolve::report::{Report, capacity_units};

/// The utilisation that is aimed at when nothing is said, in percent.
const TARGET: u64 = 70;

/// What is written, in a billing mode; None when it is wrong.
pub(super) fn read(written: &Spanned<document::Throughput>, mode: Billing, report: &mut Report<'_>) -> Option<Capacity> {
    match mode {
        Billing::Provisioned => {
            let read = provisioned(&written.value.read, "read", written.span, report);
            let write = provisioned(&written.value.write, "write", written.span, report);
            let ((read, read_range), (write, write_range)) = (read?, write?);
            let autoscaling = Autoscaling { read: read_range, write: write_range };
            Some(Capacity {
                throughput: Some(Throughput { read, write }),
                autoscaling: (autoscaling != Autoscaling::default()).then_some(autoscaling),
                on_demand_maximum: None,
            })
        }
        Billing::OnDemand => {
            let units = Units { read: maximum(&written.value.read, report), write: maximum(&written.value.write, report) };
            Some(Capacity { on_demand_maximum: (units != Units::default()).then_some(units), ..Capacity::default() })
        }
    }
}

/// Whether only maxima are written, which is all that can be set on demand.
pub(super) fn is_limit(written: &document::Throughput) -> bool {
    [&written.read, &written.write].into_iter().filter_map(Field::get).all(|capacity| match &capacity.value {
        document::Capacity::Map(range) => !range.min.is_there() && !range.target.is_there(),
        document::Capacity::Number(_) | document::Capacity::Text(_) => false,
    })
}

/// Says that capacity is not set on demand.
pub(super) fn not_on_demand(span: Span, report: &mut Report<'_>) {
    let diagnostic = Diagnostic::new(codes::THROUGHPUT_MODE, span, "on demand, capacity is not set");
    report.push(diagnostic.help("set `billing: provisioned`, or give only `{ max: … }`"));
}

/// Where capacity starts, and between which limits it is scaled.
fn provisioned(
    capacity: &Field<document::Capacity>,
    what: &str,
    span: Span,
    report: &mut Report<'_>,
) -> Option<(Value<u64>, Option<Range>)> {
    match capacity {
        Field::Absent => {
            let diagnostic =
                Diagnostic::new(codes::THROUGHPUT_MODE, span, format!("`throughput` does not say how much to {what}"));
            report.push(diagnostic.help(format!("add `{what}: …`, in capacity units")));
            None
        }
        Field::Broken => None,
        Field::Given(given) => match &given.value {
            document::Capacity::Number(number) | document::Capacity::Text(number) => {
                Some((report.number_value(number, capacity_units)?, None))
            }
            document::Capacity::Map(written) => {
                let range = range(written, given.span, report)?;
                Some((range.min.clone(), Some(range)))
            }
        },
    }
}

fn range(written: &document::Autoscaling, span: Span, report: &mut Report<'_>) -> Option<Range> {
    for (limit, name) in [(&written.min, "min"), (&written.max, "max")] {
        if let Field::Absent = limit {
            let message = format!("capacity that is scaled has a `{name}`");
            let help = "write `{ min: …, max: … }`, in capacity units";
            report.push(Diagnostic::new(codes::THROUGHPUT_MODE, span, message).help(help));
        }
    }
    let min = written.min.get().and_then(|min| report.number_value(min, capacity_units));
    let max = written.max.get().and_then(|max| report.number_value(max, capacity_units));
    let in_force = |limit: &Option<Value<u64>>| limit.as_ref().and_then(|limit| report.number_in_force(limit));
    if let (Some(min), Some(max)) = (in_force(&min), in_force(&max))
        && min > max
    {
        report.push(Diagnostic::new(codes::BAD_VALUE, span, format!("the least, {min}, is more than the most, {max}")));
    }
    let target = if written.target.is_there() { report.field(&written.target, target)?.value } else { TARGET };
    Some(Range { min: min?, max: max?, target: Value::Literal(target) })
}

/// A utilisation that the service takes, in whole percent.
fn target(text: &str) -> Result<u64, Flaw> {
    let percent = units::share(text)? * 100.0;
    let rounded = percent.round();
    if (percent - rounded).abs() > 1e-9 || !(20.0..=90.0).contains(&rounded) {
        return Err(Flaw::value(0..text.len(), format!("`{text}` is no whole percentage from 20% to 90%")));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and small")]
    Ok(rounded as u64)
}

fn maximum(capacity: &Field<document::Capacity>, report: &mut Report<'_>) -> Option<Value<u64>> {
    match &capacity.get()?.value {
        document::Capacity::Map(range) => report.number_value(range.max.get()?, capacity_units),
        document::Capacity::Number(_) | document::Capacity::Text(_) => None,
    }
}

/// What a table or an index is warmed up for.
pub(super) fn warm(written: &Field<document::WarmThroughput>, report: &mut Report<'_>) -> Option<Spanned<Units>> {
    let written = written.get()?;
    let read = written.value.read.get().and_then(|units| report.number_value(units, capacity_units));
    let write = written.value.write.get().and_then(|units| report.number_value(units, capacity_units));
    if !written.value.read.is_there() && !written.value.write.is_there() {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, written.span, "`warm_throughput` says nothing");
        report.push(diagnostic.help("give `read`, `write` or both, in units a second"));
    }
    Some(Spanned::new(Units { read, write }, written.span))
}
