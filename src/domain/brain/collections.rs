//! Collections: named parts of every app's pages, as the settings list them.

use super::slug::is_word;

/// A collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collection {
    /// Its name.
    pub(crate) name: String,
    /// What may be done with it.
    pub(crate) state: CollectionState,
}

/// What may be done with a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectionState {
    /// Everything.
    Active,
    /// It has to be compared with its source first: it may be read.
    NeedsFullSync,
    /// It may be read.
    ReadOnly,
    /// It is being filled from a copy: it may be read.
    Restoring,
}

impl CollectionState {
    /// The state as it is told.
    pub(crate) fn word(self) -> &'static str {
        if self.is_restoring() {
            "restoring"
        } else {
            "active"
        }
    }

    /// Whether it may only be read, whoever asks and whenever.
    pub(crate) fn is_read_only(self) -> bool {
        self == Self::ReadOnly
    }

    /// Whether it is being filled from a copy.
    pub(crate) fn is_restoring(self) -> bool {
        self == Self::Restoring
    }

    /// Whether it has to be compared with its source first.
    pub(crate) fn needs_full_sync(self) -> bool {
        self == Self::NeedsFullSync
    }
}

/// All collections; the first one takes new pages that name none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collections(Vec<Collection>);

impl Collections {
    /// Reads `work, home=read-only, archive=restoring`, or says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut collections: Vec<Collection> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (name, state) = part.split_once('=').unwrap_or((part, "active"));
            let state = match state {
                "active" => CollectionState::Active,
                "needs-full-sync" => CollectionState::NeedsFullSync,
                "read-only" => CollectionState::ReadOnly,
                "restoring" => CollectionState::Restoring,
                other => {
                    return Err(format!(
                        "\"{other}\" is no state of a collection; there are active, \
                         needs-full-sync, read-only and restoring"
                    ));
                }
            };
            if !is_word(name) {
                return Err(format!(
                    "\"{name}\" is no name of a collection: 1 to 64 of a-z, 0-9, _ and -"
                ));
            }
            if collections.iter().any(|known| known.name == name) {
                return Err(format!("\"{name}\" is listed twice"));
            }
            let name = name.to_owned();
            collections.push(Collection { name, state });
        }
        Ok(Self(collections))
    }

    /// All of them, in the order of the settings.
    pub(crate) fn all(&self) -> &[Collection] {
        &self.0
    }

    /// The collection of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Collection> {
        self.0.iter().find(|collection| collection.name == name)
    }

    /// The collection for new pages that name none.
    pub(crate) fn write_target(&self) -> &Collection {
        &self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_listed_with_their_states_and_the_first_takes_new_pages() {
        let collections = Collections::parse("work, home=read-only,old=restoring").unwrap();
        assert_eq!(collections.write_target().name, "work");
        assert_eq!(
            collections.find("home").unwrap().state,
            CollectionState::ReadOnly
        );
        for bad in ["", "Work", "a,a", "a=gone", "a,"] {
            assert!(Collections::parse(bad).is_err(), "{bad}");
        }
    }
}
