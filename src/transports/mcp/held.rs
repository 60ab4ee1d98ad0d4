//! Calls that are held until a person does something, and may be taken back by their ids before.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::domain::principal::Principal;
use crate::wire::ids::AppId;

/// Whose call, under which id. Who shares a credential shares the names of its calls, too: of two
/// clients that use the same id both waits end, which costs each no more than another call.
type Name = (AppId, Arc<str>, String);

/// Every call that is held now.
#[derive(Clone, Default)]
pub(crate) struct Held(Arc<Mutex<HashMap<Name, Weak<CancellationToken>>>>);

impl Held {
    /// How many names calls are held under.
    pub(in super::super) fn count(&self) -> usize {
        self.0.lock().len()
    }

    /// Notes a call as held, for as long as the note lives.
    pub(super) fn hold(&self, by: &Principal, id: &str) -> Hold {
        let name = name(by, id);
        let mut calls = self.0.lock();
        let noted = calls.get(&name).and_then(Weak::upgrade);
        let token = noted.unwrap_or_else(|| {
            let token = Arc::default();
            calls.insert(name.clone(), Arc::downgrade(&token));
            token
        });
        Hold {
            held: self.clone(),
            name,
            token: Some(token),
        }
    }

    /// Takes a caller's own call back, if one of this id is held.
    pub(in super::super) fn take_back(&self, by: &Principal, id: &str) {
        let noted = self.0.lock().remove(&name(by, id));
        if let Some(token) = noted.and_then(|token| token.upgrade()) {
            token.cancel();
        }
    }
}

/// One id can be written in more ways than one.
fn name(by: &Principal, id: &str) -> Name {
    let id = serde_json::from_str::<Value>(id).map_or_else(|_| id.to_owned(), |id| id.to_string());
    (by.app.clone(), Arc::clone(&by.name), id)
}

/// The note of a call that is held.
pub(super) struct Hold {
    held: Held,
    name: Name,
    /// Taken when the note is dropped.
    token: Option<Arc<CancellationToken>>,
}

impl Hold {
    /// Returns once the call is taken back.
    pub(super) async fn taken_back(&self) {
        if let Some(token) = &self.token {
            token.cancelled().await;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut calls = self.held.0.lock();
        drop(self.token.take());
        let is_left = calls
            .get(&self.name)
            .is_some_and(|noted| noted.strong_count() == 0);
        if is_left {
            calls.remove(&self.name);
        }
    }
}
