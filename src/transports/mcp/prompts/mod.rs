//! Prompts: what a person picks in their client to be shown a kind of UI, with a contract to begin with.

mod arguments;
mod drafts;
mod methods;
mod table;

pub(super) use methods::{complete, get, list};
