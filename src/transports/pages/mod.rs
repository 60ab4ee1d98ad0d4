//! The pages people see: the stage, the page of one render, and the scripts they load.

#[cfg(feature = "demo")]
mod demo;
pub(super) mod feed;
pub(super) mod guest;
#[cfg(feature = "demo")]
mod offer;
mod pictures;
pub(super) mod scripts;
pub(super) mod shell;
mod slices;
pub(super) mod stage;
mod state;

#[cfg(feature = "demo")]
pub(super) use demo::play;
#[cfg(feature = "demo")]
pub(crate) use offer::Offer;
pub(crate) use slices::Slices;
pub(crate) use state::Stage;
