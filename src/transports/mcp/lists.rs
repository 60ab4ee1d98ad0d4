//! Lists of tools as text: the answer that clients ask for most is the longest, so it is written
//! once.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::wire::fault::Era;

/// A list, with the version of the tools it was written from.
type Written = Option<(u64, Arc<str>)>;

/// The lists that were written last: of older clients, and of newer ones for each audience.
#[derive(Default)]
pub(crate) struct Lists([Mutex<Written>; 3]);

impl Lists {
    /// The list of this version, with or without what only a UI calls; written now if it was not.
    pub(super) fn get(
        &self,
        version: u64,
        era: Era,
        is_whole: bool,
        write: impl FnOnce() -> String,
    ) -> Arc<str> {
        let at = match (era, is_whole) {
            (Era::Legacy, _) => 0,
            (Era::Modern, true) => 1,
            (Era::Modern, false) => 2,
        };
        let mut written = self.0[at].lock();
        match &*written {
            Some((of, list)) if *of == version => Arc::clone(list),
            _ => {
                let list: Arc<str> = write().into();
                *written = Some((version, Arc::clone(&list)));
                list
            }
        }
    }
}
