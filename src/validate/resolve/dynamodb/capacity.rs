//! Capacity of tables and indexes, as their billing mode takes it.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::Capacity;
use crate::schema::Value;
use crate::schema::dynamodb::{Billing, Throughput, Units};
use crate::source::{Span, Spanned};
use crate::validate::document::{self, Field};
use crate::validate::resolve::report::Report;

/// What is written, in a billing mode; None when it is wrong.
pub(super) fn read(written: &Spanned<document::Throughput>, mode: Billing, report: &mut Report<'_>) -> Option<Capacity> {
    match mode {
        Billing::Provisioned => {
            let read = provisioned(&written.value.read, "read", written.span, report);
            let write = provisioned(&written.value.write, "write", written.span, report);
            Some(Capacity { throughput: Some(Throughput { read: read?, write: write? }), ..Capacity::default() })
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

fn provisioned(capacity: &Field<document::Capacity>, what: &str, span: Span, report: &mut Report<'_>) -> Option<Value<u64>> {
    match capacity {
        Field::Absent => {
            let diagnostic =
                Diagnostic::new(codes::THROUGHPUT_MODE, span, format!("`throughput` does not say how much to {what}"));
            report.push(diagnostic.help(format!("add `{what}: …`, in capacity units")));
            None
        }
        Field::Broken => None,
        Field::Given(given) => match &given.value {
            document::Capacity::Number(number) | document::Capacity::Text(number) => at_least_one(number, report),
            document::Capacity::Map(_) => None,
        },
    }
}

fn maximum(capacity: &Field<document::Capacity>, report: &mut Report<'_>) -> Option<Value<u64>> {
    match &capacity.get()?.value {
        document::Capacity::Map(range) => at_least_one(range.max.get()?, report),
        document::Capacity::Number(_) | document::Capacity::Text(_) => None,
    }
}

/// A number of units, or a parameter.
fn at_least_one(number: &Spanned<document::NumberOrParameter>, report: &mut Report<'_>) -> Option<Value<u64>> {
    let value = report.number_value(number)?;
    if value == Value::Literal(0) {
        report.push(Diagnostic::new(codes::BAD_VALUE, number.span, "capacity is at least 1"));
    }
    Some(value)
}

/// What a table or an index is warmed up for.
pub(super) fn warm(written: &Field<document::WarmThroughput>, report: &mut Report<'_>) -> Option<Spanned<Units>> {
    let written = written.get()?;
    let read = written.value.read.get().and_then(|units| at_least_one(units, report));
    let write = written.value.write.get().and_then(|units| at_least_one(units, report));
    if !written.value.read.is_there() && !written.value.write.is_there() {
        let diagnostic = Diagnostic::new(codes::WRONG_SHAPE, written.span, "`warm_throughput` says nothing");
        report.push(diagnostic.help("give `read`, `write` or both, in units a second"));
    }
    Some(Spanned::new(Units { read, write }, written.span))
}
