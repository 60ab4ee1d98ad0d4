//! Calls that were made under a key and took effect on a session: one that is made again is answered
//! from here, and not carried out once more.
//!
//! The answer of a call is kept after its effect (`domain/replayed.rs`), and a server may end in
//! between. So the fact that a call brought about names the call: it is written with the effect or not
//! at all, wherever sessions are kept.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clock::{Time, uuid};
use super::digest::sha256;
use crate::wire::ids::{ActionId, Epoch};

/// Calls that a session knows; of more the oldest is forgotten.
///
/// Who was not answered calls again within seconds, and even an agent that writes without a pause needs
/// some for so many. It bounds what each session takes: about 25 kB. Part of what events come to, so the
/// same at every server.
const ATTEMPTS_MAX: usize = 256;

/// Names a call under a key: a UUID that is made of the key, of whose it is, and of what it is called
/// with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct AttemptId(Arc<str>);

impl AttemptId {
    /// The name of a call, of all that tells it from others.
    pub(crate) fn of(parts: [&[u8]; 5]) -> Self {
        // Digests of equal lengths, so that no two lists of parts are one text.
        let digests = parts.map(sha256);
        let whole = sha256(digests.as_flattened());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&whole[..16]);
        Self(uuid(bytes).into())
    }

    /// As text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A call that is made under a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// Which.
    pub(crate) id: AttemptId,
    /// What happened up to then came of another use of the key, whose time is over.
    pub(crate) since: Time,
}

/// What a call came to, as far as its answer needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub(crate) enum CameTo {
    /// The agent was given so many actions that had waited.
    Drained {
        /// How many.
        count: usize,
        /// The last of them.
        last: ActionId,
    },
    /// An item was sent.
    Emitted,
    /// The props were written.
    Updated {
        /// How often they had been written then.
        version: u64,
        /// The epoch from then on.
        epoch: Epoch,
    },
}

/// A call that took effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Attempted {
    id: AttemptId,
    at: Time,
    came_to: CameTo,
}

/// The calls that a session knows, oldest first: a value, which copies share until one is changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Attempts(Arc<VecDeque<Attempted>>);

impl Attempts {
    /// Whether none is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One more took effect.
    pub(crate) fn add(&mut self, id: AttemptId, at: Time, came_to: CameTo) {
        let attempts = Arc::make_mut(&mut self.0);
        if attempts.len() == ATTEMPTS_MAX {
            attempts.pop_front();
        }
        attempts.push_back(Attempted { id, at, came_to });
    }

    /// What came of a call, if it took effect.
    pub(crate) fn find(&self, attempt: Option<&Attempt>) -> Option<&CameTo> {
        let Attempt { id, since } = attempt?;
        let found = self.0.iter().rev().find(|known| known.id == *id);
        let found = found.filter(|known| known.at > *since);
        found.map(|known| &known.came_to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(name: &str, since: u64) -> Attempt {
        Attempt {
            id: AttemptId::of([name.as_bytes(), b"", b"", b"", b""]),
            since: Time(since),
        }
    }

    #[test]
    fn calls_are_known_by_all_that_tells_them_from_others() {
        let names = [
            AttemptId::of([b"ab", b"c", b"", b"", b""]),
            AttemptId::of([b"a", b"bc", b"", b"", b""]),
            AttemptId::of([b"a", b"b", b"c", b"", b""]),
        ];
        assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
        assert_eq!(names[0], AttemptId::of([b"ab", b"c", b"", b"", b""]));
    }

    #[test]
    fn a_session_knows_the_latest_calls_and_none_whose_time_is_over() {
        let mut attempts = Attempts::default();
        for number in 0..=ATTEMPTS_MAX {
            let id = attempt(&number.to_string(), 0).id;
            attempts.add(id, Time(number as u64), CameTo::Emitted);
        }
        assert_eq!(attempts.find(Some(&attempt("0", 0))), None);
        assert_eq!(attempts.find(None), None);
        assert_eq!(
            attempts.find(Some(&attempt("1", 0))),
            Some(&CameTo::Emitted)
        );
        assert_eq!(attempts.find(Some(&attempt("1", 1))), None);
    }
}
