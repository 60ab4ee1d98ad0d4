//! The key of a provider: read once, sent to the provider, and shown to nobody.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use reqwest::header::HeaderValue;

/// Bytes that are read of a file: the longest known keys have a few hundred.
const FILE_BYTES_MAX: u64 = 16 << 10;

/// The key of a provider.
#[derive(Clone)]
pub(crate) struct Key(String);

/// A key cannot be used; what it holds is not told.
#[derive(Debug, thiserror::Error)]
pub enum KeyUnusable {
    /// Its file cannot be read.
    #[error("{place}: {reason}")]
    Unreadable {
        /// The file.
        place: String,
        /// The error of the operating system.
        reason: String,
    },
    /// There is no key.
    #[error("{place}: holds no key: it is one word of visible ASCII characters")]
    Invalid {
        /// Where one was looked for.
        place: String,
    },
}

impl Key {
    /// The key in a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or holds no key.
    pub(crate) fn load(path: &Path) -> Result<Self, KeyUnusable> {
        let place = path.display().to_string();
        let read = File::open(path).and_then(|file| {
            let mut text = String::new();
            file.take(FILE_BYTES_MAX).read_to_string(&mut text)?;
            Ok(text)
        });
        match read {
            Ok(text) => Self::of(&place, &text),
            Err(error) => Err(KeyUnusable::Unreadable {
                place,
                reason: error.to_string(),
            }),
        }
    }

    /// The key in a text; `place` is told where it is none.
    ///
    /// # Errors
    ///
    /// It is no key.
    pub(crate) fn of(place: &str, text: &str) -> Result<Self, KeyUnusable> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyUnusable::Invalid {
                place: place.to_owned(),
            });
        }
        Ok(Self(text.to_owned()))
    }

    /// A header with the key behind a text; the HTTP library shows it to nobody either.
    pub(super) fn header(&self, before: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{before}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_word_and_nothing_shows_it() {
        let key = Key::of("here", " sk-secret\n").unwrap();
        let header = key.header("Bearer ").unwrap();
        assert_eq!(header.to_str().unwrap(), "Bearer sk-secret");
        assert!(!format!("{key:?} {header:?}").contains("secret"));
        for none in ["", "\n", "two words", "sk-\u{fc}", "a\r\nb: c"] {
            let told = Key::of("here", none).unwrap_err().to_string();
            assert_eq!(
                told,
                "here: holds no key: it is one word of visible ASCII characters"
            );
        }
    }
}
