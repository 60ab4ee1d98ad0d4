//! The gate, with real programs and real servers behind it.

mod ends;
mod errors;
mod filter;
mod pins;
mod reload;
mod servers;
mod site;
