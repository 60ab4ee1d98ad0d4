//! Ports for time and randomness, which nothing in this crate reads directly.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment of wall time, in milliseconds since the Unix epoch.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// Whole seconds since the Unix epoch, as tokens carry them.
    pub fn as_secs(self) -> u64 {
        self.0 / 1000
    }

    /// This moment plus a span.
    pub fn plus(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)),
        )
    }

    /// This moment less a span before it.
    pub(crate) fn before(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)),
        )
    }

    /// The span since an earlier moment; zero if that one is later.
    pub fn since(self, earlier: Time) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Time {
    /// ISO 8601 in UTC with milliseconds, the format of every textual time on the wire.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = i64::try_from(self.0).unwrap_or(i64::MAX);
        match jiff::Timestamp::from_millisecond(millis) {
            Ok(stamp) => write!(f, "{stamp:.3}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

/// The time that passes, and the time the machine's clock shows.
pub trait Clock: Send + Sync + 'static {
    /// The present moment, on a clock that nobody sets: the difference of two readings is the time
    /// that passed between them. Expiry is measured by it.
    fn now(&self) -> Time;

    /// What the machine's clock shows; times written by others are compared with it.
    fn wall(&self) -> Time {
        self.now()
    }
}

/// Randomness, for ids and secrets.
pub(crate) trait Ids: Send + Sync + 'static {
    /// Fills a buffer with bytes that nobody can guess.
    fn fill(&self, bytes: &mut [u8]);
}

/// A UUID (version 4) of random bytes, as text.
pub(crate) fn uuid(bytes: [u8; 16]) -> String {
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .to_string()
}

/// The alphabet of short codes: chars and digits that are not mistaken for one another
/// (hosting.md §12).
const SHORT_CODE_ALPHABET: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Characters of a short code: 79 bits, too many to guess.
const SHORT_CODE_CHARS: usize = 16;

impl dyn Ids {
    /// A random UUID (version 4) as text.
    pub(crate) fn uuid(&self) -> String {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        uuid(bytes)
    }

    /// Sixteen characters a person can type.
    pub(crate) fn short_code(&self) -> String {
        let mut code = String::with_capacity(SHORT_CODE_CHARS);
        while code.len() < SHORT_CODE_CHARS {
            let mut bytes = [0; SHORT_CODE_CHARS];
            self.fill(&mut bytes);
            // 248 = 8 × 31; accepting higher bytes would make the first characters of the alphabet
            // likelier.
            let chars = bytes.iter().filter(|byte| **byte < 248);
            for byte in chars.take(SHORT_CODE_CHARS - code.len()) {
                let index = usize::from(*byte) % SHORT_CODE_ALPHABET.len();
                code.push(char::from(SHORT_CODE_ALPHABET[index]));
            }
        }
        code
    }
}

/// A clock for tests, which stands still until it is moved.
#[derive(Clone, Debug)]
pub struct ManualClock {
    passed: Arc<AtomicU64>,
    /// Milliseconds by which the machine's clock was set, apart from the time that passed.
    set_by: Arc<AtomicI64>,
}

impl ManualClock {
    /// A clock that shows the given moment.
    pub fn at(now: Time) -> Self {
        Self {
            passed: Arc::new(AtomicU64::new(now.0)),
            set_by: Arc::default(),
        }
    }

    /// Moves the clock forward.
    pub fn advance(&self, span: Duration) {
        let millis = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        self.passed.fetch_add(millis, Ordering::SeqCst);
    }

    /// Sets the machine's clock, as its owner may do at any time.
    pub fn set(&self, shown: Time) {
        let by = shown.0.wrapping_sub(self.now().0).cast_signed();
        self.set_by.store(by, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        Time(self.passed.load(Ordering::SeqCst))
    }

    fn wall(&self) -> Time {
        Time(
            self.now()
                .0
                .wrapping_add_signed(self.set_by.load(Ordering::SeqCst)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting(AtomicU64);

    impl Ids for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            for byte in bytes {
                *byte = u8::try_from(self.0.fetch_add(37, Ordering::SeqCst) % 256).unwrap();
            }
        }
    }

    #[test]
    fn a_time_prints_as_iso_8601_with_milliseconds() {
        assert_eq!(
            Time(1_787_500_000_000).to_string(),
            "2026-08-23T15:46:40.000Z"
        );
    }

    #[test]
    fn a_short_code_has_sixteen_characters_of_its_alphabet() {
        let ids: Arc<dyn Ids> = Arc::new(Counting(AtomicU64::new(0)));
        let code = ids.short_code();
        assert_eq!(code.len(), SHORT_CODE_CHARS);
        assert!(code.bytes().all(|byte| SHORT_CODE_ALPHABET.contains(&byte)));
    }
}
