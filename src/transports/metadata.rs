//! What a client finds out about the issuer whose tokens open this server (RFC 9728).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
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

/// Points whoever is refused at `/mcp` to the metadata, where there is an issuer.
pub(super) fn point_to(doors: &Doors, path: &str, has_credential: bool, response: &mut Response) {
    let headers = response.headers_mut();
    if doors.issuer.is_none() || path != "/mcp" || !headers.contains_key(WWW_AUTHENTICATE) {
        return;
    }
    let error = if has_credential {
        ", error=\"invalid_token\""
    } else {
        ""
    };
    let base = doors.site.base();
    let challenge = format!("Bearer realm=\"mcp\"{error}, resource_metadata=\"{base}{PATH}\"");
    if let Ok(challenge) = HeaderValue::from_str(&challenge) {
        headers.insert(WWW_AUTHENTICATE, challenge);
    }
}

/// Whether a request carries a credential.
pub(super) fn has_credential(headers: &http::HeaderMap) -> bool {
    headers.contains_key(AUTHORIZATION)
}
