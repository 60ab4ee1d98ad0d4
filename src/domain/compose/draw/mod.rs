//! The third step: a plan becomes a view, without any decision.

mod actions;
mod builder;
mod controls;
mod page;
mod parts;
mod records;
mod values;

pub(super) use page::view;
