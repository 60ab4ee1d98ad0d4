//! A client that only starts processes, and the server it gets: the one that runs, or one that is
//! started for it.

use std::io::Write as _;
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::failure::{EXIT_UNAVAILABLE, Failure};
use super::logging::log_to_stderr;
use super::owner::server_of;
use super::process::{in_runtime, interrupted};
use super::server::{call_person, stop};
use crate::adapters::sqlite::OpenError;
use crate::app::{App, KeyRefused, Running, StartError};
use crate::config::{Config, StageOpen};
use crate::domain::limits::StdioLimits;
use crate::transports::{Backend, Probed, Relay, serve_lines};

/// Where a server listens that is started for one client.
pub(super) const ANY_PORT: &str = "127.0.0.1:0";

/// Serves one client the page store, of the server that owns the data, or of one that is started
/// above them for as long.
pub(super) fn stdio_pages(mut config: Config, key: Option<String>) -> Result<(), Failure> {
    config.listen_on(Some(ANY_PORT.to_owned()));
    log_to_stderr(&config)?;
    in_runtime(async {
        let mut attached = Attached::open(config, key).await?;
        attached.is_pages = true;
        attached.serve_client().await
    })
}

/// A server for one client.
pub(super) struct Attached {
    server: Server,
    key: Option<String>,
    limits: StdioLimits,
    /// Whether what nobody watches is opened for a person.
    open: StageOpen,
    /// Whether the client is served the page store alone.
    is_pages: bool,
}

enum Server {
    Joined(Relay),
    Started(Box<Running>),
}

impl Attached {
    /// Joins the server on the configured address, or starts one there.
    pub(super) async fn open(config: Config, key: Option<String>) -> Result<Self, Failure> {
        let limits = config.limits.stdio.clone();
        let open = config.stage.open;
        let address = config.check()?.listen;
        let relay = Relay::new(address, key.as_deref()).ok_or(KeyRefused)?;
        // Port 0 is nobody's: a server of this client's own is wanted.
        let probed = match address.port() {
            0 => Probed::Nobody,
            _ => relay.probe().await,
        };
        let server = match probed {
            Probed::Server => Server::Joined(relay),
            Probed::Refused => return Err(KeyRefused.into()),
            Probed::Stranger => {
                let why = format!(
                    "another program answers on {address}; choose another address with --listen"
                );
                return Err(Failure(EXIT_UNAVAILABLE, why));
            }
            Probed::Nobody => match App::new(config).start().await {
                Ok(running) => Server::Started(Box::new(running)),
                // Another client started one at the same moment.
                Err(StartError::Listen { .. }) if matches!(relay.probe().await, Probed::Server) => {
                    Server::Joined(relay)
                }
                // One listens on another address with the same data.
                Err(StartError::Data(OpenError::Owned { folder, owner })) => {
                    match server_of(&folder, key.as_deref()).await? {
                        Some(relay) => Server::Joined(relay),
                        None => return Err(OpenError::Owned { folder, owner }.into()),
                    }
                }
                Err(error) => return Err(error.into()),
            },
        };
        Ok(Self {
            server,
            key,
            limits,
            open,
            is_pages: false,
        })
    }

    /// Where the person looks, and whether this process serves it.
    fn stage(&self) -> (String, bool) {
        match &self.server {
            Server::Joined(relay) => (relay.stage_url(), false),
            Server::Started(running) => (running.stage_url(), true),
        }
    }

    /// Serves the client on standard input and output, which belongs to it alone.
    pub(super) async fn serve_client(self) -> Result<(), Failure> {
        let (stage, is_own) = self.stage();
        let what = if is_own { "started" } else { "joined" };
        let _ = writeln!(
            std::io::stderr(),
            "proscenium: {what} a server; the stage is at {stage}"
        );
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        Ok(self.serve(input, output, interrupted()).await?)
    }

    /// Serves the client until its input ends or `end` does; then ends what was started for it.
    async fn serve<R, W>(
        self,
        reader: R,
        writer: W,
        end: impl Future<Output = ()>,
    ) -> Result<(), KeyRefused>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        match self.server {
            Server::Joined(relay) => {
                let drain = CancellationToken::new();
                let relay = match self.is_pages {
                    true => relay.into_pages(),
                    false => relay,
                };
                let backend = Backend::Remote(Arc::new(relay));
                let served = serve_lines(backend, self.limits, drain, reader, writer);
                tokio::select! {
                    () = served => {}
                    () = end => {}
                }
            }
            Server::Started(running) => {
                let key = self.key.as_deref();
                let mut served: Pin<Box<dyn Future<Output = ()> + Send>> = match self.is_pages {
                    true => Box::pin(running.attach_to_pages(key, reader, writer).await?),
                    false => Box::pin(running.attach(key, reader, writer).await?),
                };
                let has_ended = tokio::select! {
                    () = served.as_mut() => true,
                    () = end => false,
                    () = call_person(&running, self.open) => false,
                };
                if has_ended {
                    stop(*running).await;
                } else {
                    tokio::join!(served, stop(*running));
                }
            }
        }
        Ok(())
    }
}
