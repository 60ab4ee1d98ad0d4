//! The rules: no tokio, no I/O, no clock of its own, no randomness.

pub(crate) mod action;
mod action_queue;
pub(crate) mod activity;
pub(crate) mod api_key;
pub(crate) mod blueprint;
pub(crate) mod brain;
pub(crate) mod clock;
pub(crate) mod compose;
pub(crate) mod contract;
pub(crate) mod credentials;
pub(crate) mod digest;
pub(crate) mod document;
pub(crate) mod event;
pub(crate) mod fold;
pub(crate) mod footprint;
#[cfg(feature = "gate")]
pub(crate) mod gate;
pub(crate) mod generation;
pub(crate) mod handshake;
pub(crate) mod https;
pub(crate) mod inbox;
pub(crate) mod limits;
pub(crate) mod links;
pub(crate) mod merge_patch;
pub(crate) mod model_settings;
pub(crate) mod next_step;
pub(crate) mod operation;
pub(crate) mod page;
pub(crate) mod places;
pub(crate) mod presence;
pub(crate) mod principal;
pub(crate) mod projection;
pub(crate) mod replayed;
pub(crate) mod seldom;
pub(crate) mod session;
pub(crate) mod size;
pub(crate) mod store;
pub(crate) mod store_error;
pub(crate) mod store_settings;
#[cfg(test)]
mod stored_events;
pub(crate) mod summary;
pub(crate) mod theme;
pub(crate) mod token;
pub(crate) mod token_settings;
pub(crate) mod view;
