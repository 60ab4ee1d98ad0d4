//! A client that only starts processes: joins the server that runs, or starts one for it.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::app::{App, KeyRefused, Running, StartError};
use crate::config::Config;
use crate::domain::limits::StdioLimits;
use crate::transports::{Backend, Probed, Relay, serve_lines};

/// Why there is no server for the client.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The key opens nothing.
    #[error(transparent)]
    Key(#[from] KeyRefused),
    /// No server was there, and none could be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Another program has the address.
    #[error("another program answers on {address}; choose another address with --listen")]
    Stranger {
        /// The address.
        address: SocketAddr,
    },
}

/// A server for one client.
pub struct Attached {
    server: Server,
    key: Option<String>,
    limits: StdioLimits,
}

enum Server {
    Joined(Relay),
    Started(Box<Running>),
}

impl Attached {
    /// Joins the server on the configured address, or starts one there.
    ///
    /// # Errors
    /// The configuration or the key is wrong, or the address is another program's.
    pub async fn open(config: Config, key: Option<String>) -> Result<Self, AttachError> {
        let limits = config.limits.stdio.clone();
        let address = config.check().map_err(StartError::from)?.listen;
        let relay = Relay::new(address, key.as_deref()).ok_or(KeyRefused)?;
        // Port 0 is nobody's: a server of this client's own is wanted.
        let probed = match address.port() {
            0 => Probed::Nobody,
            _ => relay.probe().await,
        };
        let server = match probed {
            Probed::Server => Server::Joined(relay),
            Probed::Refused => return Err(KeyRefused.into()),
            Probed::Stranger => return Err(AttachError::Stranger { address }),
            Probed::Nobody => match App::new(config).start().await {
                Ok(running) => Server::Started(Box::new(running)),
                // Another client started one at the same moment.
                Err(StartError::Listen { .. }) if matches!(relay.probe().await, Probed::Server) => {
                    Server::Joined(relay)
                }
                Err(error) => return Err(error.into()),
            },
        };
        Ok(Self {
            server,
            key,
            limits,
        })
    }

    /// Where the person looks, and whether this process serves it.
    pub fn stage(&self) -> (String, bool) {
        match &self.server {
            Server::Joined(relay) => (relay.stage_url(), false),
            Server::Started(running) => (running.stage_url(), true),
        }
    }

    /// Serves the client until its input ends or `stop` does; then ends what was started for it.
    ///
    /// # Errors
    /// The key opens nothing.
    pub async fn serve<R, W>(
        self,
        reader: R,
        writer: W,
        stop: impl Future<Output = ()>,
    ) -> Result<(), KeyRefused>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        match self.server {
            Server::Joined(relay) => {
                let drain = CancellationToken::new();
                let backend = Backend::Remote(Arc::new(relay));
                let served = serve_lines(backend, self.limits, drain, reader, writer);
                tokio::select! {
                    () = served => {}
                    () = stop => {}
                }
            }
            Server::Started(running) => {
                let served = running.attach(self.key.as_deref(), reader, writer).await?;
                let mut served = std::pin::pin!(served);
                let has_ended = tokio::select! {
                    () = served.as_mut() => true,
                    () = stop => false,
                };
                let in_time = if has_ended {
                    running.stop().await
                } else {
                    tokio::join!(served, running.stop()).1
                };
                if !in_time {
                    tracing::warn!("some connections did not end in time and were cut");
                }
            }
        }
        Ok(())
    }
}
