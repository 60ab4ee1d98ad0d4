//! Tells what a list of records is best shown as, by its fields, its gestures and what was asked for.

mod article;
#[cfg(test)]
mod cases;
mod charts;
mod choice;
mod people;
mod places;
mod shape;
mod timeline;

pub(super) use charts::series;
pub(super) use choice::{Around, shape};
pub(super) use people::{is_answer, is_conversation, is_quiz, is_vote};
pub(in super::super) use shape::Shape;
pub(super) use shape::{PreferredShape, preferred_shape};
pub(super) use timeline::timeline;
