//! Counts what may happen very often, so that it is logged once a minute.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The least time between two lines of the log about the same.
const EVERY: Duration = Duration::from_secs(60);

/// Counts what happens, and says when it is time to speak of it.
#[derive(Debug, Default)]
pub(crate) struct Seldom(Mutex<Since>);

#[derive(Debug, Default)]
struct Since {
    spoken_at: Option<Instant>,
    count: u64,
}

impl Seldom {
    /// Counts one more; how many there were since it was last spoken of, if it is time for that.
    pub(crate) fn count(&self, now: Instant) -> Option<u64> {
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

    #[test]
    fn the_first_is_logged_at_once_and_the_others_once_a_minute() {
        let (seldom, now) = (Seldom::default(), tokio::time::Instant::now().into_std());
        assert_eq!(seldom.count(now), Some(1));
        assert_eq!(seldom.count(now), None);
        assert_eq!(seldom.count(now + EVERY), Some(2));
    }
}
