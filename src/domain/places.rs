//! Places that are taken and given back: never more under one name than there may be.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

/// How many places are taken under each name.
#[derive(Debug)]
pub(crate) struct Places<K> {
    max: usize,
    taken: Mutex<HashMap<K, usize>>,
}

/// A place, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Place<K: Eq + Hash> {
    places: Arc<Places<K>>,
    name: K,
}

impl<K: Clone + Eq + Hash> Places<K> {
    /// None taken yet; `max` under each name.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            max,
            taken: Mutex::default(),
        }
    }

    /// A place, if there is one.
    ///
    /// # Errors
    ///
    /// How many there are, where all of them are taken.
    pub(crate) fn enter(self: &Arc<Self>, name: &K) -> Result<Place<K>, usize> {
        let mut taken = self.taken.lock();
        if taken.get(name).copied().unwrap_or_default() >= self.max {
            return Err(self.max);
        }
        *taken.entry(name.clone()).or_default() += 1;
        Ok(Place {
            places: Arc::clone(self),
            name: name.clone(),
        })
    }

    /// Places taken, under all names.
    pub(crate) fn count(&self) -> usize {
        self.taken.lock().values().sum()
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        if let Some(count) = taken.get_mut(&self.name) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_given_up_is_free_again_and_nothing_of_it_is_kept() {
        let places = Arc::new(Places::new(1));
        let place = places.enter(&"a");
        assert!(place.is_ok());
        assert_eq!(places.enter(&"a").err(), Some(1));
        assert!(places.enter(&"b").is_ok(), "another name has its own");
        assert_eq!(places.count(), 1);
        drop(place);
        assert!(places.taken.lock().is_empty());
        assert!(places.enter(&"a").is_ok());
    }

    #[test]
    fn where_there_is_no_place_nothing_is_kept_either() {
        let places = Arc::new(Places::new(0));
        assert!(places.enter(&"a").is_err());
        assert!(places.taken.lock().is_empty());
    }
}
