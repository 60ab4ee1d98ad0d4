//! Tells what the main data of a page are most likely shown as, by the words of its contract.

mod choose;
mod signs;
mod weights;

#[cfg(test)]
pub(in super::super) use choose::main_signs;
pub(super) use choose::{Likely, likely};
#[cfg(test)]
pub(in super::super) use weights::COMPONENTS;
