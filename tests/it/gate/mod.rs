//! The gate, with real programs and real servers behind it.

mod approvals;
mod approvals_allowed;
mod approvals_kept;
mod approvals_seen;
mod audit_files;
mod deciders;
mod ends;
mod errors;
mod filter;
mod listened;
mod metrics;
mod overhead;
mod people;
mod pins;
mod policies;
mod policy_files;
mod progress;
mod questions;
mod reload;
mod search;
mod servers;
mod site;
mod tasks;
mod told;
mod webhooks;
mod written_down;
