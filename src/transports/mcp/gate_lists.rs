//! Lists and resources of the gate, for whoever listens to their changes.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt as _};
use serde_json::{Map, Value, json};

use super::exchange::Follower;
use super::gate::follow;
use super::state::Mcp;
use super::updates::{Change, UPDATED};
use crate::domain::gate::Requester;
use crate::domain::operation::{Caller, Operation, Signature as _, table};
use crate::transports::faults::Fault;

/// The lists that a stream may be asked for, as it is asked, and what it is told.
const LISTS: [(&str, &str, &str); 3] = [
    (
        "promptsListChanged",
        "prompts/list",
        "notifications/prompts/list_changed",
    ),
    (
        "resourcesListChanged",
        "resources/list",
        "notifications/resources/list_changed",
    ),
    (
        "toolsListChanged",
        "tools/list",
        "notifications/tools/list_changed",
    ),
];

/// A list as a caller had it last: the notification of its change, its method, and what tells it from
/// another one.
type Known = (&'static str, &'static str, Option<u64>);

/// The lists among those that a client asks for, as it names them, and the notification of each whenever
/// this caller would be given another list.
pub(super) async fn changes(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    wanted: &Value,
) -> (Vec<&'static str>, BoxStream<'static, &'static str>) {
    let mut changes = mcp.exchanges.changes.clone();
    // What changes from now on is seen.
    changes.mark_unchanged();
    let mut known: Vec<Known> = Vec::new();
    let mut names = Vec::new();
    for (name, method, notification) in LISTS {
        // A list that this caller cannot have does not change for it.
        if wanted[name] == true
            && let Some(list) = listed(mcp, caller, method).await
        {
            names.push(name);
            known.push((notification, method, Some(list)));
        }
    }
    let begun = (Arc::clone(mcp), caller.clone(), changes, known);
    let notifications = stream::unfold(begun, async |(mcp, caller, mut changes, mut known)| {
        changes.changed().await.ok()?;
        let mut changed = Vec::new();
        for (notification, method, before) in &mut known {
            let now = listed(&mcp, &caller, method).await;
            // Of a list that could not be had, who watches it finds out more.
            if now.is_none() || now != *before {
                changed.push(*notification);
            }
            *before = now;
        }
        Some((stream::iter(changed), (mcp, caller, changes, known)))
    });
    (names, notifications.flatten().boxed())
}

/// Each change of a resource, for as long as the caller may follow it.
pub(super) async fn resource_changes(
    mcp: &Arc<Mcp>,
    caller: &Caller,
    uri: &str,
    params: &Map<String, Value>,
) -> Result<BoxStream<'static, Change>, Fault> {
    let follower = Follower::of(&caller.principal, params);
    let follower: Arc<dyn Requester> = Arc::new(follower);
    let version = follow(mcp, caller, (uri, None), &follower).await?;
    let about = (Arc::clone(mcp), caller.clone(), uri.to_owned(), follower);
    let changes = stream::unfold((about, version), async |(about, known)| {
        let (mcp, caller, uri, follower) = &about;
        // Of what is denied by now nothing more is said.
        let now = follow(mcp, caller, (uri, Some(known)), follower)
            .await
            .ok()?;
        let change = (UPDATED, json!({ "uri": uri }));
        Some((change, (about, now)))
    });
    Ok(changes.boxed())
}

/// What tells a list from another one.
async fn listed(mcp: &Mcp, caller: &Caller, method: &'static str) -> Option<u64> {
    let arguments = json!({ "method": method, "params": {} });
    let operation = Operation::new(caller.clone(), table::GateRead::NAME, arguments);
    let answered = mcp.access.dispatch.run(operation).await.ok()?;
    let mut hasher = DefaultHasher::new();
    answered.answer.result.get().hash(&mut hasher);
    Some(hasher.finish())
}
