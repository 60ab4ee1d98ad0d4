//! The address on which a conformance suite creates its sessions.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::error::StartError;
use crate::config::ConfigError;
use crate::transports::{Reception, serve};

/// Serves the control address on which a conformance suite creates its sessions.
pub(super) async fn serve_control(
    given: &str,
    reception: Reception,
) -> Result<Option<SocketAddr>, StartError> {
    if given.is_empty() {
        return Ok(None);
    }
    let address = given.parse().ok();
    let address = address.filter(|address: &SocketAddr| address.ip().is_loopback());
    let address = address.ok_or_else(|| {
        let problem = format!("server.control: \"{given}\" is no loopback address and port");
        ConfigError::Invalid(vec![problem])
    })?;
    let cannot = |error: std::io::Error| StartError::Listen {
        address,
        reason: error.to_string(),
    };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let tasks = reception.tasks.clone();
    tasks.spawn(serve(vec![listener], reception));
    Ok(Some(address))
}
