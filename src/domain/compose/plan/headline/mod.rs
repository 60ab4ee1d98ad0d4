//! The subject of a page in a few words: never the agent's instruction.
//!
//! Which words a designer would choose follows from many small signs and no strict rule. So all that
//! could head the page is a candidate (values of the page, names of its lists, words of the intent),
//! and each of its signs has a weight. The weights are fitted to the contracts of `tests/labelled`.

mod candidate;
mod choose;
mod deeds;
mod lexicon;
mod names;
mod page;
mod phrases;
mod request;
mod sentence;
mod signs;
mod values;
mod words;

pub(super) use choose::headline;
#[cfg(test)]
pub(in super::super) use choose::headline_candidates;
