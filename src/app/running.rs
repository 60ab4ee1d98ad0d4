//! A running server: its addresses, its clients over standard input and output, and its shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::reload::Reloads;
use crate::config::{Config, ConfigError};
use crate::domain::operation::Caller;
use crate::domain::principal::Door;
use crate::transports::{Backend, Doors, serve_lines};

/// The key is not valid here.
#[derive(Debug, thiserror::Error)]
#[error("the server does not take this key; give one of its keys with --key")]
pub struct KeyRefused;

/// A running server.
pub struct Running {
    pub(super) address: SocketAddr,
    pub(super) doors: Arc<Doors>,
    pub(super) drain_s: u64,
    pub(super) reloads: Reloads,
    pub(super) notes: Vec<String>,
    #[cfg(feature = "conformance")]
    pub(super) control: Option<SocketAddr>,
}

impl Running {
    /// The control address on which a conformance suite creates its sessions.
    #[cfg(feature = "conformance")]
    pub fn control_url(&self) -> Option<String> {
        self.control.map(|address| format!("http://{address}"))
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the stage.
    pub fn stage_url(&self) -> String {
        format!("{}/", self.doors.site.base())
    }

    /// The address of the MCP endpoint.
    pub fn mcp_url(&self) -> String {
        self.doors.site.mcp_url()
    }

    /// Messages for the person who starts the server, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether callers on this machine need no key.
    pub fn is_dev(&self) -> bool {
        self.doors.auth.is_dev()
    }

    /// Makes the empty stage offer the demo, and waits until a person there accepts it.
    #[cfg(feature = "demo")]
    pub async fn demo_taken(&self) {
        self.doors.offer.open();
        self.doors.offer.taken().await;
    }

    /// Serves one MCP client over a line-based transport until it disconnects or the server stops.
    ///
    /// # Errors
    /// The key is not valid here; without a key, only the dev identity is accepted.
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
        let principal = self.doors.auth.identify(key, false).await;
        let caller = Caller {
            host: None,
            principal: principal.map_err(|_| KeyRefused)?,
            door: Door::Mcp,
        };
        let lease = caller.principal.lease;
        let doors = Arc::clone(&self.doors);
        let backend = Backend::Local(Arc::clone(&doors), caller);
        let (limits, drain) = (self.doors.limits.stdio.clone(), self.doors.drain.clone());
        Ok(async move {
            tokio::select! {
                () = serve_lines(backend, limits, drain, reader, writer) => {}
                () = doors.auth.expired_or_revoked(lease) => tracing::warn!("the key no longer opens the server"),
            }
        })
    }

    /// Applies the parts of a new configuration that need no restart: the keys and the issuer whose
    /// tokens are accepted. Connections whose credential is no longer valid are closed at once. If
    /// anything is wrong with the configuration, everything stays as it was. The log reports the
    /// outcome and which changes need a restart.
    pub async fn reload(&self, config: Result<Config, ConfigError>) {
        self.reloads.take_over(&self.doors, config).await;
    }

    /// Stops accepting, answers pending calls, closes sockets and waits for all of it; returns
    /// false if the time for that ran out.
    pub async fn stop(self) -> bool {
        self.doors.drain.cancel();
        self.doors.tasks.close();
        let deadline = Duration::from_secs(self.drain_s);
        tokio::time::timeout(deadline, self.doors.tasks.wait())
            .await
            .is_ok()
    }
}
