//! API keys: known by the hash of their secret, which is stored nowhere.

use std::collections::HashMap;

use super::digest::sha256;
use super::principal::Principal;

/// SHA-256 of an API key.
pub(crate) type KeyHash = [u8; 32];

/// The hash under which an API key is known.
pub(crate) fn key_hash(secret: &str) -> KeyHash {
    sha256(secret.as_bytes())
}

/// The holders of API keys.
pub(crate) type Keys = HashMap<KeyHash, Principal>;
