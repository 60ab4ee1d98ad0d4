//! A running server: its addresses, its clients over standard input and output, and its shutdown.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[cfg(debug_assertions)]
use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::reload::Reloads;
use crate::config::{Config, ConfigError};
use crate::domain::limits::StdioLimits;
use crate::domain::operation::Caller;
use crate::domain::principal::Door;
use crate::services::auth::Auth;
use crate::services::book::Book;
use crate::transports::{Backend, Mcp, Stage, serve_lines};

/// The key is not valid here.
#[derive(Debug, thiserror::Error)]
#[error("the server does not take this key; give one of its keys with --key")]
pub struct KeyRefused;

/// A running server.
pub struct Running {
    pub(super) address: SocketAddr,
    pub(super) auth: Arc<Auth>,
    pub(super) mcp: Arc<Mcp>,
    pub(super) brain: Arc<Mcp>,
    pub(super) stage: Arc<Stage>,
    pub(super) tasks: TaskTracker,
    pub(super) drain: CancellationToken,
    pub(super) stdio: StdioLimits,
    pub(super) drain_s: u64,
    pub(super) reloads: Reloads,
    pub(super) notes: Vec<String>,
    pub(super) folder: Option<PathBuf>,
    pub(super) is_shared: bool,
    /// Whether there is a gate.
    #[cfg(feature = "gate")]
    pub(super) has_gate: bool,
    pub(super) book: Arc<Book>,
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
        format!("{}/", self.mcp.site.base())
    }

    /// The address of the MCP endpoint.
    pub fn mcp_url(&self) -> String {
        self.mcp.site.mcp_url()
    }

    /// The address of the gate, where there is one.
    #[cfg(feature = "gate")]
    pub fn gate_url(&self) -> Option<String> {
        self.has_gate.then(|| format!("{}/gate", self.mcp_url()))
    }

    /// Messages for the person who starts the server, a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether everything is kept in a store that other servers share.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The folder where everything is kept; `None` where there is none.
    pub fn data(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether callers on this machine need no key.
    pub fn is_dev(&self) -> bool {
        self.auth.is_dev()
    }

    /// Makes the empty stage offer the demo, and waits until a person there accepts it.
    #[cfg(feature = "demo")]
    pub async fn demo_taken(&self) {
        self.stage.offer.open();
        self.stage.offer.taken().await;
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
        self.attach_at(&self.mcp, key, reader, writer).await
    }

    /// The same for a client that is served the page store and nothing else.
    ///
    /// # Errors
    /// The key is not valid here; without a key, only the dev identity is accepted.
    pub async fn attach_to_pages<R, W>(
        &self,
        key: Option<&str>,
        reader: R,
        writer: W,
    ) -> Result<impl Future<Output = ()> + Send + 'static, KeyRefused>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        self.attach_at(&self.brain, key, reader, writer).await
    }

    async fn attach_at<R, W>(
        &self,
        endpoint: &Arc<Mcp>,
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
        let backend = Backend::Local(Arc::clone(endpoint), caller);
        let (limits, drain) = (self.stdio.clone(), self.drain.clone());
        Ok(async move {
            tokio::select! {
                () = serve_lines(backend, limits, drain, reader, writer) => {}
                () = auth.expired_or_revoked(lease) => tracing::warn!("the key no longer opens the server"),
            }
        })
    }

    /// Folds every session anew from its stored events, each time it is called: those that differ
    /// from what is in memory, a sentence each. Tests ask when they end.
    #[cfg(debug_assertions)]
    pub fn fold_check(
        &self,
    ) -> impl Fn() -> BoxFuture<'static, Vec<String>> + Send + Sync + 'static {
        let book = Arc::clone(&self.book);
        move || {
            let book = Arc::clone(&book);
            Box::pin(async move { book.fold_mismatches().await })
        }
    }

    /// Applies the parts of a new configuration that need no restart: the keys and the issuer whose
    /// tokens are accepted. Connections whose credential is no longer valid are closed at once. If
    /// anything is wrong with the configuration, everything stays as it was, and this is false. The
    /// log reports the outcome and which changes need a restart; its level is set by whoever has
    /// started the log.
    pub async fn reload(&self, config: Result<Config, ConfigError>) -> bool {
        let mcp_url = self.mcp_url();
        self.reloads.take_over(&self.auth, mcp_url, config).await
    }

    /// Stops accepting, answers pending calls, closes sockets and waits for all of it; returns
    /// false if the time for that ran out.
    pub async fn stop(self) -> bool {
        self.drain.cancel();
        self.tasks.close();
        let deadline = Duration::from_secs(self.drain_s);
        let ends = async {
            self.tasks.wait().await;
            self.book.finish_activity().await;
        };
        let has_ended = tokio::time::timeout(deadline, ends).await.is_ok();
        #[cfg(debug_assertions)]
        {
            let (mut wrong, listed) = (
                self.book.fold_mismatches().await,
                self.book.list_mismatches().await,
            );
            wrong.extend(listed);
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
        has_ended
    }
}
