//! Pointers into the data of a page (RFC 6901).

/// Appends a name to a pointer, escaped (RFC 6901).
pub(crate) fn join(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}
