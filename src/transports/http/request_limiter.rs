//! The flood guard at the door: so many requests a second for each key, or for each peer that has
//! none, before anything of a request is read.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use governor::middleware::StateInformationMiddleware;
use http::{HeaderMap, HeaderName};
use tower_governor::GovernorLayer;
use tower_governor::errors::GovernorError;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;

use super::peers::Client;
use crate::domain::digest::sha256;
use crate::domain::limits::RateLimits;
use crate::domain::principal::Principal;
use crate::transports::faults::Fault;
use crate::wire::fault::Code;

/// Nanoseconds of a second.
const NANOS: u64 = 1_000_000_000;
/// The library's names of the headers that tell what is left, and ours.
const RENAMED_HEADERS: [(HeaderName, HeaderName); 2] = [
    (
        HeaderName::from_static("x-ratelimit-limit"),
        HeaderName::from_static("ratelimit-limit"),
    ),
    (
        HeaderName::from_static("x-ratelimit-remaining"),
        HeaderName::from_static("ratelimit-remaining"),
    ),
];
/// When all of it is there again, in seconds.
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The layer that counts.
pub(crate) type Counting = GovernorLayer<Counted, StateInformationMiddleware, Body>;

/// Counts requests at the door, for as long as the server runs.
#[derive(Clone)]
pub(crate) struct RequestLimiter {
    config: Arc<GovernorConfig<Counted, StateInformationMiddleware>>,
    per_second: u32,
}

impl RequestLimiter {
    /// A guard with these limits.
    pub(crate) fn new(limits: &RateLimits) -> Option<Self> {
        let per_second = limits.door_per_second.max(1);
        let config = GovernorConfigBuilder::default()
            .key_extractor(Counted)
            .period(Duration::from_nanos((NANOS / u64::from(per_second)).max(1)))
            .burst_size(limits.door_burst.max(1))
            .use_headers()
            .finish()?;
        Some(Self {
            config: Arc::new(config),
            per_second,
        })
    }

    /// The layer that counts the requests of some routes.
    pub(crate) fn layer(&self) -> Counting {
        let per_second = self.per_second;
        GovernorLayer::new(Arc::clone(&self.config)).error_handler(move |error| {
            let fault = match error {
                // The library tells whole seconds, cut off: at least one more has to pass.
                GovernorError::TooManyRequests { wait_time, .. } => Fault::too_fast(
                    Code::DoorRateLimited,
                    Duration::from_secs(wait_time.saturating_add(1)),
                ),
                GovernorError::UnableToExtractKey | GovernorError::Other { .. } => {
                    Fault::of(Code::Internal)
                }
            };
            let mut response = fault.refuse();
            if let GovernorError::TooManyRequests {
                headers: Some(headers),
                ..
            } = error
            {
                response.headers_mut().extend(headers);
                response.headers_mut().remove(http::header::RETRY_AFTER);
                add_headers(response.headers_mut(), per_second);
            }
            response
        })
    }

    /// Says on an answer what is left, in the words of the standard to be.
    pub(crate) fn add_headers(&self, headers: &mut HeaderMap) {
        add_headers(headers, self.per_second);
    }

    /// Forgets callers whose allowance is whole again.
    pub(crate) fn sweep(&self) {
        self.config.limiter().retain_recent();
        self.config.limiter().shrink_to_fit();
    }
}

fn add_headers(headers: &mut HeaderMap, per_second: u32) {
    headers.remove("x-ratelimit-after");
    let mut numbers = [0_u64; 2];
    for ((theirs, ours), number) in RENAMED_HEADERS.iter().zip(&mut numbers) {
        let Some(value) = headers.remove(theirs) else {
            return;
        };
        *number = value
            .to_str()
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        headers.insert(ours, value);
    }
    let [limit, remaining] = numbers;
    let reset = limit
        .saturating_sub(remaining)
        .div_ceil(u64::from(per_second));
    headers.insert(RESET, reset.max(1).into());
}

/// Whose requests are counted together.
#[derive(Clone)]
pub(crate) struct Counted;

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// A key that is known, by the hash of its app and name. One that is not known is its peer:
    /// made-up keys would each have an allowance of their own.
    Key([u8; 32]),
    /// An address, as [`Client`] has it.
    Peer(IpAddr),
}

impl Who {
    /// The holder of a key.
    pub(crate) fn holder(caller: &Principal) -> Self {
        let name = format!("{}\n{}", caller.app, caller.name);
        Self::Key(sha256(name.as_bytes()))
    }
}

impl KeyExtractor for Counted {
    type Key = Who;

    fn extract<T>(&self, request: &http::Request<T>) -> Result<Who, GovernorError> {
        if let Some(who) = request.extensions().get::<Who>() {
            return Ok(who.clone());
        }
        let client = request.extensions().get::<Client>();
        let Client(address) = *client.ok_or(GovernorError::UnableToExtractKey)?;
        Ok(Who::Peer(address))
    }
}
