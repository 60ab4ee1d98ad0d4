//! The compiled contract.
