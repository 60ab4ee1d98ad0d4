//! The view: what is drawn, and the check that keeps it within catalog and contract.

mod addresses;
mod bindings;
mod calls;
#[cfg(test)]
mod cases;
mod catalog;
mod check;
mod coverage;
mod gestures;
mod schema_path;
mod stored;
mod tree;

pub(crate) use catalog::{SOURCE as CATALOG, hash as catalog_hash};
pub(crate) use check::check;
pub(crate) use coverage::gaps;
pub(crate) use stored::View;
