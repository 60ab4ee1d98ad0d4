//! The gallery: contracts with data, shown by a server and captured as pictures by a browser.

mod agent;
mod browser;
mod entry;
mod error;
mod sheet;
mod studio;

pub use agent::Shown;
pub use entry::{Drawn, Entry, read};
pub use error::GalleryError;
pub use studio::Studio;
