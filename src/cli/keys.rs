//! `proscenium keys`: makes, lists and revokes API keys.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::arguments::KeysVerb;
use super::failure::Failure;
use super::process::say;
pub use crate::adapters::keys_file::KeysError;
use crate::adapters::keys_file::{Entry, change, read};
use crate::adapters::system::{SystemClock, SystemIds};
use crate::domain::api_key::key_hash;
use crate::domain::clock::{Clock as _, Ids as _};
use crate::domain::digest::hex;
use crate::domain::operation::known_scopes;
use crate::domain::principal::{APP_NAME_BYTES_MAX, Trust, is_app};

/// Prefix of every secret, so that a leaked one is recognised.
const SECRET_PREFIX: &str = "ggui_sk_";
/// Bytes of randomness in a secret.
const SECRET_BYTES: usize = 32;
/// Scopes of one key: more than there are tools.
const SCOPES_MAX: usize = 64;

/// A key as it is listed: everything but what opens the door.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Names it in logs, and to `revoke`.
    pub id: String,
    /// The app it opens.
    pub app: String,
    /// 0 read, 1 own sessions, 2 any session of the app, 3 keys and blueprints.
    pub trust: u8,
    /// What it may ask for; empty: all that its trust allows.
    pub scopes: Vec<String>,
    /// When it was made, ISO 8601.
    pub created_at: String,
}

/// Does what was asked for with the keys of a file.
pub(super) fn run(verb: KeysVerb) -> Result<(), Failure> {
    match verb {
        KeysVerb::Create {
            app,
            trust,
            scopes,
            keys_file,
        } => {
            let secret = create_scoped(&keys_file, &app, trust, &scopes)?;
            say(format!("{secret}\n").as_bytes())
        }
        KeysVerb::List { json, keys_file } => {
            let listed = list(&keys_file)?;
            if json {
                let text = serde_json::to_string_pretty(&listed).unwrap_or_default();
                return say(format!("{text}\n").as_bytes());
            }
            say(table(&listed).as_bytes())
        }
        KeysVerb::Revoke { id, keys_file } => Ok(revoke(&keys_file, &id)?),
    }
}

fn table(keys: &[Listed]) -> String {
    let mut table = format!(
        "{:<18}{:<20}{:<7}{:<26}{}\n",
        "ID", "APP", "TRUST", "CREATED", "SCOPES"
    );
    for key in keys {
        let scopes = if key.scopes.is_empty() {
            "all".to_owned()
        } else {
            key.scopes.join(" ")
        };
        table.push_str(&format!(
            "{:<18}{:<20}{:<7}{:<26}{scopes}\n",
            key.id, key.app, key.trust, key.created_at
        ));
    }
    table
}

/// Adds a key that may ask for all its trust allows, and returns its secret, stored nowhere.
///
/// # Errors
/// The file cannot be read or written, or the app or trust is not one.
pub fn create(path: &Path, app: &str, trust: u8) -> Result<String, KeysError> {
    create_scoped(path, app, trust, &[])
}

/// Adds a key that may ask for what its scopes name, and returns its secret, stored nowhere.
///
/// # Errors
/// The file cannot be read or written, or the app, the trust or a scope is not one.
pub fn create_scoped(
    path: &Path,
    app: &str,
    trust: u8,
    scopes: &[String],
) -> Result<String, KeysError> {
    let mut problems = Vec::new();
    if !is_app(app) {
        problems.push(format!(
            "app: 1 to {APP_NAME_BYTES_MAX} of A-Z a-z 0-9 . _ -"
        ));
    }
    if trust > Trust::MAX.0 {
        problems.push(format!("trust: 0 to {}", Trust::MAX.0));
    }
    if scopes.len() > SCOPES_MAX {
        problems.push(format!("scope: at most {SCOPES_MAX}"));
    }
    for scope in scopes
        .iter()
        .filter(|scope| !known_scopes().contains(&scope.as_str()))
    {
        problems.push(format!(
            "scope: \"{scope}\" is none of {}",
            known_scopes().join(", ")
        ));
    }
    if !problems.is_empty() {
        return Err(KeysError::Invalid(problems));
    }
    let mut bytes = [0; SECRET_BYTES];
    SystemIds.fill(&mut bytes);
    let secret = format!("{SECRET_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
    let sha256 = hex(&key_hash(&secret));
    change(path, |file| {
        file.keys.push(Entry {
            id: format!("key_{}", &sha256[..12]),
            app: app.to_owned(),
            trust,
            scopes: scopes.to_vec(),
            sha256,
            created_at: SystemClock::new().now().to_string(),
        });
        Ok(())
    })?;
    Ok(secret)
}

/// The keys of a file, in the order they were made.
///
/// # Errors
/// The file cannot be read, or is no keys file.
pub fn list(path: &Path) -> Result<Vec<Listed>, KeysError> {
    let entries = read(path)?.keys.into_iter();
    Ok(entries
        .map(|entry| Listed {
            id: entry.id,
            app: entry.app,
            trust: entry.trust,
            scopes: entry.scopes,
            created_at: entry.created_at,
        })
        .collect())
}

/// Takes a key out of a file. A running server notices by itself.
///
/// # Errors
/// The file cannot be read or written, or holds no such key.
pub fn revoke(path: &Path, id: &str) -> Result<(), KeysError> {
    // A file that is not there has nothing to be taken out of, and must not be made.
    read(path)?;
    change(path, |file| {
        let before = file.keys.len();
        file.keys.retain(|entry| entry.id != id);
        if file.keys.len() == before {
            return Err(KeysError::Unknown {
                path: path.to_owned(),
                id: id.to_owned(),
            });
        }
        Ok(())
    })
}
