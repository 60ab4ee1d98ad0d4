//! Whoever follows a resource behind the gate.

use std::sync::{Arc, Weak};

use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::sleep;

use super::calls::CallRequest;
use super::error::GateError;
use super::followed::Name;
use super::kind::Kind;
use super::requested::requester;
use super::served::Served;
use super::service::Gate;
use crate::domain::gate::{Binding, Requester, SUBSCRIBE, UNSUBSCRIBE};
use crate::domain::operation::Caller;
use crate::wire::gate::{GateFollowParams, GateFollowed};

/// What is said of something that a person has agreed to when it was another.
const CHANGED: &str = "what a person has agreed to has changed: subscribe again";

impl Gate {
    /// Waits until a resource has another version than the one that its caller knows, for as long as
    /// the caller may follow it: whenever the rules change, they are asked again.
    pub(super) async fn follow(
        &self,
        caller: &Caller,
        params: GateFollowParams,
    ) -> Result<GateFollowed, GateError> {
        let GateFollowParams { uri, version } = params;
        let mut rules = self.approvals.rules.subscribe();
        loop {
            // Before they are asked: what changes from now on wakes.
            rules.mark_unchanged();
            let nothing = Map::new();
            let asked = CallRequest {
                caller,
                kind: Kind::Resources,
                method: SUBSCRIBE,
                name: &uri,
                arguments: &nothing,
                session: None,
            };
            let judged = self.judged(asked, &nothing).await?;
            let served = Arc::clone(&judged.served);
            let name = Name {
                app: caller.principal.app.clone(),
                caller: Arc::clone(&caller.principal.name),
                uri: uri.clone(),
            };
            let agreed = match judged.approval.clone() {
                None => None,
                Some(approval) => {
                    let binding = judged.binding(caller, &nothing);
                    if !served.followed.is_agreed(&name, &binding) {
                        if version.is_some() {
                            let (name, reason) = (uri, CHANGED.to_owned());
                            return Err(GateError::Denied { name, reason });
                        }
                        self.get_agreed(asked, judged, &approval).await?;
                    }
                    Some(binding)
                }
            };
            let mut versions = served.follow(&name, agreed, requester()).await?;
            let Some(known) = version else {
                let version = *versions.borrow();
                return Ok(GateFollowed { version });
            };
            tokio::select! {
                // Both senders are fields of what is held here.
                _ = rules.changed() => {}
                now = versions.wait_for(|now| *now != known) => {
                    if let Ok(version) = now.map(|now| *now) {
                        return Ok(GateFollowed { version });
                    }
                }
            }
        }
    }
}

impl Served {
    /// The versions of a resource. Its server is asked to tell this caller of it, and no longer when
    /// they have not followed it for a while.
    pub(super) async fn follow(
        self: &Arc<Self>,
        name: &Name,
        agreed: Option<Binding>,
        requester: Option<Arc<dyn Requester>>,
    ) -> Result<watch::Receiver<u64>, GateError> {
        let max = self.limits.followed_per_source_max;
        let (versions, is_new) = self.followed.enter(name, max).ok_or(GateError::Busy)?;
        if is_new {
            // Where a person had to agree, the source was asked when they had.
            if agreed.is_none() {
                let asked = self.request(SUBSCRIBE, of(&name.uri), requester.clone());
                if let Err(error) = asked.await {
                    self.followed.leave(name);
                    return Err(error);
                }
            }
            tokio::spawn(keep(Arc::downgrade(self), name.clone(), requester));
        }
        if let Some(binding) = agreed {
            self.followed.agree(name, binding);
        }
        Ok(versions)
    }
}

/// Has a server tell of a resource for as long as its caller follows it.
async fn keep(served: Weak<Served>, name: Name, requester: Option<Arc<dyn Requester>>) {
    while let Some(every) = served.upgrade().map(|served| served.limits.follow_look()) {
        sleep(every).await;
        let Some(served) = served.upgrade() else {
            return;
        };
        let is_left = served.followed.is_left(&name);
        let method = if is_left { UNSUBSCRIBE } else { SUBSCRIBE };
        // Asked again: a connection that is made anew, maybe by this, knows nothing of it.
        let asked = served.request(method, of(&name.uri), requester.clone());
        if let Err(error) = asked.await {
            tracing::debug!(%error, "a source was not asked about a resource");
        }
        if is_left {
            return;
        }
    }
}

fn of(uri: &str) -> Map<String, Value> {
    [("uri".to_owned(), uri.into())].into_iter().collect()
}
