//! How operations go: counted and timed, each kind under its name.

use std::sync::OnceLock;

use metrics::{Counter, Histogram, counter, histogram};
use tokio::time::Instant;

use super::error::DispatchError;
use crate::domain::operation::OperationKind;

/// The meters of every kind of operation.
#[derive(Default)]
pub(crate) struct OperationMetrics {
    /// By the number of the kind; made when a kind is first asked for,
    /// since looking a meter up by its name takes longer than the rest of its use.
    of: [OnceLock<Meters>; OperationKind::ALL.len()],
}

struct Meters {
    ok: Counter,
    error: Counter,
    seconds: Histogram,
}

impl Meters {
    fn new(kind: OperationKind) -> Self {
        let total = |outcome: &'static str| counter!("proscenium_operations_total", "operation" => kind.tool(), "outcome" => outcome);
        Self {
            ok: total("ok"),
            error: total("error"),
            seconds: histogram!("proscenium_operation_seconds", "operation" => kind.tool()),
        }
    }
}

impl OperationMetrics {
    /// Counts an operation that began at a moment, and ends with this result.
    pub(super) fn count<T>(
        &self,
        kind: OperationKind,
        begun: Instant,
        result: &Result<T, DispatchError>,
    ) {
        let Some(meters) = self.of.get(kind as usize) else {
            return;
        };
        let meters = meters.get_or_init(|| Meters::new(kind));
        let outcome = match result {
            Ok(_) => &meters.ok,
            Err(_) => &meters.error,
        };
        outcome.increment(1);
        meters.seconds.record(begun.elapsed());
    }
}
