//! The key of a provider: read once, sent to the provider, and shown to nobody.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use reqwest::header::HeaderValue;

use super::unusable::ModelUnusable;

/// Bytes that are read of a key: the longest known ones have a few hundred.
const BYTES_MAX: u64 = 16 << 10;

/// The key of a provider.
#[derive(Clone)]
pub(crate) struct Key(pub(super) String);

impl Key {
    /// The key in a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or holds no key.
    pub(crate) fn load(path: &Path) -> Result<Self, ModelUnusable> {
        let place = path.display().to_string();
        match File::open(path) {
            Ok(file) => Self::read(&place, file),
            Err(error) => Err(ModelUnusable::unreadable(&place, &error)),
        }
    }

    /// The key that something has to read; `place` is told where it has none.
    ///
    /// # Errors
    ///
    /// It cannot be read, or holds no key.
    pub(crate) fn read(place: &str, from: impl Read) -> Result<Self, ModelUnusable> {
        let mut text = String::new();
        match from.take(BYTES_MAX).read_to_string(&mut text) {
            Ok(_) => Self::of(place, &text),
            Err(error) => Err(ModelUnusable::unreadable(place, &error)),
        }
    }

    /// The key in a text; `place` is told where it is none.
    ///
    /// # Errors
    ///
    /// It is no key.
    pub(crate) fn of(place: &str, text: &str) -> Result<Self, ModelUnusable> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ModelUnusable::NoKey {
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
            let message = Key::of("here", none).unwrap_err().to_string();
            assert_eq!(
                message,
                "here: holds no key: it is one word of visible ASCII characters"
            );
        }
    }
}
