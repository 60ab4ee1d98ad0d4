//! Makes a connection to an MCP server, in either era of the protocol.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, Peer, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport as _, StreamableHttpClientTransport};
use tokio_util::sync::DropGuard;

use super::calls::Calls;
use super::listener::{Heard, Listener};
use super::message;
use super::ordered::OrderedTransport;
use super::program::Program;
use super::version::Version;
use crate::domain::gate::{Abilities, Connection, Place, UpstreamError};

/// How long a machine may take to accept a connection: one that answers at all does so within a
/// few round trips.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// A connection that was made.
pub(super) struct Link {
    running: RunningService<RoleClient, Listener>,
    /// The program at the other end, where it is one.
    _life: Option<DropGuard>,
}

impl Link {
    /// The calls on it.
    pub(super) fn calls(&self) -> &Calls {
        &self.running.service().calls
    }

    /// Where requests are sent.
    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        self.running.peer()
    }

    /// The name that the server gave itself.
    pub(super) fn server(&self) -> Option<Arc<str>> {
        let about = self.peer().peer_info()?;
        Some(about.server_info.as_ref()?.name.as_str().into())
    }

    /// Whether nothing can be sent any more.
    pub(super) fn is_closed(&self) -> bool {
        self.running.is_closed() || self.running.peer().is_transport_closed()
    }
}

/// For whom a connection is made.
#[derive(Clone)]
pub(super) struct Opening {
    /// What can be asked on it.
    pub(super) abilities: Abilities,
    /// Hears which resource has changed; none: it is nobody's in particular.
    pub(super) heard: Option<Heard>,
}

/// Connects in the era that most servers know, and in the newer one where a server refuses that.
pub(super) async fn connect(
    to: &Connection,
    requests_max: usize,
    version: &Version,
    opening: Opening,
) -> Result<Link, UpstreamError> {
    let older = ClientLifecycleMode::Initialize;
    match connect_as(to, requests_max, version, opening.clone(), older).await {
        Err(UpstreamError::Answered { .. } | UpstreamError::Unusable(_)) => {
            let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
            let newer = ClientLifecycleMode::Discover { preferred_versions };
            connect_as(to, requests_max, version, opening, newer).await
        }
        connected => connected,
    }
}

async fn connect_as(
    to: &Connection,
    requests_max: usize,
    version: &Version,
    opening: Opening,
    mode: ClientLifecycleMode,
) -> Result<Link, UpstreamError> {
    let unreachable = |error: std::io::Error| UpstreamError::Unreachable(error.to_string());
    let calls = Calls::default();
    let listener = Listener {
        version: version.clone(),
        abilities: opening.abilities,
        heard: opening.heard,
        calls: calls.clone(),
    };
    let (running, life) = match &to.place {
        Place::Program { command, env } => {
            let program = Program::start(&to.id, command, env).map_err(unreachable)?;
            let pipes = (program.output, program.input).into_transport();
            let transport = OrderedTransport::new(pipes, calls);
            let running = listener.serve_with_lifecycle(transport, mode).await;
            (running, Some(program.life))
        }
        Place::Address { url, headers } => {
            let transport = OrderedTransport::new(transport(url, headers, requests_max)?, calls);
            (listener.serve_with_lifecycle(transport, mode).await, None)
        }
    };
    let running = running.map_err(message::not_connected)?;
    let _life = life;
    Ok(Link { running, _life })
}

fn transport(
    url: &str,
    headers: &BTreeMap<String, String>,
    requests_max: usize,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, UpstreamError> {
    let client = reqwest::Client::builder()
        .connect_timeout(CONNECT_MAX)
        // Credentials are for the configured address only.
        .redirect(reqwest::redirect::Policy::none())
        // A connection that was not read to its end delays the next answer on it.
        .pool_max_idle_per_host(0)
        .build()
        .map_err(|error| UpstreamError::Unreachable(error.to_string()))?;
    let headers: HashMap<_, _> = headers
        .iter()
        .filter_map(|(name, value)| {
            let mut value = value.parse::<HeaderValue>().ok()?;
            value.set_sensitive(true);
            Some((name.parse::<HeaderName>().ok()?, value))
        })
        .collect();
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .max_concurrent_requests(requests_max)
        .custom_headers(headers);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}
