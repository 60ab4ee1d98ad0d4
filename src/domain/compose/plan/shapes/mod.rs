//! Tells what a list of records is best shown as, by its fields, its gestures and what was asked for.

mod around;
mod article;
#[cfg(test)]
mod cases;
mod changes;
mod charts;
mod choice;
mod people;
mod places;
mod quiz;
mod relaxed;
mod shape;
mod tasks;
mod timeline;

pub(super) use around::Around;
pub(super) use article::{HEADINGS, TEXTS, is_text};
pub(super) use charts::{is_ordered, lines, series, undrawn};
pub(super) use choice::shape;
pub(super) use people::{chat, is_conversation, is_free, is_vote, seat_fields};
pub(super) use quiz::{handed_in, is_answer, is_quiz, is_solution};
pub(in super::super) use shape::Shape;
pub(super) use shape::{PreferredShape, preferred_shape};
pub(super) use tasks::{can_be_done, is_done};
pub(super) use timeline::timeline;
