//! What ties an answer to its request: the request's id and its place in a trace, wherever the
//! answer is written.

use std::sync::Arc;

use crate::domain::clock::Ids;
use crate::wire::trace::TraceParent;

tokio::task_local! {
    static CURRENT: Correlation;
}

/// The id of a request and the span that answers it.
#[derive(Clone, Debug)]
pub(super) struct Correlation {
    /// `X-Request-Id`.
    pub(super) id: Arc<str>,
    /// `traceparent`.
    pub(super) trace: TraceParent,
}

impl Correlation {
    /// A span of its own below the caller's, or the first one of a new trace.
    pub(super) fn new(id: String, caller: Option<TraceParent>, ids: &dyn Ids) -> Self {
        let mut span = [0; 8];
        ids.fill(&mut span);
        let new_trace = || {
            let mut trace = [0; 16];
            ids.fill(&mut trace);
            u128::from_be_bytes(trace).max(1)
        };
        let trace = TraceParent {
            trace: caller.map_or_else(new_trace, |caller| caller.trace),
            span: u64::from_be_bytes(span).max(1),
            flags: caller.map_or(0, |caller| caller.flags),
        };
        Self {
            id: id.into(),
            trace,
        }
    }

    /// That of the request under way.
    pub(super) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Runs a part of an answer under this correlation.
    pub(super) async fn scope<T>(self, part: impl Future<Output = T>) -> T {
        CURRENT.scope(self, part).await
    }
}
