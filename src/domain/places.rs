//! Counting semaphores with names: a limit for all holders together and one for each name.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

/// How many places are taken, and under which names. The caller defines what a place stands for: a
/// stream, a connection, a byte.
#[derive(Debug)]
pub(crate) struct Places<K> {
    /// The limit for all names together.
    max: usize,
    /// The limit for each name.
    each_max: usize,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    by_name: HashMap<K, usize>,
}

/// Places that are returned when this is dropped.
#[derive(Debug)]
pub(crate) struct Place<K: Eq + Hash> {
    places: Arc<Places<K>>,
    name: K,
    count: usize,
}

/// Which of the limits is reached, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// The limit for all names together.
    All(usize),
    /// The limit for this name.
    Name(usize),
}

impl Full {
    /// The value of the limit.
    pub(crate) fn max(self) -> usize {
        let (Self::All(max) | Self::Name(max)) = self;
        max
    }
}

impl<K: Clone + Eq + Hash> Places<K> {
    /// A counter with a limit for each name only.
    pub(crate) fn new(each_max: usize) -> Self {
        Self::shared(usize::MAX, each_max)
    }

    /// A counter with a limit of `max` for all names, and of `each_max` for each.
    pub(crate) fn shared(max: usize, each_max: usize) -> Self {
        Self {
            max,
            each_max,
            taken: Mutex::new(Taken {
                all: 0,
                by_name: HashMap::new(),
            }),
        }
    }

    /// Takes one place.
    ///
    /// # Errors
    ///
    /// A limit is reached.
    pub(crate) fn enter(self: &Arc<Self>, name: &K) -> Result<Place<K>, Full> {
        let mut place = self.hold(name);
        place.grow(1)?;
        Ok(place)
    }

    /// An empty reservation that can grow.
    pub(crate) fn hold(self: &Arc<Self>, name: &K) -> Place<K> {
        Place {
            places: Arc::clone(self),
            name: name.clone(),
            count: 0,
        }
    }

    /// Whether one more place is available under a name.
    pub(crate) fn has_place(&self, name: &K) -> Result<(), Full> {
        self.fits(&self.taken.lock(), name, 1)
    }

    /// How many places are taken under all names together.
    pub(crate) fn count(&self) -> usize {
        self.taken.lock().all
    }
}

impl<K: Eq + Hash> Places<K> {
    fn fits(&self, taken: &Taken<K>, name: &K, more: usize) -> Result<(), Full> {
        let of_name = taken.by_name.get(name).copied().unwrap_or_default();
        if of_name.saturating_add(more) > self.each_max {
            Err(Full::Name(self.each_max))
        } else if taken.all.saturating_add(more) > self.max {
            Err(Full::All(self.max))
        } else {
            Ok(())
        }
    }
}

impl<K: Clone + Eq + Hash> Place<K> {
    /// Takes more places under the same name, all of them or none.
    ///
    /// # Errors
    ///
    /// There are not enough.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), Full> {
        let mut taken = self.places.taken.lock();
        self.places.fits(&taken, &self.name, more)?;
        Self::add(&mut taken, &self.name, more);
        self.count += more;
        Ok(())
    }

    /// How many places are held.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Takes more places even beyond the limits, for things that exist already.
    pub(crate) fn take(&mut self, more: usize) {
        Self::add(&mut self.places.taken.lock(), &self.name, more);
        self.count += more;
    }

    fn add(taken: &mut Taken<K>, name: &K, more: usize) {
        if more > 0 {
            taken.all += more;
            *taken.by_name.entry(name.clone()).or_default() += more;
        }
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        if self.count == 0 {
            return;
        }
        let mut taken = self.places.taken.lock();
        taken.all -= self.count;
        if let Some(of_name) = taken.by_name.get_mut(&self.name) {
            *of_name -= self.count;
            if *of_name == 0 {
                taken.by_name.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_dropped_is_free_again_and_leaves_nothing_behind() {
        let places = Arc::new(Places::new(1));
        let place = places.enter(&"a");
        assert!(place.is_ok());
        assert_eq!(places.enter(&"a").err(), Some(Full::Name(1)));
        assert!(places.enter(&"b").is_ok(), "another name has its own");
        assert_eq!(places.count(), 1);
        drop(place);
        assert!(places.taken.lock().by_name.is_empty());
        assert!(places.enter(&"a").is_ok());
    }

    #[test]
    fn a_refused_place_leaves_nothing_behind() {
        let places = Arc::new(Places::new(0));
        assert!(places.enter(&"a").is_err());
        assert!(places.taken.lock().by_name.is_empty());
    }

    #[test]
    fn one_name_has_its_share_and_all_names_have_no_more_than_there_is() {
        let places = Arc::new(Places::shared(10, 4));
        let mut a = places.enter(&"a").expect("a place");
        assert_eq!(a.grow(3), Ok(()));
        assert_eq!(a.grow(1), Err(Full::Name(4)));
        let mut b = places.hold(&"b");
        b.take(6);
        assert_eq!(places.has_place(&"c"), Err(Full::All(10)));
        assert_eq!(places.count(), 10);
        drop((a, b));
        assert_eq!(places.count(), 0);
        assert_eq!(places.has_place(&"c"), Ok(()));
    }
}
