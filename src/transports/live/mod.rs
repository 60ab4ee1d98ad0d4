//! The live channel: one task per socket, bounded on every side, and its fallbacks over plain HTTP
//! (live-channel.md §1).

mod answer;
pub(super) mod fallbacks;
mod feeds;
mod inbound;
mod lag_timer;
mod line;
mod rejections;
mod socket;
mod state;
mod subscribe;
mod upgrade;

#[cfg(feature = "probe")]
pub(super) use inbound::{read_frame, read_payload};
pub(super) use rejections::Rejections;
pub(crate) use state::Channel;
pub(super) use upgrade::upgrade;
