//! The flood guard at the door: so many requests a second for each key, or for each peer that has
//! none, before anything of a request is read.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use governor::middleware::StateInformationMiddleware;
use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use tower_governor::GovernorLayer;
use tower_governor::errors::GovernorError;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;

use super::fault::Fault;
use crate::domain::digest::sha256;
use crate::domain::limits::RateLimits;
use crate::domain::principal::Principal;
use crate::wire::fault::Code;

/// Where proxies write whom they speak for.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// Nanoseconds of a second.
const NANOS: u64 = 1_000_000_000;
/// The library's names of the headers that tell what is left, and ours.
const TOLD: [(HeaderName, HeaderName); 2] = [
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

/// The address a connection came from; the listener puts it into every request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// The layer that counts.
pub(super) type Counting = GovernorLayer<Counted, StateInformationMiddleware, Body>;

/// Counts requests at the door, for as long as the server runs.
#[derive(Clone)]
pub(crate) struct Doorman {
    config: Arc<GovernorConfig<Counted, StateInformationMiddleware>>,
    per_second: u32,
}

impl Doorman {
    /// A guard with these limits; `proxies` are believed when they say whom they speak for.
    pub(crate) fn new(limits: &RateLimits, proxies: Vec<IpNet>) -> Option<Self> {
        let per_second = limits.door_per_second.max(1);
        let counted = Counted {
            proxies: proxies.into(),
        };
        let config = GovernorConfigBuilder::default()
            .key_extractor(counted)
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
    pub(super) fn layer(&self) -> Counting {
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
                tell(response.headers_mut(), per_second);
            }
            response
        })
    }

    /// Says on an answer what is left, in the words of the standard to be.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        tell(headers, self.per_second);
    }

    /// Forgets callers whose allowance is whole again.
    pub(crate) fn sweep(&self) {
        self.config.limiter().retain_recent();
        self.config.limiter().shrink_to_fit();
    }
}

fn tell(headers: &mut HeaderMap, per_second: u32) {
    headers.remove("x-ratelimit-after");
    let mut numbers = [0_u64; 2];
    for ((theirs, ours), number) in TOLD.iter().zip(&mut numbers) {
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
pub(super) struct Counted {
    proxies: Arc<[IpNet]>,
}

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Who {
    /// A key that is known, by the hash of its app and name. One that is not known is its peer:
    /// made-up keys would each have an allowance of their own.
    Key([u8; 32]),
    /// An address, a whole /64 where it is IPv6.
    Peer(IpAddr),
}

impl Who {
    /// The holder of a key.
    pub(super) fn holder(caller: &Principal) -> Self {
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
        let peer = request.extensions().get::<Peer>();
        let Peer(peer) = *peer.ok_or(GovernorError::UnableToExtractKey)?;
        let client = client(peer, request.headers(), &self.proxies);
        Ok(Who::Peer(network(client)))
    }
}

/// Whom a peer speaks for: itself, unless it is a proxy of ours; then the last address in the list
/// that is none of ours, because everything before it is what strangers wrote.
fn client(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let is_ours = |address: &IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    let peer = peer.to_canonical();
    if !is_ours(&peer) {
        return peer;
    }
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    let mut furthest = peer;
    for hop in lines.flat_map(|line| line.rsplit(',')) {
        let Ok(address) = hop.trim().parse::<IpAddr>() else {
            break;
        };
        furthest = address.to_canonical();
        if !is_ours(&furthest) {
            break;
        }
    }
    furthest
}

/// What is counted as one address: a household has a whole /64 to choose from.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken_for(peer: &str, forwarded: &str, proxies: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED_FOR, forwarded.parse().unwrap());
        let proxies: Vec<IpNet> = proxies.iter().map(|net| net.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &proxies).to_string()
    }

    #[test]
    fn only_a_proxy_of_ours_may_say_whom_it_speaks_for() {
        let ours = ["10.0.0.0/8"];
        assert_eq!(spoken_for("192.0.2.7", "198.51.100.1", &ours), "192.0.2.7");
        assert_eq!(
            spoken_for("10.0.0.1", "198.51.100.1", &ours),
            "198.51.100.1"
        );
        assert_eq!(
            spoken_for("::ffff:10.0.0.1", "198.51.100.1", &ours),
            "198.51.100.1"
        );
    }

    #[test]
    fn what_strangers_wrote_before_our_proxies_is_not_believed() {
        let ours = ["10.0.0.0/8"];
        let list = "203.0.113.9, 198.51.100.1, 10.0.0.2";
        assert_eq!(spoken_for("10.0.0.1", list, &ours), "198.51.100.1");
        assert_eq!(spoken_for("10.0.0.1", "nonsense", &ours), "10.0.0.1");
        assert_eq!(
            spoken_for("10.0.0.1", "1.2.3.4, nonsense, 10.0.0.2", &ours),
            "10.0.0.2"
        );
    }

    #[test]
    fn an_ipv6_household_is_counted_as_one() {
        let both = ["2001:db8:1:2::7", "2001:db8:1:2:ffff::1"];
        let networks = both.map(|address| network(address.parse().unwrap()));
        assert_eq!(networks[0], networks[1]);
    }
}
