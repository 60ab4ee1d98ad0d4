//! The live channel: one task per socket, bounded on every side (live-channel §1, §2).

mod inbound;
mod line;
mod socket;
mod subscribe;
mod upgrade;

pub(super) use upgrade::upgrade;
