//! The keys file: who may come in, by the hash of what they know.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::adapters::jwks::{Jwks, Source};
use crate::adapters::system::{SystemClock, SystemIds};
use crate::domain::clock::{Clock, Ids as _};
use crate::domain::digest::{hex, sha256};
use crate::domain::operation::known_scopes;
use crate::domain::principal::{
    APP_NAME_BYTES_MAX, Lease, OWN_NAMES, Principal, Scopes, Trust, is_app,
};
use crate::domain::token::{KeySet, TokenRules};
use crate::domain::token_settings::JwtSettings;
use crate::services::auth::{KeyHash, Keys, Tokens, key_hash};
use crate::wire::ids::AppId;

/// Prefix of every secret, so that a leaked one is recognised.
const SECRET_PREFIX: &str = "ggui_sk_";
/// Bytes of randomness in a secret.
const SECRET_BYTES: usize = 32;
/// Scopes of one key: more than there are tools.
const SCOPES_MAX: usize = 64;

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
    /// No key of that name stands in it.
    #[error("{path} holds no key {id}; `proscenium keys list` shows those it holds")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// As it was asked for.
        id: String,
    },
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
    /// What it may ask for; none: all that its trust allows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scopes: Vec<String>,
    /// SHA-256 of the secret, in hex.
    sha256: String,
    /// When it was made, ISO 8601.
    created_at: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeysFile {
    #[serde(default, rename = "key")]
    keys: Vec<Entry>,
}

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
    for scope in scopes.iter().filter(|scope| !is_scope(scope)) {
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

/// What changes whenever a file is replaced or written to; nothing where there is none.
pub(crate) fn stamp(path: &Path) -> Option<(SystemTime, u64, u64)> {
    let known = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let node = std::os::unix::fs::MetadataExt::ino(&known);
    #[cfg(not(unix))]
    let node = 0;
    Some((known.modified().ok()?, known.len(), node))
}

/// Whether a server can start with a file.
///
/// # Errors
/// The file cannot be read, is no keys file, or holds no key.
pub fn check(path: &Path) -> Result<(), KeysError> {
    if load(path)?.is_empty() {
        return Err(KeysError::Invalid(vec![format!(
            "{}: holds no key",
            path.display()
        )]));
    }
    Ok(())
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
        let scopes_known = entry.scopes.iter().all(|scope| is_scope(scope));
        match hash(&entry.sha256) {
            Some(hash)
                if is_app(&entry.app)
                    && is_app(&entry.id)
                    && !OWN_NAMES.contains(&&*entry.id)
                    && entry.trust <= Trust::MAX.0
                    && scopes_known =>
            {
                let principal = Principal {
                    app: AppId::from(entry.app.as_str()),
                    name: entry.id.as_str().into(),
                    trust: Trust(entry.trust),
                    scopes: if entry.scopes.is_empty() {
                        Scopes::all()
                    } else {
                        Scopes::of(entry.scopes.iter().cloned())
                    },
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

/// Entries that cannot be told apart: by their secret, which would open whichever is read last, or by
/// the name under which what they make is theirs.
fn ambiguous(path: &Path, entries: &[Entry]) -> Vec<String> {
    let mut problems = Vec::new();
    let (mut by_secret, mut by_id) = (HashMap::new(), HashMap::new());
    let path = path.display();
    for (at, entry) in entries.iter().enumerate() {
        let place = at + 1;
        let told = format!("entry {place} ({}, app {})", entry.id, entry.app);
        if let Some(other) = by_secret.insert(entry.sha256.to_ascii_lowercase(), told.clone()) {
            problems.push(format!("{path}: {other} and {told} hold the same secret"));
        } else if let Some(other) = by_id.insert(&entry.id, told.clone()) {
            problems.push(format!("{path}: {other} and {told} have the same id"));
        }
    }
    problems
}

/// How the configured issuer's tokens are judged, and its keys; nothing where none is configured.
pub(crate) fn issuer(
    settings: &JwtSettings,
    mcp_url: String,
    clock: &Arc<dyn Clock>,
) -> Result<Option<(Tokens, Arc<Jwks>)>, KeysError> {
    if !settings.is_on() {
        return Ok(None);
    }
    let mut fixed = KeySet::default();
    // Nothing that is written twice in the same way is anything new.
    let mut written = serde_json::to_vec(settings).unwrap_or_default();
    written.extend_from_slice(mcp_url.as_bytes());
    let kinds: [(_, Parse); 2] = [
        (&settings.public_key_file, KeySet::of_pem),
        (&settings.secret_file, KeySet::of_secret),
    ];
    for (path, parse) in kinds {
        if !path.as_os_str().is_empty() {
            let (text, keys) = parsed(path, parse)?;
            fixed = fixed.and(&keys);
            written.extend_from_slice(&sha256(&text));
        }
    }
    let source = if settings.jwks_file.as_os_str().is_empty() {
        #[cfg(feature = "jwks-url")]
        let url = (!settings.jwks_url.is_empty()).then(|| Source::Url(settings.jwks_url.clone()));
        #[cfg(not(feature = "jwks-url"))]
        let url = None;
        url
    } else {
        // A file that is no key set is told at the start; later changes are told in the log.
        parsed(&settings.jwks_file, |text| KeySet::of_jwks(text, true))?;
        Some(Source::File(settings.jwks_file.clone()))
    };
    let keys = Arc::new(Jwks::new(
        Arc::clone(clock),
        fixed,
        source,
        Duration::from_secs(settings.jwks_ttl_s),
        Duration::from_secs(settings.jwks_stale_s),
    ));
    let audience = match settings.audience.as_str() {
        "" => mcp_url,
        audience => audience.to_owned(),
    };
    let tokens = Tokens {
        stamp: sha256(&written),
        rules: TokenRules {
            issuer: settings.issuer.clone(),
            audience,
            leeway: Duration::from_secs(settings.leeway_s),
            app_claim: settings.app_claim.clone(),
            trust_claim: settings.trust_claim.clone(),
        },
        keys: Arc::clone(&keys) as _,
        app: is_app(&settings.app).then(|| AppId::from(settings.app.as_str())),
        trust: Trust(settings.trust),
    };
    Ok(Some((tokens, keys)))
}

/// Reads one kind of key material.
type Parse = fn(&[u8]) -> Result<KeySet, String>;

/// What stands in a file of key material, and the keys of it.
fn parsed(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<KeySet, String>,
) -> Result<(Vec<u8>, KeySet), KeysError> {
    let text = fs::read(path).map_err(|error| unusable(path, &error))?;
    match parse(&text) {
        Ok(keys) => Ok((text, keys)),
        Err(why) => Err(KeysError::Invalid(vec![format!(
            "{}: {why}",
            path.display()
        )])),
    }
}

/// What an entry allows, in a few bytes.
fn rights(entry: &Entry) -> KeyHash {
    let Entry {
        app, trust, scopes, ..
    } = entry;
    sha256(format!("{app} {trust} {scopes:?}").as_bytes())
}

fn is_scope(name: &str) -> bool {
    known_scopes().contains(&name)
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

fn read(path: &Path) -> Result<KeysFile, KeysError> {
    let text = fs::read_to_string(path).map_err(|error| {
        let mut why = unusable(path, &error);
        if error.kind() == ErrorKind::NotFound
            && let KeysError::Unusable { reason, .. } = &mut why
        {
            let file = path.display();
            *reason += &format!("; proscenium keys create --app NAME --keys-file {file} makes it");
        }
        why
    })?;
    toml::from_str(&text).map_err(|error| {
        KeysError::Invalid(vec![format!("{}: {}", path.display(), error.message())])
    })
}

/// Reads, changes and writes a file, one process after the other: none undoes another's change.
fn change(
    path: &Path,
    apply: impl FnOnce(&mut KeysFile) -> Result<(), KeysError>,
) -> Result<(), KeysError> {
    let _lock = Lock::take(path).map_err(|error| unusable(path, &error))?;
    let mut file = if path.exists() {
        read(path)?
    } else {
        KeysFile::default()
    };
    apply(&mut file)?;
    write(path, &file)
}

/// The right to change a file, held as a lock on a file beside it; that one goes with the right.
struct Lock {
    beside: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits for the right.
    fn take(path: &Path) -> std::io::Result<Self> {
        let beside = path.with_extension("lock");
        loop {
            let file = private(&beside, false)?;
            file.lock()?;
            // Whoever held it has removed it: the lock is on a file that nobody else will find.
            if is_at(&file, &beside) {
                return Ok(Self {
                    beside,
                    _file: file,
                });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the lock is given back, so that nobody removes another's.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Whether a file still stands under the name by which it was opened.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let of = |known: &fs::Metadata| (known.dev(), known.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if of(&a) == of(&b))
}

/// Whether a file still stands under the name by which it was opened.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Opens a file that only its owner may read.
fn private(path: &Path, truncate: bool) -> std::io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(truncate);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes beside the file and moves it in place: a reader sees the old file or the new one.
fn write(path: &Path, file: &KeysFile) -> Result<(), KeysError> {
    let text =
        toml::to_string(file).map_err(|error| KeysError::Invalid(vec![error.to_string()]))?;
    let beside = path.with_extension("new");
    let written = (|| {
        let mut handle = private(&beside, true)?;
        handle.write_all(text.as_bytes())?;
        handle.sync_all()?;
        fs::rename(&beside, path)
    })();
    written.map_err(|error| unusable(path, &error))
}
