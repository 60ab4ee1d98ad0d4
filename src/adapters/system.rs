//! The machine's own clock and randomness.

use crate::domain::clock::{Clock, Ids, Time};

/// The machine's wall clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
    fn now(&self) -> Time {
        let millis = jiff::Timestamp::now().as_millisecond();
        Time(u64::try_from(millis).unwrap_or(0))
    }
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the port")]
    #[expect(
        clippy::expect_used,
        reason = "without randomness no secret could be made: end at once"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        // Asked directly: the generator of aws-lc spends 40 ms on its own seed at start.
        getrandom::fill(bytes).expect("the operating system gives randomness");
    }
}
