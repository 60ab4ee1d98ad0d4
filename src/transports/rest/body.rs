//! The JSON body of a request, as the argument of an operation.

use axum::body::Body;
use http::Request;
use http::request::Parts;
use serde_json::{Value, json};

use crate::domain::principal::Principal;
use crate::transports::faults::{BODY, Fault};
use crate::transports::http::{Front, client_of};
use crate::transports::request::{body, check_is_json};

/// The head of a request, and its body as the member `body` of the arguments.
pub(super) async fn read(
    front: &Front,
    principal: &Principal,
    request: Request<Body>,
) -> Result<(Parts, Value), Fault> {
    let client = client_of(&request);
    let (parts, raw) = request.into_parts();
    check_is_json(&parts.headers)?;
    let (bytes, _place) = body(raw, &front.limits.http, &front.edge, client).await?;
    let parsing = async { serde_json::from_slice::<Value>(&bytes) };
    let dispatch = &front.access.dispatch;
    let parsed = dispatch.read(principal, bytes.len(), parsing).await?;
    let value = parsed.map_err(|error| {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        let offset = before + error.column();
        Fault::of_fields(vec![json!({
            "type": "json_invalid", "loc": [BODY, offset], "msg": format!("JSON decode error: {error}"),
        })])
    })?;
    Ok((parts, json!({ BODY: value })))
}
