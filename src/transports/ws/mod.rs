//! The live channel: one task per socket, bounded on every side (live-channel.md §1).

mod answer;
mod feeds;
mod inbound;
mod line;
mod socket;
mod subscribe;
mod upgrade;

#[cfg(feature = "probe")]
pub(super) use inbound::{read_frame, read_payload};
pub(super) use upgrade::upgrade;
