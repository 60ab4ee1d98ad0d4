//! Tells what a list of records is best shown as, by its fields, its gestures and what was asked for.

#[cfg(test)]
mod cases;
mod charts;
mod choice;
mod places;
mod records;
mod shape;
mod timeline;

pub(super) use charts::series;
pub(super) use choice::shape;
pub(super) use records::{children, moved, naming};
pub(super) use shape::{Shape, Wish, wish};
