//! Who holds the keys of a file, and what each may do.

use std::collections::HashMap;
use std::path::Path;

use super::error::KeysError;
use super::file::{Entry, read};
use crate::domain::api_key::{KeyHash, Keys};
use crate::domain::digest::sha256;
use crate::domain::operation::known_scopes;
use crate::domain::principal::{Lease, OWN_NAMES, Principal, Scopes, Trust, is_app};
use crate::wire::ids::AppId;

/// The holders of all keys in the configured file, of which there is at least one; where no file is
/// configured, there are none.
pub(crate) fn load_some(path: &Path) -> Result<Keys, KeysError> {
    let keys = load(path)?;
    if keys.is_empty() && !path.as_os_str().is_empty() {
        let problem = format!("{}: holds no key", path.display());
        return Err(KeysError::Invalid(vec![problem]));
    }
    Ok(keys)
}

/// The holders of all keys in a file; there may be none. Where there is no file, there are none.
pub(crate) fn load(path: &Path) -> Result<Keys, KeysError> {
    if path.as_os_str().is_empty() {
        return Ok(Keys::new());
    }
    let file = read(path)?;
    let mut problems = Vec::new();
    let mut keys = Keys::new();
    problems.extend(ambiguous(path, &file.keys));
    for entry in &file.keys {
        let scopes_known = entry
            .scopes
            .iter()
            .all(|scope| known_scopes().contains(&scope.as_str()));
        match hash(&entry.sha256) {
            Some(hash)
                if is_app(&entry.app)
                    && is_app(&entry.id)
                    && !OWN_NAMES.contains(&&*entry.id)
                    && entry.trust <= Trust::MAX.0
                    && scopes_known =>
            {
                let scopes = if entry.scopes.is_empty() {
                    Scopes::all()
                } else {
                    Scopes::of(entry.scopes.iter().cloned())
                };
                let principal = Principal {
                    app: AppId::from(entry.app.as_str()),
                    name: entry.id.as_str().into(),
                    trust: Trust(entry.trust),
                    is_person: scopes.are_of_a_person(),
                    scopes,
                    lease: Lease::Key {
                        hash,
                        rights: rights(entry),
                    },
                };
                keys.insert(hash, principal);
            }
            _ => problems.push(format!("{}: key {} is malformed", path.display(), entry.id)),
        }
    }
    if problems.is_empty() {
        Ok(keys)
    } else {
        Err(KeysError::Invalid(problems))
    }
}

/// Entries that cannot be entry_name apart: by their secret, which would open whichever is read last, or by
/// the name under which what they make is theirs.
fn ambiguous(path: &Path, entries: &[Entry]) -> Vec<String> {
    let mut problems = Vec::new();
    let (mut by_secret, mut by_id) = (HashMap::new(), HashMap::new());
    let path = path.display();
    for (at, entry) in entries.iter().enumerate() {
        let place = at + 1;
        let name = format!("entry {place} ({}, app {})", entry.id, entry.app);
        if let Some(other) = by_secret.insert(entry.sha256.to_ascii_lowercase(), name.clone()) {
            problems.push(format!("{path}: {other} and {name} hold the same secret"));
        } else if let Some(other) = by_id.insert(&entry.id, name.clone()) {
            problems.push(format!("{path}: {other} and {name} have the same id"));
        }
    }
    problems
}

/// What an entry allows, in a few bytes.
fn rights(entry: &Entry) -> KeyHash {
    let Entry {
        app, trust, scopes, ..
    } = entry;
    sha256(format!("{app} {trust} {scopes:?}").as_bytes())
}

fn hash(digits: &str) -> Option<KeyHash> {
    let mut hash = KeyHash::default();
    if digits.len() != 2 * hash.len() || !digits.is_ascii() {
        return None;
    }
    for (index, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(hash)
}
