//! Random parts of schemas that the round-trip laws of several formats draw alike.

use crate::schema::dynamodb::{Autoscaling, Insights, Range};
use proptest::prelude::*;

/// Which keys contributor insights look at.
pub(super) fn insights() -> impl Strategy<Value = Insights> {
    prop::sample::select(vec![Insights::Off, Insights::AccessedAndThrottledKeys, Insights::ThrottledKeys])
}

/// Scaling of reads, of writes or of both, within these ranges.
pub(super) fn autoscaling(range: impl Strategy<Value = Range> + Clone + 'static) -> BoxedStrategy<Autoscaling> {
    (prop::option::of(range.clone()), prop::option::of(range))
        .prop_filter("nothing", |(read, write)| read.is_some() || write.is_some())
        .prop_map(|(read, write)| Autoscaling { read, write })
        .boxed()
}
