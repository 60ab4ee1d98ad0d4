//! A server that serves: where it is reached, clients that speak in lines, and its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::reload::Reloads;
use crate::config::{Config, ConfigError};
use crate::domain::limits::StdioLimits;
use crate::domain::operation::Caller;
use crate::domain::principal::Door;
use crate::services::auth::Auth;
use crate::transports::{Backend, Mcp, Stage, serve_lines};

/// The key opens nothing here.
#[derive(Debug, thiserror::Error)]
#[error("the server does not take this key; give one of its keys with --key")]
pub struct KeyRefused;

/// A server that serves.
pub struct Running {
    pub(super) address: SocketAddr,
    pub(super) auth: Arc<Auth>,
    pub(super) mcp: Arc<Mcp>,
    pub(super) stage: Arc<Stage>,
    pub(super) tasks: TaskTracker,
    pub(super) drain: CancellationToken,
    pub(super) stdio: StdioLimits,
    pub(super) drain_s: u64,
    pub(super) reloads: Reloads,
    pub(super) notes: Vec<String>,
    #[cfg(feature = "conformance")]
    pub(super) control: Option<SocketAddr>,
}

impl Running {
    /// Where a conformance suite asks for its sessions.
    #[cfg(feature = "conformance")]
    pub fn control_url(&self) -> Option<String> {
        self.control.map(|address| format!("http://{address}"))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The stage.
    pub fn stage_url(&self) -> String {
        format!("{}/", self.mcp.site.base())
    }

    /// The MCP endpoint.
    pub fn mcp_url(&self) -> String {
        self.mcp.site.mcp_url()
    }

    /// What whoever starts the server should know, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether callers on this machine need no key.
    pub fn is_dev(&self) -> bool {
        self.auth.is_dev()
    }

    /// Has the empty stage offer the demo, and waits until a person there takes it.
    #[cfg(feature = "demo")]
    pub async fn demo_taken(&self) {
        self.stage.offer.open();
        self.stage.offer.taken().await;
    }

    /// Serves one client that speaks MCP in lines, until it is gone or the server stops.
    ///
    /// # Errors
    /// The key opens nothing here; without one, only the dev identity comes in.
    pub async fn attach<R, W>(
        &self,
        key: Option<&str>,
        reader: R,
        writer: W,
    ) -> Result<impl Future<Output = ()> + Send + 'static, KeyRefused>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let principal = self.auth.identify(key, false).await;
        let caller = Caller::through(Door::Mcp, principal.map_err(|_| KeyRefused)?);
        let lease = caller.principal.lease;
        let auth = Arc::clone(&self.auth);
        let backend = Backend::Local(Arc::clone(&self.mcp), caller);
        let (limits, drain) = (self.stdio.clone(), self.drain.clone());
        Ok(async move {
            tokio::select! {
                () = serve_lines(backend, limits, drain, reader, writer) => {}
                () = auth.expired_or_revoked(lease) => tracing::warn!("the key no longer opens the server"),
            }
        })
    }

    /// Takes over what of a configuration that was read anew needs no restart: which keys and which
    /// issuer's tokens open the server. What no longer opens it is closed at once, with all it holds
    /// open. Where anything is wrong with it, everything stays as it was. The log says what came of
    /// it, and what else has changed and waits for a restart.
    pub async fn reload(&self, config: Result<Config, ConfigError>) {
        let mcp_url = self.mcp_url();
        self.reloads.take_over(&self.auth, mcp_url, config).await;
    }

    /// Stops accepting, answers what is held, closes sockets, and waits for all of it; false if
    /// the time for that was over first.
    pub async fn stop(self) -> bool {
        self.drain.cancel();
        self.tasks.close();
        let deadline = Duration::from_secs(self.drain_s);
        tokio::time::timeout(deadline, self.tasks.wait())
            .await
            .is_ok()
    }
}
