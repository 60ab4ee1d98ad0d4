//! `subscriptions/listen`: a stream that tells when what a uri shows has changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde_json::{Map, Value, json};

use super::resources::{self, WatchedResource};
use super::state::Mcp;
use crate::domain::operation::Caller;
use crate::domain::principal::Lease;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// Under which every message of a stream names the request that opened it.
pub(super) const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
/// What else a stream may be asked for; nothing of it ever changes while a server runs.
const LISTS: [&str; 3] = [
    "promptsListChanged",
    "resourcesListChanged",
    "toolsListChanged",
];

/// The messages before the answer: what will be announced, then each change, until nothing is left
/// that can change, the caller's credential no longer stands, or the server ends. A uri that names
/// nothing of the caller's is left out, whether it exists or not. An app has only so many streams.
pub(super) async fn notices(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    id: &str,
    params: &Map<String, Value>,
) -> Result<BoxStream<'static, Value>, Fault> {
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    let mut followed = Vec::new();
    let wanted = wanted(params, mcp.http.listen_uris_max)?;
    let place = mcp.listeners.enter(&caller.principal.app);
    let place = place.map_err(|full| Fault::many_listen(full.max()))?;
    for uri in wanted {
        followed.extend(resources::watched(mcp, caller, &uri).await?);
    }
    let mut honoured = json!({});
    if !followed.is_empty() {
        let uris: Vec<_> = followed.iter().map(|followed| &*followed.uri).collect();
        honoured["resourceSubscriptions"] = json!(uris);
    }
    let acknowledged = notice(
        &id,
        "notifications/subscriptions/acknowledged",
        json!({ "notifications": honoured }),
    );
    let changes = if followed.is_empty() {
        stream::pending().boxed()
    } else {
        let of = |followed| changes(mcp, caller, followed).boxed();
        stream::select_all(followed.into_iter().map(of)).boxed()
    };
    let updates = changes
        .map(move |uri| {
            // Taken until the stream is gone, however it ends.
            let _held = &place;
            notice(
                &id,
                "notifications/resources/updated",
                json!({ "uri": uri }),
            )
        })
        .take_until(over(Arc::clone(mcp), caller.principal.lease));
    Ok(stream::iter([acknowledged]).chain(updates).boxed())
}

/// Returns once nothing may be announced any more: the server ends, or the credential no longer
/// stands.
async fn over(mcp: Arc<Mcp>, lease: Lease) {
    tokio::select! {
        () = mcp.drain.cancelled() => {}
        () = mcp.access.credentials.expired_or_revoked(lease) => {}
    }
}

/// The uri, each time that what it shows has changed; for the last time when it is gone.
fn changes(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    followed: WatchedResource,
) -> impl Stream<Item = Arc<str>> + use<> {
    let (mcp, principal) = (Arc::clone(mcp), caller.principal.clone());
    let WatchedResource {
        uri,
        session,
        version,
    } = followed;
    stream::unfold(Some(version), move |known| {
        let (mcp, principal) = (Arc::clone(&mcp), principal.clone());
        let (uri, session) = (Arc::clone(&uri), session.clone());
        async move {
            let next = mcp.live.after(&principal, &session, known?).await;
            Some((uri, next.ok()))
        }
    })
}

fn notice(id: &Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ SUBSCRIPTION_KEY: id });
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The uris a client wants to hear of, each once; or all that is wrong with how it says so.
fn wanted(params: &Map<String, Value>, uris_max: usize) -> Result<BTreeSet<String>, Fault> {
    let mut problems = Vec::new();
    let mut wanted = BTreeSet::new();
    match params.get("notifications").and_then(Value::as_object) {
        None => problems.push("params.notifications: must be object".to_owned()),
        Some(filter) => {
            for name in LISTS {
                if filter.get(name).is_some_and(|value| !value.is_boolean()) {
                    problems.push(format!("params.notifications.{name}: must be boolean"));
                }
            }
            let uris = filter.get("resourceSubscriptions");
            let uris = uris.map(|uris| uris.as_array().map(Vec::as_slice));
            let path = "params.notifications.resourceSubscriptions";
            match uris {
                None => {}
                Some(None) => problems.push(format!("{path}: must be array")),
                Some(Some(uris)) if uris.len() > uris_max => {
                    problems.push(format!("{path}: must NOT have more than {uris_max} items"));
                }
                Some(Some(uris)) => {
                    for (at, uri) in uris.iter().enumerate() {
                        match uri.as_str() {
                            Some(uri) => drop(wanted.insert(uri.to_owned())),
                            None => problems.push(format!("{path}[{at}]: must be string")),
                        }
                    }
                }
            }
        }
    }
    if problems.is_empty() {
        return Ok(wanted);
    }
    let lines: Vec<_> = problems.iter().map(|line| format!("- {line}")).collect();
    let message = format!("Invalid params:\n{}", lines.join("\n"));
    Err(Fault::saying(Code::InvalidParams, message).with(json!({ "problems": problems })))
}
