//! The server that owns a data folder, for verbs that want its data.

use std::path::Path;
use std::time::Duration;

use tokio::time::sleep;

use super::failure::Failure;
use crate::adapters::sqlite::Owner;
use crate::app::KeyRefused;
use crate::transports::{Probed, Relay};

/// How often the owner of the data is looked for, and how long between two looks: a server says where
/// it listens within a second of its start.
const OWNER_LOOKS: usize = 20;
const OWNER_LOOK_EVERY: Duration = Duration::from_millis(100);

/// The way to the server that owns a folder, which may be about to say where it listens.
pub(super) async fn server_of(folder: &Path, key: Option<&str>) -> Result<Option<Relay>, Failure> {
    for _ in 0..OWNER_LOOKS {
        if let Some(address) = Owner::of(folder).address {
            let relay = Relay::new(address, key).ok_or(KeyRefused)?;
            match relay.probe().await {
                Probed::Server => return Ok(Some(relay)),
                Probed::Refused => return Err(KeyRefused.into()),
                Probed::Nobody | Probed::Stranger => {}
            }
        }
        sleep(OWNER_LOOK_EVERY).await;
    }
    Ok(None)
}
