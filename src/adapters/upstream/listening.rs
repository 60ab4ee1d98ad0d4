//! What a server of the newer era is listened to for: changes of its lists, and of resources that
//! somebody follows. In the older era it says so by itself.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{Peer, ServiceError};
use tokio::time::{Instant, sleep};
use tokio_util::task::AbortOnDropHandle;

use super::listener::Heard;
use super::message;
use super::version::Version;
use crate::domain::gate::UpstreamError;

/// How long to wait before a server is listened to again whose stream has ended; longer each time that
/// it does not let itself be listened to for as long.
const AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(300));

/// What one connection is listened to for; ends with it.
#[derive(Default)]
pub(super) struct Listening {
    lists: Mutex<Option<AbortOnDropHandle<()>>>,
    /// By the addresses of resources.
    resources: Mutex<HashMap<String, AbortOnDropHandle<()>>>,
}

impl Listening {
    /// Counts what a server says about its lists.
    pub(super) fn to_lists(&self, peer: Peer<RoleClient>, version: Version) {
        let listening = tokio::spawn(hear_lists(peer, version));
        *self.lists.lock() = Some(AbortOnDropHandle::new(listening));
    }

    /// Hears of a resource from now on, until the stream ends: then whoever follows it asks again.
    pub(super) async fn to_resource(
        &self,
        peer: &Peer<RoleClient>,
        uri: &str,
        heard: Heard,
    ) -> Result<(), UpstreamError> {
        if self
            .resources
            .lock()
            .get(uri)
            .is_some_and(|open| !open.is_finished())
        {
            return Ok(());
        }
        let filter = SubscriptionFilter::builder()
            .resource_subscription(uri)
            .build();
        let mut stream = peer.listen(filter).await.map_err(message::failed)?;
        let accepted = stream.acknowledged().resource_subscriptions.as_ref();
        if !accepted.is_some_and(|uris| uris.iter().any(|accepted| accepted == uri)) {
            return Err(UpstreamError::Unusable(
                "it says nothing of this resource".to_owned(),
            ));
        }
        let name = uri.to_owned();
        let listening = tokio::spawn(async move {
            while let Ok(Some(_)) = stream.next().await {
                heard(Some(&name));
            }
            // What it would have said from here on is not known.
            heard(Some(&name));
        });
        let listening = AbortOnDropHandle::new(listening);
        self.resources.lock().insert(uri.to_owned(), listening);
        Ok(())
    }

    /// Hears no more of a resource.
    pub(super) fn end(&self, uri: &str) {
        self.resources.lock().remove(uri);
    }
}

async fn hear_lists(peer: Peer<RoleClient>, version: Version) {
    let (mut wait, longest) = AGAIN;
    loop {
        let filter = SubscriptionFilter::builder()
            .tools_list_changed()
            .prompts_list_changed()
            .resources_list_changed()
            .build();
        let begun = Instant::now();
        match peer.listen(filter).await {
            Ok(mut stream) => {
                // It says nothing else than what it was asked for.
                while let Ok(Some(_)) = stream.next().await {
                    version.grow();
                }
                // What it would have said from here on is not known.
                version.grow();
                if begun.elapsed() > wait {
                    wait = AGAIN.0;
                } else {
                    wait = (wait * 2).min(longest);
                }
            }
            // It does not know how, which stays as it is.
            Err(ServiceError::McpError(_) | ServiceError::UnexpectedResponse) => return,
            Err(_) if peer.is_transport_closed() => return,
            Err(_) => wait = (wait * 2).min(longest),
        }
        sleep(wait).await;
    }
}
