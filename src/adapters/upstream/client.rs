//! One MCP server behind the gate: connected when it is needed, asked, and connected again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use parking_lot::RwLock;
use rmcp::RoleClient;
use rmcp::model::ClientRequest;
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use super::connect::{Link, connect};
use super::message;
use crate::domain::gate::{Connection, Teller, Upstream, UpstreamError, Upstreams};

/// Connects MCP servers.
pub(crate) struct McpUpstreams {
    /// Requests one server may have under way.
    pub(crate) requests_max: usize,
}

impl Upstreams for McpUpstreams {
    fn open(&self, connection: &Connection) -> Arc<dyn Upstream> {
        Arc::new(McpUpstream {
            connection: connection.clone(),
            requests_max: self.requests_max,
            link: Mutex::default(),
            version: Arc::default(),
            server: RwLock::default(),
        })
    }
}

struct McpUpstream {
    connection: Connection,
    requests_max: usize,
    /// Locked while the connection is made: whoever comes meanwhile waits for the same.
    link: Mutex<Option<Arc<Link>>>,
    version: Arc<AtomicU64>,
    server: RwLock<Option<Arc<str>>>,
}

/// A request that was sent; dropped before its answer has come, it is taken back.
struct Sent(Option<RequestHandle<RoleClient>>);

impl Drop for Sent {
    fn drop(&mut self) {
        // At the end of the process nobody is left to send it.
        if let (Some(sent), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(sent.cancel(Some("the caller no longer waits".to_owned())));
        }
    }
}

impl McpUpstream {
    /// The connection, made now where there is none.
    async fn link(&self) -> Result<Arc<Link>, UpstreamError> {
        let mut link = self.link.lock().await;
        match &*link {
            Some(link) if !link.is_closed() => Ok(Arc::clone(link)),
            _ => {
                *link = None;
                let made = connect(&self.connection, self.requests_max, &self.version).await;
                let made = Arc::new(made.inspect_err(|error| {
                    tracing::warn!(gate.source = self.connection.id, %error, "a source of the gate is not connected");
                })?);
                tracing::info!(
                    gate.source = self.connection.id,
                    "a source of the gate is connected"
                );
                *self.server.write() = made.server();
                *link = Some(Arc::clone(&made));
                Ok(made)
            }
        }
    }

    async fn ask(
        &self,
        request: ClientRequest,
        teller: Option<Teller>,
    ) -> Result<Value, UpstreamError> {
        let link = self.link().await?;
        let options = PeerRequestOptions::no_options();
        let teller = teller.map(Arc::new);
        let mut tellers = match teller {
            Some(_) => Some(link.tellers().lock().await),
            None => None,
        };
        let handle = link.peer().send_request_with_option(request, options).await;
        let mut sent = Sent(Some(handle.map_err(message::failed)?));
        if let (Some(tellers), Some(teller), Some(handle)) = (&mut tellers, &teller, &sent.0) {
            // Nobody waits for the others any more.
            tellers.retain(|_, teller| teller.strong_count() > 0);
            tellers.insert(handle.progress_token.clone(), Arc::downgrade(teller));
        }
        drop(tellers);
        let Some(handle) = &mut sent.0 else {
            return Err(UpstreamError::Timeout);
        };
        let answered = (&mut handle.rx).await;
        // Answered: there is nothing left to be taken back.
        drop(sent.0.take());
        let answered = answered.unwrap_or(Err(ServiceError::TransportClosed));
        message::result(&answered.map_err(message::failed)?)
    }
}

#[async_trait]
impl Upstream for McpUpstream {
    async fn request(
        &self,
        method: &'static str,
        params: Map<String, Value>,
        teller: Option<Teller>,
    ) -> Result<Value, UpstreamError> {
        let request = message::request(method, params)?;
        let deadline = Instant::now() + self.connection.timeout;
        let answered = timeout_at(deadline, self.ask(request, teller)).await;
        answered.unwrap_or(Err(UpstreamError::Timeout)).inspect_err(|error| {
            tracing::debug!(gate.source = self.connection.id, method, %error, "a source gave no result");
        })
    }

    fn server(&self) -> Option<Arc<str>> {
        self.server.read().clone()
    }

    fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }
}
