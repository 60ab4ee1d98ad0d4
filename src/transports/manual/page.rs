//! The frame of a page of the manual, and which form of it was asked for.

use std::fmt::Write as _;
use std::sync::OnceLock;

use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::domain::digest::sha256;
use crate::transports::request::{Form, form};

const STYLE: &str = include_str!("page.css");
/// How long a page may be kept: it changes with a release or a configuration.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Whether a program asks: it names JSON before any page.
pub(super) fn wants_json(headers: &HeaderMap) -> bool {
    form(headers) == Some(Form::Json)
}

/// The same for a program.
pub(super) fn json(document: &Value) -> Response {
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (headers, kept(), format!("{document:#}\n")).into_response()
}

/// A page without scripts.
pub(super) fn html(title: &str, body: &str) -> Response {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · proscenium</title><style>{STYLE}</style></head>\
         <body><main>{body}</main></body></html>\n"
    );
    let headers = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (CONTENT_SECURITY_POLICY, policy().clone()),
    ];
    (headers, kept(), page).into_response()
}

fn kept() -> [(HeaderName, HeaderValue); 2] {
    [
        (CACHE_CONTROL, KEPT),
        (VARY, HeaderValue::from_static("accept")),
    ]
}

/// Nothing but our own style.
fn policy() -> &'static HeaderValue {
    static POLICY: OnceLock<HeaderValue> = OnceLock::new();
    POLICY.get_or_init(|| {
        let hash = STANDARD.encode(sha256(STYLE.as_bytes()));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'"
        );
        HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
    })
}

/// Text that is only text in a page.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '"' => plain.push_str("&quot;"),
            other => plain.push(other),
        }
    }
    plain
}

/// Opens a table with these columns.
pub(super) fn open_table(page: &mut String, columns: &[&str]) {
    page.push_str("<table><thead><tr>");
    for column in columns {
        let _ = write!(page, "<th scope=\"col\">{column}</th>");
    }
    page.push_str("</tr></thead><tbody>\n");
}

/// Closes it.
pub(super) fn close_table(page: &mut String) {
    page.push_str("</tbody></table>\n");
}
