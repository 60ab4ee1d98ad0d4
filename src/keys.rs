//! The keys file: who may come in, by the hash of what they know (rulings 15 and 31).

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::adapters::system::{SystemClock, SystemIds};
use crate::domain::clock::{Clock as _, Ids as _};
use crate::domain::digest::hex;
use crate::domain::principal::{Principal, Trust};
use crate::services::auth::{KeyHash, key_hash};
use crate::wire::ids::AppId;

/// Prefix of every secret, so that a leaked one is recognised.
const SECRET_PREFIX: &str = "ggui_sk_";
/// Bytes of randomness in a secret (ruling 15).
const SECRET_BYTES: usize = 32;
/// Letters of an app's name; it stands in addresses and logs.
const APP_LETTERS_MAX: usize = 64;

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read or written.
    #[error("cannot use {path}: {reason}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// What it holds is wrong: all of it.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
}

/// One line of the file: a key without its secret.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// First letters of the hash: enough to name it in a log.
    id: String,
    /// The app it opens.
    app: String,
    /// 0 read, 1 own sessions, 2 any session of the app, 3 keys and blueprints.
    trust: u8,
    /// SHA-256 of the secret, in hex.
    sha256: String,
    /// When it was made, ISO 8601.
    created_at: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "key")]
    keys: Vec<Entry>,
}

/// Adds a key for an app and returns its secret, which is stored nowhere.
///
/// # Errors
/// The file cannot be read or written, or the app or trust is not one.
pub fn create(path: &Path, app: &str, trust: u8) -> Result<String, KeysError> {
    let mut problems = Vec::new();
    if !is_app(app) {
        problems.push(format!("app: 1 to {APP_LETTERS_MAX} of A-Z a-z 0-9 . _ -"));
    }
    if trust > Trust::MAX.0 {
        problems.push(format!("trust: 0 to {}", Trust::MAX.0));
    }
    if !problems.is_empty() {
        return Err(KeysError::Invalid(problems));
    }
    let mut file = if path.exists() {
        read(path)?
    } else {
        File::default()
    };
    let mut bytes = [0; SECRET_BYTES];
    SystemIds.fill(&mut bytes);
    let secret = format!("{SECRET_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
    let sha256 = hex(&key_hash(&secret));
    file.keys.push(Entry {
        id: format!("key_{}", &sha256[..12]),
        app: app.to_owned(),
        trust,
        sha256,
        created_at: SystemClock.now().to_string(),
    });
    write(path, &file)?;
    Ok(secret)
}

/// The holders of all keys in a file.
pub(crate) fn load(path: &Path) -> Result<HashMap<KeyHash, Principal>, KeysError> {
    let file = read(path)?;
    let mut problems = Vec::new();
    let mut keys = HashMap::new();
    for entry in &file.keys {
        match hash(&entry.sha256) {
            Some(hash) if is_app(&entry.app) && entry.trust <= Trust::MAX.0 => {
                let principal = Principal {
                    app: AppId::from(entry.app.as_str()),
                    name: entry.id.as_str().into(),
                    trust: Trust(entry.trust),
                };
                keys.insert(hash, principal);
            }
            _ => problems.push(format!("{}: key {} is malformed", path.display(), entry.id)),
        }
    }
    if file.keys.is_empty() {
        problems.push(format!("{}: holds no key", path.display()));
    }
    if problems.is_empty() {
        Ok(keys)
    } else {
        Err(KeysError::Invalid(problems))
    }
}

fn is_app(name: &str) -> bool {
    (1..=APP_LETTERS_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
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

fn unusable(path: &Path, error: &std::io::Error) -> KeysError {
    KeysError::Unusable {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn read(path: &Path) -> Result<File, KeysError> {
    let text = std::fs::read_to_string(path).map_err(|error| unusable(path, &error))?;
    toml::from_str(&text).map_err(|error| {
        KeysError::Invalid(vec![format!("{}: {}", path.display(), error.message())])
    })
}

/// Writes beside the file and moves it in place: a reader sees the old file or the new one.
fn write(path: &Path, file: &File) -> Result<(), KeysError> {
    let text =
        toml::to_string(file).map_err(|error| KeysError::Invalid(vec![error.to_string()]))?;
    let beside = path.with_extension("new");
    let written = (|| {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut handle = options.open(&beside)?;
        handle.write_all(text.as_bytes())?;
        handle.sync_all()?;
        std::fs::rename(&beside, path)
    })();
    written.map_err(|error| unusable(path, &error))
}
