//! Frames of the live channel, both directions (live-channel.md §2).

mod client;
mod server;

pub use client::{
    ActionEnvelope, ChannelSubscribe, ChannelUnsubscribe, ClientFrame, HostContextObserved,
    Subscribe,
};
pub use server::{Ack, AckOf, DRAFTS, LedgerRow, ServerBody, ServerFrame};
