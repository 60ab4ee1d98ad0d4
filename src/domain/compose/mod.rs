//! The composer: a picture for every contract, chosen by the shape of what it says.

mod actions;
mod builder;
#[cfg(test)]
mod completeness;
mod fields;
mod page;
mod props;
mod slots;
mod streams;
mod words;

pub(crate) use page::compose;
