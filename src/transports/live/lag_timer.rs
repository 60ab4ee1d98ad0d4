//! How long a reader may be far behind before it is closed, to come back.

use std::time::Duration;

use tokio::time::Instant;

use crate::domain::limits::SocketLimits;
use crate::services::live::Behind;

/// Since when a reader has been further behind than it may be.
#[derive(Debug, Default)]
pub(crate) struct LagTimer {
    behind_since: Option<Instant>,
}

impl LagTimer {
    /// Whether a reader that is this far behind now has been too far for too long.
    pub(crate) fn is_over(&mut self, behind: Behind, limits: &SocketLimits) -> bool {
        let is_far =
            behind.events > limits.behind_frames_max || behind.bytes > limits.behind_bytes_max;
        if !is_far {
            self.behind_since = None;
            return false;
        }
        let since = self.behind_since.get_or_insert_with(Instant::now);
        since.elapsed() > Duration::from_secs(limits.behind_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_is_told_only_after_it_was_far_behind_all_the_time() {
        let limits = SocketLimits::default();
        let far = Behind {
            events: 0,
            bytes: limits.behind_bytes_max + 1,
        };
        let mut patience = LagTimer::default();
        assert!(!patience.is_over(far, &limits));
        tokio::time::advance(Duration::from_secs(limits.behind_s + 1)).await;
        assert!(
            !patience.is_over(Behind::default(), &limits),
            "it caught up"
        );
        assert!(!patience.is_over(far, &limits));
        tokio::time::advance(Duration::from_secs(limits.behind_s + 1)).await;
        assert!(patience.is_over(far, &limits));
    }
}
