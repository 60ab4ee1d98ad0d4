//! What a caller wants with a page.

/// What is to be done with a page, which decides where a bare slug leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// Something about a page that is there.
    Change,
    /// A page that is not there yet.
    Create,
    /// Only reading.
    Read,
}
