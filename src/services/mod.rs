//! The use cases: no HTTP status, no frame code, no storage product.

pub(crate) mod actions;
pub(crate) mod arguments;
pub(crate) mod auth;
pub(crate) mod book;
pub(crate) mod brain;
pub(crate) mod budget;
pub(crate) mod content;
pub(crate) mod discovery;
pub(crate) mod dispatch;
#[cfg(feature = "gate")]
pub(crate) mod gate;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod mounts;
pub(crate) mod replay;
pub(crate) mod sessions;
pub(crate) mod work;
