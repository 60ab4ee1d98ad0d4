//! Who follows which session: never more than a session may have.

use std::sync::Arc;

use dashmap::DashMap;

use super::error::LiveError;
use crate::wire::ids::SessionKey;

/// How many follow each session, whichever way.
pub(super) struct Followers {
    max: usize,
    of: DashMap<SessionKey, usize>,
}

/// A place among those who follow a session, for as long as it is held.
pub(super) struct Place {
    followers: Arc<Followers>,
    key: SessionKey,
}

impl Followers {
    /// Nobody yet; `max` for each session.
    pub(super) fn new(max: usize) -> Self {
        Self {
            max,
            of: DashMap::new(),
        }
    }

    /// A place, if there is one.
    pub(super) fn enter(self: &Arc<Self>, key: &SessionKey) -> Result<Place, LiveError> {
        let mut count = self.of.entry(key.clone()).or_default();
        if *count >= self.max {
            return Err(LiveError::Full { max: self.max });
        }
        *count += 1;
        Ok(Place {
            followers: Arc::clone(self),
            key: key.clone(),
        })
    }

    /// Places taken, of all sessions.
    pub(super) fn count(&self) -> usize {
        self.of.iter().map(|entry| *entry.value()).sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.followers.of.remove_if_mut(&self.key, |_, count| {
            *count = count.saturating_sub(1);
            *count == 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_given_up_is_free_again_and_nothing_of_it_is_kept() {
        let followers = Arc::new(Followers::new(1));
        let key = SessionKey {
            app: "a".into(),
            session: "s".into(),
        };
        let place = followers.enter(&key);
        assert!(place.is_ok() && followers.enter(&key).is_err());
        assert_eq!(followers.count(), 1);
        drop(place);
        assert!(followers.of.is_empty());
        assert!(followers.enter(&key).is_ok());
    }
}
