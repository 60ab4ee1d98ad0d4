//! What a client finds out about the issuer whose tokens open this server (RFC 9728).

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use serde_json::json;

use super::state::Front;
use crate::domain::operation::SCOPES;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// Address of the metadata.
pub(crate) const PATH: &str = "/.well-known/oauth-protected-resource";
/// The same for the one resource, as the standard writes its address.
pub(crate) const AT_MCP: &str = "/.well-known/oauth-protected-resource/mcp";

/// `GET /.well-known/oauth-protected-resource`, and the same for `/mcp`. Without an issuer there is
/// no such page: a host that finds one begins to log in, and drops the key it was given.
pub(crate) async fn protected_resource(State(front): State<Arc<Front>>) -> Response {
    let Some(issuer) = front.access.credentials.issuer() else {
        return Fault::of(Code::NotFound).to_rest();
    };
    Json(json!({
        "resource": front.site.mcp_url(),
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": SCOPES,
        "resource_name": "proscenium",
    }))
    .into_response()
}

/// What is said of the credential of a request, should it be refused: nothing where none came. Only a
/// request at `/mcp` of a server with an issuer is pointed to the metadata.
pub(crate) fn refusal(front: &Front, request: &Request<Body>) -> Option<&'static str> {
    let is_pointed = request.uri().path() == "/mcp" && front.access.credentials.issuer().is_some();
    let has_credential = request.headers().contains_key(AUTHORIZATION);
    is_pointed.then_some(if has_credential {
        ", error=\"invalid_token\""
    } else {
        ""
    })
}

/// Points whoever is refused to the metadata.
pub(crate) fn add_challenge(front: &Front, refusal: &str, response: &mut Response) {
    let Some(given) = response.headers_mut().get_mut(WWW_AUTHENTICATE) else {
        return;
    };
    let base = front.site.base();
    let text = format!("Bearer realm=\"mcp\"{refusal}, resource_metadata=\"{base}{PATH}\"");
    if let Ok(challenge) = HeaderValue::from_str(&text) {
        *given = challenge;
    }
}
