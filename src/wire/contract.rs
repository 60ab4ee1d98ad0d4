//! The data contract as it is written on the wire.
