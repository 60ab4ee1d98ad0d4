//! Links that are handed to people.

use std::sync::Arc;

use crate::wire::ids::ShortCode;

/// Scheme and authority under which people reach the server, without a slash at the end.
#[derive(Clone, Debug)]
pub(crate) struct Links(Arc<str>);

impl Links {
    /// Links below an address.
    pub(crate) fn below(base: &str) -> Self {
        Self(base.into())
    }

    /// The address of one render alone.
    pub(crate) fn viewer(&self, code: &ShortCode) -> String {
        format!("{}/r/{code}", self.0)
    }
}
