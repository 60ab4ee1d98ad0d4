//! Holds the composer to its promise: nothing of a contract is missing on its page.

mod asked;
mod bound;
mod contracts;
mod evidence;
mod forms;
mod helpers;
mod hinted;
mod kinds;
mod known;
mod likely;
mod lists;
mod live;
mod meanings;
mod pages;
mod references;
mod relations;
mod seats;
mod stepped;
mod tasks;
