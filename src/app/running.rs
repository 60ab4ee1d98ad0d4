//! A server that serves: where it is reached, clients that speak in lines, and its end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::reload::Reloads;
use crate::config::{Config, ConfigError};
use crate::domain::operation::Caller;
use crate::domain::principal::Door;
use crate::transports::{Backend, Doors, serve_lines};

/// The key opens nothing here.
#[derive(Debug, thiserror::Error)]
#[error("the server does not take this key; give one of its keys with --key")]
pub struct KeyRefused;

/// A server that serves.
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
        format!("{}/", self.doors.site.base())
    }

    /// The MCP endpoint.
    pub fn mcp_url(&self) -> String {
        self.doors.site.mcp_url()
    }

    /// What whoever starts the server should know, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether callers on this machine need no key.
    pub fn is_dev(&self) -> bool {
        self.doors.auth.is_dev()
    }

    /// Has the empty stage offer the demo, and waits until a person there takes it.
    #[cfg(feature = "demo")]
    pub async fn demo_taken(&self) {
        self.doors.offer.open();
        self.doors.offer.taken().await;
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

    /// Folds every session anew from its stored events, each time it is called: those that differ
    /// from what is in memory, a sentence each. Tests ask when they end.
    #[cfg(debug_assertions)]
    pub fn fold_check(&self) -> impl Fn() -> Vec<String> + Send + Sync + 'static {
        let book = Arc::clone(&self.doors.book);
        move || book.fold_mismatches()
    }

    /// Takes over what of a configuration that was read anew needs no restart: which keys and which
    /// issuer's tokens open the server. What no longer opens it is closed at once, with all it holds
    /// open. Where anything is wrong with it, everything stays as it was. The log says what came of
    /// it, and what else has changed and waits for a restart.
    pub async fn reload(&self, config: Result<Config, ConfigError>) {
        self.reloads.take_over(&self.doors, config).await;
    }

    /// Stops accepting, answers what is held, closes sockets, and waits for all of it; false if
    /// the time for that was over first.
    pub async fn stop(self) -> bool {
        self.doors.drain.cancel();
        self.doors.tasks.close();
        let deadline = Duration::from_secs(self.drain_s);
        tokio::time::timeout(deadline, self.doors.tasks.wait())
            .await
            .is_ok()
    }
}
