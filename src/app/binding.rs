//! Where the server listens; on this machine under both of its addresses, if it can.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;

use crate::transports::Site;

/// How often a port that the system chose is given up because it is somebody else's under the other
/// address.
const ATTEMPTS: usize = 16;

/// What the server listens on.
pub(super) struct Bound {
    /// The address that was asked for.
    pub(super) address: SocketAddr,
    /// It, and on this machine the other one.
    pub(super) listeners: Vec<TcpListener>,
    /// Where there should be another one and is none: why.
    pub(super) alone: Option<String>,
}

impl Bound {
    /// Whether it is all that `localhost` can mean.
    pub(super) fn has_both(&self) -> bool {
        self.listeners.len() > 1
    }

    /// What is to be said where it is not.
    pub(super) fn note(&self, site: &Site) -> Option<String> {
        let why = self.alone.as_ref()?;
        Some(format!(
            "{why}: whoever is there could be taken for this server under the name localhost, so \
             UIs are framed from {} itself, sandboxed as always",
            site.base()
        ))
    }
}

/// Binds an address, and the other address of `localhost`: a browser may try either of them, so
/// whoever held that one would be taken for this server.
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

/// The other address of `localhost`.
fn other(address: IpAddr) -> Option<IpAddr> {
    match address {
        IpAddr::V4(Ipv4Addr::LOCALHOST) => Some(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Some(Ipv4Addr::LOCALHOST.into()),
        _ => None,
    }
}
