//! Makes a connection to an MCP server, in either era of the protocol.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, Peer, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport as _, StreamableHttpClientTransport};
use tokio::sync::Mutex;
use tokio_util::sync::DropGuard;

use super::calls::Calls;
use super::listener::{Heard, Listener};
use super::listening::Listening;
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
    /// Of which version of the lists it knows the arguments that belong into headers, too.
    param_headers: Mutex<Option<u64>>,
    /// Ends before the connection does.
    listening: Listening,
    running: RunningService<RoleClient, Listener>,
    /// The program at the other end, where it is one.
    _life: Option<DropGuard>,
}

impl Link {
    /// The calls on it.
    pub(super) fn calls(&self) -> &Calls {
        &self.running.service().calls
    }

    /// Of which version of the lists it knows the arguments that belong into headers, too.
    pub(super) const fn param_headers(&self) -> &Mutex<Option<u64>> {
        &self.param_headers
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

    /// Whether it is one of the newer era.
    pub(super) fn is_newer(&self) -> bool {
        let about = self.peer().peer_info();
        about.is_some_and(|about| !about.protocol_version.has_initialize())
    }

    /// Counts what the server says about its lists, which it does unasked in the older era.
    pub(super) fn listen_to_lists(&self, version: &Version) {
        if self.is_newer() {
            self.listening
                .to_lists(self.peer().clone(), version.clone());
        }
    }

    /// Hears of a resource from now on.
    pub(super) async fn listen_to_resource(
        &self,
        uri: &str,
        heard: Heard,
    ) -> Result<(), UpstreamError> {
        self.listening.to_resource(self.peer(), uri, heard).await
    }

    /// Hears no more of a resource.
    pub(super) fn stop_listening_to(&self, uri: &str) {
        self.listening.end(uri);
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

impl Opening {
    /// Whether it is for a client of the older era, which does not say what it can be asked.
    fn is_for_older(&self) -> bool {
        self.heard.is_some() && self.abilities == Abilities::UNKNOWN
    }
}

/// Connects in the era of whoever it is for, where the server knows it: what it asks, and how, is then
/// the same as without a gate between. What is nobody's is asked in the newer era. That a server does not
/// know this one is noted, so that it is not asked for it again.
pub(super) async fn connect(
    to: &Connection,
    requests_max: usize,
    version: &Version,
    opening: Opening,
    is_older: &AtomicBool,
) -> Result<Link, UpstreamError> {
    let older = ClientLifecycleMode::Initialize;
    let newer = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    if opening.is_for_older() {
        return connect_as_either(to, requests_max, version, opening, [older, newer]).await;
    }
    // A server that does not answer what it does not know is given up before the answer is there: the
    // next time it is asked what it may know.
    let was_older = is_older.swap(true, Ordering::AcqRel);
    let modes = if was_older {
        [older, newer]
    } else {
        [newer, older]
    };
    let link = connect_as_either(to, requests_max, version, opening, modes).await;
    let now_older = link.as_ref().map_or(was_older, |link| !link.is_newer());
    is_older.store(now_older, Ordering::Release);
    link
}

async fn connect_as_either(
    to: &Connection,
    requests_max: usize,
    version: &Version,
    opening: Opening,
    [first, second]: [ClientLifecycleMode; 2],
) -> Result<Link, UpstreamError> {
    match connect_as(to, requests_max, version, opening.clone(), first).await {
        Err(error) if may_be_of_era(&error) => {
            connect_as(to, requests_max, version, opening, second).await
        }
        connected => connected,
    }
}

/// Whether a server may refuse the era alone: one that does not know it may answer anything, or end.
const fn may_be_of_era(error: &UpstreamError) -> bool {
    matches!(
        error,
        UpstreamError::Answered { .. } | UpstreamError::Unreachable(_) | UpstreamError::Unusable(_)
    )
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
    Ok(Link {
        param_headers: Mutex::default(),
        listening: Listening::default(),
        running,
        _life: life,
    })
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
