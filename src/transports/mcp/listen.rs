//! `subscriptions/listen`: a stream of notifications: what a URI shows has changed, or the list of
//! tools has.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::future::try_join_all;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde_json::{Map, Value, json};

#[cfg(feature = "gate")]
use super::gate_lists;
use super::page_resources;
use super::resources::{self, WatchedResource};
use super::state::Mcp;
use super::updates::{Change, UPDATED, notice};
use crate::domain::operation::Caller;
use crate::domain::places::Place;
use crate::domain::principal::Lease;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Endpoint};
use crate::wire::ids::AppId;

/// Asks to be notified of tools that come while the server runs.
const TOOLS: &str = "toolsListChanged";
/// The lists a stream may be asked for; all but the one of tools never change while a server runs.
const LISTS: [&str; 3] = ["promptsListChanged", "resourcesListChanged", TOOLS];

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
    let wanted = wanted(params, mcp.http.listen_uris_max)?;
    let place = place(mcp, caller)?;
    let mut uris = Vec::new();
    let mut changes = Vec::new();
    // Side by side: people may have to agree to some.
    let wanted = wanted.into_iter().map(async |uri| {
        let followed = match followed(mcp, caller, &uri, params).await {
            // Nobody follows it, whatever the reason.
            Err(_) if mcp.endpoint == Endpoint::Gate => None,
            followed => followed?,
        };
        Ok::<_, Fault>(followed.map(|followed| (uri, followed)))
    });
    for (uri, followed) in try_join_all(wanted).await?.into_iter().flatten() {
        uris.push(uri);
        changes.push(followed);
    }
    let mut honoured = json!({});
    if !uris.is_empty() {
        honoured["resourceSubscriptions"] = json!(uris);
    }
    #[cfg(feature = "gate")]
    if mcp.has_gate {
        let wanted = match mcp.endpoint {
            Endpoint::Gate => params["notifications"].clone(),
            _ => json!({ TOOLS: params["notifications"][TOOLS] }),
        };
        let (names, changed) = gate_lists::changes(mcp, caller, &wanted).await;
        for name in names {
            honoured[name] = true.into();
        }
        changes.push(changed.map(|method| (method, json!({}))).boxed());
    }
    if mcp.endpoint != Endpoint::Gate && params["notifications"][TOOLS] == true {
        honoured[TOOLS] = true.into();
        changes.push(tool_changes(mcp).boxed());
    }
    let acknowledged = notice(
        &id,
        "notifications/subscriptions/acknowledged",
        json!({ "notifications": honoured }),
    );
    let changes = if changes.is_empty() {
        stream::pending().boxed()
    } else {
        stream::select_all(changes).boxed()
    };
    let updates = changes
        .map(move |(method, params)| {
            // Taken until the stream is gone, however it ends.
            let _held = &place;
            notice(&id, method, params)
        })
        .take_until(over(Arc::clone(mcp), caller.principal.lease));
    Ok(stream::iter([acknowledged]).chain(updates).boxed())
}

/// A place for a stream.
pub(super) fn place(mcp: &Mcp, caller: &Caller) -> Result<Place<AppId>, Fault> {
    let place = mcp.listeners.enter(&caller.principal.app);
    place.map_err(|full| Fault::many_listen(full.max()))
}

/// Each change of what a uri shows, for a request of these parameters; nothing where it names nothing of
/// the caller's that can change.
pub(super) async fn followed(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    uri: &str,
    #[cfg_attr(
        not(feature = "gate"),
        expect(unused_variables, reason = "for the gate")
    )]
    params: &Map<String, Value>,
) -> Result<Option<BoxStream<'static, Change>>, Fault> {
    #[cfg(feature = "gate")]
    if mcp.endpoint == Endpoint::Gate {
        let changes = gate_lists::resource_changes(mcp, caller, uri, params).await;
        return changes.map(Some);
    }
    if mcp.endpoint == Endpoint::Brain {
        let version = page_resources::version(mcp, caller, uri).await?;
        let changes = |version| page_resources::changes(mcp, caller, uri.into(), version).boxed();
        return Ok(version.map(changes));
    }
    let watched = resources::watched(mcp, caller, uri).await?;
    Ok(watched.map(|watched| session_changes(mcp, caller, watched).boxed()))
}

/// Returns once nothing may be announced any more: the server ends, or the credential no longer
/// stands.
pub(super) async fn over(mcp: Arc<Mcp>, lease: Lease) {
    tokio::select! {
        () = mcp.drain.cancelled() => {}
        () = mcp.access.credentials.expired_or_revoked(lease) => {}
    }
}

/// The tools, each time that there are others.
fn tool_changes(mcp: &Arc<Mcp>) -> impl Stream<Item = Change> + use<> {
    let registered = mcp.access.dispatch.registry.changes();
    stream::unfold(registered, async |mut registered| {
        registered.changed().await.ok()?;
        Some((("notifications/tools/list_changed", json!({})), registered))
    })
}

/// The uri, each time that what it shows has changed; for the last time when it is gone.
fn session_changes(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    followed: WatchedResource,
) -> impl Stream<Item = Change> + use<> {
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
            let change = (UPDATED, json!({ "uri": &*uri }));
            Some((change, next.ok()))
        }
    })
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
