//! What could head a page.

use super::super::outline::Headline;
use super::signs::Sign;

/// Something that could head the page, and what speaks for and against it.
pub(in super::super::super) struct Candidate {
    pub(in super::super::super) headline: Headline,
    pub(in super::super::super) signs: Vec<Sign>,
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
