//! Holds the composer to its promise: nothing of a contract is missing on its page.

mod contracts;
mod helpers;
mod pages;
mod relations;
mod tasks;
