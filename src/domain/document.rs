//! Contracts and views as they are stored: once, under the hash of their text.

use std::fmt;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::digest::{hex, sha256};

/// The SHA-256 of a document's JSON text. Unlike the hash of a contract it covers every byte,
/// descriptions included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DocumentHash([u8; 32]);

impl DocumentHash {
    /// The hash of a text.
    pub(crate) fn of(text: &str) -> Self {
        Self(sha256(text.as_bytes()))
    }
}

impl fmt::Display for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for DocumentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for DocumentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DocumentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let mut hash = [0; 32];
        let is_whole = digits.len() == 2 * hash.len() && digits.is_ascii();
        if !is_whole {
            return Err(D::Error::custom("a hash has 64 hexadecimal digits"));
        }
        for (at, byte) in hash.iter_mut().enumerate() {
            let pair = &digits[2 * at..2 * at + 2];
            *byte = u8::from_str_radix(pair, 16).map_err(D::Error::custom)?;
        }
        Ok(Self(hash))
    }
}

/// A contract or a view, as a store keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Of the text of the value.
    pub(crate) hash: DocumentHash,
    /// What is stored; its members stay in their order.
    pub(crate) value: Arc<Value>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_was_written_and_nothing_else_is() {
        let hash = DocumentHash::of("{}");
        let text = serde_json::to_string(&hash).unwrap();
        assert_eq!(serde_json::from_str::<DocumentHash>(&text).unwrap(), hash);
        for text in ["\"\"", "\"44136fa3\"", "7"] {
            assert!(
                serde_json::from_str::<DocumentHash>(text).is_err(),
                "{text}"
            );
        }
        let not_digits = serde_json::to_string(&"ü".repeat(32)).unwrap();
        assert!(serde_json::from_str::<DocumentHash>(&not_digits).is_err());
    }
}
