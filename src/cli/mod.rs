//! The command line: what each verb takes, does and prints, and how the process ends.

mod arguments;
mod attached;
mod brain;
mod completions;
mod config;
mod contract_file;
mod data;
#[cfg(feature = "demo")]
mod demo;
mod examples;
mod explain;
mod failure;
#[cfg(feature = "gallery")]
mod gallery;
#[cfg(feature = "gate")]
mod gate;
#[cfg(feature = "model")]
mod generate;
pub mod keys;
mod logging;
mod owner;
mod process;
mod run;
mod serve;
mod server;
mod stdio;

pub use run::run;
