//! What may happen very often and is spoken of seldom.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// The least time between two words about the same.
const EVERY: Duration = Duration::from_secs(60);

/// Counts what happens, and tells when it is time to speak of it.
#[derive(Debug, Default)]
pub(crate) struct Seldom(Mutex<Since>);

#[derive(Debug, Default)]
struct Since {
    spoken_at: Option<Instant>,
    count: u64,
}

impl Seldom {
    /// Counts one more; how many there were since it was last spoken of, if it is time for that.
    pub(crate) fn count(&self) -> Option<u64> {
        let now = Instant::now();
        let mut since = self.0.lock();
        since.count += 1;
        if since.spoken_at.is_some_and(|at| now - at < EVERY) {
            return None;
        }
        since.spoken_at = Some(now);
        Some(std::mem::take(&mut since.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_first_is_told_at_once_and_the_others_once_a_minute() {
        let seldom = Seldom::default();
        assert_eq!(seldom.count(), Some(1));
        assert_eq!(seldom.count(), None);
        tokio::time::advance(EVERY).await;
        assert_eq!(seldom.count(), Some(2));
    }
}
