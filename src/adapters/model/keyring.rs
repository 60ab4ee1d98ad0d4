//! The system's keyring, where a key can be kept: Secret Service, macOS's Keychain or Windows'
//! Credential Manager.

use std::sync::mpsc;
use std::time::Duration;

use keyring::{Entry, Error};

use super::key::Key;
use super::unusable::ModelUnusable;
use crate::domain::model_settings::KeyringEntry;

/// How long a keyring may take to answer: a person may be asked to unlock it.
const ANSWER_MAX: Duration = Duration::from_secs(60);
/// What stands in messages where the key would: the setting that names it.
const PLACE: &str = "model.keyring";

impl Key {
    /// The key that the keyring has under a name.
    ///
    /// # Errors
    ///
    /// The keyring has none, is locked, or there is no keyring.
    pub(crate) fn in_keyring(at: &KeyringEntry) -> Result<Self, ModelUnusable> {
        Self::of(PLACE, &ask(at, |entry| entry.get_password())?)
    }

    /// Puts the key into the keyring, in the place of one that was there.
    ///
    /// # Errors
    ///
    /// The keyring is locked, or there is no keyring.
    pub(crate) fn keep_in_keyring(self, at: &KeyringEntry) -> Result<(), ModelUnusable> {
        ask(at, move |entry| entry.set_password(&self.0))
    }
}

/// Asks the keyring on a thread of its own: the library blocks, and some keyrings never answer where
/// nobody can be asked to unlock them.
fn ask<T: Send + 'static>(
    at: &KeyringEntry,
    question: impl FnOnce(&Entry) -> keyring::Result<T> + Send + 'static,
) -> Result<T, ModelUnusable> {
    let (answer, answered) = mpsc::channel();
    let KeyringEntry { service, user } = at.clone();
    std::thread::spawn(move || {
        let entry = match Entry::store_status() {
            Ok(()) => Entry::new(&service, &user).map_err(|error| describe(&error)),
            Err(error) => Err(describe(error)),
        };
        let asked = entry.and_then(|entry| question(&entry).map_err(|error| describe(&error)));
        // Nobody hears an answer that comes too late.
        let _ = answer.send(asked);
    });
    let asked = answered.recv_timeout(ANSWER_MAX).unwrap_or_else(|_| {
        Err(format!(
            "the keyring does not answer within {} s; unlock it, or set model.key_file instead",
            ANSWER_MAX.as_secs()
        ))
    });
    asked.map_err(|why| ModelUnusable::Unreadable {
        place: PLACE.to_owned(),
        reason: format!("{at}: {why}"),
    })
}

/// What is wrong, and what to do about it; what an entry holds is not told.
fn describe(error: &Error) -> String {
    match error {
        Error::NoEntry => "the keyring holds no such key; put it there with: proscenium config \
                           keep-key"
            .to_owned(),
        Error::NoStorageAccess(_) => {
            "the keyring is locked; unlock it, or set model.key_file instead".to_owned()
        }
        Error::Ambiguous(_) => "the keyring holds several such keys; delete all but one".to_owned(),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            "what the keyring holds there is no text".to_owned()
        }
        Error::PlatformFailure(why) => no_keyring(&why.to_string()),
        other => no_keyring(&other.to_string()),
    }
}

fn no_keyring(why: &str) -> String {
    let why: Vec<&str> = why.split_whitespace().collect();
    format!(
        "there is no keyring to be used ({}); set model.key_file instead",
        why.join(" ")
    )
}
