//! What could head a page.

use super::super::outline::Headline;
use super::signs::Sign;

/// Something that could head the page, and what speaks for and against it.
pub(in super::super::super) struct Candidate {
    pub(in super::super::super) headline: Headline,
    pub(in super::super::super) signs: Vec<Sign>,
}

impl Candidate {
    /// Fixed words.
    pub(super) fn words(text: String, signs: Vec<Sign>) -> Self {
        let headline = Headline { text, path: None };
        Self { headline, signs }
    }

    /// A value of the page.
    pub(super) fn value(path: &str, signs: Vec<Sign>) -> Self {
        let headline = Headline::of(path);
        Self { headline, signs }
    }
}

impl Headline {
    /// The value at a pointer.
    pub(super) fn of(path: &str) -> Self {
        Self {
            text: String::new(),
            path: Some(path.to_owned()),
        }
    }
}
