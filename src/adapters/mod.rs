//! What the ports of the domain are made of, each file named after what it adapts to.

pub(crate) mod jwks;
pub(crate) mod keys_file;
pub(crate) mod memory;
pub(crate) mod system;
