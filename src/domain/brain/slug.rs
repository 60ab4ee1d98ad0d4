//! Addresses of pages: a slug, with the collection it stands in or without one.

use std::fmt;

/// Bytes of a slug: what fits a line, with room for any hierarchy a person would make.
const SLUG_BYTES_MAX: usize = 512;
/// Bytes of the name of a collection, a tag or a relationship: a word or a few.
pub(crate) const WORD_BYTES_MAX: usize = 64;
/// What stands between a collection and a slug.
const QUALIFIER: &str = "::";

/// A page's place in a collection, such as `people/alice`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slug(String);

impl Slug {
    /// Reads a slug, or says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let refuse = |why: &str| Err(format!("invalid slug: {why}"));
        if text.is_empty() {
            return refuse("it is empty");
        }
        if text.len() > SLUG_BYTES_MAX {
            return refuse(&format!("it has more than {SLUG_BYTES_MAX} bytes"));
        }
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/_-".contains(&byte);
        if !text.bytes().all(is_plain) {
            return refuse("only a-z, 0-9, /, _ and - may stand in it");
        }
        if text.split('/').any(str::is_empty) {
            return refuse("a part between slashes is empty");
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of the collection a page stands in unless it says otherwise.
    pub(crate) fn wing(&self) -> &str {
        self.0.split_once('/').map_or("general", |(wing, _)| wing)
    }
}

/// A page as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Its collection; none where the slug stands alone.
    pub(crate) collection: Option<String>,
    /// Its place there.
    pub(crate) slug: Slug,
}

impl Address {
    /// Reads an address, or says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (collection, slug) = match text.split_once(QUALIFIER) {
            Some((collection, slug)) if is_word(collection) => (Some(collection), slug),
            Some(_) => {
                return Err("invalid slug: before :: stands the name of a collection".to_owned());
            }
            None => (None, text),
        };
        Ok(Self {
            collection: collection.map(str::to_owned),
            slug: Slug::parse(slug)?,
        })
    }
}

/// A page's whole address: every answer names pages by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Its collection.
    pub(crate) collection: String,
    /// Its place there.
    pub(crate) slug: Slug,
}

/// The scheme of the addresses of pages as resources.
const SCHEME: &str = "brain://";

impl Place {
    /// The address of the page as a resource, `brain://collection/slug`.
    pub(crate) fn to_uri(&self) -> String {
        format!("{SCHEME}{}/{}", self.collection, self.slug.0)
    }

    /// Reads such an address, if it is one.
    pub(crate) fn from_uri(uri: &str) -> Option<Self> {
        let (collection, slug) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        Some(Self {
            collection: is_word(collection).then(|| collection.to_owned())?,
            slug: Slug::parse(slug).ok()?,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{QUALIFIER}{}", self.collection, self.slug.0)
    }
}

/// Whether a text names a collection, a tag or a relationship.
pub(crate) fn is_word(text: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    (1..=WORD_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_a_lower_case_path_without_empty_parts() {
        for good in ["people/alice", "a", "2026/05-01_x"] {
            assert!(Slug::parse(good).is_ok(), "{good}");
        }
        let long = "a".repeat(SLUG_BYTES_MAX + 1);
        for bad in [
            "",
            "People/Alice",
            "/a",
            "a/",
            "a//b",
            "..",
            "a b",
            "c:/a",
            "\\a",
            &long,
        ] {
            let why = Slug::parse(bad).unwrap_err();
            assert!(why.starts_with("invalid slug: "), "{bad}: {why}");
        }
    }

    #[test]
    fn an_address_may_name_its_collection() {
        let address = Address::parse("work::people/alice").unwrap();
        assert_eq!(address.collection.as_deref(), Some("work"));
        assert_eq!(address.slug.wing(), "people");
        assert!(Address::parse("Work::a").is_err());
        assert!(Address::parse("::a").is_err());
    }
}
