//! What a client finds out about the issuer whose tokens open this server (RFC 9728).

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::AUTHORIZATION;
use serde_json::json;

use super::doors::Doors;
use super::fault::Fault;
use crate::domain::operation::SCOPES;
use crate::wire::fault::Code;

/// Address of the metadata.
pub(super) const PATH: &str = "/.well-known/oauth-protected-resource";
/// The same for the one resource, as the standard writes its address.
pub(super) const AT_MCP: &str = "/.well-known/oauth-protected-resource/mcp";

/// `GET /.well-known/oauth-protected-resource`, and the same for `/mcp`. Without an issuer there is
/// no such page: a host that finds one begins to log in, and drops the key it was given.
pub(super) async fn protected_resource(State(doors): State<Arc<Doors>>) -> Response {
    let Some(issuer) = &doors.issuer else {
        return Fault::of(Code::NotFound).to_rest();
    };
    Json(json!({
        "resource": doors.site.mcp_url(),
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": SCOPES,
        "resource_name": "proscenium",
    }))
    .into_response()
}

/// What points whoever is refused at `/mcp` to the metadata; only a server with an issuer has any.
pub(super) fn challenge(doors: &Doors, request: &Request<Body>) -> Option<HeaderValue> {
    doors.issuer.as_ref()?;
    if request.uri().path() != "/mcp" {
        return None;
    }
    let error = if request.headers().contains_key(AUTHORIZATION) {
        ", error=\"invalid_token\""
    } else {
        ""
    };
    let base = doors.site.base();
    let text = format!("Bearer realm=\"mcp\"{error}, resource_metadata=\"{base}{PATH}\"");
    HeaderValue::from_str(&text).ok()
}
