//! HTTP statuses and the canonical code of each.

use std::borrow::Cow;

/// Every status that has a canonical code (errors.md §4.2).
pub const STATUSES: &[(u16, &str)] = &[
    (400, "BAD_REQUEST"),
    (401, "UNAUTHORIZED"),
    (402, "PAYMENT_REQUIRED"),
    (403, "FORBIDDEN"),
    (404, "NOT_FOUND"),
    (405, "METHOD_NOT_ALLOWED"),
    (408, "REQUEST_TIMEOUT"),
    (409, "CONFLICT"),
    (410, "GONE"),
    (413, "PAYLOAD_TOO_LARGE"),
    (415, "UNSUPPORTED_MEDIA_TYPE"),
    (422, "INVALID_ARGUMENTS"),
    (429, "RATE_LIMITED"),
    (500, "INTERNAL_ERROR"),
    (501, "NOT_IMPLEMENTED"),
    (502, "UPSTREAM_ERROR"),
    (503, "UNAVAILABLE"),
    (504, "UPSTREAM_TIMEOUT"),
];

/// The canonical code of an HTTP status; `HTTP_<status>` where the table has none.
pub fn status_code_name(status: u16) -> Cow<'static, str> {
    match STATUSES.iter().find(|(known, _)| *known == status) {
        Some((_, word)) => Cow::Borrowed(word),
        None => Cow::Owned(format!("HTTP_{status}")),
    }
}
