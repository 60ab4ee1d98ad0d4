//! What ties an answer to its request: the request's id and its place in a trace, wherever the
//! answer is written.

use std::sync::Arc;

use crate::domain::clock::{Ids, uuid};
use crate::wire::trace::TraceParent;

tokio::task_local! {
    static CURRENT: Correlation;
}

/// The id of a request and the span that answers it.
#[derive(Clone, Debug)]
pub(crate) struct Correlation {
    /// `X-Request-Id`.
    pub(crate) id: Arc<str>,
    /// `traceparent`.
    pub(crate) trace: TraceParent,
}

impl Correlation {
    /// The id a caller gave or one of its own, and a span below the caller's or the first one of a
    /// new trace.
    pub(crate) fn new(id: Option<&str>, caller: Option<TraceParent>, ids: &dyn Ids) -> Self {
        let [mut own_id, mut trace] = [[0; 16]; 2];
        let mut span = [0; 8];
        // Asked for at once: each time is a call of the system.
        let mut chance = [0; 40];
        ids.fill(&mut chance);
        own_id.copy_from_slice(&chance[..16]);
        trace.copy_from_slice(&chance[16..32]);
        span.copy_from_slice(&chance[32..]);
        let new_trace = || u128::from_be_bytes(trace).max(1);
        let trace = TraceParent {
            trace: caller.map_or_else(new_trace, |caller| caller.trace),
            span: u64::from_be_bytes(span).max(1),
            flags: caller.map_or(0, |caller| caller.flags),
        };
        Self {
            id: id.map_or_else(|| uuid(own_id).into(), Arc::from),
            trace,
        }
    }

    /// That of the request under way.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Runs a part of an answer under this correlation.
    pub(crate) async fn scope<T>(self, part: impl Future<Output = T>) -> T {
        CURRENT.scope(self, part).await
    }
}
