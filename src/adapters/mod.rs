//! What the ports of the domain are made of, each file named after what it adapts to.

#[cfg(test)]
pub(crate) mod battery;
#[cfg(feature = "gate")]
pub(crate) mod cedar;
#[cfg(feature = "gate")]
pub(crate) mod gate_audit;
pub(crate) mod jwks;
pub(crate) mod keys_file;
pub(crate) mod memory;
#[cfg(feature = "model")]
pub(crate) mod model;
#[cfg(feature = "gate")]
pub(crate) mod pins_file;
pub(crate) mod private_questions;
#[cfg(feature = "redis")]
pub(crate) mod redis;
pub(crate) mod sqlite;
pub(crate) mod sqlite_pages;
pub(crate) mod static_table;
pub(crate) mod system;
#[cfg(feature = "gate")]
pub(crate) mod upstream;
#[cfg(feature = "gate")]
pub(crate) mod webhooks;
