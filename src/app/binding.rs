//! Binds the listening address, and on loopback both addresses of `localhost` if possible.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::transports::Site;

/// How many ports chosen by the system are tried until one is free on both loopback addresses.
const ATTEMPTS: usize = 16;

/// The listeners of the server.
pub(super) struct Bound {
    /// The configured address, with the port that was actually bound.
    pub(super) address: SocketAddr,
    /// The listener of that address, and of the other loopback address if it could be bound.
    pub(super) listeners: Vec<TcpListener>,
    /// Why the other loopback address has no listener, if it should have one.
    pub(super) alone: Option<String>,
}

impl Bound {
    /// Whether both addresses that `localhost` resolves to are bound.
    pub(super) fn has_both(&self) -> bool {
        self.listeners.len() > 1
    }

    /// A warning for the banner if only one of them is bound.
    pub(super) fn note(&self, site: &Site) -> Option<String> {
        let why = self.alone.as_ref()?;
        Some(format!(
            "{why}: whoever is there could be taken for this server under the name localhost, so \
             UIs are framed from {} itself, sandboxed as always",
            site.base()
        ))
    }
}

/// Binds an address, and for a loopback address the other one, too: a browser may resolve
/// `localhost` to either, so another process there could be mistaken for this server.
pub(super) async fn bind(wanted: SocketAddr) -> io::Result<Bound> {
    let Some(other) = other(wanted.ip()) else {
        let listener = TcpListener::bind(wanted).await?;
        return Ok(Bound {
            address: listener.local_addr()?,
            listeners: vec![listener],
            alone: None,
        });
    };
    let mut attempt = 1;
    loop {
        let listener = TcpListener::bind(wanted).await?;
        let address = listener.local_addr()?;
        let beside = SocketAddr::new(other, address.port());
        match TcpListener::bind(beside).await {
            Ok(second) => {
                return Ok(Bound {
                    address,
                    listeners: vec![listener, second],
                    alone: None,
                });
            }
            Err(_) if wanted.port() == 0 && attempt < ATTEMPTS => attempt += 1,
            Err(error) => {
                return Ok(Bound {
                    address,
                    listeners: vec![listener],
                    alone: Some(format!("{beside} cannot be listened on ({error})")),
                });
            }
        }
    }
}

/// The other loopback address; `None` if the address is not loopback.
fn other(address: IpAddr) -> Option<IpAddr> {
    match address {
        IpAddr::V4(Ipv4Addr::LOCALHOST) => Some(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Some(Ipv4Addr::LOCALHOST.into()),
        _ => None,
    }
}
