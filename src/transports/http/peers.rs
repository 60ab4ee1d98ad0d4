//! Under which address a request is counted: its peer's, or the one a proxy of ours speaks for.

use std::net::IpAddr;
use std::sync::Arc;

use http::HeaderMap;
use ipnet::IpNet;

/// Where proxies write whom they speak for.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address a connection came from; the listener puts it into every request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The address a request is counted under, a whole /64 where it is IPv6.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// The proxies in front of this server: they are believed when they say whom they speak for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies(Arc<[IpNet]>);

impl From<Vec<IpNet>> for Proxies {
    fn from(proxies: Vec<IpNet>) -> Self {
        Self(proxies.into())
    }
}

impl Proxies {
    /// Whether an address is that of a proxy of ours.
    fn hold(&self, address: IpAddr) -> bool {
        self.0.iter().any(|proxy| proxy.contains(&address))
    }

    /// Whom a connection belongs to before anything was sent on it; nobody yet where it comes from
    /// a proxy.
    pub(crate) fn holder(&self, peer: Peer) -> Option<Client> {
        let address = peer.0.to_canonical();
        (!self.hold(address)).then(|| Client(network(address)))
    }

    /// Whom a request is counted under: its peer, unless that is a proxy of ours; then the last
    /// address in the list that is none of ours, because everything before it is what strangers
    /// wrote.
    pub(crate) fn client(&self, peer: Peer, headers: &HeaderMap) -> Client {
        self.holder(peer).unwrap_or_else(|| {
            let lines = headers.get_all(FORWARDED_FOR).iter().rev();
            let lines = lines.map(|line| line.to_str().unwrap_or_default());
            let mut furthest = peer.0.to_canonical();
            for hop in lines.flat_map(|line| line.rsplit(',')) {
                let Ok(address) = hop.trim().parse::<IpAddr>() else {
                    break;
                };
                furthest = address.to_canonical();
                if !self.hold(furthest) {
                    break;
                }
            }
            Client(network(furthest))
        })
    }
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
        let peer = Peer(peer.parse().unwrap());
        Proxies::from(proxies).client(peer, &headers).0.to_string()
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
