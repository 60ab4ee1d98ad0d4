//! `proscenium brain`: the page store on the command line, by the tools that agents have.

mod arguments;
mod client;
mod files;
mod verb;

pub(super) use arguments::BrainVerb;
pub(super) use verb::{BrainArgs, run};
