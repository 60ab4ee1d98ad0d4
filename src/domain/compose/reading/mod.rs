//! The first step: what is there. Things, their relations, and the evidence, as plain data.

mod channel;
mod deed;
mod evidence;
mod fields;
mod gesture;
mod hints;
mod identity;
mod meaning;
mod pairs;
mod payload;
mod pointer;
mod read;
mod records;
mod reference;
mod slot;
mod takes;
mod thing;
mod units;
mod words;

pub(super) use channel::Channel;
pub(super) use deed::{CREATIVE, Deed, REFUSING, TALKING, UNFINISHED, is};
pub(super) use fields::{
    Field, Kind, any_of, branches, choices, columns_of, core, counts_minor, fields, format,
    is_checksum, is_currency, is_duty, is_id, is_image, is_key, is_long, is_markdown, is_minor,
    is_money, is_nullable, is_patch, is_percent, is_price, is_reference, is_source,
    is_technical_id, is_time, items, key, kind, named_currency, required, shapes_of,
};
pub(super) use gesture::Gesture;
pub(crate) use hints::is_once;
pub(super) use hints::{Hints, hints, placed};
pub(super) use meaning::{amount, ends, filled, meaning, structure};
pub(super) use payload::sets_cell;
pub(super) use pointer::join;
pub(super) use read::{Reading, Slot, read};
pub(super) use records::{change, changed, ends_with, moment, names_text, naming, patch, state};
pub(super) use reference::{keyed, named_record, referent, somebody};
pub(super) use slot::{SlotUse, is_steps, listed_inputs};
pub(super) use thing::{Axis, Sort, Thing, cells_of, is_count, rows_of, values};
pub(super) use units::measured;
pub(super) use words::{
    Word, Words, capitalised, label, says, singular, split, stem, stems, titled,
};
