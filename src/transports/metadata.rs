//! What a client finds out about the issuer whose tokens open this server (RFC 9728).

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
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

/// Points whoever is refused at `/mcp` to the metadata; a layer of servers that have an issuer.
pub(super) async fn point(
    State(doors): State<Arc<Doors>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    if request.uri().path() != "/mcp" {
        return next.run(request).await;
    }
    let error = if request.headers().contains_key(AUTHORIZATION) {
        ", error=\"invalid_token\""
    } else {
        ""
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if headers.contains_key(WWW_AUTHENTICATE) {
        let base = doors.site.base();
        let challenge = format!("Bearer realm=\"mcp\"{error}, resource_metadata=\"{base}{PATH}\"");
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
    }
    response
}
