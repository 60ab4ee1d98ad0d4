//! The composer: a picture for every contract, chosen by the shape of what it says.

mod actions;
mod builder;
#[cfg(test)]
mod completeness;
mod fields;
mod forms;
mod lists;
mod page;
mod props;
mod shapes;
mod slots;
mod streams;
mod subject;
mod words;

pub(crate) use page::compose;
